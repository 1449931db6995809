"""Cross tables: two groupings, as a query per value of the one, each with the groups of the other.

"Anzahl je Monat und Status" has a table of months for each status, and "how many ja and nein per
kind" one of kinds for ja and one for nein. The column with fewer values is that of the queries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import header_stems, stem
from okso_jupyter.tables.cells import is_missing
from okso_jupyter.tables.query import Filter

_EACH: Final = (
    r"(?:for\s+(?:each|every)|f(?:ü|ue)r\s+jede\w*|pro\s+jede\w*|per|each|by|je|pro|nach)"
)
_TWO_GROUPS: Final = re.compile(
    rf"(?i)\b(?P<cue>{_EACH})\s+(?:the\s+)?(?P<one>\w+)"
    rf"(?:(?:\s*,\s*|\s+(?:and|und|&)\s+)(?:{_EACH}\s+)?|\s+{_EACH}\s+)(?:the\s+)?(?P<other>\w+)"
)
_ONE_NAME: Final = re.compile(
    r"(?i)\b(?:per|by|je|pro|nach)\s+(?P<of>\w+\s+)(?P<head>\w+)(?!\w|\.\w)"
)
_BOTH: Final = re.compile(r"(?i),|&|\b(?:and|und|vs\.?|versus)\b")
_EITHER: Final = re.compile(r"(?i)\b(?:or|oder)\b")
_TOGETHER: Final = re.compile(r"(?i)\b(?:(?:al)?together|combined|zusammen|gemeinsam)\b")
_NO_VALUE: Final = r"\b(?:empty|blank|missing|leere?[nrs]?|fehlende?[nrs]?)\b"
_LISTS: Final = r"(?:\s*,\s*(?:(?:and|und)\s+)?|\s+(?:and|und|&)\s+)"
_EMPTY: Final = re.compile(rf"(?i){_NO_VALUE}")
_THEN_EMPTY: Final = re.compile(rf"(?i)^{_LISTS}{_NO_VALUE}")
_EMPTY_THEN: Final = re.compile(rf"(?i){_NO_VALUE}{_LISTS}$")
#: Letters of the shortest value that is found in another form: "apples" of `apple`.
_LONG: Final = 4
_PERIODS: Final = frozenset(
    map(stem, "year month quarter week weekday day jahr monat quartal woche wochentag tag".split())
)
#: Queries of one cross table, and rows up to which every value of a column is known.
_MOST_QUERIES, _KNOWN_ROWS = 8, 1_000


def crossed(
    question: str, table: TableSample, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question with two groupings; () if it has not two.

    Where the one has too many values, or these are not known, it is told as not answered.

    Args:
        question: The question.
        table: The table.
        read: Returns the readings of a question.
    """
    for found in _TWO_GROUPS.finditer(question):
        pair = (found["one"], found["other"])
        columns = [_kinds_named(word, table) for word in pair]
        known = [(len(_values(own)), at) for at, own in enumerate(columns) if own]
        is_pair = all(own or _is_period(word) for word, own in zip(pair, columns, strict=True))
        if not known or not is_pair or pair[0] == pair[1]:
            continue
        _, at = min(known)
        across = columns[at]
        start, end = found.span()
        one = f"{question[:start]}{found['cue']} {pair[1 - at]}{question[end:]}"
        readings = read(one) if across is not None else ()
        # rows may be sorted by two columns
        if across is not None and readings and _is_of_groups(readings[0], across.name):
            kept = (each for each in readings if _is_of_groups(each, across.name))
            return tuple(_spread(each, across, table) for each in kept)
    return _of_last_word(question, table, read)


