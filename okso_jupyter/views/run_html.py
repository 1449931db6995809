"""A run as HTML and Markdown: the answer first, the tables folded below it.

Everything that came from a model, a tool or a file is text here and stays text.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.legible import visible
from okso_jupyter.toolkit.sandbox.artifacts import picture_type
from okso_jupyter.views.table_html import table_html, table_style
from okso_jupyter.views.text import NO_MATH, escape

if TYPE_CHECKING:
    import pandas as pd

_STYLE: Final = (
    "border:1px solid var(--jp-border-color1,#bbb);padding:8px 12px;border-radius:3px;"
    "color:var(--jp-content-font-color1,inherit)"
)
_ANSWER_STYLE: Final = "white-space:pre-wrap;font-size:1.05em;margin:4px 0 8px"
_IMAGE_STYLE: Final = "display:block;max-width:100%;margin:4px 0 8px"
_MAX_INLINE_BYTES: Final = 10 << 20
_FENCE = re.compile(r"`{3,}")


def as_html(
    *,
    answer: str | None,
    state: str,
    report: str,
    tables: Mapping[str, pd.DataFrame],
    pictures: Sequence[tuple[str, bytes]] = (),
) -> str:
    """Return the run as static HTML.

    Args:
        answer: The answer, or None.
        state: State of the run.
        report: The report as text.
        tables: Frames by title, folded in this order.
        pictures: Name and bytes of PNG and JPEG pictures; all else is passed over.
    """
    region = f"<div class='{NO_MATH}' role='region' aria-label='okso run' style='{_STYLE}'>"
    parts = [table_style(), region]
    words = escape(answer) if answer else f"no answer: the run is {escape(state)}"
    parts.append(f"<div style='{_ANSWER_STYLE}'>{words}</div>")
    parts += _images(pictures)
    parts.append(_folded("Steps", f"<pre style='white-space:pre-wrap'>{escape(report)}</pre>"))
    parts += [
        _folded(f"{title} ({len(table)})", table_html(table))
        for title, table in tables.items()
        if len(table)
    ]
    return "".join([*parts, "</div>"])


def _images(pictures: Sequence[tuple[str, bytes]]) -> Iterator[str]:
    """Yield pictures inline, as long as they are not too many bytes for a notebook."""
    room_bytes = _MAX_INLINE_BYTES
    for name, data in pictures:
        kind = picture_type(data)
        if kind and len(data) <= room_bytes:
            room_bytes -= len(data)
            inline = base64.b64encode(data).decode("ascii")
            source = f"data:{kind};base64,{inline}"
            yield f"<img alt='{escape(name)}' src='{source}' style='{_IMAGE_STYLE}'>"
        else:
            yield f"<p>{escape(name)} is kept in the run's folder, and too big to be shown here</p>"


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


def candidates_html(table: pd.DataFrame) -> str:
    """Return the candidates as HTML: plans and points at first sight, the rest folded.

    Args:
        table: What `Planning.candidates` gives.
    """
    rules = [name for name in table.columns if str(name).startswith("rule_")]
    plans = table.assign(plan=_plans(table))
    first = plans[["candidate", "chosen", "score", "plan", *rules]]
    rest = table.drop(columns=["chosen", "score", "tools", *rules])
    why = _folded("Why, and what was sampled", table_html(rest))
    note = f" {escape(table.attrs['note'])}" if "note" in table.attrs else ""
    head = f"<b>Candidates</b>{note}"
    return f"{table_style()}<div class='{NO_MATH}'>{head}{table_html(first)}{why}</div>"


def _plans(table: pd.DataFrame) -> list[str]:
    """Return the plan of every candidate; one that was sampled before is only referred to."""
    first: dict[str, int] = {}
    plans = []
    for candidate, steps in zip(table["candidate"], table["response"], strict=True):
        calls = _calls(steps)
        seen = first.setdefault(calls, candidate)
        plans.append(calls if seen == candidate else f"the same as candidate {seen}")
    return plans


def _calls(steps: list[Mapping[str, Any]]) -> str:
    """Return a plan as one call per line."""
    return "\n".join(f"{step['tool']}({_arguments(step.get('args') or {})})" for step in steps)


def _arguments(args: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
        for name, value in args.items()
    )
