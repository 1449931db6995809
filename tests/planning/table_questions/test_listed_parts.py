"""Listed parts: columns and measures that a question lists of its rows or groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure, Query
from tests.planning.table_questions.read_query import query_of

_HIVES = (
    "hive_no,apiary,queen,breed,inspected_on,treated_on,frames,honey_kg\n"
    "1,Orchard,2022,Carniolan,2025-04-03,2025-08-01,9,21.5\n"
    "2,Orchard,2023,Buckfast,2025-04-03,,8,18\n"
    "3,Mill,2021,Carniolan,2025-05-12,2025-08-02,11,30.2\n"
    "4,Mill,2023,Buckfast,2025-05-12,,6,9.4\n"
    "5,Heath,2024,Carniolan,2025-06-20,2025-08-04,7,12\n"
    "6,Heath,2022,Ligurian,2025-06-21,2025-08-04,10,25.1\n"
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with the table of a beekeeper."""
    (tmp_path / "hives.csv").write_text(_HIVES, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "columns"),
    [
        ("which hives are not treated? show me hive no, apiary and queen",
         ("hive_no", "apiary", "queen")),
        ("Which hives were inspected in June? I want apiary, breed and honey kg.",
         ("apiary", "breed", "honey_kg")),
        ("the 2 hives with most honey - apiary, frames and honey",
         ("apiary", "frames", "honey_kg")),
        ("hives.csv: which hives have more than 9 frames? apiary, breed",
         ("apiary", "breed")),
        ("list all hives in Mill with breed, frames and inspected on",
         ("breed", "frames", "inspected_on")),
        ("apiary, breed and frames of all hives that are not treated",
         ("apiary", "breed", "frames")),
        ("Welche Völker sind in hives.csv im Juni inspected? mit apiary und breed",
         ("apiary", "breed")),
    ],
)  # fmt: skip
def test_listed_columns_are_shown_of_rows(
    folder: Path, request_: str, columns: tuple[str, ...]
) -> None:
    """The list says what is shown, and the rest of the question which rows."""
    query = query_of(folder, request_)
    assert (query.columns, query.by, query.measures) == (columns, "", ())
    assert query.filters or query.limit


def test_the_rest_of_the_question_says_which_rows(folder: Path) -> None:
    """A gap, an end and a number of rows stay what they are without a list."""
    query = query_of(folder, "which hives are not treated? show me hive no, apiary and queen")
    assert query.filters == (Filter("treated_on", "is missing"),)
    query = query_of(folder, "the 2 hives with most honey - apiary, frames and honey")
    assert (query.order, query.descending, query.limit) == ("honey_kg", True, 2)


@pytest.mark.parametrize(
    ("request_", "by", "measures"),
    [
        ("for each apiary: number of hives, total honey and average frames", "apiary",
         (Measure("count"), Measure("sum", "honey_kg"), Measure("mean", "frames"))),
        ("top 2 apiaries by honey: apiary, number of hives, total", "apiary",
         (Measure("sum", "honey_kg"), Measure("count"))),
        ("number of hives, total honey and average frames per apiary", "apiary",
         (Measure("count"), Measure("sum", "honey_kg"), Measure("mean", "frames"))),
        ("Mill vs Heath: number of hives and averge honey", "apiary",
         (Measure("count"), Measure("mean", "honey_kg"))),
        ("per breed: how many, frames and honey", "breed",
         (Measure("count"), Measure("sum", "frames"), Measure("sum", "honey_kg"))),
    ],
)  # fmt: skip
def test_listed_measures_are_of_each_group(
    folder: Path, request_: str, by: str, measures: tuple[Measure, ...]
) -> None:
    """A number, a total or an amount in the list is computed of each group."""
    query = query_of(folder, request_)
    assert (query.by, query.measures, query.columns) == (by, measures, ())


_BILLS = (
    "customer;Rechnung am;bezahlt am;Betrag (€)\nRoth;03.02.2025;10.02.2025;120,50\n"
    "Sommer;05.02.2025;;80\nRoth;01.04.2025;;310\n"
)


@pytest.mark.parametrize(
    ("request_", "query"),
    [
        ("how many bills are not paid and how much is it",
         Query("bills.csv", (Filter("bezahlt am", "is missing"),),
               measures=(Measure("count"), Measure("sum", "Betrag (€)")))),
        ("how many bills does Roth have and what did they cost",
         Query("bills.csv", (Filter("customer", "=", "Roth"),),
               measures=(Measure("count"), Measure("sum", "Betrag (€)")))),
        ("top 2 bills by Betrag with customer and amount",
         Query("bills.csv", order="Betrag (€)", descending=True, limit=2,
               columns=("customer", "Betrag (€)"))),
        ("which customers have a Betrag over 100? Rechnungsdatum and amount",
         Query("bills.csv", (Filter("Betrag (€)", ">", 100),),
               columns=("customer", "Rechnung am", "Betrag (€)"))),
        ("costs per customer in bills.csv",
         Query("bills.csv", by="customer", measures=(Measure("sum", "Betrag (€)"),),
               order="customer")),
    ],
)  # fmt: skip
def test_amounts_and_days_are_told_by_the_question(
    tmp_path: Path, request_: str, query: Query
) -> None:
    """An amount is that which is ranked or summed, and a day may be a compound."""
    (tmp_path / "bills.csv").write_text(_BILLS, "utf-8")
    assert query_of(tmp_path, request_) == query


def test_the_day_is_that_of_the_question(folder: Path) -> None:
    """Of two dates the one that the question speaks of is shown, with what is asked for."""
    query = query_of(folder, "which breeds were treated in August 2025? date and frames please")
    assert query.columns == ("breed", "treated_on", "frames")


@pytest.mark.parametrize(
    ("request_", "measures"),
    [
        ("mean of frames, honey and queen", 1),
        ("what is the total honey, in kg?", 1),
        ("how many hives are in Mill, Heath and Orchard?", 1),
        ("how many hives with queen and breed are in hives.csv", 1),
        ("average honey of hives with frames and breed", 1),
        ("how many hives are there in hives.csv? Show me the average honey", 2),
    ],
)
def test_what_is_no_list_of_columns_stays(folder: Path, request_: str, measures: int) -> None:
    """A list of values, of what a statistic is of, or of one thing cuts nothing out."""
    query = query_of(folder, request_)
    assert len(query.measures) >= measures
    assert not query.columns


def test_a_list_loses_nothing(folder: Path) -> None:
    """Outliers stay out, and both ends are shown, whatever is listed."""
    query = query_of(folder, "mean honey kg in hives.csv without outliers: mean honey kg, apiary")
    assert Filter("honey_kg", "is no outlier") in query.filters
    query = query_of(folder, "which hive has the highest and the lowest honey kg? apiary and honey")
    assert Filter("honey_kg", "is smallest or largest") in query.filters
