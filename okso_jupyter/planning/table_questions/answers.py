"""Answers: what a query gives over the beginning of a table, computed in memory.

The planner ranks queries by what they would give as well. The engine computes the real answer;
a test compares the two.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import seconds_of_day
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import tokens
from okso_jupyter.tables.cells import is_time_of_day, number_of
from okso_jupyter.tables.choice import chosen_names, chosen_place
from okso_jupyter.tables.column_kinds import SECONDS_OF_DAY
from okso_jupyter.tables.query import CHOICES, ENDS, FENCE, Filter, Measure, Query
from okso_jupyter.tables.signs import COMPARE

Cell = str | float | None
#: Filters, shift, column and part of its dates that rows are grouped by.
_GroupKey = tuple[tuple[Filter, ...], int, str, str]
_DECIMALS: Final = 6
_DAY: Final = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)?")
_MONTH_CHARS, _DAY_CHARS = len("2026-03"), len("2026-03-15")
_OF_DAYS: Final = frozenset({"<", "<=", ">", ">=", "between"})
#: Rows that can be combined; and the fewest pairs that can be correlated.
_PAIR: Final = 2


class Answers:
    """Answers of queries over one table.

    Thousands of queries are asked of it that share filters, groups, measures and orders: each of
    these is found once.

    Attributes:
        table: The table.
        most_rows: The most rows that are grouped, sorted or shown: of more, every nth one is.
            Counts and statistics of all rows that pass the filters stay exact. None: no limit.
    """

    def __init__(self, table: TableSample, most_rows: int | None = None) -> None:
        self.table = table
        self.most_rows = most_rows
        self._keys: dict[tuple[str, str], list[Cell]] = {}
        self._groups: dict[_GroupKey, dict[Cell, list[int]]] = {}
        self._of_groups: dict[tuple[_GroupKey, Measure], list[Cell]] = {}
        self._orders: dict[tuple[object, ...], Sequence[int]] = {}
        self._measures: dict[tuple[Measure, tuple[Filter, ...], int], Cell] = {}
        self._rows: dict[Filter, frozenset[int]] = {}
        self._selected: dict[tuple[tuple[Filter, ...], int], list[int]] = {}

    def rows(self, filters: tuple[Filter, ...], shift: int = 0) -> list[int]:
        """Return the places of the rows that pass the filters, in the table's order."""
        known = self._selected.get((filters, shift))
        if known is None:
            chosen = range(self.table.count)
            sets = [self._passing(each) for each in filters if each.comparison != ENDS]
            known = [row for row in chosen if all(row in passing for passing in sets)]
            for each in filters:
                if each.comparison == ENDS:
                    known = _at_ends(self.table[each.column], known)
            if shift:
                known = [r + shift for r in known if 0 <= r + shift < self.table.count]
            self._selected[filters, shift] = known
        return known

    def _passing(self, each: Filter) -> frozenset[int]:
        if each not in self._rows:
            self._rows[each] = frozenset(_passing(self.table[each.column], each))
        return self._rows[each]

    def of(self, query: Query) -> list[tuple[Cell, ...]]:
        """Return the rows that a query gives."""
        if query.measures and not query.by:
            result = [tuple(self._of_all(measure, query) for measure in query.measures)]
        else:
            result = self._grouped(query) if query.measures else self._shown(query)
        if query.distinct:
            result = list(dict.fromkeys(result))
        if query.combine in CHOICES:
            return _chosen(query, result[0])
        return _combined(query, result) if query.combine else result

    def _thinned(self, rows: list[int]) -> list[int]:
        """Return every nth row, so that no more than `most_rows` are left."""
        return rows[:: -(-len(rows) // self.most_rows)] if rows and self.most_rows else rows

    def _of_all(self, measure: Measure, query: Query) -> Cell:
        """Return a measure of all rows that pass the filters; it is computed once."""
        key = measure, query.filters, query.shift
        if key not in self._measures:
            self._measures[key] = self._measure(measure, self.rows(query.filters, query.shift))
        return self._measures[key]

    def _shown(self, query: Query) -> list[tuple[Cell, ...]]:
        """Return the rows or values that a query without measures shows."""
        rows = self._rows_in_order(query)
        rows = rows[: query.limit] if query.limit else rows
        columns = [self.table[name].present for name in query.columns or self.table.columns]
        return [tuple(cells[row] for cells in columns) for row in rows]

    def _rows_in_order(self, query: Query) -> Sequence[int]:
        key = query.filters, query.shift, query.order, query.descending
        if key not in self._orders:
            rows = self._thinned(self.rows(query.filters, query.shift))
            if query.order:
                rows = _sorted(self.table[query.order], rows, descending=query.descending)
            elif query.descending:
                rows = rows[::-1]
            self._orders[key] = rows
        return self._orders[key]

    def _grouped(self, query: Query) -> list[tuple[Cell, ...]]:
        """Return the groups with their measures, those within bounds, in a query's order."""
        key = query.filters, query.shift, query.by, query.part
        measured = [self._measured(key, measure) for measure in query.measures]
        columns = [list(self._groups_of(key)), *measured]
        places = self._groups_in_order(query, columns, key)
        for bound in query.bounds:
            values = [columns[1][place] for place in places]
            places = [places[i] for i in _compared(values, bound.comparison, bound.value)]
        places = places[: query.limit] if query.limit else places
        shown = columns[:1] if query.columns == (query.by,) else columns
        return [tuple(column[place] for column in shown) for place in places]

    def _groups_in_order(
        self, query: Query, columns: Sequence[Sequence[Cell]], key: _GroupKey
    ) -> Sequence[int]:
        is_by_group = query.order == query.by
        of = key, "" if is_by_group else query.measures[0], query.descending
        if of not in self._orders:
            values = columns[0 if is_by_group else 1]
            self._orders[of] = _in_order(values, range(len(values)), descending=query.descending)
        return self._orders[of]

    def _groups_of(self, key: _GroupKey) -> dict[Cell, list[int]]:
        """Return the rows of each group."""
        if key not in self._groups:
            filters, shift, by, part = key
            groups: dict[Cell, list[int]] = {}
            keys = self._keys_of(by, part)
            for row in self._thinned(self.rows(filters, shift)):
                if keys[row] is not None:
                    groups.setdefault(keys[row], []).append(row)
            self._groups[key] = groups
        return self._groups[key]

    def _measured(self, key: _GroupKey, measure: Measure) -> list[Cell]:
        """Return a measure of each group."""
        if (key, measure) not in self._of_groups:
            groups = self._groups_of(key).values()
            self._of_groups[key, measure] = [self._measure(measure, rows) for rows in groups]
        return self._of_groups[key, measure]

    def _keys_of(self, column: str, part: str) -> list[Cell]:
        """Return what each row of the table is grouped by; it is found once."""
        if (column, part) not in self._keys:
            self._keys[column, part] = _group_keys(self.table[column], part)
        return self._keys[column, part]

    def _measure(self, measure: Measure, rows: Sequence[int]) -> Cell:
        if not measure.column:
            count = len(rows)
            return count if measure.function == "count" else _share(count, self.table.count)
        column = self.table[measure.column]
        if measure.function in _OF_CELLS:
            return _OF_CELLS[measure.function]([column.present[row] for row in rows])
        if measure.function in _OF_KEYS and column.kind == "date":
            have = [(key, row) for row in rows if (key := column.keys[row]) is not None]
            return column.cells[_OF_KEYS[measure.function](have)[1]] if have else None
        return self._of_numbers(measure, column.numbers, rows)

    def _of_numbers(
        self, measure: Measure, numbers: Sequence[float | None], rows: Sequence[int]
    ) -> float | None:
        """Return a measure of a column's numbers."""
        if measure.other:
            others = self.table[measure.other].numbers
            pairs = [(numbers[r], others[r]) for r in rows]
            return _correlation([(a, b) for a, b in pairs if a is not None and b is not None])
        values = [value for row in rows if (value := numbers[row]) is not None]
        if measure.function == "share percent":
            whole = sum(value for value in numbers if value is not None)
            return _share(sum(values), whole) if values else None
        return _rounded(_OF_NUMBERS[measure.function], values)


def _passing(column: ColumnSample, each: Filter) -> list[int]:
    """Return the rows that pass one filter."""
    match each.comparison, each.value:
        case ("is missing" | "is present") as comparison, _:
            is_wanted = comparison == "is missing"
            return [row for row, c in enumerate(column.present) if (c is None) == is_wanted]
        case ("is an outlier" | "is no outlier") as comparison, z_score:
            return _outlying(column.numbers, z_score, is_wanted=comparison == "is an outlier")
        case "in", tuple(values) if each.part:
            parts = _group_keys(column, each.part)
            wanted = [*map(seconds_of_day, map(str, values))] if _is_time(column, each) else values
            return [row for row, own in enumerate(parts) if own in wanted]
        case "in", tuple(values):
            return [row for value in values for row in column.places.get(tokens(str(value)), [])]
        case _:
            return _comparing(column, each)


def _at_ends(column: ColumnSample, rows: Sequence[int]) -> list[int]:
    """Return the rows with the smallest and with the largest value of those given."""
    known = [key for row in rows if (key := column.keys[row]) is not None]
    return [row for row in rows if known and column.keys[row] in {min(known), max(known)}]


def _comparing(column: ColumnSample, each: Filter) -> list[int]:
    """Return the rows whose cell, date, time of day or number compares with one or two values."""
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    if _is_day(column, each) and (each.comparison in _OF_DAYS or _are_months(values)):
        return _of_days(column, each.comparison, values)
    if _is_time(column, each):
        return _of_times(column, each, values)
    if isinstance(each.value, str) and not each.part:
        return _with_text(column, each.comparison, tokens(each.value))
    compared = _group_keys(column, each.part) if each.part else column.numbers
    return _compared(compared, each.comparison, each.value)


def _outlying(numbers: Sequence[float | None], z_score: object, *, is_wanted: bool) -> list[int]:
    """Return the rows whose value is an outlier of the column, or is none."""
    values = [value for value in numbers if value is not None]
    if len(values) < _PAIR:
        return []
    low, high = _fences(values, z_score if isinstance(z_score, (int, float)) else None)
    return [
        row
        for row, value in enumerate(numbers)
        if value is not None and (low <= value <= high) != is_wanted
    ]


def _is_day(column: ColumnSample, each: Filter) -> bool:
    """Return whether a filter compares the dates of a column with days, months or moments."""
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    dated = all(isinstance(value, str) and _DAY.fullmatch(value) for value in values)
    return column.kind == "date" and not each.part and dated


def _is_time(column: ColumnSample, each: Filter) -> bool:
    """Return whether a filter compares the times of day of a column with times."""
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    timed = all(isinstance(value, str) and is_time_of_day(value) for value in values)
    is_of_times = column.clock_length > 0 or each.part == "time"
    return is_of_times and (each.comparison in _RANGES or bool(each.part)) and timed


def _of_days(column: ColumnSample, comparison: str, values: Sequence[str | float]) -> list[int]:
    """Return the rows whose day, month or moment compares with one, or lies between two."""
    if comparison == "between":
        low, high = values
        to_high = set(_of_days(column, "<=", [high]))
        return [row for row in _of_days(column, ">=", [low]) if row in to_high]
    value = str(values[0])
    of_month, of_day = len(value) == _MONTH_CHARS, len(value) <= _DAY_CHARS
    dates = [day.replace(day=1) if day and of_month else day for day in column.dates]
    days = [None if day is None else _days(day) for day in dates]
    own = [day if day is None or not of_day else float(int(day)) for day in days]
    end = datetime.fromisoformat(f"{value}-01" if of_month else value)
    return _compared(own, comparison, _days(end))


def _days(moment: datetime) -> float:
    """Return the days up to a moment, with their fractions."""
    return moment.toordinal() + _seconds_of(moment) / SECONDS_OF_DAY


def _seconds_of(moment: datetime) -> float:
    """Return the seconds of a moment's day until then."""
    return float((moment.hour * 60 + moment.minute) * 60 + moment.second)


def _are_months(values: Sequence[str | float]) -> bool:
    """Return whether values that are days or months are months."""
    return all(len(str(value)) == _MONTH_CHARS for value in values)


def _of_times(column: ColumnSample, each: Filter, values: Sequence[str | float]) -> list[int]:
    """Return the rows whose time of day compares with one, or lies between two."""
    times = [seconds_of_day(str(value)) for value in values]
    own = _group_keys(column, each.part) if each.part else _seconds(column)
    return _compared(own, each.comparison, tuple(times) if len(times) > 1 else times[0])


def _seconds(column: ColumnSample) -> list[Cell]:
    """Return the times of a column of times as seconds since midnight."""
    return [None if cell is None else seconds_of_day(str(cell)) for cell in column.present]


def _with_text(column: ColumnSample, comparison: str, sought: tuple[str, ...]) -> list[int]:
    """Return the rows whose text is, is not, or contains what is sought."""
    same = column.places.get(sought, [])
    if comparison == "=":
        return same
    if comparison == "!=":
        others = set(range(len(column.cells))).difference(same)
        return sorted(row for row in others if column.present[row] is not None)
    return [row for value, own in column.places.items() if _contains(value, sought) for row in own]


def _contains(value: tuple[str, ...], sought: tuple[str, ...]) -> bool:
    """Return whether the sought tokens stand in the value one after the other."""
    size = len(sought)
    return any(value[i : i + size] == sought for i in range(len(value) - size + 1))


_RANGES: Final = frozenset({"<", "<=", ">", ">=", "between"})


def _compared(values: Sequence[Cell], comparison: str, wanted: object) -> list[int]:
    if comparison == "between" and isinstance(wanted, tuple):
        low, high = (float(end) for end in wanted)
        return [r for r, v in enumerate(values) if isinstance(v, (int, float)) and low <= v <= high]
    test, bound = COMPARE[comparison], float(str(wanted))
    return [r for r, v in enumerate(values) if isinstance(v, (int, float)) and test(v, bound)]


def _group_keys(column: ColumnSample, part: str) -> list[Cell]:
    """Return what each row is grouped by: the cell, or a part of its date."""
    if not part:
        return list(column.present)
    get = _PARTS[part]
    if column.kind == "date":
        return [None if day is None else get(day) for day in column.dates]
    return list(column.numbers) if part == "year" else [None] * len(column.cells)


_PARTS: Final[Mapping[str, Callable[..., float | str]]] = {
    "year": lambda d: d.year,
    "quarter": lambda d: (d.month + 2) // 3,
    "month": lambda d: d.month,
    "weekday": lambda d: d.isoweekday(),
    "day": lambda d: d.day,
    "hour": lambda d: d.hour,
    "time": _seconds_of,
    "calendar quarter": lambda d: f"{d.year}-Q{(d.month + 2) // 3}",
    "calendar month": lambda d: f"{d:%Y-%m}",
    "calendar week": lambda d: f"{d:%G-W%V}",
    "calendar day": lambda d: f"{d:%Y-%m-%d}",
}


def _sorted(column: ColumnSample, rows: Sequence[int], *, descending: bool) -> list[int]:
    """Return the rows in the order of a column; rows without a value are left out."""
    keys: Sequence[Cell] = column.keys if column.kind != "text" else column.cells
    have = [row for row in rows if keys[row] not in {None, ""}]
    return _in_order(keys, have, descending=descending)


def _in_order(values: Sequence[Cell], places: Sequence[int], *, descending: bool) -> list[int]:
    """Return places in the order of their values: numbers, then texts, then what has none."""
    numbers: list[tuple[float, int]] = []
    texts: list[tuple[str, int]] = []
    rest: list[int] = []
    for place in places:
        value = values[place]
        if value is None:
            rest.append(place)
        elif isinstance(value, str):
            texts.append((value, place))
        else:
            numbers.append((value, place))
    first = itemgetter(0)  # equal ones keep their order
    numbers.sort(key=first, reverse=descending)
    texts.sort(key=first, reverse=descending)
    return [place for _, place in numbers] + [place for _, place in texts] + rest


def _share(part: float, whole: float) -> float | None:
    return round(100 * part / whole, _DECIMALS) if whole else None


def _rounded(function: Callable[[list[float]], float], values: list[float]) -> float | None:
    """Return a statistic without binary noise, whole numbers as int; None where there is none."""
    try:
        value = function(values)
    except (ValueError, ZeroDivisionError, statistics.StatisticsError, IndexError):
        return None
    return int(value) if value == int(value) else round(value, _DECIMALS)


def _chosen(query: Query, values: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Return the one of several measures that is kept, with what tells it from the others."""
    numbers = [value if isinstance(value, (int, float)) else None for value in values]
    place = chosen_place(numbers, query.combine)
    return [] if place is None else [(chosen_names(query.measures)[place], numbers[place])]


def _combined(query: Query, result: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Return the difference or ratio of the last values of two rows; nothing of other rows."""
    match [number_of(str(row[-1])) for row in result]:
        case [float(a), float(b)] if query.combine == "difference":
            return [(_rounded(lambda _: abs(a - b), []),)]
        case [float(a), float(b)] if b:
            return [(_rounded(lambda _: a / b, []),)]
        case _:
            return []


def _present(cells: Sequence[str | None]) -> list[str]:
    return [cell for cell in cells if cell is not None]


def _commonest(cells: Sequence[str | None], sign: int) -> str | None:
    """Return the most (1) or least (-1) common cell; of several, the first in the table."""
    counted = Counter(_present(cells))
    return max(counted, key=lambda cell: sign * counted[cell]) if counted else None


_OF_CELLS: Final[Mapping[str, Callable[[Sequence[str | None]], Cell]]] = {
    "count": lambda cells: len(_present(cells)),
    "count distinct": lambda cells: len(set(_present(cells))),
    "most common": lambda cells: _commonest(cells, 1),
    "least common": lambda cells: _commonest(cells, -1),
    "missing": lambda cells: cells.count(None),
    "missing percent": lambda cells: _share(cells.count(None), len(cells)),
}
_OF_KEYS: Final[Mapping[str, Callable[..., tuple[float, int]]]] = {"minimum": min, "maximum": max}


def _quartiles(values: list[float]) -> tuple[float, float]:
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def _fences(values: list[float], z_score: float | None = None) -> tuple[float, float]:
    """Return the least and the largest value that is no outlier."""
    if z_score is not None:
        middle, margin = statistics.fmean(values), z_score * statistics.pstdev(values)
        return middle - margin, middle + margin
    low, high = _quartiles(values)
    margin = FENCE * (high - low)
    return low - margin, high + margin


def _outliers(values: list[float]) -> float:
    low, high = _fences(values)
    return sum(not low <= value <= high for value in values)


def _skewness(values: list[float]) -> float:
    mean, spread = statistics.fmean(values), statistics.pstdev(values)
    return sum((v - mean) ** 3 for v in values) / len(values) / spread**3


def _correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    if len(pairs) < _PAIR:
        return None
    first, second = zip(*pairs, strict=True)
    return _rounded(lambda _: statistics.correlation(first, second), [])


_OF_NUMBERS: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "sum": lambda v: sum(v) if v else statistics.fmean(v),
    "mean": statistics.fmean,
    "median": statistics.median,
    "minimum": min,
    "maximum": max,
    "range": lambda v: max(v) - min(v),
    "standard deviation": statistics.stdev,
    "population standard deviation": statistics.pstdev,
    "variance": statistics.variance,
    "skewness": _skewness,
    "outliers": _outliers,
    "quartile 1": lambda v: _quartiles(v)[0],
    "quartile 3": lambda v: _quartiles(v)[1],
    "normality": lambda v: v[0] * 0,  # not computed here: only its form counts
}
