"""A run as HTML and Markdown: the answer first, the tables folded below it.

Everything that came from a model, a tool or a file is text here and stays text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from okso_jupyter.views.text import escape, visible

if TYPE_CHECKING:
    import pandas as pd

_SHOWN_ROWS: Final = 50
_SHOWN_CHARACTERS: Final = 2000

_STYLE: Final = (
    "border:1px solid var(--jp-border-color1,#bbb);padding:8px 12px;border-radius:3px;"
    "color:var(--jp-content-font-color1,inherit)"
)
_ANSWER_STYLE: Final = "white-space:pre-wrap;font-size:1.05em;margin:4px 0 8px"
_FENCE = re.compile(r"`{3,}")


def as_html(
    *, answer: str | None, state: str, report: str, tables: Mapping[str, pd.DataFrame]
) -> str:
    """Return the run as static HTML.

    Args:
        answer: The answer, or None.
        state: State of the run.
        report: The report as text.
        tables: Frames by title, folded in this order.
    """
    parts = [f"<div role='region' aria-label='okso run' style='{_STYLE}'>"]
    words = escape(answer) if answer else f"no answer: the run is {escape(state)}"
    parts.append(f"<div style='{_ANSWER_STYLE}'>{words}</div>")
    parts.append(_folded("Steps", f"<pre style='white-space:pre-wrap'>{escape(report)}</pre>"))
    parts += [
        _folded(f"{title} ({len(table)})", _table(table))
        for title, table in tables.items()
        if len(table)
    ]
    return "".join([*parts, "</div>"])


def as_markdown(answer: str | None, state: str, report: str) -> str:
    """Return answer and report as fenced text: Markdown of a model or page is never rendered."""
    return f"{_fenced(answer or f'no answer: the run is {state}')}\n\n{_fenced(report)}"


def _fenced(text: str) -> str:
    """Return text in a fence longer than any inside it."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"


def _folded(title: str, inner: str) -> str:
    scroll = f"<div style='overflow-x:auto'>{inner}</div>"
    return f"<details><summary>{escape(title)}</summary>{scroll}</details>"


def _table(table: pd.DataFrame) -> str:
    """Return a frame as HTML, what is left out said."""
    shown = table.head(_SHOWN_ROWS).map(_cell)
    html: str = shown.to_html(index=False, escape=True, border=0, justify="left")
    note = f"<p>{len(shown)} of {len(table)} shown</p>" if len(shown) < len(table) else ""
    return html + note


def _cell(value: object) -> object:
    """Return a cell as text that is safe to look at, long ones cut with their length said."""
    if isinstance(value, bool | int | float):
        return value
    text = visible(str(value))
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}… ({len(text)} characters)"


def candidates_html(table: pd.DataFrame) -> str:
    """Return the candidates as HTML, under a heading of their own."""
    return f"<div style='overflow-x:auto'><b>Candidates</b>{_table(table)}</div>"


def progress_html(text: str, progress: float) -> str:
    """Return live status as HTML.

    Args:
        text: One line per step.
        progress: 0 to 1.
    """
    return (
        f"<div role='status'><progress value='{progress:.3f}' max='1'></progress>"
        f"<pre style='white-space:pre-wrap'>{escape(text)}</pre></div>"
    )
