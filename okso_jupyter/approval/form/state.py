"""Serialization of a FormModel to the front end's JSON state, with text and HTML escaped."""

from __future__ import annotations

from typing import Any, Final

from okso_jupyter.approval.form.model import Field, FormModel, StepCard
from okso_jupyter.legible import visible
from okso_jupyter.views import plan_html, plan_text
from okso_jupyter.views.call_sentence import call_sentence, call_text, is_told_whole

#: Parts of a step whose fields have errors: its changes are unknown.
_NO_PARTS: Final = {"words": "", "html": "", "limits": ""}
_STATUS: Final = "<b>Waiting for your decision.</b> Nothing has run yet."
_STATUS_LATER: Final = "<b>Waiting for your decision.</b> What is not marked as done has not run."
_STATUS_ALONE: Final = (
    "<b>Waiting for your decision.</b> The run has begun, and needs your decision to continue."
)
_STATUS_UNCERTAIN: Final = (
    "<b>Waiting for your answer.</b> This step was cut off: whether it took effect is not known."
)


def state_of(form_model: FormModel, *, round_: int, notice: str = "") -> dict[str, Any]:
    """Return the state of the front end.

    Args:
        form_model: The model to show.
        round_: Number of the state, one more than that of the previous state.
        notice: The kernel's answer to the last message.
    """
    return {
        "shown": form_model.shown,
        "is_uncertain": form_model.proposal.is_uncertain,
        "problem": visible(form_model.problem),
        "approve": visible(plan_text.approve_words(form_model.proposal)),
        "head": plan_html.header(form_model.proposal, _status_of(form_model)),
        "origin": plan_html.origin(form_model.proposal),
        "score": _points(form_model.score),
        "score_before": _points(form_model.score_before),
        "score_notes": [visible(note) for note in form_model.score_notes],
        "steps": [_step(card) for card in form_model.cards],
        "up_to": form_model.draft.up_to,
        "candidate": form_model.draft.candidate,
        "candidates": [
            {
                "candidate": one.candidate,
                "score": _points(one.score),
                "outline": visible(one.outline),
            }
            for one in form_model.alternatives
        ],
        "readings": [
            {
                "candidate": one.candidate,
                "words": [[visible(word), is_own] for word, is_own in one.words],
            }
            for one in form_model.readings
        ],
        "feedback": _overlooked(form_model),
        "notice": visible(notice),
        "round": round_,
    }


def _status_of(form_model: FormModel) -> str:
    """Return the status line as HTML."""
    if form_model.proposal.is_uncertain:
        return _STATUS_UNCERTAIN
    if any(card.ended for card in form_model.cards):
        return _STATUS_LATER
    return _STATUS_ALONE if form_model.proposal.is_begun else _STATUS


def _overlooked(form_model: FormModel) -> str:
    """Return feedback that did not change the plan, so that it can be reworded; else empty."""
    revision = form_model.proposal.revision
    return revision.reason if revision is not None and revision.is_overlooked else ""


def _points(score: float | None) -> float | None:
    """Return points rounded for display: sums of fractions have many digits."""
    return None if score is None else round(score, 2)


def _step(card: StepCard) -> dict[str, Any]:
    effects = plan_html.effect_list(card.effects)
    parts = plan_html.step_parts(card.shown) if card.shown else {**_NO_PARTS, "effects": effects}
    return {
        **parts,
        "id": card.step.id,
        "tool": visible(card.step.tool),
        "sentence": visible(call_sentence(card.step)),
        "was": visible(call_sentence(card.before)) if card.before else "",
        "call": visible(call_text(card.step)),
        "is_whole": is_told_whole(card.step),
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
        "parts": [
            {"name": part.name, "choices": list(part.choices), "required": part.is_required}
            for part in one.parts
        ],
        "required": one.is_required,
        "open": one.is_open,
        "error": visible(one.error),
        "was": one.was,
        "description": visible(one.description),
    }
