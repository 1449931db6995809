"""Everyday phrases: what is missing or not done yet, persons, categories by other words."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure
from tests.planning.table_questions.read_query import query_of

_SINGERS = (
    "Name,Voice,Joined,Phone,Dues 2025,Rehearsals attended,returned_key_on\n"
    "Anna Lund,Soprano,2019-03-01,0170 111,paid,31,2025-02-01\n"
    "Bert Okafor,Bass,2005-09-12,,paid,36,\n"
    "Clara Weiss,Alto,2022-01-15,0151 222,open,22,2025-03-01\n"
    "Dov Katz,Tenor,2016-06-30,0160 333,paid,28,\n"
    "Erin Walsh,Soprano,2024-02-10,,open,17,2025-01-05\n"
    "Finn Maas,Bass,2018-11-05,0172 444,paid,25,2025-01-06\n"
)
_CONCERTS = (
    "date,title,venue,hall,ticket_no,tickets_sold,costs\n"
    "2024-03-16,Spring Serenade,St. Mary,3A,1,142,310\n"
    "2024-06-22,Summer Night,Town Park,3B,143,260,540.5\n"
    "2024-09-28,Harvest Songs,St. Mary,3A,403,118,295\n"
    "2024-12-14,Oratorio,Cathedral,3B,521,410,2150\n"
)
_DECEMBER = ("2024-12-01", "2024-12-31")
_KASSE = (
    "Datum;Zweck;Art;Betrag\n05.01.2025;Noten;Ausgabe;89,90\n12.01.2025;Raummiete;Ausgabe;120,00\n"
    "02.02.2025;Bäckerei Roth;Einnahme;250,00\n22.03.2025;Konzert;Einnahme;970,00\n"
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with the tables of a choir."""
    (tmp_path / "singers.csv").write_text(_SINGERS, "utf-8")
    (tmp_path / "concerts.csv").write_text(_CONCERTS, "utf-8")
    (tmp_path / "Kasse.csv").write_text(_KASSE, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "column", "comparison", "value"),
    [
        ("who hasn't got a phone number", "Phone", "is missing", ""),
        ("which singers did not give their phone", "Phone", "is missing", ""),
        ("singers who have not returned the key yet", "returned_key_on", "is missing", ""),
        ("average tickets sold at St. Mary", "venue", "=", "St. Mary"),
        ("who joined after 2020?", "Joined", ">", 2020),
        ("Summe der Einnahmen", "Art", "=", "Einnahme"),
        ("how much was spent in Kasse.csv", "Art", "=", "Ausgabe"),
        ("how many concerts are in hall 3B", "hall", "=", "3B"),
        ("total costs in the last month of concerts.csv", "date", "between", _DECEMBER),
    ],
)
def test_rows_are_told_by_other_words(
    folder: Path, request_: str, column: str, comparison: str, value: str | float | tuple[str, str]
) -> None:
    """What is missing, not done, titled with a stop, or called by a word of the same meaning."""
    query = query_of(folder, request_)
    assert [(f.column, f.comparison, f.value) for f in query.filters] == [
        (column, comparison, value)
    ]
    assert not query.limit


def test_persons_of_whom_something_is_said_are_listed(folder: Path) -> None:
    """They are shown by name, and nothing is added up."""
    query = query_of(folder, "sopranos and altos who attended fewer than 25 rehearsals")
    assert (query.measures, query.by) == ((), "")
    assert set(query.filters) == {
        Filter("Voice", "in", ("Soprano", "Alto")),
        Filter("Rehearsals attended", "<", 25),
    }
    assert query_of(folder, "number of basses").measures == (Measure("count"),)


def test_a_row_is_shown_whole_where_several_things_are_asked_of_it(folder: Path) -> None:
    """The one with the most, of which two more question words ask."""
    query = query_of(folder, "most expensive concert - when was it and how many tickets sold")
    assert (query.order, query.descending, query.limit) == ("costs", True, 1)
    assert query.columns == ()


def test_values_are_compared_beside_each_other(folder: Path) -> None:
    """Each of two values has its own number."""
    query = query_of(folder, "compare the tickets sold of Town Park and Cathedral")
    assert (query.by, query.limit) == ("venue", 0)
    assert query.filters == (Filter("venue", "in", ("Town Park", "Cathedral")),)


