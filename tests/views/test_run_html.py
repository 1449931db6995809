"""Runs are shown as text: nothing from a model, tool or file becomes markup."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.views.answer_head import AnswerHead
from okso_jupyter.views.run_html import RunPage, is_worded
from tests.each_row import each_row
from tests.hostile import STRINGS

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "</pre></details></div><style>*{display:none}</style>",
    "'><svg/onload=alert(1)>",
    "&lt;b&gt; &amp;#60;",
    "[click](javascript:alert(1)) ![](http://tracker/x.png)",
    "``` </code> ````\n~~~\n<b>out</b>",
    "a\u202eb\u2066c\u200b\x1b[31md\x07",
    "it costs $5, that one $6, \\(x\\), $$\\href{javascript:alert(1)}{y}$$",
]
TAGS = {
    *("div", "details", "summary", "pre", "b", "p"),
    *("table", "thead", "tbody", "tr", "th", "td", "style", "wbr"),
}


class _Page(HTMLParser):
    """Collects the tags, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def _plain(text: str) -> str:
    """Return the text with hidden characters replaced by their codes."""
    codes = {c: f"⟨U+{ord(c):04X}⟩" for c in "\u202e\u2066\u200b\x1b\x07"}
    return "".join(codes.get(c, c) for c in text)


def _candidates(rationale: list[str]) -> pd.DataFrame:
    """Return a table of candidates, one per reason."""
    plan = [{"id": 1, "tool": "final_answer", "args": {"input": rationale[0]}}]
    return pd.DataFrame(
        {
            "candidate": range(1, len(rationale) + 1),
            "chosen": False,
            "score": 1.0,
            "tools": [["final_answer"]] * len(rationale),
            "rationale": [[reason] for reason in rationale],
            "response": [plan] * len(rationale),
            "rule_length": 1.0,
        }
    )


def _with_candidates(rationale: list[str]) -> str:
    """Return the page of a run whose candidates have these reasons."""
    page = RunPage(answer="x", state="completed", report="", candidates=_candidates(rationale))
    return page.as_html()


def _html(text: str) -> str:
    table = pd.DataFrame({"raw": [text], "args": [{"path": text}], "n": [1]})
    return RunPage(answer=text, state=text, report=text, tables={"Observations": table}).as_html()


@each_row("text", HOSTILE)
@each_row("is_brief", [True, False])
def test_names_of_changed_files_are_escaped(text: str, *, is_brief: bool) -> None:
    """Changed files are listed below the answer, escaped, with the undo command."""
    page = RunPage(
        answer="done", state="completed", report="r", files=f"created {text}", undo="a.b-1",
        is_brief=is_brief,
    )  # fmt: skip
    seen = _Page(page.as_html())
    assert set(seen.tags) <= {*TAGS, "span"}
    assert seen.attributes <= {"class", "style", "role", "aria-label"}
    assert f"Files: created {_plain(text)}." in seen.text
    assert "%okso undo a.b-1 takes this back." in seen.text
    assert ("How it was done" in seen.text) is not is_brief
    assert "%okso undo a.b-1" in page.faces()["text/plain"]


@each_row("text", HOSTILE)
def test_hostile_text_in_a_run_is_escaped(text: str) -> None:
    """The answer, report and cells of a run add no tags or attributes."""
    page, plain = _Page(_html(text)), _Page(_html(re.sub(r"[^\n]", "x", text)))

    assert page.tags == plain.tags
    assert set(page.tags) <= TAGS
    assert page.attributes == plain.attributes
    assert page.text.count(_plain(text)) >= 2


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_candidates_is_escaped(text: str) -> None:
    """The table of candidates escapes its content."""
    page = _Page(_with_candidates([text]))
    assert set(page.tags) <= TAGS
    assert not {name for name in page.attributes if name.startswith("on")}
    assert _plain(text) in page.text


@each_row("text", HOSTILE)
def test_hidden_characters_are_made_visible(text: str) -> None:
    """Direction marks and invisible characters are shown as codes everywhere."""
    for shown in (_html(text), RunPage(answer=text, state=text, report=text).as_markdown()):
        assert not re.search("[\u202e\u2066\u200b\x1b\x07]", shown)


@each_row("text", HOSTILE)
def test_markdown_stays_inside_its_fence(text: str) -> None:
    """In Markdown all content is inside a fence that the content cannot close."""
    lines = RunPage(answer=text, state="completed", report=text).as_markdown().split("\n")
    fence, is_open, outside = "", False, []
    for line in lines:
        run = re.fullmatch(r"(`{3,})(text)?", line)
        if run and not is_open:
            fence, is_open = run[1], True
        elif is_open and re.fullmatch(r"`+", line) and len(line) >= len(fence):
            is_open = False
        elif not is_open:
            outside.append(line)

    assert not is_open
    assert outside == [""]


