"""A run as HTML, Markdown and text: the answer first, everything else folded below.

Text from a model, a tool or a file is never treated as HTML. Text worded by a model may be
Markdown (see `markdown_text`); the output of a tool is shown unchanged.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.states import RunState
from okso_jupyter.sandbox.artifacts import picture_type
from okso_jupyter.views.drawing import Drawing
from okso_jupyter.views.markdown_text import fenced, rendered
from okso_jupyter.views.table_html import folded, table_html, table_style
from okso_jupyter.views.table_model import MOST_ROWS
from okso_jupyter.views.text import NO_MATH, escape

if TYPE_CHECKING:
    import pandas as pd

_STYLE: Final = (
    "border:1px solid var(--jp-border-color1,#bbb);padding:8px 12px;border-radius:3px;"
    "color:var(--jp-content-font-color1,inherit)"
)
_ANSWER_STYLE: Final = "font-size:1.05em;margin:4px 0 8px;overflow-wrap:anywhere"
_ASIDE_STYLE: Final = "border-left:4px solid var(--jp-border-color1,#bbb);padding-left:8px"
_FAILURE_STYLE: Final = "border-left:4px solid var(--jp-error-color1,#d32f2f);padding-left:8px"
_FAILURE_HEAD_STYLE: Final = "color:var(--jp-error-color1,#d32f2f)"
_AGAIN: Final = "run the cell again to have it planned anew"
_FILES_STYLE: Final = "margin:4px 0 8px;overflow-wrap:anywhere"
_AS_IT_IS: Final = "white-space:pre-wrap;font:inherit;margin:0"
_IMAGE_STYLE: Final = "display:block;max-width:100%;margin:4px 0 8px"
_MAX_INLINE_BYTES: Final = 10 << 20
#: Longer answers are shown unrendered: they are hardly written for a notebook.
_MAX_MARKDOWN_CHARS: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """The output of a run in a notebook.

    Attributes:
        answer: The answer, or None.
        state: State of the run.
        report: The report as text.
        failure: Why the run did not complete; shown as an error if there is no answer.
        way_on: How to resume it, if possible.
        is_markdown: Whether the answer may be Markdown; see `is_worded`.
        drawings: Drawings by title, folded in this order.
        candidates: The candidates; None if the plan was not made here.
        tables: Frames by title, folded below them in this order; those without rows are left out.
        pictures: Name and bytes of PNG and JPEG pictures; other types are ignored.
        most_rows: Most rows of a table that are shown; None is all.
        files: The files it changed in its folder, in words; empty for none.
        undo: The run's id if these changes can be undone; else empty.
        is_brief: Whether only the answer, its pictures and the changed files are shown.
    """

    answer: str | None
    state: str
    report: str
    failure: str = ""
    way_on: str = ""
    is_markdown: bool = False
    drawings: Mapping[str, Drawing] = field(default_factory=dict)
    candidates: pd.DataFrame | None = None
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pictures: Sequence[tuple[str, bytes]] = ()
    most_rows: int | None = MOST_ROWS
    files: str = ""
    undo: str = ""
    is_brief: bool = False

    def faces(self) -> dict[str, str]:
        """Return the page in every supported format, by its MIME type."""
        return {
            "text/plain": visible("\n\n".join([self._outcome_text, *self._below])),
            "text/markdown": self.as_markdown(),
            "text/html": self.as_html(),
        }

    def as_html(self) -> str:
        """Return the page as static HTML."""
        face = f"class='okso-run {NO_MATH}' style='{_STYLE}'"
        region = f"<div {face} role='region' aria-label='okso run'>"
        parts = [region, self._answer_html(), *_images(self.pictures), self._files_html()]
        if not self.is_brief:
            parts = [table_style(), *parts, *self._folds()]
        return "".join([*parts, "</div>"])

    def _folds(self) -> list[str]:
        """Return the folds: steps, drawings, candidates and tables."""
        steps = f"<pre style='white-space:pre-wrap'>{escape(self.report)}</pre>"
        parts = [folded("Steps", steps)]
        parts += [folded(title, drawing.html) for title, drawing in self.drawings.items()]
        if self.candidates is not None and len(self.candidates):
            title = f"Candidates ({len(self.candidates):,})"
            parts.append(folded(title, _candidates(self.candidates, self.most_rows)))
        parts += [
            folded(f"{title} ({len(table):,})", table_html(table, most_rows=self.most_rows))
            for title, table in self.tables.items()
            if len(table)
        ]
        return parts

    def _files_html(self) -> str:
        """Return the changed files; `widgets.undo_button` may add a button."""
        if not self.files:
            return ""
        undo = f" <span class='{undo_place(self.undo)}'>{escape(self._undo_words)}</span>"
        return (
            f"<p style='{_FILES_STYLE}'>{escape(self._files_words)}{undo if self.undo else ''}</p>"
        )

    @property
    def _files_words(self) -> str:
        return f"Files: {self.files}."

    @property
    def _undo_words(self) -> str:
        return f"%okso undo {self.undo} takes this back."

    @property
    def _below(self) -> list[str]:
        """The parts below the answer in text: changed files, and the report."""
        undo = f" {self._undo_words}" if self.undo else ""
        files = [f"{self._files_words}{undo}"] if self.files else []
        return files if self.is_brief else [*files, self.report]

    def as_markdown(self) -> str:
        """Return answer and report as fenced text, so that no Markdown in them is rendered."""
        return "\n\n".join(fenced(text) for text in (self._outcome_text, *self._below))

    @property
    def _outcome_text(self) -> str:
        """The answer; without one, a statement of that, the failure, and what to do."""
        if self.answer:
            return self.answer
        return "\n".join(filter(None, (self._no_answer, self.failure, self._next)))

    @property
    def _no_answer(self) -> str:
        mark = "✗ " if self._is_failed else ""
        return f"{mark}no answer: the run is {self.state}"

    @property
    def _is_failed(self) -> bool:
        return self.state == RunState.FAILED

    @property
    def _next(self) -> str:
        """What to do now, in a sentence."""
        return f"What to do next: {self.way_on or _AGAIN}."

    def _answer_html(self) -> str:
        """Return the answer; a rendered one with its source folded below."""
        if not self.answer:
            return self._failure_html()
        answer = self.answer
        plain = f"<pre style='{_AS_IT_IS}'>\n{escape(answer)}</pre>"
        if not self.is_markdown or len(answer) > _MAX_MARKDOWN_CHARS:
            return f"<div style='{_ANSWER_STYLE}'>{plain}</div>"
        html = rendered(answer)
        has_marks = html != f"<p>{escape(answer)}</p>\n"
        source = folded("The answer as it was written", plain) if has_marks else ""
        return f"<div style='{_ANSWER_STYLE}'>{html}</div>{source}"

    def _failure_html(self) -> str:
        """Return a highlighted statement that there is no answer, and why."""
        failure = f"<pre style='{_AS_IT_IS}'>\n{escape(self.failure)}</pre>"
        colour, side = (
            (_FAILURE_HEAD_STYLE, _FAILURE_STYLE) if self._is_failed else ("", _ASIDE_STYLE)
        )
        head = f"<strong style='{colour}'>{escape(self._no_answer)}</strong>"
        to_do = f"<div>{escape(self._next)}</div>"
        return f"<div style='{_ANSWER_STYLE};{side}'>{head}{failure}{to_do}</div>"


def undo_place(run_id: str) -> str:
    """Return the classes of the element in which a run's page offers its undo."""
    return f"okso-undo okso-undo-{escape(run_id)}"


