"""Conditions: the filters of a query as ibis expressions over a typed table."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import reduce
from typing import Final

import ibis
import ibis.expr.types as ir

from okso_jupyter.tables.cells import (
    full_time,
    in_order,
    is_number,
    is_of_months,
    number_of,
    with_point,
)
from okso_jupyter.tables.column_kinds import TableColumn, date_in
from okso_jupyter.tables.query import ENDS, FENCE, Filter
from okso_jupyter.tables.signs import COMPARE, Of, as_number
from okso_jupyter.tables.typed_table import Names, first_number

#: Parts of a date, each as a whole number; a week begins with Monday, which is 1. Periods of the
#: calendar are texts in their order, weeks by ISO 8601, and so are times of day.
PARTS: Final[Mapping[str, Callable[[ir.TimestampValue], ir.Value]]] = {
    "year": lambda date: date.year(),
    "quarter": lambda date: date.quarter(),
    "month": lambda date: date.month(),
    "weekday": lambda date: date.day_of_week.index() + 1,
    "day": lambda date: date.day(),
    "hour": lambda date: date.hour(),
    "time": lambda date: date.strftime("%H:%M:%S"),
    "calendar quarter": lambda date: date.strftime("%Y") + "-Q" + date.quarter().cast("string"),
    "calendar month": lambda date: date.strftime("%Y-%m"),
    "calendar week": lambda date: date.strftime("%G-W%V"),
    "calendar day": lambda date: date.strftime("%Y-%m-%d"),
}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_YEAR_DIGITS: Final = 4


def passing(table: ir.Table, names: Names, conditions: tuple[Filter, ...]) -> ir.Table:
    """Return the rows of a typed table that meet all conditions."""
    met = [_condition(table, names, each) for each in conditions if each.comparison != ENDS]
    all_met = reduce(operator.and_, met) if met else None
    ends = [table[names.value(each.column)] for each in conditions if each.comparison == ENDS]
    kept = [*met, *(_is_end(value, all_met) for value in ends)]
    return table.filter(*kept) if kept else table


def part_of(table: ir.Table, names: Names, name: str, part: str) -> ir.Value:
    """Return a part of a column's dates; the year of a column of numbers is the number."""
    value = table[names.value(name)]
    if names.columns[name].kind != "date":
        return value.round().cast("int64")
    return PARTS[part](value)


def _condition(table: ir.Table, names: Names, each: Filter) -> ir.BooleanValue:
    if each.comparison == "is missing":
        return table[names.text[each.column]].isnull()
    if each.comparison == "is present":
        return table[names.text[each.column]].notnull()
    if each.comparison.endswith("outlier"):
        is_outlier = _is_outlier(table[names.value(each.column)], each.value)
        return is_outlier if each.comparison == "is an outlier" else ~is_outlier
    tests = _Tests(table, names, each)
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    if each.comparison == "between":
        low, high = values
        return tests.compared(">=", low) & tests.compared("<=", high)
    if each.comparison == "in":
        return reduce(operator.or_, [tests.compared("=", value) for value in values])
    return tests.compared(each.comparison, values[0])


def _is_end(value: ir.Column, met: ir.BooleanValue | None) -> ir.BooleanValue:
    """Return whether a value is the smallest or the largest of the rows that meet a condition."""
    ends = (value.min(where=met).as_scalar(), value.max(where=met).as_scalar())
    return (value == ends[0]) | (value == ends[1])


def _is_outlier(value: ir.NumericColumn, z_score: object) -> ir.BooleanValue:
    """Return whether a value is far from the others of its column; null if there is none."""
    if isinstance(z_score, (int, float)):
        spread = value.std(how="pop").as_scalar()
        return (value - value.mean().as_scalar()).abs() > z_score * spread
    low, high = (value.quantile(share).as_scalar() for share in (0.25, 0.75))
    margin = FENCE * (high - low)
    return (value < low - margin) | (value > high + margin)


class _Tests:
    """Comparisons of one column with values."""

    def __init__(self, table: ir.Table, names: Names, each: Filter) -> None:
        self._table, self._part = table, each.part
        self._column: TableColumn = names.columns[each.column]
        self._text = table[names.text[each.column]].cast("string").lower()
        self._value = table[names.value(each.column)]
        if each.part:
            self._value = part_of(table, names, each.column, each.part)
        elif self._column.kind == "text":
            self._value = first_number(self._value)

    def compared(self, comparison: str, value: str | float) -> ir.BooleanValue:
        """Return the comparison with one value: as numbers or dates if it is one, else as texts."""
        wanted = str(value).strip().lower()
        if comparison == "contains":
            return self._text.contains(wanted)
        compare = COMPARE[comparison]
        if self._part:
            return compare(self._value, part_value(self._part, wanted))
        if self._column.kind == "date":
            return self._compared_date(compare, wanted)
        return (
            compare(self._value, as_number(value))
            if not isinstance(value, str)
            else self._compared_text(comparison, wanted)
        )

    def _compared_text(self, comparison: str, wanted: str) -> ir.BooleanValue:
        """Return the comparison with a text, which may be a number."""
        compare, kind = COMPARE[comparison], self._column.kind
        written = with_point(wanted) if self._column.decimal_comma else wanted
        number = number_of(written) if is_number(written) else None
        is_equality = comparison in {"=", "!="}
        if number is None or (kind == "text" and is_equality):
            return compare(self._text, wanted if is_equality else in_order(wanted))
        if kind == "mixed" and is_equality:
            return self._whole_text_or_number(compare, wanted, number)
        return compare(self._value, number)

    def _whole_text_or_number(self, compare: Of, wanted: str, number: float) -> ir.BooleanValue:
        """Compare with the whole text of a mixed column; with its number where no text is that."""
        known = self._table.filter(self._text == wanted).count().as_scalar() > 0
        return ibis.ifelse(known, compare(self._text, wanted), compare(self._value, number))

    def _compared_date(self, compare: Of, wanted: str) -> ir.BooleanValue:
        if len(wanted) == _YEAR_DIGITS and wanted.isdigit():
            return compare(self._value.year(), int(wanted))
        found = date_in(wanted)
        if found is None:
            return compare(self._text, wanted)
        iso, date_format = found
        if "%H" in date_format:
            return compare(self._value, ibis.timestamp(iso))
        # a value without a time means the whole day, one without a day the whole month
        own = self._value.truncate("M") if is_of_months(date_format) else self._value
        return compare(own.date(), datetime.fromisoformat(iso).date())


def part_value(part: str, wanted: str) -> float | str:
    """Return what a part of a date is compared with: a number, or a time as "18:30:00".

    A weekday or month may be said by its name.
    """
    if part == "time":
        return full_time(wanted)
    for known in (_WEEKDAYS, _MONTHS):
        matches = [place for place, name in enumerate(known, 1) if wanted and name == wanted]
        if matches:
            return matches[0]
    return number_of(wanted) or 0
