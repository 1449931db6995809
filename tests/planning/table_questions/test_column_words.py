"""Columns that a question calls by other words than their headers have."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "Mieten.csv": (
        "Mieter;Wohnung;Einzugsdatum;Kaltmiete (€);Fläche m2;Stromkosten;bezahlt\n"
        "Kranz;1a;01.03.2019;540,50;48;31;ja\nObi;1b;15.07.2021;610,00;55;40;nein\n"
        "Kranz;2a;01.10.2022;720,00;71;38;ja\nSawicki;2b;01.02.2020;480,00;41;29;ja\n"
        "Obi;3a;01.05.2023;655,00;60;44;nein\n"
    ),
    "shipments.csv": (
        "shipment,customer,sent,qty,wt (kg),Dest.,avg RT\n"
        "S1,Falk,2024-01-04,4,12.5,Turku,31\nS2,Mora,2024-02-11,9,30.1,Gdynia,28\n"
        "S3,Falk,2024-02-20,2,8.0,Gdynia,40\nS4,Iyer,2024-03-02,7,22.4,Turku,35\n"
        "S5,Mora,2024-04-09,1,3.3,Turku,39\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "by", "measure"),
    [
        ("total electricity cost per tenant", "Mieter", Measure("sum", "Stromkosten")),
        ("average rent for each tenant", "Mieter", Measure("mean", "Kaltmiete (€)")),
        ("Gesamte Menge pro Kunde in shipments.csv", "customer", Measure("sum", "qty")),
        ("total quantity by destination", "Dest.", Measure("sum", "qty")),
        ("What is the mean area in Mieten.csv?", "", Measure("mean", "Fläche m2")),
        ("What is the mean response time in shipments.csv?", "", Measure("mean", "avg RT")),
    ],
)
def test_a_column_is_found_by_a_word_that_means_its_header(
    request_: str, by: str, measure: Measure, folder: Path
) -> None:
    """In the other language, as a part of a compound, in full, and by initials."""
    query = query_of(folder, request_)
    assert (query.by, query.measures) == (by, (measure,))


def test_values_and_the_opposite_of_a_flag_are_found(folder: Path) -> None:
    """The value stays as it is, beside the word for its column."""
    query = query_of(folder, "How many apartments has tenant Obi not paid?")
    assert query.measures == (Measure("count"),)
    assert Filter("Mieter", "=", "Obi") in query.filters
    query = query_of(folder, "Which apartments are unpaid in Mieten.csv?")
    assert query.filters == (Filter("bezahlt", "=", "nein"),)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("the invoice date of the last sale", "the rechnungsdatum of the last verkaufe"),
        ("how many sales were in Kiel", "how many verkaufe were in Kiel"),
        ("which Artikel sold best", "which Artikel sold best"),
        ("what did Client cost", "what did Client cost"),
    ],
)
def test_words_become_those_of_the_headers(question: str, said: str) -> None:
    """Those of headers and values stay, and those that say what is asked."""
    header = ["Rechnungsnr", "Rechnungsdatum", "Kunde", "Artikel", "Menge"]
    table = TableSample("Verkäufe.csv", header, [["1", "2024-01-02", "Client", "Honig", "3"]])
    assert in_words_of(question, table) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many passed and how many did not", "how many passed and how many did not"),
        ("which exams are not passed", "which exams are not passed"),
        ("Durchschnittsnote je Fach", "Durchschnitts grade je subject"),
        ("Gesamtnote von Ada", "Gesamtnote von Ada"),
        ("die Gesamtlänge der Bahn", "die Gesamtlänge der Bahn"),
        ("wie viele sind auf der Gesamtschule", "wie viele sind auf der Gesamtschule"),
    ],
)
def test_not_is_no_grade_and_a_compound_has_one(question: str, said: str) -> None:
    """The stem of "Note" is "not"; a compound that the table has stays, with an umlaut or not."""
    header = ["subject", "grade", "Gesamtnote", "Gesamtlänge", "school"]
    table = TableSample("exams.csv", header, [["math", "2", "1", "90", "Gesamtschule"]])
    assert in_words_of(question, table) == said


def test_an_umlaut_at_the_beginning_denies_nothing() -> None:
    """An umlaut is no "un": "Nächte" are nights; "unbezahlt" stays denied."""
    table = TableSample("stays.csv", ["nights", "paid"], [["3", "yes"], ["2", "no"]])
    assert in_words_of("wie viele Nächte", table) == "wie viele nights"
    assert in_words_of("unbezahlte", table) == "unpaid"
