"""Questions for what is missing in a table show the missing cells of every column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.gaps_asked import gaps_asked
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row


@pytest.fixture(name="sources", scope="module")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableSources]:
    folder = tmp_path_factory.mktemp("hives")
    (folder / "hives.csv").write_text("hive,queen,honey\n1,2023,12\n2,,\n3,2024,\n")
    workspace = Workspace(Path(folder))
    yield TableSources(workspace)
    workspace.close()


def _query(request: str, sources: TableSources) -> Query:
    return Environment().readings(request, sources, 1)[0].query


@each_row(
    "request_",
    [
        "what is still blank in hives.csv? i want to fill the gaps",
        "What is missing in hives.csv?",
        "where are the gaps in hives.csv",
        "Which cells are empty in hives.csv? I'd like to complete them.",
        "Are there any missing values in hives.csv?",
        "was fehlt noch in hives.csv? ich möchte die Lücken füllen",
        "Wo sind Lücken in hives.csv?",
        "Was ist in hives.csv noch leer?",
    ],
)
def test_gaps_are_counted_in_every_column(request_: str, sources: TableSources) -> None:
    """What is meant to be done with them changes nothing."""
    measures = _query(request_, sources).measures
    assert [(m.function, m.column) for m in measures] == [
        ("missing", name) for name in ("hive", "queen", "honey")
    ]


@pytest.mark.parametrize(
    "request_",
    ["which hive has no queen in hives.csv?", "Which hives are missing honey in hives.csv?"],
)
def test_gaps_of_one_column_are_its_rows(request_: str, sources: TableSources) -> None:
    """Where a column is named, the rows are asked for that have nothing there."""
    [condition] = _query(request_, sources).filters
    assert condition.comparison == "is missing"


@pytest.mark.parametrize("request_", ["count holes", "list the holes", "show me all the gaps"])
def test_a_column_that_is_called_so_is_no_gap(request_: str) -> None:
    """The holes of a golf course are not its missing cells."""
    courses = TableSample("courses.csv", ["course", "holes", "gap_m"], [["Elm", "18", "2"]])
    assert gaps_asked(request_, courses) is None
    plain = TableSample("courses.csv", ["course", "value"], [["Elm", ""]])
    assert gaps_asked(request_, plain)
