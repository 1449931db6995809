"""The head of an answer: its value, what it is, and the calls that gave it."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup

from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.results import Run
from okso_jupyter.views.answer_head import AnswerHead, evidence_for, head_of, is_markdown_file
from tests.bench import END, Bench

_MEAN = {
    "source": "sales.csv",
    "measures": [{"function": "mean", "column": "price"}],
}


def _seen(tool: str, text: str, raw: object = None, **args: Any) -> Observation:
    call = ToolCall(step_id=1, tool=tool, args=args)
    return Observation(
        call=call, status="completed", exit_code=0, raw=raw, text=text, summary=text, error="",
        error_class=None, started_at="2026-11-25T09:00:00+00:00", duration_s=0.1,
    )  # fmt: skip


def _run(bench: Bench, steps: list[dict[str, Any]]) -> Run:
    (bench.root / "sales.csv").write_text("product,price\npen,1\ncup,2\n")
    with bench.session() as session:
        return session.execute([*steps, END], approve="auto")


def test_a_calculation_is_taken_apart_at_its_sign() -> None:
    """The value is large; what was calculated is its name; rounding stays visible."""
    exact = _seen("calculator", "15 % of 2340 = 351")
    assert head_of(exact.text, [exact], "x") == AnswerHead(name="15 % of 2340", value="351")
    rounded = _seen("calculator", "12 km/h ≈ 3.3 m/s")
    assert head_of(rounded.text, [rounded], "") == AnswerHead(name="12 km/h", value="≈ 3.3 m/s")
    line = _seen("file_read", "host = localhost")
    assert head_of(line.text, [line], "") == AnswerHead(value="host = localhost")


def test_any_other_short_output_is_named_by_its_step() -> None:
    """The title of the step is the name; without one, the value stands alone."""
    one = _seen("terminal", "41 data/weather.csv\n")
    head = head_of("41 data/weather.csv", [one], "Count the lines")
    assert head == AnswerHead(name="Count the lines", value="41 data/weather.csv")
    assert head.words == "Count the lines: 41 data/weather.csv"


def test_an_answer_that_is_not_one_value_has_no_head() -> None:
    """Long texts, several lines, several calls and a model's words are shown as they are."""
    one = _seen("terminal", "3")
    for answer in (None, "", "three", "3\n4", "3" * 200):
        assert head_of(answer, [one], "") is None
    assert head_of("3", [one, one], "") is None
    assert head_of("3", [], "") is None


def test_the_evidence_is_the_calls_that_the_answer_quotes() -> None:
    """Without a quoted call it is every completed one, never the answer step itself."""
    first, second = _seen("terminal", "3\n"), _seen("terminal", "nothing")
    end = _seen("final_answer", "3")
    assert evidence_for("3", [first, second, end]) == (first,)
    assert evidence_for("a few", [first, second, end]) == (first, second)
    assert evidence_for(None, []) == ()


def test_only_the_text_of_a_markdown_file_is_rendered() -> None:
    """A file of another kind, and an answer that is more than the file, are not."""
    notes = _seen("file_read", "# Notes", {"path": "a.MD"}, path="a.MD")
    code = _seen("file_read", "# Notes", {"path": "a.py"}, path="a.py")
    assert is_markdown_file("# Notes", [notes])
    assert not is_markdown_file("# Notes and more", [notes])
    assert not is_markdown_file("# Notes", [code])
    assert not is_markdown_file("# Notes", [notes, notes])


@pytest.mark.process
def test_a_run_shows_its_answer_first_and_everything_else_folded(bench: Bench) -> None:
    """The value is named with its note; two folds follow: the evidence, and how it was done."""
    run = _run(bench, [{"tool": "table_query", "args": _MEAN}])
    page = BeautifulSoup(run._repr_mimebundle_()["text/html"], "html.parser")
    head, folds = page.select(".okso-run > div")
    value, name = head.select_one(".okso-value"), head.select_one(".okso-name")
    assert value is not None
    assert name is not None
    assert name.text == "mean of price in sales.csv"
    assert f"mean of price: {value.text}" in str(run.answer)
    assert not head.find_all("details")
    titles = [title.text for title in folds.select(":scope > details > summary")]
    assert titles[0].startswith("Evidence: table_query(sales.csv")
    assert titles[1].startswith("How it was done")
    assert len(titles) == 2
    assert value.text in folds.select(".okso-evidence pre")[0].text


@pytest.mark.process
def test_a_table_is_shown_as_a_table(bench: Bench) -> None:
    """An answer of several rows is an HTML table with a cell for each value."""
    run = _run(bench, [{"tool": "table_query", "args": {**_MEAN, "by": "product"}}])
    page = BeautifulSoup(run._repr_mimebundle_()["text/html"], "html.parser")
    shown = page.select_one(".okso-answer")
    assert shown is not None
    assert run.table is not None
    assert len(shown.select("tbody tr")) == len(run.table)
    assert "for each product" in shown.select("b")[0].text
