"""Wording: a query as one plain sentence, and its result as a sentence or a small table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from okso_jupyter.tables.engine import Result
from okso_jupyter.tables.labels import chart_label, group_label, label
from okso_jupyter.tables.query import CHOICES, ComputedColumn, Filter, Function, Query
from okso_jupyter.tables.ranks import MOST_TIED

_COMPARED: Final[Mapping[str, str]] = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "contains": "contains",
}
_COMPARED_TIMES: Final = {
    "<": "is before",
    "<=": "is not after",
    ">": "is after",
    ">=": "is not before",
}
#: A month or day, or a time of day.
_TIME: Final = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{2}:\d{2}(?::\d{2})?")
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SIGNIFICANT: Final = 6
_LEAST_DECIMALS, _MOST_DECIMALS = 2, 4
#: Below this, a number is written with all its significant digits.
_SMALL: Final = 0.01
_SHOWN_ROWS: Final = 30
_SHOWN_CELL_CHARS: Final = 60
_MAX_LIST_CHARS: Final = 300
#: Level of a test: a smaller p-value speaks against it.
_ALPHA: Final = 0.05
#: What a correlation of at least this size is called, after a common rule of thumb.
_STRENGTHS: Final = ((0.7, "strong"), (0.3, "moderate"), (0.1, "weak"))
#: Up to this skewness a distribution is called nearly symmetric.
_SYMMETRIC: Final = 0.5
_CURRENCIES: Final = "$€£"


def sentence(query: Query) -> str:
    """Return what a query asks, such as "mean of price in sales.csv where region is North"."""
    drawn = f"{chart_label(query.chart)} of " if query.chart else ""
    subject = _binned(query) if query.chart == "histogram" else _subject(query)
    parts = [f"{drawn}{subject}{_within(query)}{_where(query)}{_shifted(query)}"]
    if query.bounds and _is_extreme(query):
        parts.append(f"of those {bound_words(query)}")
    if query.by and query.measures and query.columns != (query.by,) and not _is_extreme(query):
        parts.append(f"for each {group_label(query)} {bound_words(query)}".rstrip())
    parts += filter(None, [_order(query)])
    if query.distinct:
        parts.append("each once")
    if query.ignore_case:
        parts.append("ignoring case")
    formulas = ", ".join(map(_formula, query.computed))
    text = f"{', '.join(parts)}{f' ({formulas})' if formulas else ''}"
    if query.combine in CHOICES:
        return f"{query.combine} of these: {text}"
    return f"{query.combine} between two: {text}" if query.combine else text


def _within(query: Query) -> str:
    """Return the tables that are asked, and by which columns they are joined."""
    joined = [
        f"{join.source} by {join.column}{f' and {join.other}' if join.other else ''}"
        for join in query.joins
    ]
    return f" in {query.source}{f' with {_listed(joined)}' if joined else ''}"


def _formula(column: ComputedColumn) -> str:
    """Return how a column is computed, such as "revenue = price * quantity"."""
    left, right = (
        operand if isinstance(operand, str) else shown_number(operand)
        for operand in (column.left, column.right)
    )
    return f"{column.name} = {left} {column.operator} {right}"


def _binned(query: Query) -> str:
    """Return the column that a histogram is of."""
    return f"{query.columns[0]} in {query.limit} bins" if query.limit else query.columns[0]


def _subject(query: Query) -> str:
    """Return what is shown or computed."""
    measures = _listed([label(measure) for measure in query.measures]) if query.measures else ""
    is_one = bool(query.by) and _is_extreme(query)
    if query.columns == (query.by,) or is_one or (query.by and not measures):
        shown = group_label(query)
        if _is_extreme(query):
            return f"{shown} with the {_end(query)} {measures}"
        by = bound_words(query) or (f"by {measures}" if measures else "")
        return f"each {shown} {by}".rstrip()
    if measures:
        return measures
    shown = _listed(query.columns) if query.columns else "rows"
    if _is_extreme(query):
        shown = shown if query.columns else "row"
        return f"{shown} with the {_end(query)} {query.order}"
    if not query.limit or query.order:
        return shown
    end = "last" if query.descending else "first"
    return f"{end} {shown}" if query.limit == 1 else f"{end} {query.limit} {shown}"


def bound_words(query: Query) -> str:
    """Return the bounds of groups, such as "with more than 6 rows"; "" without any."""
    if not query.bounds:
        return ""
    first = query.measures[0]
    told = [f"{_COMPARED[each.comparison]} {shown_number(each.value)}" for each in query.bounds]
    if first.function != "count" or first.column:
        more = [each.removeprefix("is ") for each in told[1:]]
        return f"whose {label(first)} {' and '.join([told[0], *more])}"
    exact = [each.replace("is not", "not exactly").removeprefix("is ") for each in told]
    exact = [each.replace("less than", "fewer than") for each in exact]
    exact = [f"exactly {each}" if each[0].isdigit() else each for each in exact]
    one = len(query.bounds) == 1 and query.bounds[0].value == 1
    return f"with {' and '.join(exact)} {'row' if one else 'rows'}"


def _is_extreme(query: Query) -> bool:
    """Return whether the one largest or smallest row or group is asked for."""
    return query.limit == 1 and bool(query.order or (query.by and query.measures))


def _end(query: Query) -> str:
    return "largest" if query.descending else "smallest"


def _where(query: Query) -> str:
    conditions = " and ".join(map(condition, query.filters))
    return f" where {conditions}" if conditions else ""


def condition(each: Filter) -> str:
    """Return a filter in words, such as "price is at least 3"."""
    name = f"{each.part} of {each.column}" if each.part else each.column
    if each.comparison.endswith("outlier"):
        limit = shown_number(float(each.value)) if isinstance(each.value, (int, float)) else ""
        return f"{name} {each.comparison} ({f'z-score above {limit}' if limit else '1.5 IQR'})"
    if each.comparison.startswith("is "):
        return f"{name} {each.comparison}"
    values = [_quoted(v) for v in (each.value if isinstance(each.value, tuple) else (each.value,))]
    if each.comparison == "between":
        return f"{name} is between {' and '.join(values)}"
    if each.comparison == "in":
        return f"{name} is {_listed(values, 'or')}"
    compared = _COMPARED[each.comparison]
    if _TIME.fullmatch(values[0]):
        compared = _COMPARED_TIMES.get(each.comparison, compared)
    return f"{name} {compared} {values[0]}"


def _quoted(value: str | float) -> str:
    """Return a value in a sentence; a text of several words in quotes."""
    text = shown_number(value) if not isinstance(value, str) else one_line(value)
    return f"'{text}'" if " " in text or not text else text


def _shifted(query: Query) -> str:
    if not query.shift:
        return ""
    count, side = abs(query.shift), "after" if query.shift > 0 else "before"
    return f", the row {'' if count == 1 else f'{count} rows '}{side}"


def _order(query: Query) -> str:
    """Return how the result is sorted, and how much of it is taken."""
    is_sorted = bool(query.order or (query.by and query.measures))
    if _is_extreme(query) or not is_sorted:
        return ""
    first = f", the first {query.limit}" if query.limit else ""
    own = query.order in {"", query.by} or (query.order,) == query.columns
    if query.order == query.by and not query.descending:
        return first.removeprefix(", ")
    return f"{_end(query)} {'' if own else f'{query.order} '}first{first}"


def answer(query: Query, result: Result) -> str:
    """Return a result for a person: a sentence with what was asked, or a table under it."""
    rows = _texts(query, result)
    missed = _missed(result)
    if not rows:
        kind = group_label(query) if query.bounds else "row"
        return missed or f"no {kind} fits: {sentence(query)}"
    asked = heading(query)
    verdict = _verdict(query, result.rows[0]) if len(rows) == 1 else ""
    tied = _tied(query, result)
    if len(rows) == 1 and len(result.columns) == 1:
        notes = "; ".join(filter(None, (verdict, missed, _counted(query, result), tied)))
        return f"{asked}: {rows[0][0]}{f' ({notes})' if notes else ''}"
    if len(result.columns) == 1:
        listed = ", ".join(row[0] for row in rows)
        if len(listed) <= _MAX_LIST_CHARS:
            return f"{asked}: {listed}{f' ({tied})' if tied else ''}"
    if len(rows) == 1:
        pairs = zip(result.columns, rows[0], strict=True)
        told = ", ".join(f"{name} {cell}" for name, cell in pairs)
        notes = "; ".join(filter(None, (verdict, tied)))
        return f"{asked}: {told}{f' ({notes})' if notes else ''}"
    return "\n".join([f"{asked}:", *_table(result, rows), *filter(None, [tied])])


def _tied(query: Query, result: Result) -> str:
    """Return what ranks as high as the last of a result; "" if nothing does."""
    if not result.tied:
        return ""
    named = [_named_part(query, 0, value, cell, "") for value, cell in result.tied]
    if len(named) > MOST_TIED:
        named = [*named[:MOST_TIED], "others"]
    return f"tied with {_listed(named)}"


def heading(query: Query) -> str:
    """Return what was asked, without the table's name."""
    text = sentence(query)
    return text.replace(_within(query), "", 1)


