"""Verbs of a table's rows: who borrowed what, beside loans.csv."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.planning.table_questions.read_query import query_of
from tests.planning.table_questions.test_names_that_are_cues import BESTELLUNGEN, KUNDEN

BOOKS = "book_id,title,author\nB1,Dune,Herbert\nB2,Emma,Austen\nB3,Ulysses,Joyce\n"
READERS = "reader_id,name,town\nR1,Tom Hale,York\nR2,Ina Moss,Leeds\nR3,Per Lind,York\n"
LOANS = (
    "loan_no,reader_id,book_id,lent_on,returned_on\n1,R1,B1,2026-01-02,2026-01-20\n"
    "2,R2,B1,2026-02-02,\n3,R1,B3,2026-02-05,2026-02-25\n4,R3,B2,2026-03-01,\n"
)


@pytest.fixture(name="library")
def _library(tmp_path: Path) -> Path:
    for name, text in (("books", BOOKS), ("readers", READERS), ("loans", LOANS)):
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path


@pytest.fixture(name="shop")
def _shop(tmp_path: Path) -> Path:
    (tmp_path / "kunden.csv").write_text(KUNDEN)
    (tmp_path / "bestellungen.csv").write_text(BESTELLUNGEN)
    return tmp_path


@pytest.mark.parametrize(
    ("request_text", "functions", "columns"),
    [
        ("which book was borrowed most often", ["count"], ("book_title",)),
        ("which books did Tom Hale borrow", [], ("book_title",)),
        ("how often was Dune borrowed", ["count"], ()),
        ("when was Dune last borrowed", ["maximum"], ()),
    ],
)
def test_rows_are_told_by_what_was_done(
    library: Path, request_text: str, functions: list[str], columns: tuple[str, ...]
) -> None:
    """Books were looked at alone, or nothing was found."""
    query = query_of(library, request_text)

    assert query.source == "loans.csv"
    assert "books.csv" in [join.source for join in query.joins]
    assert ([each.function for each in query.measures], query.columns) == (functions, columns)


@pytest.mark.parametrize(
    "request_text",
    [
        "who borrowed Dune",
        "who has borrowed Dune",
        "who borrowed the most books",
        "who borrowed the fewest books",
        "who has not returned a book",
    ],
)
def test_who_did_it_is_of_the_rows_that_say_so(library: Path, request_text: str) -> None:
    """Not the author of the book."""
    assert query_of(library, request_text).columns == ("reader_name",)


def test_who_wrote_a_book_is_its_author(library: Path) -> None:
    """No row of loans says that."""
    assert query_of(library, "who wrote Dune").columns == ("author",)


@pytest.mark.parametrize(
    ("request_text", "functions"),
    [
        ("wie oft hat Bo Falk bestellt", ["count"]),
        ("wann hat Bo Falk zuletzt bestellt", ["maximum"]),
    ],
)
def test_german_participles_are_of_the_rows(
    shop: Path, request_text: str, functions: list[str]
) -> None:
    """The customer alone was looked at."""
    query = query_of(shop, request_text)

    assert (query.source, [join.source for join in query.joins]) == (
        "bestellungen.csv",
        ["kunden.csv"],
    )
    assert [measure.function for measure in query.measures] == functions


def test_who_ordered_is_told_in_german(shop: Path) -> None:
    """It was refused."""
    assert query_of(shop, "wer hat am meisten bestellt").columns == ("kunden_name",)


MEMBERS = "member_id,first_name,last_name\n1,Alice,Morgan\n2,Ben,Carter\n3,Erin,Neill\n"
FILMS = "film_id,title,director\n1,Laser Cats,Joe Pelham\n2,Robot Picnic,Kenji Mori\n"
TICKETS = (
    "ticket_id,film_id,member_id,show_date,price\n1,1,1,2024-01-12,21\n2,1,3,2024-01-20,9.5\n"
    "3,2,3,2024-02-03,8\n4,2,2,2024-03-01,9.5\n5,2,3,2025-03-09,8\n"
)


@pytest.mark.parametrize(
    ("request_text", "by"),
    [
        ("who bought the most tickets", "first_name"),
        ("which member bought the most tickets", "first_name"),
        ("which film sold the most tickets", "film_title"),
    ],
)
def test_the_most_that_is_bought_is_counted(tmp_path: Path, request_text: str, by: str) -> None:
    """The largest number of a ticket was found."""
    for name, text in (("members", MEMBERS), ("films", FILMS), ("tickets", TICKETS)):
        (tmp_path / f"{name}.csv").write_text(text)
    query = query_of(tmp_path, request_text)

    assert (query.by, [each.function for each in query.measures]) == (by, ["count"])


PUPILS = (
    "nr;name;klasse;angemeldet_am\n1;Leonie;B;05.09.2024\n2;Tim;AM;12.09.2024\n"
    "3;Nele;AM;13.01.2025\n"
)
LESSONS = "nr;schueler_nr;datum\n1;1;13.01.2025\n2;2;13.01.2025\n3;1;14.01.2025\n4;3;20.01.2025\n"


@pytest.mark.parametrize(
    "request_text",
    ["Wie viele Fahrstunden gab es am 13.01.2025?", "Fahrstunden am 13.01.2025"],
)
def test_am_is_no_value_and_no_column(tmp_path: Path, request_text: str) -> None:
    """The class AM was asked for, and the day of `angemeldet_am`."""
    (tmp_path / "schueler.csv").write_text(PUPILS)
    (tmp_path / "fahrstunden.csv").write_text(LESSONS)
    query = query_of(tmp_path, request_text)

    assert (query.source, [each.column for each in query.filters]) == ("fahrstunden.csv", ["datum"])


PAID = (
    "payment_id,employee_id,paid_on\n1,E1,2024-01-31\n2,E2,2024-02-01\n3,E1,2024-02-29\n"
    "4,E1,2024-03-31\n"
)


@pytest.mark.parametrize(
    ("request_text", "order", "columns"),
    [
        ("Which employee is paid most?", "salary", ("name",)),
        ("how many employees do we pay", "", ()),
    ],
)
def test_who_is_paid_most_is_of_the_salary(
    tmp_path: Path, request_text: str, order: str, columns: tuple[str, ...]
) -> None:
    """The latest payment was found, and nobody was counted."""
    employees = "id,name,salary\nE1,Ada Lund,4200\nE2,Bo Falk,3900\nE3,Cy Moe,5100\n"
    (tmp_path / "employees.csv").write_text(employees)
    (tmp_path / "payments.csv").write_text(PAID)
    query = query_of(tmp_path, request_text)

    assert (query.source, query.order, query.columns) == ("employees.csv", order, columns)
