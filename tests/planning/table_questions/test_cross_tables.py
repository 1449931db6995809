"""Two groupings: a query for each value of the one, with the groups of the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled

_FILES = {
    "sales.csv": (
        "date,farm,litres,price_eur,buyer\n"
        "2025-03-02,Hill,40,60,Dairy A\n2025-04-05,Brook,35,50,Dairy B\n"
        "2025-05-02,Hill,44,66,Dairy B\n2025-05-09,Brook,39,58,Dairy A\n"
        "2025-05-20,Hill,20,30,Dairy A\n"
    ),
    "bills.csv": (
        "customer,issued,status,amount_eur\nRoth,2025-01-03,open,120.5\n"
        "Sommer,2025-02-03,paid,80\nRoth,2024-02-11,open,310\nQuin,2024-03-02,paid,55\n"
    ),
    "buchungen.csv": (
        "Zimmer,Gast,Monat,Preis,Status\nRot,Anna,2025-01,90,ja\nBlau,Ben,2025-01,110,nein\n"
        "Rot,Cem,2025-02,95,ja\nRot,Dana,2025-02,80,nein\nBlau,Eva,2025-03,120,\n"
    ),
}
_STAYS = (
    "guest,gender,room,room_type,pet,city,amount,note\n"
    "Ann,f,A1,single,dog,Ulm,30,\nBob,m,B2,double,cat,Ulm,45,late\nCy,m,A1,single,dog,Bonn,20,\n"
    "Di,f,C3,suite,bird,Bonn,95,late\nEd,m,B2,double,cat,Ulm,40,\n"
)
_NUMBER = Measure("count")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def _best(folder: Path, request: str) -> QueryReading:
    return Environment().readings(request, TableSources(workspace=Workspace(folder)), 1)[0]


def _parts(reading: QueryReading) -> list[tuple[str, object]]:
    """Return the conditions of the queries of a reading, each of which has one."""
    queries = (reading.query, *reading.also)
    (first,) = {query.by for query in queries}
    assert first
    assert {query.measures for query in queries} == {reading.query.measures}
    assert not reading.left_out
    return [
        (f.column, f.value if f.comparison == "=" else f.comparison)
        for query in queries
        for f in query.filters
    ]


@pytest.mark.parametrize(
    ("request_", "by", "measure", "across", "values"),
    [
        ("Anzahl je Monat und Status in buchungen.csv", "Monat", _NUMBER,
         "Status", ["ja", "nein", "is missing"]),
        ("bookings per Zimmer by month in buchungen.csv", "Monat", _NUMBER,
         "Zimmer", ["Blau", "Rot"]),
        ("number of bookings per Monat and Zimmer in buchungen.csv", "Monat", _NUMBER,
         "Zimmer", ["Blau", "Rot"]),
        ("litres by farm and month in sales.csv", "date", Measure("sum", "litres"),
         "farm", ["Brook", "Hill"]),
        ("total litres per farm and buyer in sales.csv", "buyer", Measure("sum", "litres"),
         "farm", ["Brook", "Hill"]),
        ("average price per buyer and farm in sales.csv", "farm", Measure("mean", "price_eur"),
         "buyer", ["Dairy A", "Dairy B"]),
        ("wie viele bills je customer und status", "customer", _NUMBER,
         "status", ["open", "paid"]),
        ("number of bills by status and customer", "customer", _NUMBER,
         "status", ["open", "paid"]),
    ],
)  # fmt: skip
def test_two_groupings(  # noqa: PLR0913, PLR0917  a line of the table
    folder: Path, request_: str, by: str, measure: Measure, across: str, values: list[str]
) -> None:
    """The column with fewer values has a query for each; rows without one have theirs."""
    best = _best(folder, request_)
    assert (best.query.by, best.query.measures) == (by, (measure,))
    assert _parts(best) == [(across, value) for value in values]


@pytest.mark.parametrize(
    ("request_", "by", "parts"),
    [
        ("how many ja and nein per Zimmer in buchungen.csv", "Zimmer",
         [("Status", "ja"), ("Status", "nein")]),
        ("how many ja, nein and empty per Zimmer in buchungen.csv", "Zimmer",
         [("Status", "ja"), ("Status", "nein"), ("Status", "is missing")]),
        ("wie viele ja und nein je Monat in buchungen.csv", "Monat",
         [("Status", "ja"), ("Status", "nein")]),
        ("for each customer, how many open and paid bills", "customer",
         [("status", "open"), ("status", "paid")]),
        ("for each year, how many paid and open bills", "issued",
         [("status", "paid"), ("status", "open")]),
    ],
)  # fmt: skip
def test_named_values_are_counted_apart(
    folder: Path, request_: str, by: str, parts: list[tuple[str, str]]
) -> None:
    """In the order in which they are said."""
    best = _best(folder, request_)
    assert best.query.by == by
    assert _parts(best) == parts


@pytest.mark.parametrize(
    "request_",
    ["how many bills are open or paid per customer", "total litres per farm in sales.csv",
     "show all rows of bills.csv sorted by status and customer", "litres per farm and price",
     "how many bills are open and paid"],
)  # fmt: skip
def test_one_grouping_is_one_query(folder: Path, request_: str) -> None:
    """So are values of which any counts, and an order."""
    best = _best(folder, request_)
    assert (best.also, best.left_out) == ((), "")


def test_too_many_values_are_told(folder: Path) -> None:
    """One grouping is computed, with little confidence."""
    rows = "".join(f"a{n % 9},b{m % 10},{n}\n" for n in range(9) for m in range(20))
    (folder / "shifts.csv").write_text(f"person,place,hours\n{rows}")
    best = _best(folder, "total hours per person and place in shifts.csv")
    assert best.left_out == "for each person"
    assert (best.query.by, best.also) == ("place", ())
    assert best.confidence <= 0.2


@pytest.mark.parametrize(
    ("request_", "by"),
    [("total amount by room type", "room_type"), ("average amount per pet city", "city"),
     ("number of stays by guest city", "city"), ("total amount by room", "room")],
)  # fmt: skip
def test_words_of_one_name_are_one_grouping(folder: Path, request_: str, by: str) -> None:
    """Two groupings have "and", a comma or a second "by" between them."""
    (folder / "stays.csv").write_text(_STAYS)
    best = _best(folder, f"{request_} in stays.csv")
    assert (best.query.by, best.also, best.query.filters) == (by, (), ())


@pytest.mark.parametrize(
    "request_",
    ["total amount of dog and cat together by city in stays.csv",
     "total amount of dog and cat combined per city in stays.csv",
     "how many dog and cat per city together in stays.csv"],
)  # fmt: skip
def test_values_together_are_one_number(folder: Path, request_: str) -> None:
    """Of each group."""
    (folder / "stays.csv").write_text(_STAYS)
    best = _best(folder, request_)
    assert (best.query.by, best.also) == ("city", ())
    assert [set(f.value) for f in best.query.filters if isinstance(f.value, tuple)] == [
        {"dog", "cat"}
    ]


def test_values_are_whole_words(folder: Path) -> None:
    """The m of "many" is no value, so f comes first; a note that is empty is no gender."""
    (folder / "stays.csv").write_text(_STAYS)
    best = _best(folder, "how many f and m per city in stays.csv")
    assert _parts(best) == [("gender", "f"), ("gender", "m")]
    best = _best(folder, "how many dog and cat per city in stays.csv where the note is empty")
    assert [f.value for q in (best.query, *best.also) for f in q.filters if f.column == "pet"] == [
        "dog",
        "cat",
    ]
