"""Groups that are listed with what is computed of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

TRIPS = """guide,route,day,hikers,fee
Ada,Ridge,2026-05-02,4,80
Bo,Lake,2026-05-03,9,90
Ada,Lake,2026-06-01,6,60
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table of trips."""
    return filled(tmp_path, {"trips.csv": TRIPS})


@pytest.mark.parametrize(
    ("request_text", "by", "measure"),
    [
        ("list the guides with their number of trips", "guide", Measure("count")),
        ("the guides and their total hikers", "guide", Measure("sum", "hikers")),
        ("all routes with the average fee", "route", Measure("mean", "fee")),
        ("Show me the routes with their total fee in trips.csv", "route", Measure("sum", "fee")),
        ("die guides mit ihrer Summe der hikers", "guide", Measure("sum", "hikers")),
    ],
)
def test_it_is_computed_of_each(folder: Path, request_text: str, by: str, measure: Measure) -> None:
    """Every group has its own number."""
    query = query_of(folder, request_text)
    assert (query.by, query.measures, query.limit) == (by, (measure,), 0)


def test_an_order_may_follow(folder: Path) -> None:
    """It is that of the groups."""
    query = query_of(folder, "guides with their total fee, largest first")
    assert (query.by, query.order, query.descending) == ("guide", "", True)


@pytest.mark.parametrize(
    "request_text", ["list the guides with a fee over 70", "show the trips with a fee over 70"]
)
def test_other_lists_stay(folder: Path, request_text: str) -> None:
    """A condition on a column asks for rows."""
    assert query_of(folder, request_text).measures == ()
