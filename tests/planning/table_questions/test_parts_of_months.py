"""Weeks and halves of months as conditions on the day."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

CALLS = "caller,called_on,minutes\nUma,2026-02-03,4\nLeo,2026-02-12,9\nUma,2026-03-30,7\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table of calls."""
    return filled(tmp_path, {"calls.csv": CALLS})


@pytest.mark.parametrize(
    ("request_text", "days"),
    [
        ("how many calls were there in the second week of February", (8, 14)),
        ("calls in the first half of March", (1, 15)),
        ("total minutes of calls in the last week of February 2026", (22, 31)),
        ("total minutes of calls in the 4th week of March", (22, 28)),
        ("Anzahl der calls in der zweiten Hälfte des März", (16, 31)),
        ("how many calls in the last week of March in calls.csv", (25, 31)),
    ],
)
def test_days_of_the_month_are_a_condition(
    folder: Path, request_text: str, days: tuple[int, int]
) -> None:
    """They stand beside the month, of any year or of one."""
    *_, day = query_of(folder, request_text).filters
    assert (day.column, day.comparison, day.value, day.part) == (
        "called_on", "between", days, "day",
    )  # fmt: skip


@pytest.mark.parametrize(
    "request_text",
    [
        "total minutes since the second week of March",
        "total minutes of calls before the first week of March 2026",
        "total minutes of calls not in the last week of March",
        "total minutes of calls in the first week of March and the second week of March",
        "total minutes of calls in the first and second half of March",
    ],
)
def test_a_bound_is_told(folder: Path, request_text: str) -> None:
    """It is no condition on the days of that month, and is not understood."""
    sources = TableSources(workspace=Workspace(folder))
    reading = Environment().readings(request_text, sources, 1)[0]
    assert "of March" in reading.left_out
    assert reading.confidence <= 0.2


def test_a_part_that_no_month_is_of_is_told(folder: Path) -> None:
    """Without dates there is no such condition; a week that is none of a month stays."""
    filled(folder, {"notes.csv": "word,times\nspring,3\nsummer,4\n"})
    sources = TableSources(workspace=Workspace(folder))
    asked = "sum of times in the first week of March in notes.csv"
    reading = Environment().readings(asked, sources, 1)[0]
    assert reading.left_out == "the first week of March"
    assert reading.confidence <= 0.2
    whole = query_of(folder, "how many calls in March in calls.csv")
    assert (len(whole.filters), whole.measures) == (1, (Measure("count"),))
