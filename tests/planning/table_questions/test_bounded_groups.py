"""Groups within a bound that a question says, in words of English and German."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Bound, Filter, Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

#: Who rents boats; the clients stand in a file of their own.
_HARBOUR: Final = {
    "rentals.csv": (
        "rental,day,client_id,boat,skipper,hours,fee\n"
        "1,2025-05-03,C1,dinghy,Ada,2,40\n2,2025-05-09,C2,canoe,Bo,1,15\n"
        "3,2025-05-21,C1,dinghy,Ada,4,80\n4,2025-06-07,C1,canoe,Cy,3,45\n"
        "5,2025-06-11,C3,dinghy,Bo,2,40\n6,2025-06-12,C2,kayak,Ada,5,70\n"
        "7,2025-07-02,C1,canoe,Bo,1,15\n8,2025-07-15,C2,dinghy,Cy,6,120\n"
    ),
    "clients.csv": (
        "client_id,name,town,client_since\nC1,Ina Holm,Kiel,2019-05-01\n"
        "C2,Per Lund,Husum,2025-05-02\nC3,Una Brand,Kiel,2023-06-01\nC4,Max Tal,Kiel,2024-01-09\n"
    ),
}
_LIBRARY: Final = (
    "id,title,borrowed_by,shelf,pages\nL1,Momo,Tim,A,254\nL2,Emil,Ole,B,403\nL3,Pippi,Ole,A,246\n"
    "L4,Krabat,Ida,B,288\nL5,Ronja,Ole,A,230\nL6,Jim,Tim,A,310\n"
)
_WARES: Final = (
    "Artikel;Lieferant;Gruppe;Preis;Bestand\nSeil;Voss;Deck;12,50;4\nFender;Voss;Deck;19,90;0\n"
    "Lampe;Hein;Licht;8,00;12\nBirne;Hein;Licht;1,20;40\nFlagge;Voss;Deck;6,40;9\n"
    "Anker;Lund;Deck;74,00;2\n"
)
_CITIES: Final = "city,country,inhabitants,area\nOslo,Norway,700000,454\nBergen,Norway,290000,465\n"
_COUNT: Final = (Measure("count"),)
_HARDLY: Final = 0.2


@pytest.fixture(name="harbour")
def _harbour(tmp_path: Path) -> Path:
    return filled(tmp_path, _HARBOUR)


@pytest.mark.parametrize(
    ("request_text", "by", "bounds"),
    [
        ("which skippers had more than 2 rentals", "skipper", [Bound(">", 2)]),
        ("list the skippers with at least three rentals", "skipper", [Bound(">=", 3)]),
        ("skippers with fewer than 3 rentals", "skipper", [Bound("<", 3)]),
        ("which skippers had no more than 2 rentals", "skipper", [Bound("<=", 2)]),
        ("which boats were rented more than twice in rentals.csv", "boat", [Bound(">", 2)]),
        ("tell me which boats have exactly 3 rentals", "boat", [Bound("=", 3)]),
        ("boats that were rented at least 2 times in rentals.csv", "boat", [Bound(">=", 2)]),
        ("which boats have 3 or more rentals?", "boat", [Bound(">=", 3)]),
        ("boats with between 2 and 3 rentals", "boat", [Bound(">=", 2), Bound("<=", 3)]),
    ],
)
def test_a_number_of_rows_is_a_bound(
    harbour: Path, request_text: str, by: str, bounds: list[Bound]
) -> None:
    """Of the groups, all of which are shown with their number."""
    query = query_of(harbour, request_text)
    assert (query.by, query.measures, [*query.bounds]) == (by, _COUNT, bounds)
    assert (query.columns, query.limit, query.filters) == ((), 0, ())


@pytest.mark.parametrize(
    ("request_text", "measure", "bound"),
    [
        ("list the skippers with total hours over 7", Measure("sum", "hours"), Bound(">", 7)),
        ("skippers with more than 7 hours in total", Measure("sum", "hours"), Bound(">", 7)),
        ("skippers whose average fee is below 50", Measure("mean", "fee"), Bound("<", 50)),
        ("which skippers have an average fee of at least 60", Measure("mean", "fee"),
         Bound(">=", 60)),
        ("which skippers had an average of more than 2 hours", Measure("mean", "hours"),
         Bound(">", 2)),
        ("skippers with a median fee above 40.5", Measure("median", "fee"), Bound(">", 40.5)),
    ],
)  # fmt: skip
def test_what_is_computed_is_bounded(
    harbour: Path, request_text: str, measure: Measure, bound: Bound
) -> None:
    """As it is named."""
    query = query_of(harbour, request_text)
    assert (query.by, query.measures, query.bounds) == ("skipper", (measure,), (bound,))


def test_the_other_conditions_are_kept(harbour: Path) -> None:
    """Those of rows, values and periods; a period is of the rows, and of no joined date."""
    june = Filter("day", "=", 6, "month")
    months = query_of(harbour, "which skippers had more than 1 rentals in June")
    assert (months.filters, months.bounds) == ((june,), (Bound(">", 1),))
    boats = query_of(harbour, "which skippers rented at least 2 dinghies")
    assert (boats.by, boats.filters) == ("skipper", (Filter("boat", "=", "dinghy"),))
    canoes = query_of(harbour, "which skippers had at least 2 rentals in May with a dinghy")
    assert {*canoes.filters} == {Filter("day", "=", 5, "month"), Filter("boat", "=", "dinghy")}
    clients = query_of(harbour, "which clients in Kiel had more than 1 rentals in June")
    assert {*clients.filters} == {june, Filter("town", "=", "Kiel")}
    assert (clients.source, clients.by) == ("rentals.csv", "client_name")
    assert (clients.measures, clients.bounds) == (_COUNT, (Bound(">", 1),))


def test_groups_within_a_bound_have_an_order(harbour: Path) -> None:
    """The largest first, where the question says it."""
    query = query_of(harbour, "boats with more than 1 rentals, largest first")
    assert (query.bounds, query.order, query.descending) == ((Bound(">", 1),), "", True)
    months = query_of(harbour, "which months had more than 2 rentals")
    assert (months.by, months.part, months.bounds) == ("day", "month", (Bound(">", 2),))


@pytest.mark.parametrize(
    ("request_text", "by", "bound"),
    [
        ("who borrowed at least 2 books", "borrowed_by", Bound(">=", 2)),
        ("who borrowed more than one book in library.csv", "borrowed_by", Bound(">", 1)),
        ("which shelf has more than 2 titles", "shelf", Bound(">", 2)),
    ],
)
def test_who_did_it_so_often(tmp_path: Path, request_text: str, by: str, bound: Bound) -> None:
    """A column tells who did it; its rows may be called by what names each of them."""
    query = query_of(filled(tmp_path, {"library.csv": _LIBRARY}), request_text)
    assert (query.by, query.measures, query.bounds) == (by, _COUNT, (bound,))


@pytest.mark.parametrize(
    ("request_text", "by", "measure", "bound"),
    [
        ("welche Lieferanten haben mehr als 2 Artikel", "Lieferant", Measure("count"),
         Bound(">", 2)),
        ("Lieferanten mit mindestens 2 Artikeln in waren.csv", "Lieferant", Measure("count"),
         Bound(">=", 2)),
        ("welche Lieferanten haben zwei oder mehr Artikel", "Lieferant", Measure("count"),
         Bound(">=", 2)),
        ("Lieferanten mit einem Durchschnittspreis unter 10", "Lieferant",
         Measure("mean", "Preis"), Bound("<", 10)),
        ("Gruppen in waren.csv, deren durchschnittlicher Preis über 20 liegt", "Gruppe",
         Measure("mean", "Preis"), Bound(">", 20)),
        ("welche Lieferanten haben einen Gesamtbestand von mehr als 10", "Lieferant",
         Measure("sum", "Bestand"), Bound(">", 10)),
    ],
)  # fmt: skip
def test_bounds_in_german(
    tmp_path: Path, request_text: str, by: str, measure: Measure, bound: Bound
) -> None:
    """As in English."""
    query = query_of(filled(tmp_path, {"waren.csv": _WARES}), request_text)
    assert (query.by, query.measures, query.bounds) == (by, (measure,), (bound,))


def test_a_quantity_is_added_up(tmp_path: Path) -> None:
    """More than 5 pens are no number of rows where these say how many; orders are."""
    rows = "day,shop,item,qty\n" + "".join(
        f"2025-03-{day},{'East' if day % 3 else 'West'},{'pen' if day % 2 else 'cup'},{day % 5}\n"
        for day in range(10, 28)
    )
    folder = filled(tmp_path, {"orders.csv": rows})
    pens = query_of(folder, "which shops sold more than 5 pens")
    assert (pens.by, pens.filters) == ("shop", (Filter("item", "=", "pen"),))
    assert (pens.measures, pens.bounds) == ((Measure("sum", "qty"),), (Bound(">", 5),))
    assert query_of(folder, "which shops have more than 5 orders").measures == _COUNT


def test_different_values_are_counted_once(harbour: Path) -> None:
    """Where the question says it."""
    query = query_of(harbour, "which skippers have more than 1 different boats")
    assert (query.by, query.measures) == ("skipper", (Measure("count distinct", "boat"),))


@pytest.mark.parametrize(
    ("request_text", "condition"),
    [
        ("rentals with more than 3 hours", Filter("hours", ">", 3)),
        ("cities with more than 300000 inhabitants", Filter("inhabitants", ">", 300000)),
        ("which cities have more than 300000 inhabitants", Filter("inhabitants", ">", 300000)),
        ("books with more than 300 pages in library.csv", Filter("pages", ">", 300)),
        ("rentals with a fee over 50", Filter("fee", ">", 50)),
    ],
)
def test_what_a_column_has_the_number_of_is_of_rows(
    harbour: Path, request_text: str, condition: Filter
) -> None:
    """It is no number of rows."""
    filled(harbour, {"cities.csv": _CITIES, "library.csv": _LIBRARY})
    query = query_of(harbour, request_text)
    assert (query.filters, query.bounds) == ((condition,), ())


@pytest.mark.parametrize(
    ("request_text", "told"),
    [
        ("how many skippers had more than 2 rentals", "more than 2 rentals"),
        ("how many boats were rented more than twice in rentals.csv", "more than twice"),
        ("average fee of skippers with more than 2 rentals", "more than 2 rentals"),
        ("which skippers never had more than 2 rentals", "more than 2 rentals"),
        ("which clients had at most 2 rentals", "at most 2 rentals"),
    ],
)
def test_what_is_not_answered_is_told(harbour: Path, request_text: str, told: str) -> None:
    """The number of such groups, or those that may have no rows; and it is hardly sure."""
    sources = TableSources(workspace=Workspace(harbour))
    reading = Environment().readings(request_text, sources, 1)[0]
    assert (reading.left_out, reading.query.bounds) == (told, ())
    assert reading.confidence <= _HARDLY


@pytest.mark.parametrize(
    "request_text",
    [
        "which skippers have more than 2 children",
        "which skippers have more than 2 clients",
        "who did more than 2 rentals",
    ],
)
def test_other_nouns_are_no_rows(harbour: Path, request_text: str) -> None:
    """Nothing in the table tells how many there are."""
    found = Environment().readings(request_text, TableSources(Workspace(harbour)), 1)
    assert not any(reading.query.bounds for reading in found)


@pytest.mark.parametrize(
    "request_text",
    [
        "rentals by skippers with more than 2 rentals",
        "new clients with more than 1 rental",
        "careful skippers with more than 2 rentals",
        "skippers with more than 2 rentals in winter",
        "which skippers had more than 2 rentals with rain",
        "boat skippers with more than 2 rentals",
        "clients since 2020 with more than 1 rental",
        "skippers with more than 1 different town",
    ],
)
def test_what_is_of_no_condition_is_not_left_out(harbour: Path, request_text: str) -> None:
    """A question with another word that tells which is hardly answered."""
    sources = TableSources(workspace=Workspace(harbour))
    found = Environment().readings(request_text, sources, 2)
    assert all(each.confidence <= _HARDLY for each in found)


@pytest.mark.parametrize(
    ("request_text", "bound"),
    [
        ("skippers with an average fee of at least 1.125", Bound(">=", 1.125)),
        ("skippers with a total fee over 1,000", Bound(">", 1000)),
        ("skippers with a total fee over 1,234.50", Bound(">", 1234.5)),
        ("skippers with a total fee over 12.5", Bound(">", 12.5)),
    ],
)
def test_numbers_of_bounds(harbour: Path, request_text: str, bound: Bound) -> None:
    """With commas between thousands, and a point before decimals."""
    assert query_of(harbour, request_text).bounds == (bound,)


@pytest.mark.parametrize(
    ("number", "value"), [("1.125", 1125), ("1.200,50", 1200.5), ("12,5", 12.5), ("40", 40)]
)
def test_german_numbers_of_bounds(tmp_path: Path, number: str, value: float) -> None:
    """With points between thousands, and a comma before decimals."""
    folder = filled(tmp_path, {"waren.csv": _WARES})
    asked = f"welche Lieferanten haben einen Gesamtbestand von mehr als {number}"
    assert query_of(folder, asked).bounds == (Bound(">", value),)


@pytest.mark.parametrize(
    "request_text",
    [
        "how many rentals between 01.05.2025 and 31.05.2025 exist",
        "zeige rentals zwischen 01.05.2025 und 31.05.2025 sortiert",
        "which boats were rented between 1.5.2025 and 31.5.2025 in rentals.csv",
        "skippers with a total fee over 1.2.3.4",
    ],
)
def test_dates_are_no_bounds(harbour: Path, request_text: str) -> None:
    """What only looks like a number is read as without bounds."""
    sources = TableSources(workspace=Workspace(harbour))
    found = Environment().readings(request_text, sources, 2)
    assert all(each.query.bounds == () for each in found)


def test_columns_that_end_with_a_numbering(tmp_path: Path) -> None:
    """`Kundennr` is of Kunden, and rows of verkaeufe.csv are Verkäufe."""
    table = "Bonnr;Kundennr;Menge\n1;K1;3\n2;K2;1\n3;K1;2\n4;K3;5\n5;K3;1\n"
    folder = filled(tmp_path, {"verkaeufe.csv": table})
    query = query_of(folder, "Kunden mit mindestens 2 Verkäufen in verkaeufe.csv")
    assert (query.by, query.measures, query.bounds) == ("Kundennr", _COUNT, (Bound(">=", 2),))


def test_a_column_without_a_word_is_called_by_none(tmp_path: Path) -> None:
    """A date column may be called "#"."""
    table = "boat,#\ndinghy,2025-05-03\ncanoe,2025-05-09\ndinghy,2025-05-21\n"
    sources = TableSources(workspace=Workspace(filled(tmp_path, {"log.csv": table})))
    found = Environment().readings("which boats have more than 1 trip in log.csv", sources, 1)
    assert all(reading.query.bounds == () for reading in found)
