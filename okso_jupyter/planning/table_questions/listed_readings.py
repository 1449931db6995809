"""Listed readings: the readings of a question, with what it lists of rows or groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.cue_words import EACH
from okso_jupyter.planning.table_questions.listed_parts import (
    HOW_MANY,
    OWN_SUM,
    PER,
    ListedParts,
    money_of,
)
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_parts import as_stated
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import Measure, Query

#: What asks for groups whatever is listed; "the biggest job by fee" does not.
_OF_EACH: Final = EACH - {"by"}


def as_listed(
    listed: ListedParts, question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings that do what a question states, with what it lists of rows or groups.

    Args:
        listed: What is listed.
        question: The question without its list, in words of the table.
        readings: Its readings, best first.
        table: The table.
    """
    if _is_of_groups(listed, readings):
        show = partial(_measured, listed, table=table)
        kept = tuple(reading for reading in readings if show(reading.query))
    else:
        show = partial(_rows, listed)
        # rows that differ in what they show are the same, and no doubt
        kept = _changed(readings, show)
    stated = as_stated(question, kept or readings, table)
    return _changed(stated, show) or stated


def _changed(
    readings: Sequence[QueryReading], change: Callable[[Query], Query | None]
) -> tuple[QueryReading, ...]:
    """Return readings with their queries changed, those that become the same as one."""
    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        query = change(reading.query)
        if query is None:
            continue
        first = changed.get(query)
        share = reading.probability + (first.probability if first else 0.0)
        changed[query] = replace(first or reading, query=query, probability=share)
    return tuple(changed.values())


def _is_of_groups(listed: ListedParts, readings: Sequence[QueryReading]) -> bool:
    """Return whether a list is of groups: it has measures, or the column and amount of groups."""
    stems = map(stem, tokens(listed.question))
    if {*listed.measures} - {OWN_SUM} or not _OF_EACH.isdisjoint(stems):
        return True
    best = readings[0].query if readings else Query("")
    told = {best.by, *(measure.column for measure in best.measures)}
    return bool(best.by) and set(listed.columns) <= told


def _rows(listed: ListedParts, query: Query) -> Query | None:
    """Return a query for rows with the columns that are listed; None if it is for no rows."""
    if query.by or query.measures or query.combine:
        return None
    columns = (part if isinstance(part, str) else query.order for part in listed.parts)
    shown = tuple(dict.fromkeys(name for name in columns if name))
    return replace(query, columns=shown, distinct=False)


def _measured(listed: ListedParts, query: Query, table: TableSample) -> Query | None:
    """Return a query with the measures that are listed, of its rows or of its groups.

    None if it counts no rows, and has no groups of what is listed.
    """
    is_number = bool(HOW_MANY.search(listed.question)) and not PER.search(listed.question)
    if query.measures == (Measure("count"),) and not query.by and not listed.columns:
        own = query.measures if is_number else ()
        numbers = dict.fromkeys((*own, *_with_money(listed.measures, table)))
        return replace(query, measures=tuple(numbers))
    if is_number:
        return None
    groups = [name for name in listed.columns if not table.columns[name].has_numbers]
    amounts = [name for name in listed.columns if name != query.by]
    is_of_listed = not set(groups) - {query.by} and query.by not in set(amounts)
    if not query.by or query.combine or not is_of_listed:
        return None
    measures = tuple(dict.fromkeys(_of_groups(listed, query, table)))
    return replace(query, measures=measures, columns=()) if measures else None


def _of_groups(listed: ListedParts, query: Query, table: TableSample) -> Iterator[Measure]:
    """Yield the measures of groups: what they are ranked by, and what is listed."""
    (own,) = query.measures[:1] or (OWN_SUM,)
    if query.order != query.by and (query.descending or query.limit):
        yield own
    for part in listed.parts:
        if part == OWN_SUM:
            yield from [own] if own.function == "sum" else _with_money((OWN_SUM,), table)
        elif isinstance(part, Measure):
            yield part
        elif part != query.by:
            yield own if own.column == part else _measure_of(part)


def _with_money(measures: Sequence[Measure], table: TableSample) -> list[Measure]:
    """Return measures with the sum of the only column of money for "total"."""
    money = money_of(table)
    known = (Measure("sum", money or "") if each == OWN_SUM else each for each in measures)
    return [each for each in known if each.column or each.function == "count"]


def _measure_of(name: str) -> Measure:
    """Return what groups have of a column of numbers: its sum, or its mean where no sum says."""
    return Measure("mean" if NEVER_SUMMED.search(name) else "sum", name)
