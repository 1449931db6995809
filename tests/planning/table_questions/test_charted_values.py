"""Charts of some rows: the values that a question names are kept, and texts keep their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace

_FILES = {
    "milk.csv": (
        "date,farm,animal,litres\n2025-05-01,Hill,cow,20\n2025-05-02,Moor,goat,4\n"
        "2025-05-03,Hill,cow,22\n2025-05-04,Moor,cow,18\n2025-05-05,Hill,goat,5\n"
    ),
    "tides.csv": "weekday,metres\nMon,3.1\nTue,2.8\nWed,2.9\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def _readings(folder: Path, request: str) -> tuple[QueryReading, ...]:
    return Environment().readings(request, TableSources(workspace=Workspace(folder)), 4)


@pytest.mark.parametrize(
    ("request_", "column", "value"),
    [
        ("Plot the litres of the goat milk over time from milk.csv", "animal", "goat"),
        ("Draw a line chart of litres over time for Moor from milk.csv", "farm", "Moor"),
    ],
)
def test_a_value_that_is_named_is_a_filter(
    request_: str, column: str, value: str, folder: Path
) -> None:
    """A chart of all rows is less sure than one of those that are named."""
    first, *others = _readings(folder, request_)
    assert [(each.column, each.value) for each in first.query.filters] == [(column, value)]
    assert (first.query.chart, first.query.columns) == ("line", ("date", "litres"))
    assert all(sum(first.points.values()) > sum(other.points.values()) for other in others)


def test_a_line_over_texts_keeps_the_order_of_the_rows(folder: Path) -> None:
    """The days of a week are not sorted by their letters."""
    query = _readings(folder, "Show a line chart of metres per weekday from tides.csv")[0].query
    assert (query.chart, query.columns, query.order) == ("line", ("weekday", "metres"), "")
