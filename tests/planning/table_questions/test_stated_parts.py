"""What a question states outright decides, whatever the fitted weights prefer."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace

_ORDERS = (
    "customer,city,amount,ordered\nAda,London,120.5,2026-01-05\nBob,Leeds,80,2026-01-09\n"
    "Cleo,London,45.25,2026-02-11\nDan,York,300,2026-02-15\n"
)

_OF_LONDON = Filter("city", "=", "London")


def _best(folder: Path, question: str) -> Query:
    (folder / "orders.csv").write_text(_ORDERS, "utf-8")
    sources = TableSources(workspace=Workspace(folder))
    return Environment().readings(question, sources, 3)[0].query


@pytest.mark.parametrize(
    "question",
    [
        "total amount per city in orders.csv",
        "What is the total amount per city in orders.csv?",
        "Gesamter amount pro city in orders.csv",
        "orders.csv: the sum of amount for every city",
    ],
)
def test_per_a_column_is_a_group(tmp_path: Path, question: str) -> None:
    """Each city has a result of its own."""
    query = _best(tmp_path, question)
    assert (query.by, query.measures) == ("city", (Measure("sum", "amount"),))


@pytest.mark.parametrize(
    ("question", "descending"),
    [
        ("Show orders.csv sorted by amount", False),
        ("orders.csv sorted by amount", False),
        ("Sort orders.csv by amount, largest first", True),
        ("Show the rows of orders.csv ordered by amount descending", True),
        ("Order orders.csv by amount", False),
    ],
)
def test_rows_are_sorted_as_said(tmp_path: Path, question: str, descending: bool) -> None:  # noqa: FBT001  pytest names it
    """All rows are shown, in the order that is asked for."""
    assert _best(tmp_path, question) == Query("orders.csv", order="amount", descending=descending)


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("Sort orders.csv by customer", ()),
        ("Show orders.csv sorted by customer", ()),
        ("List the orders of London in orders.csv sorted by customer", (_OF_LONDON,)),
    ],
)
def test_rows_are_sorted_by_texts(
    tmp_path: Path, question: str, filters: tuple[Filter, ...]
) -> None:
    """Rows that are shown are sorted by any column."""
    assert _best(tmp_path, question) == Query("orders.csv", filters=filters, order="customer")


@pytest.mark.parametrize(
    "question",
    [
        "average order amount by city in orders.csv",
        "What is the mean amount of an order by city in orders.csv?",
    ],
)
def test_an_order_is_a_thing_too(tmp_path: Path, question: str) -> None:
    """The word "order" is what the table holds here, and nothing is sorted."""
    query = _best(tmp_path, question)
    assert (query.by, query.measures) == ("city", (Measure("mean", "amount"),))


def test_a_sorted_part_keeps_its_condition(tmp_path: Path) -> None:
    """The order does not take the place of the filter."""
    query = _best(tmp_path, "Show the orders of London from orders.csv sorted by amount")
    assert query == Query("orders.csv", filters=(Filter("city", "=", "London"),), order="amount")


@pytest.mark.parametrize("word", ["excluding", "except for", "without", "ohne"])
def test_what_is_left_out_does_not_count(tmp_path: Path, word: str) -> None:
    """A value behind such a word is a condition that rows must not meet."""
    query = _best(tmp_path, f"What is the mean amount in orders.csv {word} London?")
    assert query.filters == (Filter("city", "!=", "London"),)
    assert query.measures == (Measure("mean", "amount"),)


def test_a_superlative_keeps_its_group(tmp_path: Path) -> None:
    """What "which city" asks for is grouped by city, whatever stands behind "per"."""
    question = "Which city has the highest amount per customer in orders.csv?"
    assert _best(tmp_path, question).by == "city"


@pytest.mark.parametrize(
    "question",
    [
        "Which cities are in orders.csv?",
        "Which cities are there in orders.csv?",
        "What cities does orders.csv have?",
    ],
)
def test_which_values_are_there_asks_for_all_of_them(tmp_path: Path, question: str) -> None:
    """Each once, and not for the last of them."""
    query = _best(tmp_path, question)
    assert (query.columns, query.distinct, query.limit) == (("city",), True, 0)


def test_a_function_word_that_is_the_column_asks_for_no_second_function(tmp_path: Path) -> None:
    """The mean of a column that is called total is no sum."""
    (tmp_path / "sales.csv").write_text("city,total\nBern,2\nBern,4\nChur,9\n", "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    query = Environment().readings("mean total by city in sales.csv", sources, 3)[0].query
    assert (query.by, query.measures) == ("city", (Measure("mean", "total"),))
