"""Groups of dates: months of several years stay apart, days are days, weeks are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace

_RAIN = (
    "date,mm,site\n2025-01-03,10,A\n2025-01-20,20,B\n2025-02-02,5,A\n2026-01-04,7,A\n"
    "2026-02-10,8,B\n2026-03-01,9,A\n"
)
_MONTHS = [("2025-01", 30), ("2025-02", 5), ("2026-01", 7), ("2026-02", 8), ("2026-03", 9)]


def _read(folder: Path, question: str) -> tuple[Query, list[tuple[Cell, ...]]]:
    (folder / "rain.csv").write_text(_RAIN)
    workspace = Workspace(folder)
    sources = TableSources(workspace)
    query = Environment().readings(question, sources, 1)[0].query
    table = sources.sample_of(query)
    workspace.close()
    assert table is not None
    return query, Answers(table).of(query)


@pytest.mark.parametrize(
    ("question", "part", "answer"),
    [
        ("total mm per month in rain.csv", "calendar month", _MONTHS),
        ("What is the monthly total of mm in rain.csv?", "calendar month", _MONTHS),
        (
            "total mm per quarter in rain.csv",
            "calendar quarter",
            [("2025-Q1", 35), ("2026-Q1", 24)],
        ),
        (
            "total mm per week in rain.csv",
            "calendar week",
            [("2025-W01", 10), ("2025-W04", 20), ("2025-W05", 5), ("2026-W01", 7)],
        ),
        ("weekly total mm at site B in rain.csv", "calendar week", [("2025-W04", 20)]),
        (
            "total mm for each day in rain.csv",
            "calendar day",
            [("2025-01-03", 10), ("2025-01-20", 20)],
        ),
        ("total mm per month of the year in rain.csv", "month", [(1, 37), (2, 13), (3, 9)]),
        ("total mm per day of the month in rain.csv", "day", [(1, 9), (2, 5), (3, 10)]),
        ("total mm per year in rain.csv", "year", [(2025, 35), (2026, 24)]),
    ],
)
def test_periods(tmp_path: Path, question: str, part: str, answer: list[tuple[Cell, ...]]) -> None:
    """The sums of each period, in its order."""
    query, found = _read(tmp_path, question)
    assert (query.by, query.part) == ("date", part)
    assert found[: len(answer)] == answer


def test_the_months_of_one_year_are_numbers(tmp_path: Path) -> None:
    """What lies within a year needs no year."""
    query, found = _read(tmp_path, "total mm per month in 2026 in rain.csv")
    assert query.part == "month"
    assert found == [(1, 7), (2, 8), (3, 9)]


def test_a_column_called_daily_is_one(tmp_path: Path) -> None:
    """The words of the columns' names are theirs."""
    (tmp_path / "app.csv").write_text("day,daily users\n2026-01-01,5\n2026-01-02,9\n")
    workspace = Workspace(tmp_path)
    [reading] = Environment().readings(
        "What is the average of daily users in app.csv?", TableSources(workspace), 1
    )
    workspace.close()
    assert (reading.query.by, reading.query.measures[0].column) == ("", "daily users")
