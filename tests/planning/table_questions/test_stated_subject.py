"""Of whom, of what and of which date a question asks, where it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace

_VISITS = (
    "id,patient,ward,arrived,left,cost\n"
    "1,Ines,eye,2026-01-05,2026-01-07,100\n"
    "2,Omar,heart,2026-02-06,,250\n"
    "3,Ines,eye,2026-02-09,2026-03-01,80\n"
    "4,Pia,heart,2026-03-11,2026-03-12,40\n"
    "5,Omar,bone,2026-03-20,,300\n"
)
_COUNT = (Measure("count"),)


def _best(folder: Path, question: str) -> Query:
    (folder / "visits.csv").write_text(_VISITS, "utf-8")
    sources = TableSources(workspace=Workspace(folder))
    return Environment().readings(question, sources, 3)[0].query


def test_who_is_a_person(tmp_path: Path) -> None:
    """And no ward."""
    query = _best(tmp_path, "Who had the most visits?")
    assert (query.by, query.measures, query.descending) == ("patient", _COUNT, True)


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("How often was Ines a patient in visits.csv?", (Filter("patient", "=", "Ines"),)),
        ("How many visits have no left date?", (Filter("left", "is missing"),)),
    ],
)
def test_how_often_is_a_number_of_rows(
    tmp_path: Path, question: str, filters: tuple[Filter, ...]
) -> None:
    """Of those that are named."""
    assert _best(tmp_path, question) == Query("visits.csv", filters, measures=_COUNT)


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("How many different patients are in visits.csv?", Measure("count distinct", "patient")),
        ("How much cost did all visits have together?", Measure("sum", "cost")),
    ],
)
def test_one_number_of_a_column(tmp_path: Path, question: str, measure: Measure) -> None:
    """Different values are counted, and "together" is a sum."""
    assert _best(tmp_path, question) == Query("visits.csv", measures=(measure,))


def test_groups_are_ranked_by_their_number(tmp_path: Path) -> None:
    """The column that is ranked is grouped by."""
    query = _best(tmp_path, "Rank the wards by number of visits")
    assert (query.by, query.measures) == ("ward", _COUNT)


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        (
            "Show the visits of Omar that have no left date",
            {Filter("left", "is missing"), Filter("patient", "=", "Omar")},
        ),
        ("visits of Ines", {Filter("patient", "=", "Ines")}),
        ("all heart visits", {Filter("ward", "=", "heart")}),
    ],
)
def test_rows_are_shown(tmp_path: Path, question: str, filters: set[Filter]) -> None:
    """Also where the request is no sentence."""
    query = _best(tmp_path, question)
    assert set(query.filters) == filters
    assert (query.measures, query.columns, query.limit) == ((), (), 0)


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("How many visits per month?", "arrived"),
        ("How many patients left per month?", "left"),
    ],
)
def test_the_first_date_is_meant_unless_another_is_named(
    tmp_path: Path, question: str, column: str
) -> None:
    """Months are of one of two dates."""
    query = _best(tmp_path, question)
    assert (query.by, query.part) == (column, "month")


def test_two_dates_may_be_named(tmp_path: Path) -> None:
    """Each has a period of its own."""
    query = _best(tmp_path, "How many patients arrived in February and left in March?")
    assert set(query.filters) == {
        Filter("arrived", "=", 2, "month"),
        Filter("left", "=", 3, "month"),
    }


def test_a_number_of_rows_is_no_value(tmp_path: Path) -> None:
    """The two of "the last two" is not compared with anything."""
    query = _best(tmp_path, "last 2 visits")
    assert (query.filters, query.limit) == ((), 2)


@pytest.mark.parametrize(
    "request_",
    ["visits need cleaning", "visit the heart ward", "write visits", "a poem about visits"],
)
def test_other_phrases_ask_for_no_rows(tmp_path: Path, request_: str) -> None:
    """Every word must be of the table."""
    (tmp_path / "visits.csv").write_text(_VISITS, "utf-8")
    assert not Environment().readings(request_, TableSources(workspace=Workspace(tmp_path)), 3)


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("How many cups did we buy?", Measure("sum", "qty")),
        ("How much tea have they sold?", Measure("sum", "qty")),
        ("How many orders did we ship?", Measure("count")),
        ("Which shop was the most expensive on average?", Measure("mean", "price")),
        ("count the orders by shop", Measure("count")),
    ],
)
def test_what_was_bought_is_added_up(tmp_path: Path, question: str, measure: Measure) -> None:
    """By the only column of quantities; orders are counted by rows, and averages are means."""
    rows = "shop,item,price,qty\nA,tea,4,2\nB,cups,12,1\nA,tea,5,3\nB,tea,4,9\n"
    (tmp_path / "orders.csv").write_text(rows, "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    query = Environment().readings(f"{question} in orders.csv", sources, 1)[0].query
    assert query.measures == (measure,)
