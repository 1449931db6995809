"""How many of a thing were sold, and what brought in most: sums, and no numbers of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.dealt_amounts import with_dealt_amount
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

FILES = {
    "tickets.csv": (
        "ticket,sold_at,film,quantity,price,seller\n1,2026-03-02 18:00,Alien,2,9.50,Uma\n"
        "2,2026-03-04 20:00,Heat,4,11.00,Leo\n3,2026-03-09 20:00,Alien,1,9.50,Leo\n"
        "4,2026-04-01 18:00,Fargo,3,8.00,Uma\n"
    ),
    "snacks.csv": (
        "supplier,article,in_stock,best_before\nA,nuts,4,2026-05-01\nB,chips,9,2026-06-01\n"
    ),
}
QUANTITY = (Measure("sum", "quantity"),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table of tickets, and another one."""
    return filled(tmp_path, FILES)


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [
        ("how many Aliens were sold in March", {("film", "Alien"), ("sold_at", 3)}),
        ("how many Alien did Leo sell", {("film", "Alien"), ("seller", "Leo")}),
        ("How many films did we sell in tickets.csv?", set()),
        ("wie viele Alien hat Uma verkauft", {("film", "Alien"), ("seller", "Uma")}),
    ],
)
def test_what_was_sold_is_added_up(
    folder: Path, request_text: str, conditions: set[tuple[str, object]]
) -> None:
    """A row may be of several."""
    query = query_of(folder, request_text)
    assert query.measures == QUANTITY
    assert {(each.column, each.value) for each in query.filters} == conditions


def test_rows_are_counted_where_they_are_named(folder: Path) -> None:
    """A ticket is a row."""
    for request_text in ("how many tickets were sold", "how many tickets did Uma sell"):
        assert query_of(folder, request_text).measures == (Measure("count"),)


@pytest.mark.parametrize(
    "asked",
    ["how many sellers have sold Alien", "wie viele seller haben Alien verkauft",
     "how many sellers did we sell to", "how many films do we sell"],
)  # fmt: skip
def test_what_is_not_sold_is_not_added_up(folder: Path, asked: str) -> None:
    """Those who sell, those who are sold to, and kinds of things: the question stays."""
    table = TableSources(workspace=Workspace(folder)).sample("tickets.csv")
    assert table is not None
    assert with_dealt_amount(asked, table) == asked


@pytest.mark.parametrize(
    ("request_text", "is_down"),
    [
        ("which film brings in the most money", True),
        ("which seller brought in the least money in tickets.csv", False),
        ("which film earned us the most money?", True),
        ("Welcher film brachte am meisten Geld ein?", True),
    ],
)
def test_what_brings_in_money_is_revenue(folder: Path, request_text: str, *, is_down: bool) -> None:
    """It is the largest sum of price times number, and no single row."""
    query = query_of(folder, request_text)
    assert [(m.function, m.column) for m in query.measures] == [("sum", "revenue")]
    assert (query.limit, query.descending) == (1, is_down)


def test_what_we_took_in_is_revenue(folder: Path) -> None:
    """It is compared for two values."""
    query = query_of(folder, "how much did we take in on Alien vs Heat")
    assert (query.by, [m.column for m in query.measures]) == ("film", ["revenue"])


def test_what_one_thing_or_person_earns_is_not_all_revenue(folder: Path) -> None:
    """What one film brought in is not the revenue of all; what a person earns may be a wage."""
    for request_text in (
        "how much did the Alien bring in in tickets.csv",
        "who earns the most money",
    ):
        found = Environment().readings(request_text, TableSources(workspace=Workspace(folder)), 1)
        assert not any(m.column == "revenue" for reading in found for m in reading.query.measures)


def test_best_is_no_best_before(folder: Path) -> None:
    """A table is not meant by a part of a column's name; the other has the word itself."""
    query = query_of(folder, "our best selling film")
    assert (query.source, query.by, query.measures) == ("tickets.csv", "film", QUANTITY)
