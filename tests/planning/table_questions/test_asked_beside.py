"""What a question asks for beside the first thing, and amounts that it takes together or apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Query
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "vessels.csv": (
        "vessel_id,name,kind,built,weight_t,crew,fee\n"
        "V1,Aurora,ferry,1998-03-04,1200,14,310.5\nV2,Borealis,tug,2004-06-11,310,5,80\n"
        "V3,Cormorant,ferry,2015-01-30,2100,18,420\nV4,Dunlin,tug,1987-09-02,290,4,75\n"
        "V5,Eider,barge,2009-12-24,900,3,60\n"
    ),
    "bookings.csv": ("booking_id,customer_name,amount\nB1,Ann,30\nB2,Ben,75\nB3,Cem,50\n"),
    "beds.csv": (
        "plant_id,name,bed,planted,height_cm,harvest_kg\nP1,Roma,south,2026-04-12,140,6.5\n"
        "P2,Basil,south,2026-05-01,35,0.8\nP3,Pumpkin,north,2026-05-20,60,18.2\n"
        "P4,Bean,north,2026-04-28,210,4.1\n"
    ),
    "cargo.csv": "item,units,unit_price\ncoal,40,3.5\ngrain,25,8\ntimber,10,22\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "columns"),
    [
        ("Which vessel in vessels.csv has the highest fee, and how much is it?", ("name", "fee")),
        ("Which vessel in vessels.csv is the oldest and when was it built?", ("built", "name")),
        ("The three heaviest vessels with their weights, vessels.csv", ("name", "weight_t")),
        ("Which vessel in vessels.csv has the highest fee?", ("name",)),
    ],
)
def test_an_end_is_shown_with_what_is_asked_of_it(
    request_: str, columns: tuple[str, ...], folder: Path
) -> None:
    """By its name where it has one."""
    assert query_of(folder, request_).columns == columns


def test_a_customer_is_no_name_of_a_booking(folder: Path) -> None:
    """Only a column that is called name or title holds the names of the rows."""
    query = query_of(folder, "Which booking in bookings.csv has the highest amount?")
    assert query.columns == ("booking_id",)


def test_a_number_that_is_asked_for_is_shown(folder: Path) -> None:
    """No name is shown where the number is asked for: "Which vessel_id"."""
    query = query_of(folder, "Which vessel_id in vessels.csv has the highest fee?")
    assert query.columns == ("vessel_id",)


@pytest.mark.parametrize(
    ("request_", "columns"),
    [
        ("Which kind in vessels.csv has the most vessels, and how many?", ()),
        ("Which kind in vessels.csv has the most vessels?", ("kind",)),
    ],
)
def test_a_group_is_shown_with_its_number(
    request_: str, columns: tuple[str, ...], folder: Path
) -> None:
    """Where the question asks for both."""
    query = query_of(folder, request_)
    assert (query.by, query.limit, query.columns) == ("kind", 1, columns)


@pytest.mark.parametrize(
    ("end", "is_down"), [("longest", True), ("largest", True), ("smallest", False)]
)
def test_groups_are_in_the_order_that_is_said(end: str, folder: Path, *, is_down: bool) -> None:
    """All of them are shown where "longest first" is said."""
    query = query_of(folder, f"In vessels.csv, total crew per kind, {end} first")
    assert (query.by, query.limit, query.descending) == ("kind", 0, is_down)
    assert [(m.function, m.column) for m in query.measures] == [("sum", "crew")]


@pytest.mark.parametrize(
    ("request_", "functions"),
    [
        ("total harvest per bed, largest first", ["sum"]),
        ("maximum and total harvest_kg per bed in beds.csv, largest first", ["maximum", "sum"]),
    ],
)
def test_an_order_is_no_maximum(request_: str, functions: list[str], folder: Path) -> None:
    """A maximum is shown beside a sum where it is asked for."""
    query = query_of(folder, request_)
    assert (query.by, query.limit, query.descending) == ("bed", 0, True)
    assert sorted(measure.function for measure in query.measures) == functions


@pytest.mark.parametrize(
    "request_",
    ["wich plant in beds.csv is the tallest", "Show which plant in beds.csv is the tallest"],
)
def test_which_plant_is_of_no_date(request_: str, folder: Path) -> None:
    """A column that only sounds like what is asked for is not shown."""
    query = query_of(folder, request_)
    assert (query.columns, query.order, query.descending) == (("name",), "height_cm", True)


@pytest.mark.parametrize(
    "request_",
    [
        "How much more does the average ferry weigh than the average tug in vessels.csv?",
        "What is the difference between ferry and tug in mean weight_t, vessels.csv?",
    ],
)
def test_two_groups_are_compared(request_: str, folder: Path) -> None:
    """Their difference is one number."""
    query = query_of(folder, request_)
    assert (query.by, query.combine) == ("kind", "difference")
    assert [(m.function, m.column) for m in query.measures] == [("mean", "weight_t")]


@pytest.mark.parametrize(
    "request_",
    [
        "What is the whole cargo in cargo.csv worth, units times unit_price?",
        "What is the entire cargo in cargo.csv worth, units times unit_price?",
    ],
)
def test_amounts_are_taken_together(request_: str, folder: Path) -> None:
    """A sum is asked for by "whole" and "altogether"."""
    query = query_of(folder, request_)
    assert [measure.function for measure in query.measures] == ["sum"]
    assert _operands(query) == [("units", "*", "unit_price")]


def _operands(query: Query) -> list[tuple[object, str, object]]:
    return [(column.left, column.operator, column.right) for column in query.computed]
