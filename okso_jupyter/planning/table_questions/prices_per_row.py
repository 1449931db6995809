"""Prices per row: a sum of what each row of another table costs, as the "fee per episode".

The sum of such a column over its own table says nothing: what Nordly paid is the fee for each of
its episodes, which stand in the table that refers to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.counted_tables import calls_rows
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.joins import joined_columns
from okso_jupyter.tables.query import Filter, Query

_PER: Final = re.compile(r"(?i)(?:\b|_)(?:per|pro|je)[ _](?P<of>[^\W\d_]+)")


def over_rows(
    readings: Sequence[QueryReading], tables: Callable[[], Sequence[TableSample]]
) -> tuple[QueryReading, ...]:
    """Return readings in which the price of each row is summed over these rows.

    Args:
        readings: The readings of a question.
        tables: Returns the tables of the folder; read only where such a price is summed.
    """
    return tuple(
        replace(each, query=_over_rows(each.query, tables)) if _sums_price(each.query) else each
        for each in readings
    )


def _sums_price(query: Query) -> bool:
    """Return whether a query of one table is the sum of a price per something."""
    names = [measure.column for measure in query.measures if measure.function == "sum"]
    is_alone = not (query.joins or query.computed or query.shift)
    return is_alone and len(names) == len(query.measures) == 1 and bool(_PER.search(names[0]))


def _over_rows(query: Query, tables: Callable[[], Sequence[TableSample]]) -> Query:
    found = _PER.search(query.measures[0].column)
    heads = tables()
    own = next((head for head in heads if head.source == query.source), None)
    if found is None or own is None:
        return query
    called = [head for head in heads if head is not own and calls_rows(found["of"].lower(), head)]
    join = reference(called[0], own) if len(called) == 1 else None
    if join is None:
        return query
    columns = joined_columns(list(called[0].columns), [(join, list(own.columns))])
    names = dict.fromkeys(own.columns, "")
    names[join.other or join.column] = join.column
    for column in columns:
        if column.table:
            names[list(own.columns)[column.place]] = column.name
    if not query.names <= names.keys():
        return query
    return _renamed(replace(query, source=called[0].source, joins=(join,)), names)


def _renamed(query: Query, names: dict[str, str]) -> Query:
    """Return a query with its columns as a joined table calls them."""

    def renamed(each: Filter) -> Filter:
        return replace(each, column=names[each.column])

    return replace(
        query,
        filters=tuple(map(renamed, query.filters)),
        by=names.get(query.by, ""),
        measures=tuple(replace(m, column=names[m.column]) for m in query.measures),
        order=names.get(query.order, ""),
        columns=tuple(names[name] for name in query.columns),
    )
