"""A run as HTML, Markdown and text: the answer first, its evidence folded on one line below.

Text from a model, a tool or a file is never treated as HTML. Text worded by a model may be
Markdown (see `markdown_text`); the output of a tool is shown unchanged.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.amounts import beginning, counted
from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.states import RunState
from okso_jupyter.sandbox.artifacts import picture_type
from okso_jupyter.views.answer_head import AnswerHead
from okso_jupyter.views.drawing import Drawing
from okso_jupyter.views.markdown_text import fenced, in_markdown, rendered
from okso_jupyter.views.short_call import calls_of, on_one_line, short_call
from okso_jupyter.views.table_html import folded, style_of, table_html
from okso_jupyter.views.table_model import MOST_ROWS
from okso_jupyter.views.table_text import table_markdown
from okso_jupyter.views.text import NO_MATH, escape

if TYPE_CHECKING:
    import pandas as pd

_AGAIN: Final = "run the cell again to have it planned anew"
_IMAGE_STYLE: Final = "display:block;max-width:100%;margin:4px 0 8px"
_MAX_INLINE_BYTES: Final = 10 << 20
#: Longer answers are shown unrendered: they are hardly written for a notebook.
_MAX_MARKDOWN_CHARS: Final = 100_000
#: Longer values are shown less large.
_LARGE_CHARS: Final = 32
_SUMMARY_CHARS: Final = 48
_MAX_OUTPUT_CHARS: Final = 100_000
#: What is said where there is no answer, by state.
_NO_ANSWER: Final[Mapping[str, str]] = {
    RunState.FAILED: "✗ The run failed: there is no answer",
    RunState.CANCELLED: "The run was cancelled: there is no answer",
    RunState.PAUSED: "The run is paused: there is no answer yet",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """The output of a run in a notebook: the answer, and one line of folds with its evidence.

    Attributes:
        answer: The answer, or None.
        state: State of the run.
        report: The report as text.
        head: The answer as one value with its name; None for an answer that is none.
        table: The answer as a table; None if it is none.
        evidence: The calls that gave the answer.
        doubt: Why the answer may be inadequate; empty if no check has found it so.
        failure: Why the run did not complete; shown as an error if there is no answer.
        way_on: How to resume it, if possible.
        resume: The run's id if `widgets.resume_button` may offer to resume it; else empty.
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
    head: AnswerHead | None = None
    table: pd.DataFrame | None = None
    evidence: Sequence[Observation] = ()
    doubt: str = ""
    failure: str = ""
    way_on: str = ""
    resume: str = ""
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
        region = f"<div class='okso-run {NO_MATH}' role='region' aria-label='okso run'>"
        doubt = f"<p class='okso-doubt'>{escape(self._doubt_words)}</p>" if self.doubt else ""
        pictures = "".join(_images(self.pictures))
        if self.answer and self.table is not None:
            answer = f"{self._table_html(self.table, pictures)}{doubt}"
        else:
            answer = f"{self._answer_html()}{doubt}{pictures}"
        parts = [answer, self._files_html()]
        folds = "" if self.is_brief else f"<div class='okso-folds'>{''.join(self._folds())}</div>"
        return "".join([style_of("table.css", "answer.css"), region, *parts, folds, "</div>"])

    def _folds(self) -> Iterator[str]:
        """Yield the folds, which stand on one line: the evidence, and how it was done."""
        if self.evidence:
            calls = [short_call(seen.call.tool, seen.call.args) for seen in self.evidence]
            more = f" and {counted(len(calls) - 1, 'other call')}" if calls[1:] else ""
            first = f"<code>{escape(on_one_line(calls[0], _SUMMARY_CHARS))}</code>"
            yield _fold(f"Evidence: {first}{escape(more)}", self._evidence_html())
        yield _fold(escape(self._how_it_was_done), "".join(self._how_html()))

    def _evidence_html(self) -> str:
        """Return the calls that gave the answer, each with its output."""
        shown = (
            f"<p><code>{escape(short_call(seen.call.tool, seen.call.args))}</code> gave:</p>"
            f"<pre class='okso-long'>\n{escape(beginning(seen.text.rstrip(), _MAX_OUTPUT_CHARS))}"
            "</pre>"
            for seen in self.evidence
        )
        return f"<div class='okso-table okso-evidence'>{''.join(shown)}</div>"

    @property
    def _how_it_was_done(self) -> str:
        """Summary of the fold with everything else; short, as it stands beside the evidence."""
        if self.candidates is None or not len(self.candidates):
            return "How it was done"
        return f"How it was done: {counted(len(self.candidates), 'candidate')}"

    def _how_html(self) -> Iterator[str]:
        """Yield the report, and folds with drawings, candidates and tables."""
        yield f"<pre style='white-space:pre-wrap'>{escape(self.report)}</pre>"
        yield "<div class='okso-folds'>"
        if self.candidates is not None and len(self.candidates):
            title = f"Candidates ({len(self.candidates):,})"
            yield folded(title, _candidates(self.candidates, self.most_rows))
        for title, drawing in self.drawings.items():
            yield folded(title, drawing.html)
        for title, table in self.tables.items():
            if len(table):
                inner = table_html(table, most_rows=self.most_rows)
                yield folded(f"{title} ({len(table):,})", inner)
        yield f"{self._source_html()}</div>"

    def _files_html(self) -> str:
        """Return the changed files; `widgets.undo_button` may add a button."""
        if not self.files:
            return ""
        undo = f" <span class='{undo_place(self.undo)}'>{escape(self._undo_words)}</span>"
        return f"<p class='okso-answer'>{escape(self._files_words)}{undo if self.undo else ''}</p>"

    @property
    def _files_words(self) -> str:
        return f"Files: {self.files}."

    @property
    def _undo_words(self) -> str:
        return f"%okso undo {self.undo} takes this back."

    @property
    def _doubt_words(self) -> str:
        return f"The answer may be inadequate: {self.doubt}"

    @property
    def _below(self) -> list[str]:
        """The parts below the answer in text: changed files, and the report."""
        undo = f" {self._undo_words}" if self.undo else ""
        files = [f"{self._files_words}{undo}"] if self.files else []
        files = [self._doubt_words, *files] if self.doubt else files
        return files if self.is_brief else [*files, self.report]

    def as_markdown(self) -> str:
        """Return the page as Markdown in which no foreign text is markup."""
        return "\n\n".join([self._answer_markdown(), *map(fenced, self._below)])

    def _answer_markdown(self) -> str:
        """Return a value in bold and a table as a table; anything else as fenced text."""
        if self.answer and self.table is not None:
            return f"{in_markdown(self._title)}\n\n{self._table_markdown()}"
        if self.answer and self.head is not None:
            name = f"{in_markdown(self.head.name)}: " if self.head.name else ""
            note = f" ({in_markdown(self.head.note)})" if self.head.note else ""
            return f"{name}<b>{in_markdown(self.head.value)}</b>{note}"
        return fenced(self._outcome_text)

    def _table_markdown(self) -> str:
        assert self.table is not None  # noqa: S101  checked by the caller
        return table_markdown(self.table, most_rows=self.most_rows)

    @property
    def _outcome_text(self) -> str:
        """The answer; without one, a statement of that, the failure, and what to do."""
        if self.answer:
            return self.answer
        return "\n".join(filter(None, (self._no_answer, self.failure, self._next)))

    @property
    def _no_answer(self) -> str:
        return _NO_ANSWER.get(self.state, f"There is no answer: the run is {self.state}")

    @property
    def _next(self) -> str:
        """What to do now, in a sentence."""
        return f"What to do next: {self.way_on or _AGAIN}."

    @property
    def _title(self) -> str:
        """First line of an answer with a table: what the table shows."""
        return (self.answer or "").partition("\n")[0].rstrip(":")

    def _answer_html(self) -> str:
        """Return the answer: a value in large, rendered Markdown, or text as it is."""
        if not self.answer:
            return self._failure_html()
        if self.head is not None:
            return _head_html(self.head)
        if self._is_rendered:
            return f"<div class='okso-answer'>{rendered(self.answer)}</div>"
        return f"<div class='okso-answer'>{_as_it_is(self.answer)}</div>"

    def _table_html(self, table: pd.DataFrame, pictures: str) -> str:
        """Return the answer as a table, with pictures (HTML) above: a chart says more."""
        inner = table_html(table, most_rows=self.most_rows)
        title = f"<p><b>{escape(self._title)}</b></p>"
        return f"<div class='okso-answer'>{title}{pictures}{inner}</div>"

    @property
    def _is_rendered(self) -> bool:
        return self.is_markdown and len(self.answer or "") <= _MAX_MARKDOWN_CHARS

    def _source_html(self) -> str:
        """Return the source of a rendered answer; empty where it would repeat the answer."""
        answer = self.answer or ""
        if not self._is_rendered or rendered(answer) == f"<p>{escape(answer)}</p>\n":
            return ""
        return folded("The answer as it was written", _as_it_is(answer))

    def _failure_html(self) -> str:
        """Return a highlighted statement that there is no answer, and why."""
        look = "okso-lost" if self.state == RunState.FAILED else "okso-ended"
        head = f"<strong>{escape(self._no_answer)}</strong>"
        return (
            f"<div class='okso-answer {look}'>{head}{_as_it_is(self.failure)}"
            f"<div>{escape(self._next)}</div>{self._resume_html}</div>"
        )

    @property
    def _resume_html(self) -> str:
        """The element beside which the Resume button is put; empty for a run that has ended."""
        return f"<span class='okso-resume-{escape(self.resume)}'></span>" if self.resume else ""


