"""The candidates of a form: equal ones in one row, the best first, only points that differ."""

from __future__ import annotations

from typing import Any

from lxml import html as lxml_html

from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate, Finding, Scorecard
from okso_jupyter.views.candidates_html import candidates_html, candidates_words


def _candidate(index: int, path: str, *, thought: str = "", flaw: str = "", **points: float) -> Any:
    step = {"tool": "file_read", "args": {"path": path}, "thought": thought}
    findings = [
        Finding(code=rule, rule=rule, count=0, weight=1.0, points=value, reason="")
        for rule, value in points.items()
    ]
    return Candidate(
        index=index,
        plan=Plan.from_dict([step, {"tool": "final_answer", "args": {}}]),
        response="",
        seed=0,
        temperature=0.0,
        output_tokens=1,
        duration_s=1.0,
        scorecard=Scorecard.of(findings, 0.0),
        flaw=flaw,
    )


FOUR = (
    _candidate(1, "b.txt", coverage=5, length=24),
    _candidate(2, "a.txt", coverage=20, length=24, thought="one"),
    _candidate(3, "a.txt", coverage=20, length=24, thought="another"),
    _candidate(4, "<b>.txt", coverage=-20, length=24, flaw="there is no file <b>.txt"),
)


def _rows(html: str) -> list[list[str]]:
    table = lxml_html.fromstring(html)
    return [[cell.text_content() for cell in row.iter("th", "td")] for row in table.iter("tr")]


def test_equal_candidates_are_one_row_with_their_count() -> None:
    """Thoughts do not make two candidates different; the best come first."""
    head, *rows = _rows(candidates_html(FOUR, 3))
    assert head == ["candidate", "points", "plan", "coverage"]
    assert [row[:2] for row in rows] == [["3 x2 (shown)", "44"], ["1", "29"], ["4", "4"]]
    assert rows[0][2] == "file_read(a.txt)"


def test_a_candidate_that_cannot_run_says_why() -> None:
    """The flaw stands below the calls; foreign text stays text."""
    html = candidates_html(FOUR, 2)
    assert _rows(html)[3][2] == "file_read(<b>.txt)cannot run: there is no file <b>.txt"
    assert "<b>" not in html


def test_candidates_that_are_all_alike_need_no_column_of_points() -> None:
    """Only columns that differ are shown; the summary says that all are alike."""
    alike = (FOUR[1], FOUR[2])
    assert _rows(candidates_html(alike, 2))[0] == ["candidate", "points", "plan"]
    assert candidates_words(alike) == "2 candidates, all alike"
    assert candidates_words(FOUR) == "4 candidates, 3 different"
    assert candidates_words(FOUR[:1]) == "1 candidate"
