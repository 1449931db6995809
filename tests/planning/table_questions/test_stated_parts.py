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
    ("question", "function"),
    [
        ("units sold per shop in sold.csv", "sum"),
        ("the number of units sold in each shop in sold.csv", "sum"),
        ("How many sales had more than 3 units in sold.csv?", "count"),
    ],
)
def test_amounts_that_are_sold_are_added_up(tmp_path: Path, question: str, function: str) -> None:
    """And "how many" with a comparison counts or adds up."""
    (tmp_path / "sold.csv").write_text("shop,units,price\nA,4,10\nB,2,11\nA,6,12\nB,3,9\n")
    sources = TableSources(workspace=Workspace(tmp_path))
    [measure] = Environment().readings(question, sources, 1)[0].query.measures
    assert measure.function == function


def test_a_value_that_is_said_is_a_filter(tmp_path: Path) -> None:
    """Readings are scored by their points, so those that do not use it are left out."""
    (tmp_path / "tasks.csv").write_text(
        "task,owner,state\npaint,Ada,open\nsand,Bob,done\noil,Ada,done\nvarnish,Cy,open\n"
    )
    sources = TableSources(workspace=Workspace(tmp_path))
    readings = Environment().readings("List the owners with open tasks", sources, 8)
    points = [sum(reading.points.values()) for reading in readings]
    assert points[0] == max(points)
    assert readings[0].query.filters == (Filter("state", "=", "open"),)
    assert readings[0].query.columns == ("owner",)


@pytest.mark.parametrize(
    ("question", "descending"),
    [
        ("Show orders.csv sorted by amount", False),
        ("orders.csv sorted by amount", False),
        ("Sort orders.csv by amount, largest first", True),
        ("Show the rows of orders.csv ordered by amount descending", True),
        ("Order orders.csv by amount", False),
        ("Sort orders.csv by amount, best first", True),
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


_WEATHER = (
    "day,station,min_c,max_c,rain_mm\n2026-03-01,Hill,1,9,3.5\n2026-03-01,Quay,4,8,0\n"
    "2026-03-02,Hill,2,5,0.4\n2026-03-02,Quay,3,11,6\n"
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "What was the wettest day at the Hill station in w.csv?",
            Query(
                "w.csv",
                (Filter("station", "=", "Hill"),),
                order="rain_mm",
                descending=True,
                limit=1,
                columns=("day",),
            ),
        ),
        (
            "How many days did it rain more than 2 mm at Quay in w.csv?",
            Query(
                "w.csv",
                (Filter("station", "=", "Quay"), Filter("rain_mm", ">", 2)),
                measures=(Measure("count"),),
            ),
        ),
        (
            "What is the average max temperature per station in w.csv?",
            Query("w.csv", by="station", measures=(Measure("mean", "max_c"),), order="station"),
        ),
        (
            "Is there any missing data in w.csv?",
            Query(
                "w.csv",
                measures=tuple(
                    Measure("missing", name)
                    for name in ("day", "station", "min_c", "max_c", "rain_mm")
                ),
            ),
        ),
        (
            "Which period does w.csv cover?",
            Query("w.csv", measures=(Measure("minimum", "day"), Measure("maximum", "day"))),
        ),
        (
            "Plot the max temperature at Hill over time in w.csv",
            Query(
                "w.csv",
                (Filter("station", "=", "Hill"),),
                by="day",
                measures=(Measure("mean", "max_c"),),
                order="day",
                chart="line",
            ),
        ),
    ],
)
def test_what_is_said_of_measurements(tmp_path: Path, question: str, expected: Query) -> None:
    """Ends, bounds and columns whose names hold a word such as max."""
    (tmp_path / "w.csv").write_text(_WEATHER, "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    assert Environment().readings(question, sources, 3)[0].query == expected


def test_each_of_a_column_known_by_its_first_word(tmp_path: Path) -> None:
    """Each customer is each customer_id."""
    (tmp_path / "sold.csv").write_text("id,customer_id,total\n1,7,5\n2,7,6\n3,8,7\n", "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    query = (
        Environment()
        .readings("How many rows did each customer make in sold.csv?", sources, 3)[0]
        .query
    )
    assert (query.by, query.measures) == ("customer_id", (Measure("count"),))


def test_the_customers_that_are_saved_are_shown(tmp_path: Path) -> None:
    """What is written into a file is what would be shown."""
    (tmp_path / "orders.csv").write_text(_ORDERS, "utf-8")
    workspace = Workspace(tmp_path)
    saved = Environment().result_file("Write the orders from London to london.csv", workspace)
    assert saved is not None
    assert (saved.question, saved.path) == ("show the orders from London", "london.csv")
    readings = Environment().readings(saved.question, TableSources(workspace=workspace), 3)
    assert readings[0].query == Query("orders.csv", (_OF_LONDON,))


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Show the first row of orders.csv", Query("orders.csv", limit=1)),
        ("What is the last row in orders.csv?", Query("orders.csv", limit=1, descending=True)),
        (
            "Show me the first entry with city London in orders.csv",
            Query("orders.csv", (_OF_LONDON,), limit=1),
        ),
    ],
)
def test_one_row_is_shown(tmp_path: Path, question: str, query: Query) -> None:
    """As it stands in the table, and not all of them."""
    assert _best(tmp_path, question) == query


def test_what_something_weighs_is_its_weight(tmp_path: Path) -> None:
    """And no other column."""
    (tmp_path / "fish.csv").write_text("sample,species,weight_g\n1,trout,95\n2,pike,610\n", "utf-8")
    sources = TableSources(workspace=Workspace(tmp_path))
    query = Environment().readings("How much does the pike weigh in fish.csv?", sources, 1)[0].query
    assert query.names == {"species", "weight_g"}