def test_a_number_of_rows_is_charted_as_such(folder: Path) -> None:
    """What the rows are numbered by is neither added up nor the largest looked for."""
    query = query_of(folder, "line chart: number of tickets per month of date in concerts.csv")
    assert (query.by, query.part, query.chart) == ("date", "month", "line")
    assert "ticket_no" not in {measure.column for measure in query.measures}


def test_a_measured_compound_is_the_column_of_its_first_part(tmp_path: Path) -> None:
    """A "Nitratwert" is found in Nitrat (mg/l)."""
    (tmp_path / "wasser.csv").write_text(
        "Ort;Nitrat (mg/l);pH\nA;3,5;7\nB;9,1;8\nA;2,5;7\n", "utf-8"
    )
    query = query_of(tmp_path, "Was ist der höchste Nitratwert in wasser.csv?")
    assert query.measures == (Measure("maximum", "Nitrat (mg/l)"),)


@pytest.mark.parametrize(
    ("request_", "filters"),
    [
        (
            "total tickets sold at Town Park in 2024",
            {Filter("venue", "=", "Town Park"), Filter("date", "=", 2024, "year")},
        ),
        (
            "how many concerts cost more than 300 and were in St. Mary or the Cathedral",
            {Filter("costs", ">", 300), Filter("venue", "in", ("St. Mary", "Cathedral"))},
        ),
        ("how many singers joined marked as paid", {Filter("Dues 2025", "=", "paid")}),
    ],
)
def test_conditions_are_combined_however_many_there_may_be(
    folder: Path, request_: str, filters: set[Filter]
) -> None:
    """A number that may compare with every column in every way hides none of what is said."""
    assert set(query_of(folder, request_).filters) == filters


def test_what_sounds_like_a_column_is_no_value(tmp_path: Path) -> None:
    """Tickets opened after May are not those that are open, and "no paid date" is not Paid."""
    (tmp_path / "tickets.csv").write_text(
        "no,opened,status,paid_on\n1,2024-04-02,open,\n2,2024-05-09,paid,2024-06-01\n"
        "3,2024-06-03,open,\n4,2024-06-20,paid,2024-07-02\n"
    )
    query = query_of(tmp_path, "how many tickets were opened after 1 May 2024")
    assert query.filters == (Filter("opened", ">", "2024-05-01"),)
    query = query_of(tmp_path, "how many tickets have no paid on date?")
    assert query.filters == (Filter("paid_on", "is missing"),)


def test_costs_of_a_category_are_found_by_their_compound(tmp_path: Path) -> None:
    """The "Stromkosten" are the amounts of Strom."""
    (tmp_path / "haus.csv").write_text(
        "Datum;Kostenart;Betrag\n2024-01-02;Strom;80,5\n2024-01-03;Wasser;30\n2024-02-02;Strom;79\n"
        "2024-02-05;Wasser;31,2\n",
        "utf-8",
    )
    query = query_of(tmp_path, "Wie hoch waren die Stromkosten insgesamt?")
    assert query.filters == (Filter("Kostenart", "=", "Strom"),)
    assert query.measures == (Measure("sum", "Betrag"),)


@pytest.mark.parametrize(
    ("request_", "order", "limit"),
    [
        ("biggest concert by tickets sold - title, hall and costs", "tickets_sold", 1),
        ("top 2 concerts by costs, title and hall", "costs", 2),
    ],
)
def test_rows_at_an_end_are_no_groups(folder: Path, request_: str, order: str, limit: int) -> None:
    """They are shown with the columns that are listed."""
    query = query_of(folder, request_)
    assert (query.by, query.measures, query.order, query.limit) == ("", (), order, limit)
    assert set(query.columns) in ({"title", "hall", "costs"}, {"title", "hall"}, set())


def test_a_number_that_stands_twice_may_be_a_value_once(folder: Path) -> None:
    """It is compared in one place, and equal in the other."""
    (folder / "moves.csv").write_text("team,players,level\nA,3,3\nB,5,3\nC,6,2\nD,7,3\n", "utf-8")
    query = query_of(folder, "how many teams of level 3 have more than 3 players in moves.csv")
    assert set(query.filters) == {Filter("level", "=", 3), Filter("players", ">", 3)}
