"""What a question about a table names and its query does not use, and no false alarms."""

from __future__ import annotations

from typing import Any

from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.unused_words import unused_words
from okso_jupyter.tables.query import Query
from tests.each_row import each_row

TABLE = TableSample(
    "orders.csv",
    ["order_id", "customer", "city", "unit_price", "status", "date"],
    [
        ["1", "Miller", "London", "20.5", "open", "2024-03-01"],
        ["2", "Okafor", "New York", "7", "shipped", "2024-04-02"],
        ["3", "Miller", "Oslo", "9", "open", "2023-05-01"],
    ],
)
MEAN = {"measures": [{"function": "mean", "column": "unit_price"}]}
LONDON = {"column": "city", "comparison": "=", "value": "London"}
MARCH = {"column": "date", "comparison": "=", "value": 3}
COUNT = {"measures": [{"function": "count"}]}


def unused(question: str, **query: Any) -> tuple[str, ...]:
    """Return what a query over the table does not use."""
    return unused_words(question, Query.from_json({"source": "orders.csv", **query}), TABLE)


@each_row(
    ("question", "query", "left"),
    [
        ("Mean unit price in orders.csv for London", MEAN, ("London",)),
        (
            "Mean unit price for Miller in New York",
            {**MEAN, "filters": [LONDON]},
            ("Miller", "New York"),
        ),
        ("How many orders above 50 in London?", {**COUNT, "filters": [LONDON]}, ("50",)),
        ("Mean unit_price per customer", MEAN, ("customer",)),
        ("Show the city and the customer", {"columns": ["city"]}, ("customer",)),
        ("How many orders from 2024 in London", {**COUNT, "filters": [LONDON]}, ("2024",)),
        ("Mean unit price in London for January?", {**MEAN, "filters": [LONDON]}, ("January",)),
        ("How many orders were placed on Mondays?", COUNT, ("Mondays",)),
        ("How many orders were there in May?", COUNT, ("May",)),
        ("Wie viele Bestellungen gab es im Dezember?", COUNT, ("Dezember",)),
        ("September orders of London", {"filters": [LONDON]}, ("September",)),
    ],
)
def test_what_is_left_out_is_told(question: str, query: Any, left: tuple[str, ...]) -> None:
    """Values as they are written, numbers, and columns by their whole name."""
    assert unused(question, **query) == left


@each_row(
    ("question", "query"),
    [
        ("Mean unit price for London", {**MEAN, "filters": [LONDON]}),
        ("How many orders are there in orders.csv?", COUNT),
        ("Show all orders by date", {}),
        ("How many customers are there?", COUNT),
        (
            "Orders of the last 30 days",
            {"filters": [{"column": "date", "comparison": ">", "value": "2024-01-01"}]},
        ),
        ("What is the latest date?", COUNT),
        ("May I see the number of orders?", COUNT),
        ("How many orders did June Jones place?", COUNT),
        ("How many orders did they march through on a sunday?", COUNT),
        ("Orders in March", {"filters": [{**MARCH, "part": "month"}]}),
        ("Orders by month, from January on", {**COUNT, "by": "date", "part": "month"}),
        (
            "Orders of March 2024",
            {"filters": [{"column": "date", "comparison": "contains", "value": "2024-03"}]},
        ),
        ("Top 3 customers by unit price", {**MEAN, "by": "customer", "limit": 3}),
        (
            "Unit prices over 1,000",
            {"filters": [{"column": "unit_price", "comparison": ">", "value": 1000}]},
        ),
    ],
)
def test_nothing_is_told_that_is_not_sure(question: str, query: Any) -> None:
    """What is used, months, and words that may mean something else."""
    assert unused(question, **query) == ()
