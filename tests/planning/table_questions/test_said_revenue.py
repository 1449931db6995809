"""Revenue and "Umsatz" of a table whose column for what was paid is called otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

STANDS = """day,stall,goods,amount_kg,total,buyer
2024-03-02,Old Bridge,apples,12,30.00,Ada
2024-03-02,Harbour,pears,4,14.50,Bo
2024-03-09,Harbour,apples,20,48.00,Cy
2024-03-16,Old Bridge,plums,7,26.60,Ada
"""
FILES = {"stands.csv": STANDS, "seats.csv": "seat,room,row\n1,Blue,A\n2,Blue,B\n3,Red,A\n"}
TOTAL = Measure("sum", "total")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table of sales, and another one."""
    return filled(tmp_path, FILES)


@pytest.mark.parametrize(
    ("request_text", "by"),
    [
        ("Umsatz pro stall", "stall"),
        ("revenue by buyer", "buyer"),
        ("turnover per stall in stands.csv", "stall"),
        ("What were the takings by goods?", "goods"),
        ("Einnahmen nach buyer", "buyer"),
        ("how much did each stall bring in", "stall"),
        ("How much money does every buyer bring in?", "buyer"),
        ("wie viel hat jeder stall eingebracht", "stall"),
    ],
)
def test_what_was_paid_is_added_up_for_each(folder: Path, request_text: str, by: str) -> None:
    """The word tells, beside a column, which table is meant, and it is the one amount there."""
    query = query_of(folder, request_text)
    assert (query.source, query.by, query.measures) == ("stands.csv", by, (TOTAL,))


@pytest.mark.parametrize(
    ("request_text", "by"),
    [
        ("which stall had the highest turnover?", "stall"),
        ("Welcher buyer brachte den höchsten Umsatz?", "buyer"),
        ("top 2 goods by revenue", "goods"),
    ],
)
def test_the_highest_of_groups_is_the_largest_sum(folder: Path, request_text: str, by: str) -> None:
    """It is not the row with the largest amount."""
    query = query_of(folder, request_text)
    assert (query.by, query.measures, query.descending) == (by, (TOTAL,), True)
    assert query.limit in {1, 2}


def test_a_value_and_a_statistic_stay(folder: Path) -> None:
    """A condition is kept, and a mean or a maximum is one."""
    sold = query_of(folder, "How much revenue did the apples bring?")
    assert [(f.column, f.value) for f in sold.filters] == [("goods", "apples")]
    assert sold.measures == (TOTAL,)
    mean = query_of(folder, "average revenue per stall")
    assert (mean.by, mean.measures) == ("stall", (Measure("mean", "total"),))
    most = query_of(folder, "What was the highest revenue in stands.csv?")
    assert (most.by, most.measures) == ("", (Measure("maximum", "total"),))


@pytest.mark.parametrize(
    "request_text",
    ["What is the revenue of Siemens?", "how much revenue did Siemens make in 2024?",
     "revenue of the whole industry by year"],
)  # fmt: skip
def test_the_revenue_of_others_is_none_of_the_table(folder: Path, request_text: str) -> None:
    """Nothing beside the word is of the table, or the table has no amount."""
    assert Environment().readings(request_text, TableSources(workspace=Workspace(folder)), 1) == ()


@pytest.mark.parametrize(
    ("request_text", "part"),
    [("monthly revenue", "month"), ("Umsatz je Monat 2024", "month"),
     ("revenue by weekday", "weekday")],
)  # fmt: skip
def test_revenue_over_time_tells_the_table(folder: Path, request_text: str, part: str) -> None:
    """Nothing else is named, and one table has dates and what was paid."""
    query = query_of(folder, request_text)
    assert (query.by, query.part, query.measures) == ("day", part, (TOTAL,))


def test_a_discount_is_not_left_out_silently(folder: Path) -> None:
    """What is paid without it is no sum of what is written there."""
    assert query_of(folder, "net revenue by buyer in stands.csv").measures != (TOTAL,)


ORDERS = """day,item,town,price,quantity
2024-03-02,pen,Bern,2.0,10
2024-04-09,ink,Basel,5.5,2
2024-04-11,pen,Basel,2.0,4
2024-05-02,pad,Bern,3.0,6
"""


@pytest.mark.parametrize(
    "request_text",
    ["revenue of Siemens in 2024", "What was the turnover of Siemens last year?"],
)
def test_a_computed_revenue_is_not_that_of_others(tmp_path: Path, request_text: str) -> None:
    """That it can be computed, and a year, do not tell that the table is meant."""
    sources = TableSources(workspace=Workspace(filled(tmp_path, {"orders.csv": ORDERS})))
    assert Environment().readings(request_text, sources, 1) == ()


@pytest.mark.parametrize(
    ("request_text", "by"), [("total revenue by town", "town"), ("revenue in 2024", "")]
)
def test_a_computed_revenue_tells_its_table(tmp_path: Path, request_text: str, by: str) -> None:
    """Where a word of the table stands beside it, or none of another."""
    query = query_of(filled(tmp_path, {"orders.csv": ORDERS}), request_text)
    assert (query.source, query.by, query.measures[0].function) == ("orders.csv", by, "sum")
