"""Amounts of money, years and dates that a question asks for without naming their column."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "fees.csv": (
        "paid_on,club,kind,fee\n2025-01-10,Chess,entry,30\n2025-01-22,Rowing,boat,80\n"
        "2025-02-11,Chess,monthly,12\n2025-02-12,Rowing,boat,75\n2025-03-09,Chess,monthly,12\n"
    ),
    "loads.csv": "truck,kg,trips\nred,900,2\ngreen,700,9\nred,400,1\n",
    "walks.csv": "walk,miles,done\nCliff,7,yes\nMoor,12,no\nLake,4,yes\n",
    "goods.csv": "item,price,stars\nLamp,25,4.1\nDesk,180,4.6\nStool,95,4.8\n",
    "pumps.csv": "pump,hours\nP1,1200\nP2,1800\n",
    "bridges.csv": "bridge,opened,spans\nAdler,1887,4\nBrook,1932,1\nCedar,2004,3\nDove,1899,2\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "comparison", "year"),
    [
        ("Which bridges in bridges.csv are older than 1900?", "<", 1900),
        ("How many bridges in bridges.csv are newer than 1930?", ">", 1930),
    ],
)
def test_older_than_a_year_is_before_it(
    request_: str, comparison: str, year: int, folder: Path
) -> None:
    """An age may be more than a number; a year is less."""
    (condition,) = query_of(folder, request_).filters
    assert (condition.column, condition.comparison, condition.value) == ("opened", comparison, year)


def test_what_was_spent_is_a_sum(folder: Path) -> None:
    """For each period, too."""
    query = query_of(folder, "How much do we pay per month in fees.csv?")
    assert [(m.function, m.column) for m in query.measures] == [("sum", "fee")]
    assert query.by == "paid_on"


def test_the_highest_is_of_the_money(folder: Path) -> None:
    """It is no number of rows, unless that is asked for."""
    query = query_of(folder, "In which month was the lowest boat bill of fees.csv?")
    assert "fee" in query.names
    assert query.by or query.columns
    counted = query_of(folder, "Which club has the highest number of rows in fees.csv?")
    assert [m.function for m in counted.measures] == ["count"]


def test_an_amount_is_shown_with_what_else_is_asked(folder: Path) -> None:
    """The amount and its date."""
    query = query_of(folder, "What was the highest boat fee in fees.csv and when?")
    assert not query.columns or set(query.columns) >= {"fee", "paid_on"}
    assert (query.order, query.descending, query.limit) == ("fee", True, 1)


@pytest.mark.parametrize(
    ("request_", "function"),
    [
        ("How many kilograms are in loads.csv?", "sum"),
        ("What is the mean number of kilos in loads.csv?", "mean"),
        ("Which truck in loads.csv carried the most kilograms?", "sum"),
    ],
)
def test_a_unit_is_a_column_that_abbreviates_it(request_: str, function: str, folder: Path) -> None:
    """Kilograms are what the column kg holds."""
    query = query_of(folder, request_)
    assert [(m.function, m.column) for m in query.measures] == [(function, "kg")]


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        ("How many miles of the walks in walks.csv have I done?", "yes"),
        ("Which walks in walks.csv are already done?", "yes"),
        ("Which walks in walks.csv have I not done?", "no"),
    ],
)
def test_a_participle_is_a_column_of_yes_and_no(request_: str, value: str, folder: Path) -> None:
    """What was done has a yes there."""
    (condition,) = query_of(folder, request_).filters
    assert (condition.column, condition.comparison, condition.value) == ("done", "=", value)


def test_a_column_of_yes_and_no_may_be_asked_for_itself(folder: Path) -> None:
    """Its values are shown where they are asked for."""
    query = query_of(folder, "Which values has the column done of walks.csv?")
    assert query.filters == ()


@pytest.mark.parametrize(
    ("request_", "order", "columns"),
    [
        ("Which item in goods.csv has the highest stars?", "stars", ("item",)),
        ("Which item in goods.csv has the lowest price?", "price", ("item",)),
        (
            "What is the highest number of stars in goods.csv and which item has it?",
            "stars",
            ("stars", "item"),
        ),
    ],
)
def test_another_amount_is_no_money(
    request_: str, order: str, columns: tuple[str, ...], folder: Path
) -> None:
    """A price is not meant where another column is named."""
    query = query_of(folder, request_)
    assert (query.order, query.columns, query.limit) == (order, columns, 1)


def test_a_number_of_hours_is_no_year(folder: Path) -> None:
    """Older than 1500 hours is more than 1500."""
    (condition,) = query_of(folder, "Which pumps in pumps.csv are older than 1500 hours?").filters
    assert (condition.column, condition.comparison, condition.value) == ("hours", ">", 1500)