def _head_html(head: AnswerHead) -> str:
    """Return a value in large below its name; without styles it is bold."""
    size = "okso-value" if len(head.value) <= _LARGE_CHARS else "okso-value okso-long-value"
    name = f"<p class='okso-name'>{escape(head.name)}</p>" if head.name else ""
    note = f" <span class='okso-note'>({escape(head.note)})</span>" if head.note else ""
    value = f"<p><strong class='{size}'>{escape(head.value)}</strong>{note}</p>"
    return f"<div class='okso-answer'>{name}{value}</div>"


def _as_it_is(text: str) -> str:
    # HTML parsers drop the first line feed in <pre>: one is added to keep that of the text
    return f"<pre class='okso-text'>\n{escape(text)}</pre>"


def _fold(summary: str, inner: str) -> str:
    """Return a fold; both parts are HTML that is made here."""
    return f"<details><summary>{summary}</summary>{inner}</details>"


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


def outputs_words(pictures: Iterable[Path], outputs: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each picture and each variable that was asked for.

    Args:
        pictures: Pictures that Python drew.
        outputs: The journal's entry for each variable.
    """
    lines = [f"picture: {path}" for path in pictures]
    for body in outputs:
        missing = f"{body['name']} was not taken out of Python: {body['error']}"
        lines.append(missing if body["error"] else _described(body["about"]))
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
        # the short form leaves out types and line breaks, so it does not tell all plans apart
        whole = repr([(step["tool"], step.get("args")) for step in steps])
        seen = first.setdefault(whole, candidate)
        plans.append(calls_of(steps) if seen == candidate else f"the same as candidate {seen}")
    return plans
