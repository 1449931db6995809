"""Values of several words in another number, and ends of what a column is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.table_questions.stated_parts import is_said
from okso_jupyter.tables.query import Filter, Query
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "sightings.csv": (
        "tag,species,time,wing_mm,station\nT1,Snowy owl,06:10,410,North\n"
        "T2,Barn owl,05:40,280,East\nT3,Snowy owl,07:05,395,East\n"
        "T4,Sea-eagle,09:15,610,North\nT5,Barn owl,04:55,290,North\n"
    )
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def _filters(query: Query) -> list[tuple[str, str, object]]:
    return [(each.column, each.comparison, each.value) for each in query.filters]


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        ("How many snowy owls are in sightings.csv?", "Snowy owl"),
        ("Count the sea-eagles in sightings.csv", "Sea-eagle"),
    ],
)
def test_a_value_of_several_words_in_the_plural(request_: str, value: str, folder: Path) -> None:
    """Its last word may have another ending."""
    assert _filters(query_of(folder, request_)) == [("species", "=", value)]


@pytest.mark.parametrize(
    ("value", "is_named"),
    [("Barn owl", True), ("owl", True), ("Snowy owl", False), ("Barn", True), ("", False)],
)
def test_a_value_is_named_in_any_number(value: str, *, is_named: bool) -> None:
    """So that a reading without it does not win."""
    asked = "Longest wing among the barn owls?"
    assert is_said(Filter("species", "=", value), asked) is is_named


@pytest.mark.parametrize("value", ["IT", "One Hundred Years of Solitude and Other Tales"])
def test_a_value_that_is_said_whole_is_named(value: str) -> None:
    """However long it is, and also where it is a stop word."""
    assert is_said(Filter("title", "=", value), f"How many copies of {value} are there?")


def test_two_of_them_are_joined(folder: Path) -> None:
    """Rows of both, and no difference that nobody asked for."""
    query = query_of(folder, "How many snowy owls or sea-eagles are in sightings.csv?")
    ((column, comparison, values),) = _filters(query)
    assert (column, comparison, query.combine) == ("species", "in", "")
    assert isinstance(values, tuple)
    assert set(values) == {"Snowy owl", "Sea-eagle"}


@pytest.mark.parametrize(
    "request_",
    [
        "Longest wing among the barn owls in sightings.csv?",
        "What is the longest wing of the barn owls in sightings.csv?",
    ],
)
def test_the_longest_wing_is_no_duration(request_: str, folder: Path) -> None:
    """A column that is called so counts before what "longest" means elsewhere."""
    query = query_of(folder, request_)
    assert [(m.function, m.column) for m in query.measures] == [("maximum", "wing_mm")]
    assert _filters(query) == [("species", "=", "Barn owl")]


def test_the_most_orders_are_of_no_number(tmp_path: Path) -> None:
    """Rows are counted, and not what they are numbered by."""
    table = "OrderID,Customer,Amount\n7,Ann,30\n9,Ben,75\n8,Ann,50\n"
    query = query_of(
        filled(tmp_path, {"orders.csv": table}), "Which customer placed the most orders?"
    )
    assert (query.by, query.limit, query.descending) == ("Customer", 1, True)
    assert [measure.function for measure in query.measures] == ["count"]


def test_the_commonest_is_the_most_common(folder: Path) -> None:
    """In the order of their numbers."""
    query = query_of(folder, "Rank the two commonest species in sightings.csv")
    assert (query.by, query.limit, query.descending) == ("species", 2, True)
    assert [measure.function for measure in query.measures] == ["count"]
