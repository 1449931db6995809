"""A sheet as the JSON that the front end gets: texts legible, HTML escaped where it was made."""

from __future__ import annotations

from typing import Any, Final

from okso_jupyter.approval.sheet import Card, Field, Sheet
from okso_jupyter.legible import visible
from okso_jupyter.views import plan_html, plan_text

#: A step whose fields are not right: what it would change is not known.
_NO_PARTS: Final = {"words": "", "html": ""}
_STATUS: Final = "<b>Waiting for your decision.</b> Nothing has run yet."
_STATUS_LATER: Final = "<b>Waiting for your decision.</b> What is not marked as done has not run."
_STATUS_ALONE: Final = (
    "<b>Waiting for your decision.</b> The run has begun, and needs this of you to go on."
)
_STATUS_UNCERTAIN: Final = (
    "<b>Waiting for your answer.</b> This step was cut off: whether it took effect is not known."
)


def state_of(sheet: Sheet, *, round_: int, notice: str = "") -> dict[str, Any]:
    """Return the state of the front end.

    Args:
        sheet: What it is to show.
        round_: Number of the state, one more than that of the state before.
        notice: What the kernel has to say about the last message.
    """
    return {
        "shown": sheet.shown,
        "is_uncertain": sheet.proposal.is_uncertain,
        "problem": visible(sheet.problem),
        "approve": visible(plan_text.approve_words(sheet.proposal)),
        "head": plan_html.header(sheet.proposal, _status_of(sheet)),
        "score": _points(sheet.score),
        "score_before": _points(sheet.score_before),
        "score_notes": [visible(note) for note in sheet.score_notes],
        "steps": [_step(card) for card in sheet.cards],
        "up_to": sheet.draft.up_to,
        "candidate": sheet.draft.candidate,
        "candidates": [
            {
                "candidate": one.candidate,
                "score": _points(one.score),
                "outline": visible(one.outline),
            }
            for one in sheet.alternatives
        ],
        "feedback": _overlooked(sheet),
        "notice": visible(notice),
        "round": round_,
    }


def _status_of(sheet: Sheet) -> str:
    """Return the line that says how things stand, as HTML."""
    if sheet.proposal.is_uncertain:
        return _STATUS_UNCERTAIN
    if any(card.ended for card in sheet.cards):
        return _STATUS_LATER
    return _STATUS_ALONE if sheet.proposal.is_begun else _STATUS


def _overlooked(sheet: Sheet) -> str:
    """Return the feedback that changed nothing, to be worded anew; else an empty text."""
    revision = sheet.proposal.revision
    return revision.reason if revision is not None and revision.is_overlooked else ""


def _points(score: float | None) -> float | None:
    """Return points as a person reads them: sums of fractions have long tails."""
    return None if score is None else round(score, 2)


def _step(card: Card) -> dict[str, Any]:
    effects = plan_html.effect_list(card.effects)
    parts = plan_html.step_parts(card.shown) if card.shown else {**_NO_PARTS, "effects": effects}
    return {
        **parts,
        "id": card.step.id,
        "tool": visible(card.step.tool),
        "ticked": card.is_ticked,
        "off_reason": card.off_reason,
        "ended": visible(card.ended),
        "can_edit": card.can_edit,
        "error": visible(card.error),
        "args": [_argument(one) for one in card.fields],
    }


def _argument(one: Field) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind,
        "text": one.text,
        "choices": list(one.choices),
        "required": one.is_required,
        "open": one.is_open,
        "error": visible(one.error),
        "description": visible(one.description),
    }
