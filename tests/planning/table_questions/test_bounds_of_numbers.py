"""Rows within a bound of a number, of tables that are not named; weeks that a column numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_PUPILS = "Ann Bo Cy Dee".split()
_SCORES = [(_PUPILS[n % 4], n % 5 + 1, 40 + n * 7 % 60) for n in range(40)]
_NUMBERED = "pupil,week,score\n" + "".join(f"{p},{w},{s}\n" for p, w, s in _SCORES)
_CALLED = "pupil,week,score\n" + "".join(f"{p},Week {w},{s}\n" for p, w, s in _SCORES)
#: Dates and amounts: its weeks are those of the calendar.
_DATED = "date,amount\n2026-01-05,10\n2026-01-06,20\n2026-01-12,30\n"
_LEAST_SURE = 0.5


def _best(folder: Path, question: str, **files: str) -> tuple[QueryReading, list[tuple[Cell, ...]]]:
    """Return the best reading of a question about files, and what it gives."""
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content)
    workspace = Workspace(folder)
    sources = TableSources(workspace)
    best = Environment().readings(question, sources, 1)[0]
    table = sources.sample_of(best.query)
    workspace.close()
    assert table is not None
    return best, Answers(table).of(best.query)


def _above(bound: int, week: int = 0) -> list[int]:
    return [score for _, own, score in _SCORES if score > bound and own == (week or own)]


@each_row(
    ("question", "expected"),
    [
        ("how many scores are above 80", [(len(_above(80)),)]),
        ("How many scores over 80 are there?", [(len(_above(80)),)]),
        ("how often was the score above 80", [(len(_above(80)),)]),
        ("how often is the score over 90?", [(len(_above(90)),)]),
        ("wie viele Scores sind über 80", [(len(_above(80)),)]),
        ("how many scores above 80 are there in study.csv", [(len(_above(80)),)]),
    ],
)
def test_rows_within_a_bound_are_counted(
    tmp_path: Path, question: str, expected: Sequence[tuple[Cell, ...]]
) -> None:
    """A number column and a bound tell the table; its values are not added up."""
    assert _best(tmp_path, question, study=_NUMBERED)[1] == expected


@pytest.mark.parametrize("question", ["which scores are below 50", "scores below 50"])
def test_rows_within_a_bound_are_shown(tmp_path: Path, question: str) -> None:
    """A phrase of a column and a bound asks to see the rows."""
    best, rows = _best(tmp_path, question, study=_NUMBERED)
    assert len(rows) == sum(score < 50 for *_, score in _SCORES)
    assert best.confidence > _LEAST_SURE


def test_a_quantity_of_rows_within_a_bound_is_added_up(tmp_path: Path) -> None:
    """The units of orders with more than so many are said twice."""
    sold = "order,units\n1,5\n2,15\n3,25\n"
    asked = "how many units are in orders with more than 10 units"
    assert _best(tmp_path, asked, orders=sold)[1] == [(40,)]


def test_another_table_with_such_a_number_does_not_count(tmp_path: Path) -> None:
    """Expenses may be costs, but the rows of expenses.csv are named."""
    files = {"expenses": "item,amount\nTaxi,20\nHotel,90\n", "power": "month,costs\n1,60\n2,70\n"}
    best, rows = _best(tmp_path, "How many expenses over 50?", **files)
    assert (best.query.source, rows) == ("expenses.csv", [(1,)])


@pytest.mark.parametrize(
    "request_text",
    ["find lines longer than 80 characters", "files larger than 100 KB", "is 17 more than 12"],
)
def test_a_bound_alone_tells_no_table(tmp_path: Path, request_text: str) -> None:
    """Without a word of a column, or of the file, it is about something else."""
    (tmp_path / "study.csv").write_text(_NUMBERED)
    workspace = Workspace(tmp_path)
    assert Environment().readings(request_text, TableSources(workspace), 1) == ()
    workspace.close()


@each_row(
    ("content", "question"),
    [
        (content, question)
        for content in (_NUMBERED, _CALLED)
        for question in (
            "average score per week",
            "mean score of each week",
            "average score by week",
            "What is the average score per week in study.csv?",
        )
    ],
)
def test_weeks_of_a_column_are_its_groups(tmp_path: Path, content: str, question: str) -> None:
    """They were taken for weeks of the calendar, which this table has not: pupils were shown."""
    best, _ = _best(tmp_path, question, study=content)
    assert (best.query.by, best.query.part) == ("week", "")
    assert best.confidence > _LEAST_SURE


@pytest.mark.parametrize("question", ["total amount per week", "weekly amount in payments.csv"])
def test_weeks_of_dates_stay_those_of_the_calendar(tmp_path: Path, question: str) -> None:
    """Also beside a file with a column of weeks."""
    best, rows = _best(tmp_path, question, payments=_DATED, study=_NUMBERED)
    assert (best.query.by, best.query.part) == ("date", "calendar week")
    assert rows == [("2026-W02", 30), ("2026-W03", 30)]


def test_rooms_with_numbers_are_names(tmp_path: Path) -> None:
    """A room called "Room 3" is no amount: the rooms with the most are groups."""
    rows = "".join(f"{n},Room {n % 7 + 1},{50 + n * 37 % 90}\n" for n in range(40))
    best, _ = _best(tmp_path, "top rooms by price", bookings=f"booking,room,price\n{rows}")
    assert (best.query.by, best.query.measures[0].column) == ("room", "price")
