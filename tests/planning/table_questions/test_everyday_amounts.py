"""Everyday amounts: units, what something is worth, numbers of something named, none of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import ComputedColumn, Filter, Measure, Query
from okso_jupyter.workspace import Workspace
from tests.planning.table_questions.read_query import query_of

_PAINTS = (
    "paint,maker,On hand,Min,Unit price (€),last order\n"
    "Ochre 250 ml,Lukas,4,6,7.5,2025-02-01\nUmber 250 ml,Lukas,12,6,7.5,2025-01-15\n"
    "Titanium white,Schmincke,3,8,11.9,\nCobalt blue,Schmincke,9,4,18,2025-03-03\n"
)
_SALES = (
    "sale no,sold on,buyer,print,sheets,price per sheet EUR,discount %,paid on\n"
    "1,2025-01-05,Galerie Nord,Heron,4,35,0,2025-01-20\n"
    "2,2025-01-19,Museum Shop,Otter,10,20,10,\n"
    "3,2025-02-02,Galerie Nord,Otter,6,20,0,2025-02-28\n"
    "4,2025-03-11,Anna Pohl,Heron,1,40,0,\n"
)
_BUYERS = "buyer,phone,mobile no\nGalerie Nord,040 1,0170 1\nMuseum Shop,040 2,0170 2\n"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with the tables of a print maker."""
    (tmp_path / "paints.csv").write_text(_PAINTS, "utf-8")
    (tmp_path / "sales.csv").write_text(_SALES, "utf-8")
    (tmp_path / "buyers.csv").write_text(_BUYERS, "utf-8")
    return tmp_path


_WORTH = ComputedColumn("worth", "Unit price (€)", "*", "On hand")
_GAP = ComputedColumn("gap", "On hand", "-", "Min")
_REVENUE = ComputedColumn("revenue", "price per sheet EUR", "*", "sheets")


@pytest.mark.parametrize(
    ("request_", "computed"),
    [
        ("what is my stock worth in paints.csv", _WORTH),
        ("stock value per maker in paints.csv", _WORTH),
        ("which paints are below the minimum", _GAP),
        ("which paints are under their minimum", _GAP),
        ("Welche paints liegen unter dem Mindestbestand?", _GAP),
        ("revenue per print in sales.csv", _REVENUE),
        ("which buyer spent the most in sales.csv", _REVENUE),
        ("what were our total sales in sales.csv", _REVENUE),
    ],
)
def test_what_two_columns_tell(folder: Path, request_: str, computed: ComputedColumn) -> None:
    """Worth, revenue and what is missing are computed of the columns that hold them."""
    assert query_of(folder, request_).computed == (computed,)


@pytest.mark.parametrize(
    ("request_", "query"),
    [
        ("what's the phone number of Museum Shop",
         Query("buyers.csv", (Filter("buyer", "=", "Museum Shop"),), columns=("phone",))),
        ("what was the highest price per sheet of any Otter",
         Query("sales.csv", (Filter("print", "=", "Otter"),),
               measures=(Measure("maximum", "price per sheet EUR"),))),
        ("sales without a discount", Query("sales.csv", (Filter("discount %", "=", 0),))),
        ("unpaid sales", Query("sales.csv", (Filter("paid on", "is missing"),))),
        ("who is our biggest buyer by number of sheets",
         Query("sales.csv", by="buyer", measures=(Measure("sum", "sheets"),), descending=True,
               limit=1, columns=("buyer",))),
        ("which sales from before March are still not paid",
         Query("sales.csv", (Filter("sold on", "<", "2025-03-01"),
                             Filter("paid on", "is missing")))),
    ],
)  # fmt: skip
def test_what_is_asked(folder: Path, request_: str, query: Query) -> None:
    """A number that is called something, the end of a column, what there is none of."""
    assert query_of(folder, request_) == query


def test_most_of_a_plural_is_a_sum(folder: Path) -> None:
    """A month with the most sheets is that of the largest sum."""
    query = query_of(folder, "which month had the most sheets in sales.csv")
    assert query.measures == (Measure("sum", "sheets"),)


_BOOKINGS = (
    "booking_no,guest,room,arrival,nights,price_per_night\n1,Lena Ott,Lake,2025-05-02,3,90\n"
    "2,Ravi Nair,Garden,2025-05-17,2,70\n3,Lena Ott,Attic,2025-06-21,1,60\n"
    "4,Jan Vos,Garden,2025-07-04,7,75\n"
)


def test_a_price_of_one_is_not_added_up(tmp_path: Path) -> None:
    """What bookings cost is no sum of prices per night, and "per month" names none of them."""
    (tmp_path / "bookings.csv").write_text(_BOOKINGS, "utf-8")
    wrong = Measure("sum", "price_per_night")
    for request in (
        "how many bookings does Lena Ott have and what did they cost",
        "costs per room in bookings.csv",
        "per guest in bookings.csv: nights and price per night",
    ):
        assert wrong not in query_of(tmp_path, request).measures
    query = query_of(tmp_path, "revenue per month as a bar chart")
    assert (query.by, query.part, query.measures) == (
        "arrival",
        "month",
        (Measure("sum", "revenue"),),
    )
    query = query_of(tmp_path, "Wie viele Nächte waren im Mai gebucht?")
    assert query.measures == (Measure("sum", "nights"),)


def test_words_that_only_look_alike(tmp_path: Path) -> None:
    """A total is no name of a number, a witch is no "which", and degrees are not added up."""
    rows = "product,month,total,temperature\nwitch hat,May,3,20\nbroom,June,4,22\nbroom,May,5,21\n"
    (tmp_path / "orders.csv").write_text(rows, "utf-8")
    asked = "what is the total number of orders in orders.csv?"
    assert query_of(tmp_path, asked).measures == (Measure("count"),)
    assert query_of(tmp_path, "how many witch hats in orders.csv").filters == (
        Filter("product", "=", "witch hat"),
    )
    query = query_of(tmp_path, "which month had the highest temperatures in orders.csv")
    assert all(measure.function != "sum" for measure in query.measures)


@pytest.mark.parametrize("word", ["wich", "whch", "whcih"])
def test_question_words_are_mended(folder: Path, word: str) -> None:
    """A misspelt "which" asks for rows as the right one does."""
    right = query_of(folder, "which sales are not paid")
    assert query_of(folder, f"{word} sales are not paid") == right


def test_german_how_many_kilograms_is_a_sum(tmp_path: Path) -> None:
    """The unit tells the column; a year in the question is a condition."""
    rows = (
        "Datum;Sorte;Menge (kg)\n03.05.2024;Boskop;40\n04.05.2025;Elstar;55\n09.05.2025;Boskop;70\n"
    )
    (tmp_path / "ernte.csv").write_text(rows, "utf-8")
    query = query_of(tmp_path, "wieviel kg Boskop haben wir 2025 gelesen?")
    assert query.measures == (Measure("sum", "Menge (kg)"),)
    assert set(query.filters) == {
        Filter("Sorte", "=", "Boskop"),
        Filter("Datum", "=", 2025, "year"),
    }


def test_what_has_nothing_sorts_nothing(folder: Path) -> None:
    """Rows without a date are not sorted by it: no row would be left."""
    sources = TableSources(workspace=Workspace(folder))
    asked = "which sales are still not paid? sale no, sold on and buyer"
    queries = [reading.query for reading in Environment().readings(asked, sources, 8)]
    gaps = [query for query in queries if Filter("paid on", "is missing") in query.filters]
    assert gaps
    assert all(query.order != "paid on" for query in gaps)
