"""A run in progress as HTML: its state, a row per step with its last output, the decisions.

Every part that can change has a `data-key`: a front end may replace the parts one by one, so that
unfolded ones stay unfolded. Nothing here needs it; the HTML is complete without it.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib import resources
from typing import Final

from okso_jupyter.plan.live import Live, LiveStep
from okso_jupyter.plan.states import RunState
from okso_jupyter.views.call_sentence import call_sentence
from okso_jupyter.views.live_text import ICONS, elapsed, headline, standing
from okso_jupyter.views.text import NO_MATH, escape

#: Decisions shown without a click.
_SHOWN_DECISIONS: Final = 3


@cache
def _style() -> str:
    css = (resources.files("okso_jupyter.views") / "live.css").read_text("utf-8")
    return f"<style data-key='style'>{css}</style>"


def as_html(live: Live, now: datetime, note: str = "") -> str:
    """Return the current state of a run as HTML.

    Args:
        live: The run.
        now: The time, for steps that have not ended.
        note: Activity beside the steps, such as the progress of a model.
    """
    parts = [
        _style(),
        _head(live, now),
        f"<p class='okso-live-note' data-key='note'>{escape(note)}</p>" if note else "",
        f"<ol data-key='steps'>{''.join(_row(step, now) for step in live.steps)}</ol>",
        _decisions(live.decisions),
    ]
    region = f"class='okso-live {NO_MATH}' role='group' aria-label='Steps of the run'"
    return f"<div {region}>{''.join(parts)}</div>"


def status_html(text: str, progress: float) -> str:
    """Return a status text, such as the progress of planning, with a bar.

    Args:
        text: The text.
        progress: 0 to 1.
    """
    return (
        f"<div class='okso-live {NO_MATH}'>{_style()}<div class='okso-live-head' data-key='head'>"
        f"<progress value='{progress:.3f}' max='1' aria-label='Progress'></progress> "
        f"<span role='status'>{escape(text)}</span></div></div>"
    )


def ended_html() -> str:
    """Return the final text for a page that no longer gets the outputs of a cell."""
    return _said(
        "This has ended. The result was shown in the page that ran the cell: see %okso runs."
    )


def goes_on_html() -> str:
    """Return the text for such a page when the cell goes on to another output, such as a form."""
    return _said(
        "The plan has been made, and the cell continues. What follows, such as a form waiting for "
        "a decision, is shown in the page that ran the cell alone."
    )


def _said(words: str) -> str:
    return f"<div class='okso-live {NO_MATH}'>{_style()}<span role='status'>{words}</span></div>"


def _head(live: Live, now: datetime) -> str:
    lost = " okso-live-lost" if live.state is RunState.FAILED else ""
    return (
        f"<div class='okso-live-head{lost}' data-key='head'>"
        f"<progress value='{live.progress:.3f}' max='1' aria-label='Steps done'></progress> "
        f"<span role='status'>{escape(headline(live))}</span> "
        f"<span class='okso-live-time'>{elapsed(live, now)}</span></div>"
    )


def _row(step: LiveStep, now: datetime) -> str:
    """Return one step: icon, number, title, tool, state, reason, and its last output."""
    reason = f"<div class='okso-live-reason'>{escape(step.reason)}</div>" if step.reason else ""
    tail = (
        f"<pre aria-label='Output so far of step {step.id}'>{escape(step.tail)}</pre>"
        if step.tail
        else ""
    )
    return (
        f"<li class='okso-live-{step.state}' data-key='step-{step.id}'>"
        f"<span class='okso-live-icon' aria-hidden='true'>{ICONS[step.state]}</span> "
        f"<span class='okso-live-title'>{step.id}. {escape(call_sentence(step.step))}</span> "
        f"<code>{escape(step.step.tool)}</code> "
        f"<span class='okso-live-state'>{escape(standing(step, now))}</span>{reason}{tail}</li>"
    )


def _decisions(lines: tuple[str, ...]) -> str:
    """Return the decisions: the newest visible, the earlier ones folded."""
    if not lines:
        return ""
    older, newest = lines[:-_SHOWN_DECISIONS], lines[-_SHOWN_DECISIONS:]
    folded = (
        f"<details data-key='older'><summary>{len(older)} earlier</summary>{_list(older)}</details>"
        if older
        else ""
    )
    title = "<div class='okso-live-label'>Decisions</div>"
    return f"<div class='okso-live-log' data-key='log'>{title}{folded}{_list(newest)}</div>"


def _list(lines: tuple[str, ...]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
