"""Query: one question about one table, as data instead of code.

Once a table has the columns of those that are joined to it, and those that are computed, a query is
evaluated in the order of its fields: the rows that pass all filters, in the order of the table; the
rows `shift` places after them; measures of these rows, one for each value of `by`; the groups that
meet all bounds; sorted; limited; the columns that are shown; without repetitions; two results
combined to one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args

Comparison = Literal[
    "=", "!=", "<", "<=", ">", ">=", "contains", "between", "in", "is missing", "is present",
    "is an outlier", "is no outlier",  # of all values of the column
    "is smallest or largest",  # of the rows that meet all other conditions
]  # fmt: skip
#: How the first measure of a group is compared.
BoundComparison = Literal["=", "!=", "<", "<=", ">", ">="]
#: Part of a date that rows are grouped or filtered by; "" is the value itself. The periods of the
#: calendar, such as 2026-03, 2026-Q1 and 2026-W09, only group; a time, such as 18:30, only filters.
Part = Literal[
    "", "year", "quarter", "month", "weekday", "day", "hour", "time",
    "calendar quarter", "calendar month", "calendar week", "calendar day",
]  # fmt: skip
#: What is computed of a column's values; all but the last two rows take one column.
Function = Literal[
    "count",
    "count distinct",
    "sum",
    "mean",
    "median",
    "minimum",
    "maximum",
    "range",
    "standard deviation",
    "population standard deviation",
    "variance",
    "skewness",
    "most common",
    "least common",
    "missing",
    "missing percent",
    "outliers",
    "quartile 1",
    "quartile 3",
    "normality",
    "share percent",  # of the rows of the table (without a column) or of the column's sum
    "correlation",  # with the column `other`
    "rank correlation",
    "correlation p-value",  # of no correlation (Pearson), two-sided
]
#: How the measures of exactly two groups, or of two rows, become one number; or which of several
#: measures is kept: the largest, the smallest, or that which is furthest from nothing.
Combination = Literal["", "difference", "ratio", "largest", "smallest", "strongest"]
#: How the result is drawn; "" for no picture.
Chart = Literal["", "bar", "line", "pie", "scatter", "histogram"]

#: How a computed column is made of two operands.
Operator = Literal["+", "-", "*", "/"]

#: The comparison with the other rows that pass all conditions.
ENDS: Final = "is smallest or largest"
COMPARISONS: Final[tuple[str, ...]] = get_args(Comparison)
BOUND_COMPARISONS: Final[tuple[str, ...]] = get_args(BoundComparison)
_OPPOSITES: Final[Mapping[Comparison, Comparison]] = {
    "=": "!=", "<": ">=", ">": "<=", "is missing": "is present",
}  # fmt: skip
#: Comparisons that all rows with a value meet which the other one leaves out.
OPPOSITES: Final = {**_OPPOSITES, **{other: own for own, other in _OPPOSITES.items()}}
FUNCTIONS: Final[tuple[str, ...]] = get_args(Function)
PARTS: Final[tuple[str, ...]] = get_args(Part)
COMBINATIONS: Final[tuple[str, ...]] = get_args(Combination)
#: Combinations that choose one of several measures.
CHOICES: Final = frozenset({"largest", "smallest", "strongest"})
CHARTS: Final[tuple[str, ...]] = get_args(Chart)
OPERATORS: Final[tuple[str, ...]] = get_args(Operator)
#: Functions of which values the rows have, and how often.
_TELLING_APART: Final = frozenset({"count distinct", "most common", "least common"})
#: Values further than this many interquartile ranges from the quartiles are outliers.
FENCE: Final = 1.5


@dataclass(frozen=True, slots=True)
class Join:
    """Another table, whose columns stand beside each row: those of its rows with the same value.

    A row without such rows stays, with nothing in these columns (a left join).

    Attributes:
        source: The other table.
        column: The column of the table so far that holds the value.
        other: The other table's column that holds it; "" for one of the same name.
    """

    source: str
    column: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class ComputedColumn:
    """A column of numbers that is computed of each row, as in revenue = price * quantity.

    The difference of two dates is a number of days, with their fractions.

    Attributes:
        name: What it is called; no column of the table has this name.
        left: A column, or a number.
        operator: What is done with both.
        right: A column, or a number.
    """

    name: str
    left: str | float
    operator: Operator
    right: str | float

    @property
    def operands(self) -> tuple[str, ...]:
        """The columns that it is computed of."""
        return tuple(each for each in (self.left, self.right) if isinstance(each, str))


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on one column.

    Attributes:
        column: The column.
        comparison: Numbers and dates are compared as such where the column holds them, texts
            without regard to case.
        value: A text or number; a list for "in" (any number) and "between" (two, both included);
            ignored by "is missing" and "is present". Of outliers: the z-score (by the population
            standard deviation) that they exceed; "" for 1.5 interquartile ranges. Ignored by "is
            smallest or largest".
        part: Compare this part of a date, as a number; a time is a text such as "18:30".
    """

    column: str
    comparison: Comparison
    value: str | float | tuple[str | float, ...] = ""
    part: Part = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number computed of rows.

    Attributes:
        function: What is computed.
        column: The column; "" only for "count" and "share percent": the rows.
        other: The second column of a correlation.
    """

    function: Function
    column: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """A condition on the first measure of each group; a group without a value does not meet it.

    Attributes:
        comparison: How the measure is compared.
        value: The number that it is compared with.
    """

    comparison: BoundComparison
    value: float


@dataclass(frozen=True, slots=True)
class Query:
    """One question about one table.

    Attributes:
        source: Path of a file in the notebook's folder, or name of a notebook variable.
        filters: Conditions that every row must meet.
        shift: Take the row this many places after each of the rows (negative: before).
        by: One result for each value of this column; "" for one result in all.
        part: Group by this part of the dates in `by`.
        measures: What is computed; without any, rows are shown.
        order: Column to sort by; "" is the first measure, or without measures the table's order.
        descending: Largest, or last, first. Without measures and `order`: the rows from the end.
        limit: Most rows of the result; 0 for all.
        columns: Columns shown; () is all of them, and with measures `by` and the measures.
            With `by` and measures, (by,) shows the groups alone.
        distinct: Show each result row once.
        combine: Make one number of two result rows, from their first measure or only column; or
            keep one of several measures, with what tells it from the others.
        chart: Draw the result. Bars and lines stand over its first column, a pie has a slice for
            each of its rows; a scatter plot is of two columns; a histogram counts the rows in bins
            of one column, `limit` bins or 10.
        joins: Other tables whose columns stand beside those of the table.
        computed: Columns that are computed of others; each may use those before it.
        bounds: Conditions that the first measure of every group must meet.
        ignore_case: Texts of the columns `told_apart` that differ by their case alone are the same,
            and shown as the commonest of them.
    """

    source: str
    filters: tuple[Filter, ...] = ()
    shift: int = 0
    by: str = ""
    part: Part = ""
    measures: tuple[Measure, ...] = ()
    order: str = ""
    descending: bool = False
    limit: int = 0
    columns: tuple[str, ...] = ()
    distinct: bool = False
    combine: Combination = ""
    chart: Chart = ""
    joins: tuple[Join, ...] = ()
    computed: tuple[ComputedColumn, ...] = ()
    bounds: tuple[Bound, ...] = ()
    ignore_case: bool = False

    @property
    def sources(self) -> tuple[str, ...]:
        """The table and those that are joined to it."""
        return (self.source, *(join.source for join in self.joins))

    @property
    def without_question(self) -> Query:
        """The same tables and computed columns, of which nothing is asked."""
        return Query(self.source, joins=self.joins, computed=self.computed)

    @property
    def names(self) -> frozenset[str]:
        """Every column of the tables that is named, or that a computed column is made of."""
        measured = [c for m in self.measures for c in (m.column, m.other)]
        named = [*(f.column for f in self.filters), self.by, *measured, self.order, *self.columns]
        operands = [name for column in self.computed for name in column.operands]
        own = {column.name for column in self.computed}
        return frozenset(filter(None, (*named, *operands))) - own

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The columns whose values are told apart: to group, to count, or to show each once."""
        counted = [each.column for each in self.measures if each.function in _TELLING_APART]
        grouped = [] if self.part or not self.by else [self.by]
        return tuple(dict.fromkeys([*grouped, *counted, *(self.columns if self.distinct else ())]))

    def to_json(self) -> dict[str, Any]:
        """Return the query as JSON data, without fields that have their default."""
        return _without_defaults(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Query:
        """Return the query of JSON data that satisfies the schema of table_query."""
        given = dict(data)
        given["joins"] = tuple(Join(**each) for each in data.get("joins", ()))
        given["computed"] = tuple(ComputedColumn(**each) for each in data.get("computed", ()))
        given["filters"] = tuple(_filter(each) for each in data.get("filters", ()))
        given["measures"] = tuple(Measure(**each) for each in data.get("measures", ()))
        given["bounds"] = tuple(Bound(**each) for each in data.get("bounds", ()))
        given["columns"] = tuple(data.get("columns", ()))
        return cls(**given)


def _filter(data: Mapping[str, Any]) -> Filter:
    value = data.get("value", "")
    return Filter(**{**data, "value": tuple(value) if isinstance(value, list) else value})


#: Fields that hold parts with fields of their own.
_NESTED: Final = frozenset({"joins", "computed", "filters", "measures", "bounds"})


def _without_defaults(
    item: Query | Join | ComputedColumn | Filter | Measure | Bound,
) -> dict[str, Any]:
    """Return the fields of a dataclass that differ from their default, nested ones as well."""
    said: dict[str, Any] = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if value == field.default:
            continue
        if field.name in _NESTED:
            value = [_without_defaults(each) for each in value]
        said[field.name] = list(value) if isinstance(value, tuple) else value
    return said
