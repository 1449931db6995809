"""Sentences: the description of a query, and its answer for a person."""

from __future__ import annotations

from typing import Any

from okso_jupyter.tables.engine import Result
from okso_jupyter.tables.query import Bound, ComputedColumn, Filter, Join, Measure, Query
from okso_jupyter.tables.query_wording import answer, sentence, shown_number
from tests.each_row import each_row

MEAN = (Measure("mean", "price"),)
COUNT = (Measure("count"),)
NORTH = (Filter("region", "=", "North"),)


@each_row(
    ("query", "expected"),
    [
        (Query("s.csv"), "rows in s.csv"),
        (Query("s.csv", NORTH, measures=MEAN), "mean of price in s.csv where region is North"),
        (
            Query("s.csv", NORTH, by="day", part="month", measures=MEAN, descending=True, limit=3),
            ("mean of price in s.csv where region is North, for each month of day,"
            " largest first, the first 3"),
        ),
        (Query("s.csv", measures=(Measure("count"),)), "number of rows in s.csv"),
        (
            Query("s.csv", measures=(Measure("count distinct", "b"),), ignore_case=True),
            "number of different b in s.csv, ignoring case",
        ),
        (
            Query("s.csv", measures=(Measure("correlation", "a", "b"),)),
            "correlation of a and b in s.csv",
        ),
        (
            Query("s.csv", (Filter("a", "between", (1, 2.5)), Filter("b", "is missing"))),
            "rows in s.csv where a is between 1 and 2.5 and b is missing",
        ),
        (
            Query("s.csv", (Filter("a", "in", ("x", "two words")),), columns=("b",)),
            "b in s.csv where a is x or 'two words'",
        ),
        (
            Query("s.csv", (Filter("day", ">=", 2015, "year"),), shift=1, columns=("b",)),
            "b in s.csv where year of day is at least 2015, the row after",
        ),
        (
            Query("s.csv", columns=("a", "b"), order="price", descending=True, limit=1),
            "a and b with the largest price in s.csv",
        ),
        (Query("s.csv", order="price", limit=1), "row with the smallest price in s.csv"),
        (
            Query("s.csv", order="price", limit=3),
            "rows in s.csv, smallest price first, the first 3",
        ),
        (Query("s.csv", limit=5), "first 5 rows in s.csv"),
        (Query("s.csv", columns=("a",), limit=1, descending=True), "last a in s.csv"),
        (Query("s.csv", by="a", measures=MEAN, order="a"), "mean of price in s.csv, for each a"),
        (
            Query("s.csv", by="a", measures=COUNT, order="a", bounds=(Bound(">", 6),)),
            "number of rows in s.csv, for each a with more than 6 rows",
        ),
        (
            Query("s.csv", by="a", measures=COUNT, columns=("a",), bounds=(Bound("=", 1),)),
            "each a with exactly 1 row in s.csv, smallest first",
        ),
        (
            Query("s.csv", by="a", measures=COUNT, order="a", bounds=(Bound("<", 2),)),
            "number of rows in s.csv, for each a with fewer than 2 rows",
        ),
        (
            Query("s.csv", by="a", measures=COUNT, bounds=(Bound(">=", 3), Bound("<=", 5))),
            ("number of rows in s.csv, for each a with at least 3 and at most 5 rows,"
             " smallest first"),
        ),
        (
            Query("s.csv", NORTH, by="a", measures=MEAN, order="a", bounds=(Bound("<", 2.5),)),
            ("mean of price in s.csv where region is North,"
             " for each a whose mean of price is less than 2.5"),
        ),
        (
            Query("s.csv", by="a", measures=MEAN, bounds=(Bound("!=", 2),), limit=1),
            "a with the smallest mean of price in s.csv, of those whose mean of price is not 2",
        ),
        (Query("s.csv", columns=("a",), distinct=True), "a in s.csv, each once"),
        (Query("s.csv", by="a", measures=MEAN, columns=("a",), limit=1),
         "a with the smallest mean of price in s.csv"),
        (
            Query("s.csv", by="a", measures=MEAN, combine="difference"),
            "difference between two: mean of price in s.csv, for each a, smallest first",
        ),
        (
            Query("s.csv", measures=(*MEAN, Measure("mean", "b")), combine="largest"),
            "largest of these: mean of price and mean of b in s.csv",
        ),
        (
            Query("s.csv", (Filter("a", "is no outlier"), Filter("b", "is an outlier", 2.5))),
            "rows in s.csv where a is no outlier (1.5 IQR) and b is an outlier (z-score above 2.5)",
        ),
        (
            Query("s.csv", by="a", order="a", measures=(Measure("sum", "c"),),
                  joins=(Join("t.csv", "k"), Join("u.csv", "m", "id")),
                  computed=(ComputedColumn("c", "x", "/", 60),)),
            "sum of c in s.csv with t.csv by k and u.csv by m and id, for each a (c = x / 60)",
        ),
    ],
)  # fmt: skip
def test_a_query_is_one_sentence(query: Query, expected: str) -> None:
    """The sentence names the parts of the query in order."""
    assert sentence(query) == expected


