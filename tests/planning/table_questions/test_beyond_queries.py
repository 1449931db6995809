"""What no query says, or what its table has not, is hardly answered; and nothing fails on it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

#: A chain: doses are of visits, and visits of animals.
_CLINIC: Final = {
    "animals.csv": (
        "animal_id,name,kind,owner,weight_kg,born\nA1,Rex,dog,Grant,14,2011-08-15\n"
        "A2,Milo,cat,Singh,4,2016-11-23\nA3,Coco,dog,Grant,17,2012-12-11\n"
        "A4,Luna,cat,Olsen,5,2011-05-24\n"
    ),
    "visits.csv": (
        "visit_id,day,animal_id,vet,hours,fee\nV1,2025-01-03,A1,Weiss,0.5,56.50\n"
        "V2,2025-01-09,A2,Ahmed,1,40\nV3,2025-02-01,A1,Weiss,2,91\nV4,2025-02-07,A4,Ahmed,1,33\n"
    ),
    "doses.csv": "visit_id,drug,mg\nV1,ivermectin,25\nV3,carprofen,50\nV3,ivermectin,20\n",
}
_HARDLY: Final = 0.2


@pytest.fixture(name="clinic")
def _clinic(tmp_path: Path) -> Path:
    return filled(tmp_path, _CLINIC)


def _reading(folder: Path, request: str) -> QueryReading | None:
    """Return the first reading; None where a request is no question of these tables."""
    found = Environment().readings(request, TableSources(Workspace(folder)), 1)
    return found[0] if found else None


@pytest.mark.parametrize(
    "request_text",
    [
        "how many vets had more than 1 visits?",
        "which animals came more than 2 times",
        "how many kinds have at least two animals",
        "which owner has spent the most?",
        "when did Luna last come in",
        "who has not seen Rex in visits.csv",
        "how many visits were between 10 pm and 6 am in times.csv",
        "how many visits were not between 9 am and 5 pm in times.csv",
    ],
)
def test_what_no_query_says_is_hardly_answered(clinic: Path, request_text: str) -> None:
    """The number of such groups, money of a table that has none, or a time over midnight."""
    (clinic / "times.csv").write_text("visit,began\n1,2025-01-03 09:30\n2,2025-01-04 23:10\n")
    reading = _reading(clinic, request_text)
    assert reading is None or reading.confidence <= _HARDLY


def test_numbers_that_a_column_has_are_no_numbers_of_rows(clinic: Path) -> None:
    """Nor is time money."""
    more = _reading(clinic, "visits of more than 1 hours in visits.csv")
    assert more is not None
    assert more.query.filters == (Filter("hours", ">", 1),)
    spent = _reading(clinic, "which vet spent the most hours in visits.csv")
    assert spent is not None
    assert spent.query.measures == (Measure("sum", "hours"),)
    assert min(more.confidence, spent.confidence) > _HARDLY
    few = _reading(clinic, "show at most 3 visits in visits.csv")
    assert few is not None
    assert not few.left_out


@pytest.mark.parametrize(
    ("request_text", "source", "joins"),
    [
        ("average fee of Weiss", "visits.csv", 0),
        ("visits by kind", "visits.csv", 1),
        ("total mg per kind", "doses.csv", 2),
    ],
)
def test_a_chain_of_tables_is_joined_as_far_as_needed(
    clinic: Path, request_text: str, source: str, joins: int
) -> None:
    """A question of one of them was an error where the first is joined to the last by another."""
    query = query_of(clinic, request_text)
    assert (query.source, len(query.joins)) == (source, joins)


def test_what_somebody_paid_is_what_was_charged(tmp_path: Path) -> None:
    """It is no cost of ours."""
    rows = "day,pupil,room_cost,fee\n2025-01-03,Ada,9,30\n2025-01-04,Bo,9,25\n2025-01-05,Ada,7,28\n"
    query = query_of(filled(tmp_path, {"lessons.csv": rows}), "what did Ada pay in total")
    assert query.filters == (Filter("pupil", "=", "Ada"),)
    assert query.measures == (Measure("sum", "fee"),)


@pytest.mark.parametrize(
    ("request_text", "paid"),
    [("how much has been paid", "yes"), ("how much has not been paid", "no")],
)
def test_what_has_been_paid_is_no_name(tmp_path: Path, request_text: str, paid: str) -> None:
    """It is a condition on the column that says whether it was."""
    rows = "client,amount,paid\nSol,40,yes\nMud,25,no\nSol,60,yes\nTar,15,no\n"
    query = query_of(filled(tmp_path, {"bills.csv": rows}), f"{request_text} in bills.csv")
    assert query.filters == (Filter("paid", "=", paid),)
    assert query.measures == (Measure("sum", "amount"),)


@pytest.mark.parametrize("request_text", ["revenue per vet", "which vet earned the most"])
def test_what_is_charged_is_revenue(clinic: Path, request_text: str) -> None:
    """Where nothing is called an amount, and no quantity has a price."""
    query = query_of(clinic, request_text)
    assert (query.by, query.measures) == ("vet", (Measure("sum", "fee"),))


@pytest.mark.parametrize(
    ("request_text", "told"),
    [
        ("how many vets had more than 1 visits?", "more than 1 visits"),
        ("which animals came more than twice", "more than twice"),
        ("which owner has spent the most?", "spent"),
        ("when did Luna last come in", "last"),
    ],
)
def test_what_is_not_answered_is_told(clinic: Path, request_text: str, told: str) -> None:
    """With the answer, in the words of the question."""
    reading = _reading(clinic, request_text)
    assert reading is not None
    assert reading.left_out == told


@pytest.mark.parametrize(
    ("request_text", "kind"),
    [("Ausgaben pro Monat", "Ausgabe"), ("Einnahmen je Monat", "Einnahme")],
)
def test_amounts_of_a_kind_are_added_up(tmp_path: Path, request_text: str, kind: str) -> None:
    """A number of them is said to be one."""
    rows = (
        "Datum;Art;Zweck;Betrag\n16.01.2024;Ausgabe;Saft;51,26\n19.02.2024;Einnahme;Fest;90,00\n"
        "22.02.2024;Ausgabe;Noten;12,50\n03.03.2024;Einnahme;Fest;70,00\n"
    )
    folder = filled(tmp_path, {"kasse.csv": rows})
    query = query_of(folder, request_text)
    assert query.filters == (Filter("Art", "=", kind),)
    assert query.measures == (Measure("sum", "Betrag"),)
    assert query_of(folder, f"Anzahl der {request_text}").measures == (Measure("count"),)


@pytest.mark.parametrize(
    "request_text",
    ["Wie viele Konzerte fanden nach 2022 statt?", "Konzerte nach 2022", "Konzerte after 2022"],
)
def test_what_is_behind_a_year_is_later(tmp_path: Path, request_text: str) -> None:
    """The German word stands before groups as well, but not before a number."""
    rows = (
        "Konzert;Datum;Ort\nMai;03.05.2022;Aula\nAdvent;02.12.2022;Dom\n"
        "Neujahr;01.01.2023;Aula\nFasching;11.02.2024;Dom\n"
    )
    folder = filled(tmp_path, {"konzerte.csv": rows})
    assert query_of(folder, request_text).filters == (Filter("Datum", ">", 2022, "year"),)
    assert query_of(folder, "Konzerte nach Ort").by == "Ort"


def test_the_name_of_a_column_is_no_part_of_a_value(tmp_path: Path) -> None:
    """Parts are not those of Nordic Parts; its other words are of it."""
    rows = "part,stock,supplier\npad,4,Nordic Parts\nchain,0,Nordic Parts\noil,7,Velo\n"
    folder = filled(tmp_path, {"parts.csv": rows})
    assert not query_of(folder, "which parts are in parts.csv?").filters
    (of_nordic,) = query_of(folder, "which parts are of Nordic?").filters
    assert of_nordic.column == "supplier"


@pytest.mark.parametrize(
    "request_text",
    ["which parts are out of stock", "sold out parts", "welche parts sind ausverkauft"],
)
def test_what_is_sold_out_is_none(tmp_path: Path, request_text: str) -> None:
    """Of the column that says how much there is."""
    folder = filled(tmp_path, {"parts.csv": "part,in_stock,price\npad,4,0\nchain,0,9\noil,7,5\n"})
    assert query_of(folder, request_text).filters == (Filter("in_stock", "=", 0),)


@pytest.mark.parametrize(
    ("request_text", "limit"),
    [("die fünf größten Ausgaben", 5), ("the two highest Betrag in kasse.csv", 2)],
)
def test_how_many_of_the_largest_may_be_said_in_words(
    tmp_path: Path, request_text: str, limit: int
) -> None:
    """As in digits."""
    rows = "Datum;Art;Betrag\n" + "".join(
        f"{day:02}.01.2024;{'Ausgabe' if day % 4 else 'Einnahme'};{day * 7 % 31},50\n"
        for day in range(1, 21)
    )
    query = query_of(filled(tmp_path, {"kasse.csv": rows}), request_text)
    assert (query.order, query.descending, query.limit) == ("Betrag", True, limit)


@pytest.mark.parametrize("request_text", ["who has not paid", "which clients have not paid"])
def test_what_a_value_denies_is_answered(tmp_path: Path, request_text: str) -> None:
    """The column says yes and no."""
    rows = "1,Ada,yes,10\n2,Bo,no,20\n3,Cy,no,30\n4,Ada,yes,5\n"
    folder = filled(tmp_path, {"jobs.csv": f"job,client,paid,price\n{rows}"})
    reading = _reading(folder, request_text)

    assert reading is not None
    assert reading.query.filters == (Filter("paid", "=", "no"),)
    assert (reading.left_out, reading.confidence > _HARDLY) == ("", True)


@pytest.mark.parametrize(
    ("request_text", "is_sure"),
    [
        ("how much time did Ann spend", False),
        ("how many hours were spent on Ann", False),
        ("how much did Ann spend", True),
    ],
)
def test_money_is_no_time(tmp_path: Path, request_text: str, *, is_sure: bool) -> None:
    """What was paid was added up as the time, with nine of ten."""
    (tmp_path / "visits.csv").write_text(
        "day,client,price\n2025-01-02,Ann,20\n2025-01-03,Ben,35\n2025-02-01,Ann,50\n"
    )
    found = Environment().readings(request_text, TableSources(workspace=Workspace(tmp_path)), 1)
    assert all((each.confidence > 0.5) is is_sure for each in found)


@pytest.mark.parametrize(
    ("request_text", "is_sure"),
    [
        ("how many repairs are still open", False),
        ("how many repairs are still in the yard", True),
        ("how many repairs are still waiting", True),
        ("how many repairs are still unpaid", True),
        ("wie viele Reparaturen sind noch da", False),
    ],
)
def test_what_is_still_so_is_told_by_a_column(
    tmp_path: Path, request_text: str, *, is_sure: bool
) -> None:
    """Two columns have gaps: all rows were counted, with nine of ten."""
    (tmp_path / "repairs.csv").write_text(
        "repair_id,place,state,begun_on,picked_up_on,checked_on,paid\n"
        "1,yard,waiting,2025-01-02,2025-01-05,2025-01-05,yes\n"
        "2,hall,done,2025-01-03,2025-02-01,,no\n3,yard,waiting,2025-01-09,,2025-02-02,no\n"
        "4,hall,waiting,2025-02-01,,,yes\n"
    )
    found = Environment().readings(request_text, TableSources(workspace=Workspace(tmp_path)), 1)
    assert all((each.confidence > 0.5) is is_sure for each in found)
    assert found or not is_sure


@pytest.mark.parametrize(
    "question",
    ["how many visits since Easter", "wie viele visits seit dem Umzug", "visits since the move"],
)
def test_a_day_that_no_calendar_tells_is_told(clinic: Path, question: str) -> None:
    """All rows were counted, with 9 of 10."""
    reading = _reading(clinic, question)
    assert reading is None or reading.confidence <= _HARDLY


def test_since_when_asks_for_a_day(tmp_path: Path) -> None:
    """It names none."""
    (tmp_path / "members.csv").write_text("name,joined\nAnna,2020-01-02\nBo,2021-01-02\n")
    reading = _reading(tmp_path, "Since when is Anna a member?")
    assert reading is None or not reading.left_out


def test_all_until_today_are_all(clinic: Path) -> None:
    """Nothing is left out."""
    reading = _reading(clinic, "how many visits until today")
    assert reading is None or reading.confidence > _HARDLY


@pytest.mark.parametrize("question", ["how many visits since February", "visits since 2025-02-01"])
def test_a_day_of_the_calendar_is_a_condition(clinic: Path, question: str) -> None:
    """It stays sure."""
    reading = _reading(clinic, question)
    assert reading is not None
    assert reading.confidence > _HARDLY
    assert [each.column for each in reading.query.filters] == ["day"]
