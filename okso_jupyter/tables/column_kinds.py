"""Columns: what is known of a table's columns from their first cells, and what a query may ask.

Standard library only: the kernel and the child process that runs queries read it alike.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from okso_jupyter.tables.cells import (
    DATE_FORMATS,
    NUMBER,
    Kind,
    date_format_of,
    date_of,
    has_decimal_commas,
    is_missing,
    is_of_months,
    is_time_of_day,
    kind_of,
    number_of,
    with_point,
)
from okso_jupyter.tables.labels import chart_label
from okso_jupyter.tables.query import CHOICES, ComputedColumn, Filter, Measure, Query
from okso_jupyter.tables.signs import as_number

#: A number that is written the same way in every language of data: "-3", "0.25", "1e-5".
_PLAIN: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
#: Formats whose order of texts is the order of dates.
ISO_FORMATS: Final = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S")
#: Functions that any column has; all others need numbers.
OF_ANY: Final = frozenset(
    {"count", "count distinct", "most common", "least common", "missing", "missing percent"}
)
#: Functions that dates have, too.
OF_DATES: Final = OF_ANY | {"minimum", "maximum", "range"}
#: Functions whose result is a cell.
OF_CELLS: Final = frozenset({"most common", "least common"})
OF_PAIRS: Final = frozenset({"correlation", "rank correlation", "correlation p-value"})
OF_ROWS: Final = frozenset({"count", "share percent"})
_NUMBER: Final = re.compile(NUMBER)
_NEAREST: Final = 3
SECONDS_OF_DAY: Final = 86_400
_PAIR: Final = 2
#: Columns of charts that are of values themselves.
_DRAWN_ALONE: Final = {"histogram": (1, "one column"), "scatter": (_PAIR, "two columns")}


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column.

    Attributes:
        name: Its name.
        kind: What its cells hold.
        date_format: Format of its dates; "" for other kinds.
        decimal_comma: Whether "1.234,5" is a number a little above a thousand.
        plain: Whether every cell is written as DuckDB reads it: the column needs no cleaning.
        unit: What stands beside every number, such as "$" or "km"; "" for nothing.
    """

    name: str
    kind: Kind = "text"
    date_format: str = ""
    decimal_comma: bool = False
    plain: bool = False
    unit: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the column as JSON data."""
        return asdict(self)

    @property
    def is_of_months(self) -> bool:
        """Whether its dates are months, which are shown as the file writes them."""
        return self.kind == "date" and is_of_months(self.date_format)

    def value_of(self, text: str) -> str | float | int:
        """Return the value of a cell: numbers as numbers, days in ISO form."""
        if self.kind == "number":
            number = number_of(with_point(text) if self.decimal_comma else text)
            return text if number is None else whole(number)
        is_of_days = self.kind == "date" and not self.is_of_months
        date = date_of(text, self.date_format) if is_of_days else None
        return date.isoformat(" ").removesuffix(" 00:00:00") if date else text


def whole(number: float) -> float | int:
    """Return a whole number as int."""
    return int(number) if number.is_integer() else number


def column_of(name: str, cells: Sequence[str], *, has_thousands: bool = False) -> TableColumn:
    """Return what the first cells of a column say about it.

    Args:
        name: Its name.
        cells: Its first cells.
        has_thousands: Whether its points stand between thousands (`cells.thousands_columns`).
    """
    decimal_comma = has_thousands or has_decimal_commas(cells)
    read = [with_point(cell) for cell in cells] if decimal_comma else cells
    kind = kind_of(read)
    date_format = date_format_of(cells) if kind == "date" else ""
    plain = False
    if kind == "number" and not decimal_comma:
        plain = all(is_missing(cell) or _PLAIN.fullmatch(cell.strip()) for cell in cells)
    elif date_format in ISO_FORMATS:
        plain = all(is_missing(cell) or date_of(cell, date_format) for cell in cells)
    unit = _unit(read) if kind == "number" and not plain else ""
    return TableColumn(name, kind, date_format, decimal_comma, plain, unit)


def _unit(cells: Sequence[str]) -> str:
    """Return what stands beside the number of every cell; "" if they differ or it is nothing."""
    present = (cell for cell in cells if not is_missing(cell))
    rests = {_NUMBER.sub("", cell, count=1).strip(" +~.") for cell in present}
    return rests.pop() if len(rests) == 1 else ""


def nearest(wanted: str, known: Sequence[str]) -> list[str]:
    """Return the known names that are most like a wanted one, without regard to case."""
    by_folded = {name.casefold(): name for name in reversed(known)}
    close = difflib.get_close_matches(wanted.casefold(), by_folded, n=_NEAREST, cutoff=0.6)
    return [by_folded[name] for name in close]


def date_in(text: str) -> tuple[str, str] | None:
    """Return a text in any known format as ISO date, and the format."""
    for date_format in DATE_FORMATS:
        date = date_of(text, date_format)
        if date:
            return date.isoformat(" "), date_format
    return None


def month_in(text: str) -> datetime | None:
    """Return the first day of a text that is a month in any known format."""
    formats = filter(is_of_months, DATE_FORMATS)
    return next((found for each in formats if (found := date_of(text, each))), None)


def problem(query: Query) -> str:
    """Return why no table can answer a query, as one sentence; "" if one may."""
    return next(_problems(query), "")


def _problems(query: Query) -> Iterator[str]:
    for condition in query.filters:
        yield from _filter_problems(condition)
    for measure in query.measures:
        yield from _measure_problems(measure)
    for column in query.computed:
        yield from _formula_problems(column)
    if query.part and not query.by:
        yield f"there is no column to take the {query.part} of: 'by' is empty"
    if query.part == "time":
        yield f"rows are grouped by the hour of {query.by}, not by its time"
    yield from _bound_problems(query)
    yield from _combined_problems(query)
    if query.measures and set(query.columns) - {query.by}:
        yield "beside measures, only the column of 'by' can be shown"
    yield from _chart_problems(query)


def _bound_problems(query: Query) -> Iterator[str]:
    if query.bounds and not (query.by and query.measures):
        yield "a bound is on the first measure of each group: it needs 'by' and a measure"
    for bound in query.bounds:
        if not math.isfinite(as_number(bound.value)):
            yield f"a bound needs a number, and {bound.value} is none"


def _combined_problems(query: Query) -> Iterator[str]:
    if query.combine in CHOICES:
        if query.by or len(query.measures) < _PAIR:
            yield f"the {query.combine} is one of several measures, without groups"
    elif query.combine:
        if query.limit not in {0, 2}:
            yield f"a {query.combine} needs two rows, and 'limit' is {query.limit}"
        if not query.measures and len(query.columns) != 1:
            yield f"a {query.combine} needs one column or a measure"


def _chart_problems(query: Query) -> Iterator[str]:
    name, shown = chart_label(query.chart), len(query.columns)
    if not query.chart:
        return
    if query.combine:
        yield f"a {query.combine} is one number, which a {name} cannot show"
    elif query.chart in _DRAWN_ALONE:
        count, columns = _DRAWN_ALONE[query.chart]
        if shown != count or query.by or query.measures:
            yield f"a {name} needs {columns}, without groups and measures"
    elif query.chart == "pie" and (len(query.measures) or shown - 1) > 1:
        yield "a pie chart shows one measure, or one column beside that of its slices"
    elif query.measures:
        if not query.by or query.columns:
            yield f"a {name} of {query.measures[0].function} needs groups: 'by' is empty"
    elif shown < _PAIR:
        yield f"a {name} needs two columns, or a measure for each group"


def _formula_problems(column: ComputedColumn) -> Iterator[str]:
    if not column.operands:
        yield f"{column.name} is computed of no column"
    if column.operator == "/" and column.right == 0:
        yield f"{column.name} is divided by zero"


def _filter_problems(condition: Filter) -> Iterator[str]:
    name, value = condition.comparison, condition.value
    if condition.part.startswith("calendar"):
        yield f"a {condition.part} groups rows; {condition.column} is compared as a date"
    if name.endswith("outlier") and value != "" and not _is_z_score(value):
        yield f"the z-score of outliers of {condition.column} is not a positive number"
    if name.startswith("is "):
        return
    values = value if isinstance(value, tuple) else (value,)
    if condition.part == "time" and not all(is_time_of_day(str(each)) for each in values):
        yield f"the time of {condition.column} is compared with one such as 18:30"
    if name == "between" and not (isinstance(value, tuple) and len(value) == 2):  # noqa: PLR2004  from and to
        yield f"between needs two values for {condition.column}"
    elif name == "in" and not (isinstance(value, tuple) and value):
        yield f"in needs a list of values for {condition.column}"
    elif name not in {"between", "in"} and (isinstance(value, tuple) or value == ""):
        yield f"{name} needs one value for {condition.column}"


def _is_z_score(value: object) -> bool:
    return isinstance(value, (int, float)) and value > 0


def _measure_problems(measure: Measure) -> Iterator[str]:
    if not measure.column and measure.function not in OF_ROWS:
        yield f"{measure.function} needs a column"
    if bool(measure.other) != (measure.function in OF_PAIRS):
        yield (
            f"{measure.function} takes one column"
            if measure.other
            else f"{measure.function} needs a second column"
        )


def problem_with(query: Query, columns: Mapping[str, TableColumn]) -> str:
    """Return why a table with these columns cannot answer a query; "" if it can."""
    return problem(query) or next(_problems_with(query, columns), "")


def with_computed(query: Query, columns: Mapping[str, TableColumn]) -> dict[str, TableColumn]:
    """Return the columns of a table, and those that a query computes."""
    made = {each.name: TableColumn(each.name, "number", plain=True) for each in query.computed}
    return {**columns, **made}


def is_of_dates(computed: ComputedColumn, columns: Mapping[str, TableColumn]) -> bool:
    """Return whether a computed column is the difference of two dates, in days."""
    kinds = [columns[name].kind for name in computed.operands if name in columns]
    return computed.operator == "-" and kinds == ["date", "date"]


def _problems_with(query: Query, given: Mapping[str, TableColumn]) -> Iterator[str]:
    columns = with_computed(query, given)
    for name in sorted(query.names):
        if name not in columns:
            close = nearest(name, list(columns)) or list(columns)[:_NEAREST]
            yield f"there is no column {name!r}; did you mean {listed(map(repr, close))}?"
            return
    yield from _computed_problems(query, given)
    for condition in _of_outliers(query):
        yield from _kind_problems("outliers", columns[condition.column])
    for measure in query.measures:
        if query.combine in CHOICES and measure.function in OF_CELLS:
            yield f"the {measure.function} of {measure.column} is no number to compare"
        for column in filter(None, (measure.column, measure.other)):
            yield from _kind_problems(measure.function, columns[column])
    yield from _drawn_problems(query, columns)
    if query.bounds:
        yield from _no_number_problems(query.measures[0], columns, "a bound")
    parts = [(query.by, query.part), *((c.column, c.part) for c in query.filters)]
    for name, part in parts:
        if part and columns[name].kind != "date" and not _counts_as_year(columns[name], part):
            yield f"{name} holds no dates, so that it has no {part}"


def _of_outliers(query: Query) -> Iterator[Filter]:
    """Yield the conditions that are met by outliers, or by all other rows."""
    return (each for each in query.filters if each.comparison.endswith("outlier"))


def _computed_problems(query: Query, given: Mapping[str, TableColumn]) -> Iterator[str]:
    known = dict(given)
    made = with_computed(query, {})
    for each in query.computed:
        if each.name in known:
            yield f"the table has a column {each.name!r} already"
        for operand in each.operands:
            if operand not in known:
                yield f"{each.name} is computed of {operand}, which is computed after it"
            elif known[operand].kind not in {"number", "mixed"} and not is_of_dates(each, known):
                yield f"{operand} holds {known[operand].kind}s, and {each.name} needs numbers"
        known[each.name] = made[each.name]


def _drawn_problems(query: Query, columns: Mapping[str, TableColumn]) -> Iterator[str]:
    name = chart_label(query.chart)
    if not query.chart:
        return
    drawn = query.columns if query.chart in {"scatter", "histogram"} else query.columns[1:]
    for column in drawn:
        if columns[column].kind not in {"number", "mixed"}:
            yield f"{column} holds {columns[column].kind}s, and a {name} needs numbers"
    for measure in query.measures:
        yield from _no_number_problems(measure, columns, f"a {name}")


def _no_number_problems(
    measure: Measure, columns: Mapping[str, TableColumn], what: str
) -> Iterator[str]:
    """Yield that a measure is a cell or a date, where something needs a number."""
    is_end = measure.function in {"minimum", "maximum"}
    if measure.function in OF_CELLS or (is_end and columns[measure.column].kind == "date"):
        yield f"the {measure.function} of {measure.column} is no number, which {what} needs"


def _counts_as_year(column: TableColumn, part: str) -> bool:
    return part == "year" and column.kind in {"number", "mixed"}


def _kind_problems(function: str, column: TableColumn) -> Iterator[str]:
    if column.kind == "text" and function not in OF_ANY:
        yield f"{column.name} holds texts, and {function} needs numbers"
    if column.kind == "date" and function not in OF_DATES:
        yield f"{column.name} holds dates, and {function} needs numbers"


def listed(words: Any, last: str = "or") -> str:  # noqa: ANN401  any iterable of texts
    """Return words as a list in a sentence."""
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