def test_dollar_signs_are_not_typeset_as_formulas() -> None:
    """The HTML of a run has the classes that disable typesetting by MathJax."""
    for html in (_html("$5 and $6"), _with_candidates(["$5 and $6"])):
        first_tag = html.partition("</style>")[2].partition(">")[0]
        assert "mathjax_ignore" in first_tag
        assert "tex2jax_ignore" in first_tag


def test_a_long_cell_is_folded_but_complete() -> None:
    """A long text is folded in the table, below its beginning and length, but complete."""
    long = "".join(f"line {number}\n" for number in range(1000))
    page = _Page(_html(long))

    assert page.text.partition("Observations")[2].count("line 999") == 2
    assert "1,001 lines, 8,890 characters" in page.text


def test_omitted_rows_are_counted() -> None:
    """A long table shows its first rows and says how many rows there are."""
    assert "60 of 80 rows shown" in _with_candidates(["why"] * 80)


@each_row("text", HOSTILE)
def test_head_table_evidence_and_doubt_are_escaped(text: str) -> None:
    """An answer as a value or as a table, and the calls behind it, add no element."""
    call = ToolCall(step_id=1, tool="terminal", args={"command": text, "more": {text: [text]}})
    seen = Observation(
        call=call, status="completed", exit_code=0, raw=text, text=text, summary="", error="",
        error_class=None, started_at="", duration_s=0.0,
    )  # fmt: skip
    parts: list[dict[str, Any]] = [
        {"head": AnswerHead(name=text, value=text, note=text)},
        {"table": pd.DataFrame({text: [text]})},
    ]
    for part in parts:
        page = RunPage(
            answer=text, state="completed", report="r", evidence=[seen], doubt=text, **part
        )
        html = _Page(page.as_html())
        assert set(html.tags) <= TAGS | {"strong", "span", "code"}
        assert html.attributes <= {"class", "style", "role", "aria-label", "scope"}
        assert not set("\u202e\u2066\u200b\x1b\x07") & set(html.text)


def test_a_missing_answer_is_explained() -> None:
    """A run without an answer shows its state instead; empty tables are omitted."""
    page = RunPage(answer=None, state="cancelled", report="r", tables={"Trace": pd.DataFrame()})
    html = page.as_html()

    assert "The run was cancelled: there is no answer" in html
    assert "Trace" not in html
    assert "The run was cancelled: there is no answer" in page.as_markdown()


def test_a_failed_run_shows_an_error_and_the_next_action() -> None:
    """A failed run is red, with its error and what to do next; a cancelled run is not red."""
    page = RunPage(answer=None, state="failed", report="r", failure="no network", way_on="go on so")
    html = BeautifulSoup(page.as_html(), "html.parser")
    head = html.find("strong")
    assert head is not None
    assert head.text == "✗ The run failed: there is no answer"
    assert html.select_one(".okso-lost strong") is head
    for text in (html.text, page.as_markdown(), page.faces()["text/plain"]):
        assert "no network" in text
        assert "What to do next: go on so." in text
    calm = RunPage(answer=None, state="cancelled", report="r").as_html()
    assert not BeautifulSoup(calm, "html.parser").select(".okso-lost")
    assert "What to do next: run the cell again" in calm


def _seen(tool: str, text: str, **args: Any) -> Observation:
    return Observation(
        call=ToolCall(step_id=1, tool=tool, args=args), status="completed", exit_code=0, raw=text,
        text=text, summary=text, error="", error_class=None, started_at="", duration_s=0.0,
    )  # fmt: skip


def test_only_text_by_a_model_or_plan_may_be_markdown() -> None:
    """Tool output is never Markdown, even if a model or a final answer repeats it."""
    output, words = "# a*b*c", "There are *three*."
    read, end = _seen("file_read", f"{output}\n2"), _seen("final_answer", words, input=words)
    assert is_worded(words, [], [read, end])
    assert is_worded(words, [f" {words}\n"], [read])
    assert not is_worded(words, [], [read])
    assert not is_worded(output, [output], [read, _seen("final_answer", output, input=output)])
    assert not is_worded(None, ["x"], [])


def test_a_worded_answer_is_rendered_with_its_source() -> None:
    """The answer's Markdown is rendered; its source is folded below if it differs."""
    page = RunPage(answer="**Three** [x](http://a.b)", state="", report="", is_markdown=True)
    html = page.as_html()
    assert "<strong>Three</strong> [x](http://a.b)" in html
    assert "as it was written" in html
    assert "**Three** [x](http://a.b)" in html
    assert "as it was written" not in replace(page, answer="Three").as_html()
    assert "<strong>" not in replace(page, is_markdown=False).as_html()


@each_row("text", STRINGS)
def test_a_worded_answer_is_rendered_safely(text: str) -> None:
    """A rendered answer has only the elements and attributes of safe Markdown."""
    page = _Page(RunPage(answer=text, state="", report="", is_markdown=True).as_html())
    assert set(page.tags) <= TAGS | set("em strong code ul ol li blockquote hr br".split())
    assert page.attributes <= {"class", "role", "aria-label", "aria-level", "style", "start"}
