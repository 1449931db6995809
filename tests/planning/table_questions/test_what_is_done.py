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
