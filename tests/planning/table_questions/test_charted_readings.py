"""Which chart a question about a table asks for."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.table_questions.chart_words import chart_asked
from okso_jupyter.planning.table_questions.charted_readings import charted
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.follow_up import follow_up
from okso_jupyter.planning.table_questions.readings import readings_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Filter, Measure, Query
from tests.planning.table_questions.read_query import query_of

_CHANCE = random.Random(3)  # noqa: S311  no secrets are made
_HEADER = ["date", "region", "product", "quantity", "price", "weight_kg"]
_TABLE = TableSample(
    "sales.csv",
    _HEADER,
    [
        [
            str(date(2024, 1, 1) + timedelta(days=_CHANCE.randrange(365))),
            _CHANCE.choice(["North", "South", "East"]),
            _CHANCE.choice(["pen", "cup"]),
            str(_CHANCE.randrange(1, 30)),
            str(_CHANCE.randrange(100, 5000) / 100),
            str(_CHANCE.randrange(100, 999) / 10),
        ]
        for _ in range(150)
    ],
)
_PRICE = (Measure("mean", "price"),)
_QUANTITY = (Measure("sum", "quantity"),)


@pytest.mark.parametrize(
    ("request_text", "parts"),
    [
        ("plot mean price by region", {"by": "region", "measures": _PRICE, "chart": "bar"}),
        ("Histogram of price", {"columns": ("price",), "chart": "histogram"}),
        (
            "Draw a histogram of price for the North",
            {
                "columns": ("price",),
                "filters": (Filter("region", "=", "North"),),
                "chart": "histogram",
            },
        ),
        (
            "line of quantity by month",
            {
                "by": "date",
                "part": "month",
                "measures": _QUANTITY,
                "order": "date",
                "chart": "line",
            },
        ),
        (
            "Show the average price per product as a bar chart",
            {"by": "product", "measures": _PRICE, "chart": "bar"},
        ),
        (
            "scatter plot of price against weight",
            {"columns": ("weight_kg", "price"), "chart": "scatter"},
        ),
        (
            "Can you plot price vs weight_kg?",
            {"columns": ("weight_kg", "price"), "chart": "scatter"},
        ),
        (
            "Zeichne ein Balkendiagramm der mittleren price pro region",
            {"by": "region", "measures": _PRICE, "chart": "bar"},
        ),
        (
            "Plot price over date",
            {"by": "date", "measures": _PRICE, "order": "date", "chart": "line"},
        ),
        (
            "Make a chart of the number of rows per product",
            {"by": "product", "measures": (Measure("count"),), "chart": "bar"},
        ),
        (
            "pie chart of the total quantity by region",
            {"by": "region", "measures": _QUANTITY, "descending": True, "chart": "pie"},
        ),
        (
            "Zeichne ein Kreisdiagramm der quantity pro product",
            {"by": "product", "measures": _QUANTITY, "descending": True, "chart": "pie"},
        ),
        (
            "Tortendiagramm der Anzahl der Zeilen pro region",
            {"by": "region", "measures": (Measure("count"),), "descending": True, "chart": "pie"},
        ),
        (
            "show the share of each product as a pie",
            {"by": "product", "measures": (Measure("count"),), "descending": True, "chart": "pie"},
        ),
    ],
)
def test_a_chart_is_read_as_a_query(request_text: str, parts: dict[str, Any]) -> None:
    """The question without the words for the chart is read as any other; its result is drawn."""
    asked = chart_asked(request_text, _HEADER)
    assert asked is not None
    readings = readings_of(asked.question, _TABLE, shipped_weights(), 60)
    [first, *_] = charted(readings, asked, _TABLE, 3)
    order = parts.get("order", first.query.order)  # of bars, either is right
    assert first.query == Query("sales.csv", **{**parts, "order": order})


_SPENT = "day,category,amount\n" + "".join(
    f"2024-0{1 + row % 3}-1{row % 9},{('Rent', 'Food', 'Books')[row % 3]},{100 - row}\n"
    for row in range(12)
)


@pytest.mark.parametrize("name", ["expenses.csv", "book.csv"])
@pytest.mark.parametrize(
    ("request_text", "function", "chart"),
    [
        ("pie chart of the expenses by category in", "sum", "pie"),
        ("Kreisdiagramm der Ausgaben nach category in", "sum", "pie"),
        ("draw a pie chart of spending per category for January 2024 in", "sum", "pie"),
        ("chart of the expenses by category in", "sum", "bar"),
        ("pie chart of the number of expenses by category in", "count", "pie"),
    ],
)
def test_what_is_spent_is_added_up(
    tmp_path: Path, request_text: str, function: str, chart: str, name: str
) -> None:
    """A chart of expenses is no number of rows, unless that is said."""
    (tmp_path / name).write_text(_SPENT)
    query = query_of(tmp_path, f"{request_text} {name}")
    [measure] = query.measures
    assert (measure.function, query.by, query.chart) == (function, "category", chart)


def test_words_that_ask_for_no_chart_of_ours_are_left_alone() -> None:
    """Other kinds of chart, names of files and columns, and words that only sound like one."""
    for text in (
        "donut chart of quantity by region",
        "Which region sold the most pies?",
        "Which region has the highest chart position?",
        "How many rows has plots.csv?",
        "draw a conclusion from sales.csv",
        "box plot of price",
        "What is the mean price in line 3?",
    ):
        assert chart_asked(text, ["chart position"]) is None, text


def test_a_follow_up_draws_the_last_result() -> None:
    """A chart is added, kept by further changes, and taken away."""
    last = Query("sales.csv", by="region", measures=_PRICE)
    for text in ("as a bar chart", "now as a bar chart", "als Balkendiagramm", "plot it"):
        found = follow_up(text, last, _TABLE)
        assert found is not None, text
        assert (found.query.chart, found.query.by, found.changed) == (
            "bar",
            "region",
            "as a bar chart",
        )
    for text in ("as a pie chart", "als Tortendiagramm"):
        found = follow_up(text, last, _TABLE)
        assert found is not None, text
        assert (found.query.chart, found.changed) == ("pie", "as a pie chart")
    charted_query = Query("sales.csv", by="region", measures=_PRICE, chart="bar")
    found = follow_up("only pens", charted_query, _TABLE)
    assert found is not None
    assert (found.query.chart, found.kept.split(",")[0]) == ("bar", "the bar chart")
    for text in ("as a table", "without the chart", "show it as a table", "ohne Diagramm"):
        found = follow_up(text, charted_query, _TABLE)
        assert found is not None, text
        assert found.query == last
    assert follow_up("as a bar chart", Query("sales.csv", measures=_PRICE), _TABLE) is None


@pytest.mark.parametrize(
    "request_text", ["bar chart of orders per waiter", "orders per waiter, drawn as bars"]
)
def test_rows_that_a_column_numbers_are_counted(tmp_path: Path, request_text: str) -> None:
    """The sum of their numbers says nothing."""
    rows = [f"{number},{'Mia' if number % 3 else 'Leo'},{number % 4}" for number in range(1, 13)]
    (tmp_path / "orders.csv").write_text("\n".join(["order,waiter,qty", *rows]), "utf-8")
    query = query_of(tmp_path, request_text)
    assert (query.by, query.measures, query.chart) == ("waiter", (Measure("count"),), "bar")
