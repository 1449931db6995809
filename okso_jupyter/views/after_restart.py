"""Text for a saved output whose kernel has ended: what the cell was doing, and what to do now.

It is part of outputs that change while the kernel lives, when it does not apply. So the style
sheet, if there is one, shows it only after some seconds without a change.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from okso_jupyter.plan.live import Live
from okso_jupyter.views.live_text import headline
from okso_jupyter.views.text import escape

PLANNING: Final = "the plan was being made"
DECISION: Final = "this was waiting for a decision"
_STYLE: Final = (
    "<style>.okso-way-on { animation: 3s okso-late; }"
    "@keyframes okso-late { from, to { visibility: hidden; } }</style>"
)


def where(live: Live) -> str:
    """Return what a run was doing, such as `this run was at step 2`."""
    ids = [str(step.id) for step in live.steps if step in live.running or step.is_asked]
    if not ids:
        return f"this run was between steps ({headline(live)})"
    steps = f"step {ids[0]}" if len(ids) == 1 else f"steps {', '.join(ids)}"
    return f"this run was at {steps}"


def command(run_id: str) -> str:
    """Return what to do in a new kernel, as a sentence.

    Args:
        run_id: The run; empty if none can be resumed.
    """
    words = _command(run_id)
    return f"{words[0].upper()}{words[1:]}."


def _command(run_id: str) -> str:
    if not run_id:
        return "ask again, as by running the %%okso cell again: no step of this run had run"
    return f"resume the run with %load_ext okso_jupyter and %okso resume {run_id}"


def text(doing: str, run_id: str, now: datetime) -> str:
    """Return what the cell was doing and what to do after a restart.

    Args:
        doing: What the cell is doing: the result of `where`, `PLANNING` or `DECISION`.
        run_id: The run; empty if none can be resumed.
        now: The time.
    """
    return (
        f"As of {now:%Y-%m-%d %H:%M:%S} UTC, {doing}. "
        f"If the kernel was restarted or ended since then, {_command(run_id)}."
    )


def html(words: str) -> str:
    """Return the result of `text` as HTML."""
    return f"{_STYLE}<p class='okso-way-on'>{escape(words)}</p>"