def _verdict(query: Query, row: Sequence[object]) -> str:
    """Return in words what the statistics of all rows say; nothing of others."""
    if query.by or len(row) != len(query.measures):
        return ""
    pairs = zip(query.measures, row, strict=True)
    told = (_told(m.function, value) for m, value in pairs if isinstance(value, (int, float)))
    return ", ".join(filter(None, told))


def _told(function: Function, value: float) -> str:
    """Return in words what a statistic says; nothing of most."""
    match function:
        case "correlation" | "rank correlation":
            strength = next((name for least, name in _STRENGTHS if abs(value) >= least), "")
            sign = "negative" if value < 0 else "positive"
            return f"{strength} {sign} correlation" if strength else "hardly any correlation"
        case "correlation p-value":
            return f"{'not ' if value >= _ALPHA else ''}significant at a level of {_ALPHA:g}"
        case "normality":
            return f"p-value: {'' if value > _ALPHA else 'not '}normally distributed"
        case "skewness" if abs(value) <= _SYMMETRIC:
            return "nearly symmetric"
        case "skewness":
            return f"skewed to the {'left' if value < 0 else 'right'}"
        case _:
            return ""


def _missed(result: Result) -> str:
    """Return which values of the filters do not occur."""
    return "; ".join(
        f"no row has {column} {value!r}"
        + (f"; did you mean {one_line(near[0])!r}?" if near else "")
        for column, value, *near in result.nearest
    )