def is_worded(answer: str | None, completions: Iterable[str], seen: Sequence[Observation]) -> bool:
    """Return whether an answer was worded by a model or a plan, and is not the output of a tool.

    Only such an answer may be read as Markdown: in an output, an asterisk is an asterisk.

    Args:
        answer: The answer.
        completions: Texts that models wrote.
        seen: Every attempt at a step.
    """
    if not answer:
        return False
    observed = (one.text for one in seen if one.call.tool != FINAL_TOOL)
    if any(answer.strip() in text for text in observed):
        return False
    given = (str(one.call.args.get("input", "")) for one in seen if one.call.tool == FINAL_TOOL)
    return answer.strip() in {text.strip() for text in (*completions, *given)}


def outputs_html(
    pictures: Iterable[Path], outputs: Iterable[Mapping[str, Any]], validation: Mapping[str, Any]
) -> list[str]:
    """Return a line for each picture, each variable requested from Python, and a failed validation.

    Args:
        pictures: Pictures that Python drew.
        outputs: The journal's entry for each variable.
        validation: The validation of the answer; empty if there is none.
    """
    lines = [f"picture: {path}" for path in pictures]
    for body in outputs:
        missing = f"{body['name']} was not taken out of Python: {body['error']}"
        lines.append(missing if body["error"] else _described(body["about"]))
    if not validation.get("satisfied", True):
        lines.append(f"the answer may be inadequate: {validation['reasoning']}")
    return lines


def _described(about: Mapping[str, Any]) -> str:
    """Return name, kind and shape of a value in words."""
    return f"{about['name']}: {about['kind']}, {about['shape']}".strip(" ,")


def _images(pictures: Sequence[tuple[str, bytes]]) -> Iterator[str]:
    """Yield pictures inline, up to a total size that a notebook can hold."""
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


def candidates_html(table: pd.DataFrame) -> str:
    """Return the candidates as a separate output, with its style.

    Args:
        table: The result of `Planning.candidates`.
    """
    head = "<b>Candidates</b>"
    return f"{table_style()}<div class='{NO_MATH}'>{head}{_candidates(table)}</div>"


def _candidates(table: pd.DataFrame, most_rows: int | None = MOST_ROWS) -> str:
    """Return the candidates: plans and points visible, the rest folded."""
    rules = [name for name in table.columns if str(name).startswith("rule_")]
    plans = table.assign(plan=_plans(table))
    first = plans[["candidate", "chosen", "score", "plan", *rules]]
    rest = table.drop(columns=["chosen", "score", "tools", *rules])
    rest.attrs.pop("note", None)  # shown with the first table
    why = folded("Why, and what was sampled", table_html(rest, most_rows=most_rows))
    return f"{table_html(first, most_rows=most_rows)}{why}"


def _plans(table: pd.DataFrame) -> list[str]:
    """Return the plan of every candidate; a duplicate only refers to the first one."""
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
