"""Held values: readings of a question for the rows that have something, as `held_phrases` finds it.

The weights know the rows without it alone. So what is left of the question is read, and the
condition added to what it gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.held_phrases import held_in, stems_of
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import DONE, NO_VALUES, stem
from okso_jupyter.tables.query import Filter, Query

#: Rows, and perhaps which: "which loans", "welche Rechnungen am 10. März".
_ONLY_ROWS: Final = re.compile(
    r"(?i)^\W*(?:(?:which|what|list|show|welche|zeige?|liste)\s+)?(?:(?:me|all|the|our|my|die|alle|mir)"
    r"\s+)*(?P<rows>[^\W\d_]+)"
    r"(?P<behind>\s+(?:in|on|of|from|to|since|before|after|im|am|aus|von|an|seit|vor|nach)\s.+?)?\W*$"
)
_GERMAN: Final = re.compile(r"(?i)\s+(?:im|am|aus|von|an|seit|vor|nach)\b")
_GAPS: Final = frozenset({"is present", "is missing"})


def with_held(
    question: str, table: TableSample, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question for the rows that have something; () if it names nothing.

    Args:
        question: The question.
        table: The table.
        read: Returns the readings of a question.
    """
    held = held_in(question, table)
    if held is None:
        return ()
    condition, found = held.condition, list[QueryReading]()
    for reading in read(_shown(held.question, table)):
        query = reading.query
        if (query.source, query.joins) != (table.source, table.made_of.joins) or reading.also:
            return ()
        if condition.comparison == "is present":
            query = _in_its_time(query, condition.column, question, table)
        filters = tuple(each for each in query.filters if not _is_opposed(each, condition))
        if all(each.column != condition.column for each in filters):
            filters = (*filters, condition)
        found.append(replace(reading, query=replace(query, filters=filters)))
    return tuple(found)


def _is_opposed(each: Filter, condition: Filter) -> bool:
    """Return whether a filter says no more than whether the column has something."""
    return each.column == condition.column and each.comparison in _GAPS


def _in_its_time(query: Query, done: str, question: str, table: TableSample) -> Query:
    """Return a query with its times those of what was done: "shipped orders per month".

    A date that the question names stays: "returned loans that were lent in March".
    """
    if table[done].kind != "date":
        return query
    words = [word for word in re.findall(r"[^\W\d_]+", question.lower()) if word not in NO_VALUES]
    # orders are rows, and ordered is a date
    telling = (word for word in words if DONE.fullmatch(word) or stem(word) not in table.stems)
    named = set[str]().union(*map(stems_of, telling))
    others = {
        column.name
        for column in table.columns.values()
        if column.kind == "date" and column.name != done
        if named.isdisjoint({*column.stems, *column.meanings})
    }

    def moved(name: str) -> str:
        return done if name in others else name

    return replace(
        query,
        filters=tuple(
            each if each.comparison in _GAPS else replace(each, column=moved(each.column))
            for each in query.filters
        ),
        by=moved(query.by),
        measures=tuple(replace(each, column=moved(each.column)) for each in query.measures),
        order=moved(query.order),
        columns=tuple(map(moved, query.columns)) if query.by else query.columns,
    )


def _shown(rest: str, table: TableSample) -> str:
    """Return "show the loans" for "which loans", which alone would ask for their names.

    What a column tells is listed, each once: "which customers" of orders.
    """
    found = _ONLY_ROWS.match(rest)
    if found is None:
        return rest
    said = stems_of(found["rows"])
    of_columns = {own for column in table.columns.values() for own in column.stems}
    if not said.isdisjoint(table.stems):
        # a column may be called no_show
        verb = "display" if stem("show") in of_columns else "show"
    elif not said.isdisjoint(of_columns):
        verb = "list"
    else:
        return rest
    rows = f"{found['rows']}{found['behind'] or ''}"
    # an English verb before "Rechnungen am 10. März" hides its date
    return rows if _GERMAN.match(found["behind"] or "") else f"{verb} the {rows}"