def _counted(query: Query, result: Result) -> str:
    """Return how many rows a single measure is of."""
    rows = result.matched_rows
    counts = any(measure.function in {"count", "share percent"} for measure in query.measures)
    if not query.measures or query.by or query.combine or counts or rows is None:
        return ""
    return f"{rows} row{'' if rows == 1 else 's'}"


def _texts(query: Query, result: Result) -> list[list[str]]:
    """Return the cells of a result as a person reads them."""
    return [
        [
            _named_part(query, place, value, cell, unit)
            for place, (value, cell, unit) in enumerate(
                zip(values, cells, result.units or [""] * len(values), strict=True)
            )
        ]
        for values, cells in zip(result.rows, result.cells, strict=True)
    ]


def _named_part(
    query: Query, place: int, value: str | float | None, cell: str | None, unit: str
) -> str:
    if cell is not None:
        return one_line(cell) or "-"
    if query.part == "weekday" and place == 0 and isinstance(value, (int, float)):
        return _WEEKDAYS[int(value) - 1]
    return with_unit(value, unit)


def with_unit(value: str | float | None, unit: str) -> str:
    """Return a computed value, with the unit that the cells of its column have."""
    if isinstance(value, str):
        return one_line(value)
    number = "no value" if value is None else shown_number(value)
    if not unit:
        return number
    if unit in _CURRENCIES:
        return f"{unit}{number}"
    return f"{number}{unit}" if unit == "%" else f"{number} {unit}"


def shown_number(value: float) -> str:
    """Return a number rounded for people: 6 significant digits, 2 to 4 decimals."""
    if float(value).is_integer():
        return str(int(value))
    if abs(value) < _SMALL:
        return f"{value:.{_SIGNIFICANT}g}"
    digits = _SIGNIFICANT - 1 - math.floor(math.log10(abs(value)))
    decimals = max(_LEAST_DECIMALS, min(_MOST_DECIMALS, digits))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def _table(result: Result, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, its numbers to the right."""
    shown = [[_cut(cell) for cell in row] for row in (result.columns, *rows[:_SHOWN_ROWS])]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    aligned: list[Callable[[str, int], str]] = [
        str.rjust if all(isinstance(v, (int, float)) for v in column) else str.ljust
        for column in zip(*result.rows, strict=True)
    ]
    lines = [
        "  ".join(to(cell, width) for cell, width, to in zip(row, widths, aligned, strict=True))
        for row in shown
    ]
    left = len(rows) - _SHOWN_ROWS
    more = [f"... and {left} more rows"] if left > 0 else []
    return [line.rstrip() for line in lines] + more


def _cut(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= _SHOWN_CELL_CHARS else f"{text[: _SHOWN_CELL_CHARS - 1]}…"


def one_line(text: str) -> str:
    """Return a text without line breaks and runs of blanks."""
    return " ".join(text.split())


def _listed(words: Sequence[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