def _result(rows: list[list[Any]], *columns: str, **more: Any) -> Result:
    cells = [[str(v) if isinstance(v, str) else None for v in row] for row in rows]
    return Result(columns=columns, rows=rows, cells=cells, sql="", **more)


@each_row(
    ("query", "result", "expected"),
    [
        (
            Query("s.csv", NORTH, measures=MEAN),
            _result([[84.1546875]], "mean of price", matched_rows=216),
            "mean of price where region is North: 84.1547 (216 rows)",
        ),
        (
            Query("s.csv", columns=("a",), order="b", descending=True, limit=1),
            _result([["x"]], "a", tied=(("y", "y"), ("z", "z"))),
            "a with the largest b: x (tied with y and z)",
        ),
        (
            Query(
                "s.csv",
                by="day",
                part="weekday",
                measures=MEAN,
                descending=True,
                limit=1,
                columns=("day",),
            ),
            _result([[5]], "weekday of day", tied=((6, None),)),
            "weekday of day with the largest mean of price: Friday (tied with Saturday)",
        ),
        (
            Query("s.csv", measures=(Measure("normality", "a"),)),
            _result([[0.01]], "p-value", matched_rows=9),
            "normality of a: 0.01 (p-value: not normally distributed; 9 rows)",
        ),
        (
            Query(
                "s.csv",
                measures=(
                    Measure("correlation", "a", "b"),
                    Measure("correlation p-value", "a", "b"),
                ),
            ),
            _result([[0.5, 0.2]], "r", "p"),
            (
                "correlation of a and b and correlation p-value of a and b: r 0.5, p 0.2 "
                "(moderate positive correlation, not significant at a level of 0.05)"
            ),
        ),
        (
            Query("s.csv", measures=(Measure("rank correlation", "a", "b"),)),
            _result([[-0.71]], "r"),
            "rank correlation of a and b: -0.71 (strong negative correlation)",
        ),
        (
            Query("s.csv", measures=(Measure("correlation", "a", "b"),)),
            _result([[-0.05]], "r"),
            "correlation of a and b: -0.05 (hardly any correlation)",
        ),
        (
            Query("s.csv", measures=(Measure("mean", "a"), Measure("skewness", "a"))),
            _result([[3, -1.2]], "mean", "skewness"),
            "mean of a and skewness of a: mean 3, skewness -1.2 (skewed to the left)",
        ),
        (
            Query("s.csv", measures=(Measure("skewness", "a"),)),
            _result([[0.3]], "skewness"),
            "skewness of a: 0.3 (nearly symmetric)",
        ),
        (
            Query("s.csv", measures=MEAN),
            _result([[84.1]], "mean of price", matched_rows=1, units=("$",)),
            "mean of price: $84.1 (1 row)",
        ),
        (
            Query("s.csv", measures=(Measure("count"),)),
            _result([[216]], "number of rows", matched_rows=216),
            "number of rows: 216",
        ),
        (
            Query("s.csv", measures=MEAN),
            _result([[None]], "mean of price", matched_rows=0),
            "mean of price: no value (0 rows)",
        ),
        (
            Query("s.csv", (Filter("region", "=", "nroth"),)),
            _result([], "region", nearest=(("region", "nroth", "north"),)),
            "no row has region 'nroth'; did you mean 'north'?",
        ),
        (
            Query("s.csv", (Filter("price", ">", 5),)),
            _result([], "region"),
            "no row fits: rows in s.csv where price is more than 5",
        ),
        (
            Query("s.csv", columns=("a",), limit=3),
            _result([["x"], ["y"]], "a"),
            "first 3 a: x, y",
        ),
        (
            Query("s.csv", by="day", part="weekday", measures=(Measure("count"),)),
            _result([[1, 5], [7, 12]], "weekday of day", "number of rows"),
            (
                "number of rows, for each weekday of day, smallest first:\n"
                "weekday of day  number of rows\n"
                "        Monday               5\n"
                "        Sunday              12"
            ),
        ),
    ],
)
def test_an_answer_repeats_the_question(query: Query, result: Result, expected: str) -> None:
    """The answer repeats the question and is never a bare number."""
    assert answer(query, result) == expected


def test_a_long_table_is_cut() -> None:
    """It is cut after 30 rows, and the rest is counted; line breaks in cells are removed."""
    rows: list[list[Any]] = [[n, "a\nb" * 40] for n in range(50)]
    text = answer(Query("s.csv"), _result(rows, "n", "text"))
    lines = text.split("\n")
    assert len(lines) == 33
    assert lines[-1] == "... and 20 more rows"
    assert max(map(len, lines)) < 80


@each_row(
    ("value", "expected"),
    [
        (3, "3"), (3.0, "3"), (0.1 + 0.2, "0.3"), (84.1546875, "84.1547"), (1234.5678, "1234.57"),
        (123456.789, "123456.79"), (0.00012345678, "0.000123457"), (-2.5, "-2.5"), (0, "0"),
        (2 / 3, "0.6667"), (1e-12, "1e-12"), (33.333333333, "33.3333"), (1e20, "1" + "0" * 20),
    ],
)  # fmt: skip
def test_numbers_are_rounded_for_people(value: float, expected: str) -> None:
    """Six significant digits, two to four decimals; whole numbers have no decimals."""
    assert shown_number(value) == expected
