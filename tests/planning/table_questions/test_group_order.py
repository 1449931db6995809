"""Groups in the order that a question says, in words of English and German."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

CATCH = """landed,harbour,skipper,kilos,sold_for
2024-03-02,Kiel,Ada,120,300.00
2024-03-03,Husum,Bo,40,145.50
2024-04-09,Kiel,Cy,200,480.00
2024-05-16,Kappeln,Ada,70,266.00
"""
KILOS, MEAN, COUNT = Measure("sum", "kilos"), Measure("mean", "kilos"), Measure("count")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table of what was caught."""
    return filled(tmp_path, {"catch.csv": CATCH})


@pytest.mark.parametrize(
    ("request_text", "measure", "is_down"),
    [
        ("kilos per harbour, largest first", KILOS, True),
        ("total kilos per skipper from highest to lowest", KILOS, True),
        ("total kilos by harbour in catch.csv, lowest to highest", KILOS, False),
        ("average kilos per skipper in descending order", MEAN, True),
        ("average kilos per harbour sorted ascending", MEAN, False),
        ("total kilos for each skipper, sorted by total kilos descending", KILOS, True),
        ("number of landings per harbour, fewest first in catch.csv", COUNT, False),
        ("total kilos by harbour starting with the smallest", KILOS, False),
        ("total kilos per skipper from large to small", KILOS, True),
        ("kilos pro skipper absteigend", KILOS, True),
        ("kilos nach harbour, aufsteigend sortiert", KILOS, False),
        ("Summe der kilos je harbour vom größten zum kleinsten", KILOS, True),
        ("Durchschnitt der kilos pro skipper, kleinste zuerst", MEAN, False),
    ],
)
def test_the_amount_decides(
    folder: Path, request_text: str, measure: Measure, *, is_down: bool
) -> None:
    """The superlative says the order, and no maximum is computed."""
    query = query_of(folder, request_text)
    assert (query.measures, query.order, query.descending) == ((measure,), "", is_down)
    assert query.by
    assert not query.limit


def test_groups_are_sorted_by_what_is_named(folder: Path) -> None:
    """It may be the groups themselves, and a chart has that order as well."""
    named = query_of(folder, "total kilos per harbour sorted by harbour descending")
    assert (named.measures, named.order, named.descending) == ((KILOS,), "harbour", True)
    months = query_of(folder, "total kilos per month sorted by month descending")
    assert (months.part, months.order, months.descending) == ("month", "landed", True)
    drawn = query_of(folder, "bar chart of total kilos per harbour, largest first")
    assert (drawn.chart, drawn.measures, drawn.order, drawn.descending) == (
        "bar",
        (KILOS,),
        "",
        True,
    )


@pytest.mark.parametrize(
    "request_text",
    [
        "total kilos per harbour sorted by skipper descending",
        "number of landings per harbour in catch.csv, highest kilos first",
        "total kilos per skipper, most expensive first",
    ],
)
def test_an_order_by_something_else_is_told(folder: Path, request_text: str) -> None:
    """A harbour has several skippers, and its number of rows is in no order of kilos."""
    sources = TableSources(workspace=Workspace(folder))
    reading = Environment().readings(request_text, sources, 1)[0]
    assert reading.left_out
    assert reading.confidence <= 0.2


def test_a_trend_is_no_order(folder: Path) -> None:
    """Months stay in their order."""
    query = query_of(folder, "is the total kilos per month in catch.csv decreasing")
    assert (query.by, query.order) == ("landed", "landed")


def test_rows_keep_their_own_order(folder: Path) -> None:
    """Without groups the order is that of rows."""
    query = query_of(folder, "show catch.csv, largest kilos first")
    assert (query.by, query.measures, query.order, query.descending) == ("", (), "kilos", True)
