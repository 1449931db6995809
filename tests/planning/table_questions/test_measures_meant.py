"""The column or rows that a measure is of, where other words than its own tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled

_MATCHES: Final = (
    "match_date,opponent,venue,goals_for,goals_against\n2026-08-17,Rovers,home,1,2\n"
    "2026-08-24,Albion,away,3,0\n2026-08-31,Town,home,2,2\n2026-09-07,United,away,0,1\n"
    "2026-09-14,County,home,4,1\n"
)
_RENTALS: Final = {
    "cars.csv": "plate,make,seats\nKLA,Toyota,5\nBND,Kia,4\nZTR,Volvo,7\n",
    "rentals.csv": (
        "rental_id,plate,customer,branch,pickup,total_price\nR1,KLA,Ann Lee,Airport,2026-01-12,90\n"
        "R2,BND,Bo Falk,Downtown,2026-01-13,210\nR3,KLA,Cy Orr,Airport,2026-01-20,80\n"
        "R4,ZTR,Ann Lee,Airport,2026-02-02,70\nR5,KLA,Dee Oak,Downtown,2026-02-09,60\n"
    ),
}
_METER: Final = {
    "strom.csv": (
        "Monat,Zählerstand,Verbrauch_kWh,Wasser_m3\nJanuar,100,300,9\nFebruar,350,250,14\n"
        "März,600,250,11\nApril,800,200,14\n"
    )
}
_READINGS: Final = {
    "ablesungen.csv": (
        "Datum;Wohnung;Verbrauch (kWh);Kosten\n01.01.2026;links;300;90,00 €\n"
        "01.01.2026;rechts;250;110,00 €\n01.02.2026;links;280;80,00 €\n"
        "01.02.2026;rechts;240;100,00 €\n"
    )
}
_EXPENSES: Final = {
    "ausgaben.csv": (
        "Datum;Kategorie;Geschäft;Betrag;Bezahlt von\n02.09.2026;Auto;Bauhaus;70,00;Jens\n"
        "03.09.2026;Lebensmittel;Markt;20,00;Anna\n04.09.2026;Lebensmittel;Markt;25,00;Anna\n"
        "05.09.2026;Auto;Markt;45,00;Anna\n06.09.2026;Auto;Tankstelle;60,00;Jens\n"
    )
}
#: A row for each month.
_BILLS: Final = {
    "household.csv": (
        "month,rent,gas,water,paid\n2026-01,800,58,20,open\n2026-02,700,71,21,yes\n"
        "2026-03,800,40,25,no\n2026-04,800,30,22,yes\n"
    )
}
_COURSES: Final = {
    "anmeldungen.csv": "Nr;Name;bezahlt\n1;Ada;ja\n2;Bo;nein\n3;Cy;offen\n4;Di;ja\n5;Ed;ja\n"
}
_HARDLY: Final = 0.2
_SURE: Final = 0.5


def _best(folder: Path, question: str, files: dict[str, str]) -> QueryReading:
    workspace = Workspace(filled(folder, files))
    best = Environment().readings(question, TableSources(workspace), 1)[0]
    workspace.close()
    return best


def _answer(folder: Path, question: str, files: dict[str, str]) -> list[tuple[Cell, ...]]:
    """Return what the best reading gives; it is sure."""
    best = _best(folder, question, files)
    assert best.confidence > _SURE
    workspace = Workspace(folder)
    table = TableSources(workspace).sample_of(best.query)
    workspace.close()
    assert table is not None
    return Answers(table).of(best.query)


@each_row(
    ("files", "question", "expected"),
    [
        # one of two or more did more, or has most of what the verb is of
        (_EXPENSES, "Wer hat mehr bezahlt, Anna oder Jens?", "Jens"),
        (_EXPENSES, "who paid more, Anna or Jens?", "Jens"),
        (_EXPENSES, "Wer hat weniger ausgegeben, Jens oder Anna?", "Anna"),
        (_EXPENSES, "Welches Geschäft hat uns am meisten gekostet?", "Markt"),
        (_RENTALS, "Which branch makes the most money?", "Downtown"),
        (_RENTALS, "Which branch made the least money?", "Airport"),
        (_READINGS, "Welche Wohnung hat am meisten verbraucht?", "links"),
        # "car" is what cars.csv has a row for
        (_RENTALS, "Which car was rented most often?", "KLA"),
        (_RENTALS, "which car brought in the most money", "KLA"),
        # what costs is named
        (_BILLS, "In which month did gas cost the most?", "2026-02"),
        (_BILLS, "Which month did water cost the least?", "2026-01"),
    ],
)
def test_who_or_what_has_most(
    tmp_path: Path, files: dict[str, str], question: str, expected: str
) -> None:
    """Sums tell it; rows were counted, or the largest single row was taken."""
    assert _answer(tmp_path, question, files)[0][0] == expected


@each_row(
    ("question", "column"),
    [
        ("average goals against per venue", "goals_against"),
        ("compare the average goals against at home and away", "goals_against"),
        ("total goals against", "goals_against"),
        ("average goals for per venue", "goals_for"),
    ],
)
def test_a_column_named_in_full_is_meant(tmp_path: Path, question: str, column: str) -> None:
    """The words of goals_against are said one after another; goals_for was taken."""
    [measure] = _best(tmp_path, question, {"matches.csv": _MATCHES}).query.measures
    assert measure.column == column


@each_row(
    ("question", "expected"),
    [
        ("In welchem Monat war der Stromverbrauch am höchsten?", [("Januar",)]),
        ("Gesamter Stromverbrauch", [(1000,)]),
        ("Durchschnittlicher Wasserverbrauch", [(12,)]),
        ("Höchster Wasserverbrauch", [(14,)]),
        # each row is a month: their mean, or each of them
        ("Durchschnittlicher Wasserverbrauch pro Monat?", [(12,)]),
        ("average Wasser_m3 per Monat", [(12,)]),
    ],
)
def test_compounds_end_with_a_column(
    tmp_path: Path, question: str, expected: list[tuple[Cell, ...]]
) -> None:
    """`Verbrauch` of what the file is of, and `Wasser_m3` where water begins the compound."""
    assert _answer(tmp_path, question, _METER) == expected


def test_rows_are_groups_where_each_has_a_name(tmp_path: Path) -> None:
    """The sum for each month is that of its row; another column was the group."""
    query = _best(tmp_path, "total Wasser_m3 per Monat", _METER).query
    assert query == Query(
        "strom.csv", by="Monat", measures=(Measure("sum", "Wasser_m3"),), order="Monat"
    )


@pytest.mark.parametrize(
    "question",
    ["Wie viel Prozent haben bezahlt?", "Wieviel Prozent der Anmeldungen sind bezahlt?"],
)
def test_open_is_neither_yes_nor_no(tmp_path: Path, question: str) -> None:
    """The share of those who have paid, of all."""
    assert _answer(tmp_path, question, _COURSES) == [(60,)]


@pytest.mark.parametrize(
    ("files", "question"),
    [
        ({"matches.csv": _MATCHES}, "How many matches did we win?"),
        ({"matches.csv": _MATCHES}, "how many matches were lost?"),
        (_EXPENSES, "How much did we spend on holidays?"),
        (_EXPENSES, "Wie viel haben wir für Urlaub ausgegeben?"),
        (_EXPENSES, "how much was paid for the new kitchen"),
    ],
)
def test_what_no_column_tells_is_hardly_answered(
    tmp_path: Path, files: dict[str, str], question: str
) -> None:
    """All rows were counted, or all money added up, with 9 of 10."""
    assert _best(tmp_path, question, files).confidence <= _HARDLY


@each_row(
    ("question", "expected"),
    [
        ("How much did we spend on Auto?", [(175,)]),
        ("Wie viel haben wir für Lebensmittel ausgegeben?", [(45,)]),
        ("how much did we spend on average", [(44,)]),
        ("How much did we spend on Auto and Lebensmittel?", [(220,)]),
    ],
)
def test_what_a_column_tells_is_answered(
    tmp_path: Path, question: str, expected: list[tuple[Cell, ...]]
) -> None:
    """A value, or a statistic, is what the money was spent on."""
    assert _answer(tmp_path, question, _EXPENSES) == expected


@each_row(
    ("question", "count"),
    [
        ("How many games were drawn?", 2),
        ("How many games did we draw?", 2),
        ("how many games did we win", 1),
    ],
)
def test_how_a_match_ended_is_told_by_a_column(tmp_path: Path, question: str, count: int) -> None:
    """What was drawn is the cell "draw"; a chart was made."""
    games = "day,opponent,result\n1,Town,draw\n2,City,win\n3,Rovers,draw\n4,United,loss\n"
    assert _answer(tmp_path, question, {"games.csv": games}) == [(count,)]


def test_a_month_is_no_number_of_months(tmp_path: Path) -> None:
    """The last of those that are paid was given; and no row of a month is counted for itself."""
    assert _answer(tmp_path, "How many months are paid?", _BILLS) == [(2,)]
    query = _best(tmp_path, "how much gas did we use per month", _BILLS).query
    assert [measure.function for measure in query.measures] != ["count"]


@pytest.mark.parametrize("question", ["plot umsatz per woche", "Zeichne Umsatz pro Woche"])
def test_groups_of_numbers_are_drawn_where_each_is_asked_for(tmp_path: Path, question: str) -> None:
    """Weeks are numbers here, and the rows were scattered over them."""
    rows = "".join(f"{n},{n % 4 + 1},{n * 7 % 50}\n" for n in range(20))
    query = _best(tmp_path, question, {"verkauf.csv": f"Nr,Woche,Umsatz\n{rows}"}).query
    assert (query.by, query.measures, query.chart) == ("Woche", (Measure("sum", "Umsatz"),), "bar")


def test_a_draw_is_no_chart(tmp_path: Path) -> None:
    """How a match ends is not what is drawn."""
    workspace = Workspace(filled(tmp_path, {"matches.csv": _MATCHES}))
    asked = "How many matches ended in a draw?"
    found = Environment().readings(asked, TableSources(workspace), 1)
    workspace.close()
    assert not any(reading.query.chart for reading in found)


def test_a_fee_is_charged_in_german_too(tmp_path: Path) -> None:
    """`Gebühr` was compared with its umlaut, which names of columns have not."""
    files = {"besuche.csv": "Datum;Tier;Gebühr\n01.01.2026;Rex;30\n02.01.2026;Milo;50\n"}
    assert _answer(tmp_path, "Wie hoch sind die Einnahmen?", files) == [(80,)]