def _of_last_word(
    question: str, table: TableSample, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return readings of "per product category" as groups of `category`; () if it is not said.

    The words before the last one of a name say what it is of, be there a column of it or not.
    """
    found = _ONE_NAME.search(question)
    if found is None:
        return ()
    of, head = (_kinds_named(found[name], table) for name in ("of", "head"))
    if of is None or head is None or of.name == head.name:
        return ()
    if _kinds_named(found["of"] + found["head"], table):
        return ()
    readings = read(question[: found.start("of")] + question[found.start("head") :])
    grouped = (each for each in readings if each.query.measures)
    return tuple(each for each in grouped if each.query.by == head.name or each.also)


def _is_of_groups(reading: QueryReading, across: str) -> bool:
    """Return whether a reading computes something of the groups of another column."""
    query = reading.query
    return bool(query.by and query.measures) and query.by != across and not reading.also


def _spread(reading: QueryReading, across: ColumnSample, table: TableSample) -> QueryReading:
    """Return a reading of groups as one for each value of a column."""
    values, query = _values(across), reading.query
    if len(values) > _MOST_QUERIES or table.count >= _KNOWN_ROWS or query.limit:
        return replace(less_sure(reading, UNANSWERED), left_out=f"for each {across.name}")
    conditions = [Filter(across.name, "=", value) for value in values]
    if any(map(is_missing, across.cells)):
        conditions.append(Filter(across.name, "is missing"))
    others = tuple(each for each in query.filters if each.column != across.name)
    return _of_conditions(reading, others, conditions)


def of_named_values(question: str, readings: Sequence[QueryReading]) -> tuple[QueryReading, ...]:
    """Return readings in which each value that is asked of every group has a query of its own.

    "How many ja, nein and empty per kind" are three numbers for each kind, and no sum of them.
    """
    return tuple(_by_value(question, reading) for reading in readings)


def _by_value(question: str, reading: QueryReading) -> QueryReading:
    query = reading.query
    several = [each for each in query.filters if each.comparison == "in" and each.value]
    if not query.by or not query.measures or query.limit or query.combine or len(several) != 1:
        return reading
    (joined,) = several
    values = joined.value if isinstance(joined.value, tuple) else (joined.value,)
    places = {str(value): _place(str(value), question) for value in values}
    if joined.column == query.by or None in places.values() or len(values) > _MOST_QUERIES:
        return reading
    found = {value: place for value, place in places.items() if place}
    start, end = min(found.values())[0], max(found.values())[1]
    between = question[start:end]
    is_one = _EITHER.search(between) or not _BOTH.search(between) or _TOGETHER.search(question)
    if is_one:
        return reading
    said = sorted(values, key=lambda value: found[str(value)])
    conditions = [Filter(joined.column, "=", value, joined.part) for value in said]
    if _lists_empty(question, start, end):
        conditions.append(Filter(joined.column, "is missing"))
    others = tuple(each for each in query.filters if each.column != joined.column)
    return _of_conditions(reading, others, conditions)


def _place(value: str, question: str) -> tuple[int, int] | None:
    """Return where a question says a value as a word of its own; None if it does not."""
    ending = r"\w{0,2}" if len(value) >= _LONG else ""
    found = re.search(rf"(?i)(?<!\w){re.escape(value)}{ending}(?!\w)", question)
    return found and found.span()


def _lists_empty(question: str, start: int, end: int) -> bool:
    """Return whether a list of values has rows without one: "ja, nein and empty"."""
    inside, before, behind = question[start:end], question[:start], question[end:]
    return bool(_EMPTY.search(inside) or _EMPTY_THEN.search(before) or _THEN_EMPTY.search(behind))


def _of_conditions(
    reading: QueryReading, others: tuple[Filter, ...], conditions: Sequence[Filter]
) -> QueryReading:
    """Return a reading with one query for each condition."""
    first, *more = (replace(reading.query, filters=(*others, each)) for each in conditions)
    return replace(reading, query=first, also=tuple(more))


def _kinds_named(word: str, table: TableSample) -> ColumnSample | None:
    """Return the column of texts that a word names; None if it names none."""
    said = set(header_stems(in_words_of(word, table)))
    columns = table.columns.values()
    named = [c for c in columns if said and said <= {*header_stems(c.name), c.joined}]
    named = [column for column in named if column.kind == "text" and not column.has_numbers]
    return min(named, key=lambda column: len(header_stems(column.name)), default=None)


def _is_period(word: str) -> bool:
    return stem(word.lower()) in _PERIODS


def _values(column: ColumnSample) -> list[str]:
    """Return the different cells of a column, in their order; conditions ignore their case."""
    counted = Counter(cell.strip() for cell in column.cells if not is_missing(cell))
    rarest_first = reversed(counted.most_common())
    return sorted({cell.lower(): cell for cell, _ in rarest_first}.values())
