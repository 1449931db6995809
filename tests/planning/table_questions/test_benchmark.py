"""The benchmark of table questions: what counts as right, what is read, what the peer may run."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.table_questions.__main__ import row
from benchmarks.table_questions.cases import Case, holds
from benchmarks.table_questions.contestants import Outcome, planned, run_program

_ROWS = "city,price\n" + "".join(f"{'Oslo' if n % 2 else 'Rome'},{n}\n" for n in range(1, 21))


@pytest.mark.parametrize(
    ("wanted", "answer", "is_right"),
    [
        (["3.14"], "mean of price: 3.1449", True),
        (["3.14"], "mean of price: 3.1461", False),
        (["1,5"], "1.5", False),
        (["Oslo", "7"], "oslo with 7 rows", True),
        (["Oslo", "7"], "oslo with 9 rows", False),
        (["1200"], "1,200 rows", True),
    ],
)
def test_an_answer_is_right_if_it_holds_every_value(
    wanted: list[str], answer: str, *, is_right: bool
) -> None:
    """Numbers within half a unit of their last digit, texts in any case."""
    assert holds(wanted, answer) is is_right


@pytest.mark.process
def test_a_session_answers_a_case_and_says_how_sure_it_is(tmp_path: Path) -> None:
    """The confidence is read from the note of the plan, where a person reads it."""
    (tmp_path / "sales.csv").write_text(_ROWS, "utf-8")
    request = "What is the mean price in sales.csv?"
    case = Case("own", request, tmp_path, "sales.csv", lambda answer: "10.5" in answer)

    outcome = planned(case)

    assert (outcome.is_right, outcome.has_failed) == (True, False)
    assert outcome.confidence is not None
    assert outcome.confidence >= 0.5
    assert outcome.distinct >= 5
    assert outcome.score is not None
    assert not outcome.has_touched


@pytest.mark.process
def test_the_peers_program_reads_the_file(tmp_path: Path) -> None:
    """It runs with pandas beside the file; one that fails counts as failed."""
    (tmp_path / "sales.csv").write_text(_ROWS, "utf-8")
    code = "import pandas as pd\nprint(pd.read_csv('sales.csv')['price'].mean())"

    assert run_program(code, tmp_path) == ("10.5", False)
    assert run_program("print(37 *", tmp_path)[1]


def test_confidently_wrong_cases_are_counted() -> None:
    """Of all cases; the calibration error is of those that said how sure they are."""
    case = Case("own", "", Path(), "", bool)
    said = [(True, 0.9, 50), (True, 0.9, 40), (False, 0.9, 45), (False, None, None)]
    outcomes = [
        Outcome(case, right, has_failed=False, confidence=each, distinct=8, score=score)
        for right, each, score in said
    ]

    cells = row("okso", outcomes)

    assert cells[2:4] == ["4", "50"]
    assert cells[5:10] == ["0", "0.23 of 3", "25", "0.50", "0"]
    assert cells[10] == "8"
