"""Joined samples: a table with the columns of others beside it, or computed ones, as one sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import (
    ColumnSample,
    Composition,
    TableSample,
)
from okso_jupyter.tables.column_kinds import SECONDS_OF_DAY
from okso_jupyter.tables.joins import JoinedColumn, join_key, joined_columns
from okso_jupyter.tables.query import ComputedColumn, Join
from okso_jupyter.tables.signs import COMPUTE

#: Rows beyond which a sample is not joined further.
_MOST_ROWS: Final = 20_000


def joined_sample(base: TableSample, others: Sequence[tuple[Join, TableSample]]) -> TableSample:
    """Return a table with those that are joined to it, as the engine joins them.

    Args:
        base: The first table.
        others: Each further table, and how it is joined; its columns must be there.
    """
    headers = [(join, list(other.columns)) for join, other in others]
    columns = joined_columns(list(base.columns), headers)
    # for each row the places of its rows in the tables so far; -1 for none
    rows: list[tuple[int, ...]] = [(place,) for place in range(base.count)]
    cells = {(0, place): column.cells for place, column in enumerate(base.columns.values())}
    by_name = {column.name: (column.table, column.place) for column in columns}
    for table, (join, other) in enumerate(others, 1):
        own = cells[by_name[join.column]]
        at = by_name[join.column][0]
        found = _rows_by_key(other[join.other or join.column])
        rows = [
            (*row, match)
            for row in rows
            for match in (found.get(join_key(own[row[at]]), [-1]) if row[at] >= 0 else [-1])
        ][:_MOST_ROWS]
        cells |= {(table, place): c.cells for place, c in enumerate(other.columns.values())}
    texts = [
        [
            cells[column.table, column.place][row[column.table]] if row[column.table] >= 0 else ""
            for column in columns
        ]
        for row in rows
    ]
    joins = tuple(join for join, _ in others)
    names = [column.name for column in columns]
    made_of = Composition(joins, _joined_by(columns, joins))
    sample = TableSample(base.source, names, texts, made_of)
    for column in columns:
        if column.table:
            here = sample[column.name].cells
            every = cells[column.table, column.place]
            sample.columns[column.name] = ColumnSample(
                column.name, here, beyond=_beyond(here, every)
            )
    return sample


def _beyond(here: Sequence[str], every: Sequence[str]) -> list[str]:
    """Return the cells of a column that belong to no row of a joined table, in order."""
    known = set(here)
    return [cell for cell in dict.fromkeys(every) if cell not in known]


def side_by_side(base: TableSample, others: Sequence[tuple[Join, TableSample]]) -> TableSample:
    """Return the columns of a joined table, each with the cells of its own table.

    Their rows do not belong together: it tells which words name a column or a cell, and no answer.
    """
    columns = joined_columns(
        list(base.columns), [(join, list(other.columns)) for join, other in others]
    )
    tables = [list(table.columns.values()) for table in (base, *(other for _, other in others))]
    own = [tables[column.table][column.place].renamed(column.name) for column in columns]
    joins = tuple(join for join, _ in others)
    return TableSample.of_columns(base.source, own, Composition(joins, _joined_by(columns, joins)))


def _joined_by(
    columns: Sequence[JoinedColumn], joins: Sequence[Join]
) -> dict[str, tuple[Join, ...]]:
    """Return the joins that each joined column needs, those that lead to its table first."""
    if any(column.clashes for column in columns):
        return {}
    tables = {column.name: column.table for column in columns}
    needed: list[tuple[Join, ...]] = [()]
    for join in joins:
        needed.append((*needed[tables[join.column]], join))
    return {name: needed[table] for name, table in tables.items() if table}


def _rows_by_key(column: ColumnSample) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row, cell in enumerate(column.cells):
        if key := join_key(cell):
            found.setdefault(key, []).append(row)
    return found


def with_computed(table: TableSample, computed: Sequence[ComputedColumn]) -> TableSample:
    """Return a table with computed columns behind its own; as it is without any."""
    if not computed:
        return table
    columns = dict(table.columns)
    for each in computed:
        own = [columns[name] for name in each.operands]
        are_dates = all(column.kind == "date" for column in own)
        left, right = (
            _values(columns[operand], are_dates=are_dates)
            if isinstance(operand, str)
            else [operand] * table.count
            for operand in (each.left, each.right)
        )
        cells = [_computed(each.operator, a, b) for a, b in zip(left, right, strict=True)]
        columns[each.name] = ColumnSample(each.name, cells)
    made_of = replace(table.made_of, computed=(*table.made_of.computed, *computed))
    return TableSample.of_columns(table.source, list(columns.values()), made_of)


def _values(column: ColumnSample, *, are_dates: bool) -> Sequence[float | None]:
    """Return what is computed with: numbers, or dates as days."""
    if not are_dates:
        return column.numbers
    return [None if key is None else key / SECONDS_OF_DAY for key in column.keys]


def _computed(sign: str, left: float | None, right: float | None) -> str:
    if left is None or right is None or (sign == "/" and not right):
        return ""
    return f"{COMPUTE[sign](left, right):.12g}"
