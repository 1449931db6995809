"""Expressions: a query as one ibis expression over the typed table of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import ibis
import ibis.expr.types as ir

from okso_jupyter.tables.column_kinds import (
    SECONDS_OF_DAY,
    TableColumn,
    is_of_dates,
    with_computed,
)
from okso_jupyter.tables.conditions import part_of, passing
from okso_jupyter.tables.joins import tables_label
from okso_jupyter.tables.labels import bin_labels, group_label, label
from okso_jupyter.tables.measures import (
    computed,
    has_parts,
    is_cell,
    merged,
    parts_of,
    prepared,
    unit_of,
)
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.tables.readable_sql import sql_of
from okso_jupyter.tables.signs import COMPARE, COMPUTE, as_number
from okso_jupyter.tables.typed_table import Names, clean_text, shown_cell, unbound

_BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """One column of a result.

    Attributes:
        label: What it is called.
        name: Its name in the expression.
        column: The column whose cells it shows; None for what is computed.
        unit: The unit of a measure; "" if it has none.
        is_measure: Whether it is a measure.
    """

    label: str
    name: str
    column: TableColumn | None = None
    unit: str = ""
    is_measure: bool = False


#: Functions whose value for a group is of its own rows alone.
_OF_OWN_ROWS: Final = frozenset({"count", "sum", "mean", "minimum", "maximum"})


class Compiler:
    """Makes the expression of one query.

    Args:
        query: The query, which `columns.problem_with` finds nothing wrong with.
        names: The names of the typed table's columns.
        table: The typed table.
        is_large: Whether to avoid what reads a file in one thread or computes a key twice.

    Attributes:
        names: The names of the columns.
        passing: The rows that pass the filters.
        shown: The columns of the result.
    """

    def __init__(
        self, query: Query, names: Names, table: ir.Table, *, is_large: bool = False
    ) -> None:
        self._query, self.names, self._is_large = query, names, is_large
        self._table = _in_one_case(_with_computed(table, names, query), names, query)
        self._free = names.only(names.columns)
        self.passing = passing(self._table, names, query.filters)
        self._key = self._grouped_by() if query.by else None
        self.shown = self._shown()

    def _shown(self) -> list[Shown]:
        query, names = self._query, self.names
        if query.chart == "histogram":
            ends = [Shown(end, self._free.free(end)) for end in bin_labels(query.columns[0])]
            return [*ends, self._measure(Measure("count"))]
        if not query.by and not query.measures:
            wanted = query.columns or names.columns
            return [Shown(name, names.text[name], names.columns[name]) for name in wanted]
        keys = [self._key] if self._key else []
        if query.columns or not query.measures:
            return keys
        return [*keys, *(self._measure(measure) for measure in query.measures)]

    def _measure(self, measure: Measure) -> Shown:
        column = self.names.columns.get(measure.column)
        name = self._free.free(label(measure))
        if is_cell(measure, column):
            return Shown(label(measure), name, column, is_measure=True)
        return Shown(label(measure), name, unit=unit_of(measure, column), is_measure=True)

    def _grouped_by(self) -> Shown:
        by, part = self._query.by, self._query.part
        if part:
            name = group_label(self._query)
            return Shown(name, self._free.free(name))
        return Shown(by, self.names.text[by], self.names.columns[by])

    def alone(self, condition: Filter) -> ir.Table:
        """Return the rows that meet one condition."""
        return passing(self._table, self.names, (condition,))

    def values(self, column: str) -> ir.Table:
        """Return the different cells of a column."""
        return self._table.select(self._table[self.names.text[column]].name(column)).distinct()

    def expression(self) -> ir.Table:
        """Return the expression, whose columns are those of `shown`."""
        rows = self._shifted(self.passing)
        if self._query.chart == "histogram":
            return self._binned(rows)
        if self._query.by or self._query.measures:
            found = self._measured(rows)
        else:
            found = self._sorted_rows(rows)
        if self._query.limit:
            found = found.limit(self._query.limit)
        return found.select([shown.name for shown in self.shown])

    def _shifted(self, rows: ir.Table) -> ir.Table:
        """Return the rows some places after each of these."""
        if not self._query.shift:
            return rows
        row = self.names.row
        wanted = rows.select((rows[row] + self._query.shift).name(row))
        return self._table.semi_join(wanted, row)

    def _binned(self, rows: ir.Table) -> ir.Table:
        """Return the bins of a column that have rows: their ends, and the number of rows."""
        value = rows[self.names.value(self._query.columns[0])]
        rows = rows.filter(value.notnull())
        low, high = value.min().as_scalar(), value.max().as_scalar()
        bins = self._query.limit or _BINS
        width = (high - low) / bins
        # all values are equal: one bin
        place = ((value - low) / width.nullif(0)).floor().fill_null(0)
        number = self._free.free("bin")
        binned = rows.mutate(ibis.least(place, bins - 1).name(number))
        start, end, count = (shown.name for shown in self.shown)
        counted = binned.group_by(number).aggregate(binned.count().name(count)).order_by(number)
        low_end = low + counted[number] * width
        return counted.select(
            low_end.name(start), (low_end + width).name(end), counted[count].name(count)
        )

    def _sorted_rows(self, rows: ir.Table) -> ir.Table:
        """Return rows in order; those without a value to sort by are left out."""
        query, row = self._query, self.names.row
        if query.distinct:
            rows = self._first_of_each(rows)
        if not query.order:
            # rows that are filtered alone keep their order
            if not (query.descending or query.distinct or query.shift):
                return rows
            return rows.order_by(ibis.desc(row) if query.descending else row)
        value = rows[self.names.value(query.order)]
        rows = rows.filter(value.notnull())
        return rows.order_by(self._directed(value), row)

    def _first_of_each(self, rows: ir.Table) -> ir.Table:
        """Return the first of the rows that show the same."""
        window = ibis.window(
            group_by=[shown.name for shown in self.shown], order_by=rows[self.names.row]
        )
        number = self._free.free("repetition")
        numbered = rows.mutate(ibis.row_number().over(window).name(number))
        return numbered.filter(numbered[number] == 0).drop(number)

    def _directed(self, value: ir.Value | str) -> ir.Value:
        return (ibis.desc if self._query.descending else ibis.asc)(value, nulls_first=False)

    def _measured(self, rows: ir.Table) -> ir.Table:
        """Return the measures, one row for each group."""
        query, names = self._query, self.names
        key = [self._key.name] if self._key else []
        if key:
            if query.by in names.as_read:
                return self._merged(rows)
            if query.part:
                rows = rows.mutate(part_of(rows, names, query.by, query.part).name(key[0]))
            rows = rows if self._drops_late else rows.filter(rows[key[0]].notnull())
        labels = [self._free.free(label(measure)) for measure in query.measures]
        labels = [shown.name for shown in self.shown[len(key) :]] or labels
        rows, helpers = self._prepared(rows, key)
        made = [
            computed(rows, self._table, names, measure, helper).name(name)
            for measure, helper, name in zip(query.measures, helpers, labels, strict=True)
        ]
        if not key:
            return rows.aggregate(made)
        return self._sorted_groups(rows, key[0], made, labels)

    @property
    def _drops_late(self) -> bool:
        """Whether the group without a name is left out of the result, and not of the rows.

        To leave it out of the rows, the key of each row is computed twice.
        """
        return self._is_large and {one.function for one in self._query.measures} <= _OF_OWN_ROWS

    def _merged(self, rows: ir.Table) -> ir.Table:
        """Return the measures of groups, computed from those of their parts.

        A part has the rows with one text as their key: so a key is cleaned once for each text, and
        not for each row.
        """
        query, names = self._query, self.names
        key, *labels = [shown.name for shown in self.shown]
        text = names.as_read[query.by]
        made = [parts_of(rows, names, measure) for measure in query.measures]
        named = [
            [part.name(self._free.free(f"part of {name}")) for part in parts]
            for name, parts in zip(labels, made, strict=True)
        ]
        found = rows.group_by(text).aggregate([*chain.from_iterable(named)])
        found = found.mutate(shown_cell(found[text], names.columns[query.by], clean_text).name(key))
        found = found.filter(found[key].notnull())
        groups = found.group_by(key).aggregate(
            merged(measure, [found[part.get_name()] for part in parts]).name(name)
            for measure, parts, name in zip(query.measures, named, labels, strict=True)
        )
        groups = self._within_bounds(groups, labels)
        if query.order:
            return groups.order_by(self._directed(groups[key]))
        return groups.order_by(self._directed(groups[labels[0]]), key)

    def _prepared(self, rows: ir.Table, key: list[str]) -> tuple[ir.Table, list[str]]:
        """Return the rows with the columns that measures need beside their own, and their names."""
        helpers = []
        made = {}
        for measure in self._query.measures:
            column = prepared(rows, self.names, measure, key)
            helpers.append("" if column is None else self._free.free(f"of {label(measure)}"))
            if column is not None:
                made[helpers[-1]] = column
        return (rows.mutate(**made) if made else rows), helpers

    def _sorted_groups(
        self, rows: ir.Table, key: str, made: list[ir.Scalar], labels: list[str]
    ) -> ir.Table:
        query, names = self._query, self.names
        first = self._free.free("first row")
        # the rows of a large file are numbered in one thread
        is_numbered = not (self._is_large and labels)
        if is_numbered:
            made = [*made, rows[names.row].min().name(first)]
        cells = self._free.free("cells")
        if self._drops_late:
            made = [*made, rows[key].count().name(cells)]
        order = labels[0] if labels else first
        if query.order:
            order = self._free.free("order")
            value = rows[
                key if query.part and query.order == query.by else names.value(query.order)
            ]
            made.append(value.min().name(order))
        groups = rows.group_by(key).aggregate(made)
        if self._drops_late:
            groups = groups.filter(groups[cells] > 0)
        groups = self._within_bounds(groups, labels)
        if order == first:
            return groups.order_by(self._directed(groups[first]))
        return groups.order_by(self._directed(groups[order]), first if is_numbered else key)

    def _within_bounds(self, groups: ir.Table, labels: Sequence[str]) -> ir.Table:
        """Return the groups whose first measure meets all bounds."""
        for bound in self._query.bounds:
            value = groups[labels[0]]
            groups = groups.filter(COMPARE[bound.comparison](value, as_number(bound.value)))
        return groups


def merges(query: Query, names: Names) -> bool:
    """Return whether the groups of a query can be merged from groups of its key's texts."""
    if not (query.by and query.measures) or query.part or query.columns or query.ignore_case:
        return False
    by = names.columns[query.by]
    if by.plain:
        return False  # it needs no cleaning, and numbers are grouped faster than texts
    in_order_of_key = query.order == query.by and by.kind == "text"
    return (in_order_of_key or not query.order) and all(
        has_parts(measure, names.columns.get(measure.column)) for measure in query.measures
    )


def _with_computed(table: ir.Table, names: Names, query: Query) -> ir.Table:
    """Return a table with the columns that a query computes; nothing is divided by zero."""
    for each in query.computed:
        left, right = (_operand(table, names, operand) for operand in (each.left, each.right))
        if each.operator == "/":
            right = right.nullif(0)
        made = COMPUTE[each.operator](left, right)
        if is_of_dates(each, names.columns):
            made = made / SECONDS_OF_DAY
        table = table.mutate(made.name(names.text[each.name]))
    return table


def _in_one_case(table: ir.Table, names: Names, query: Query) -> ir.Table:
    """Return a table whose texts have one case each where the query ignores it.

    It is that of the commonest spelling; of several, the one that is first in the table.
    """
    for column in query.told_apart if query.ignore_case else ():
        if names.columns[column].kind not in {"text", "mixed"}:
            continue
        shown = names.text[column]
        times = names.free(f"rows with {column}")
        counted = table.mutate(table.count().over(ibis.window(group_by=table[shown])).name(times))
        alike = ibis.window(
            group_by=counted[shown].lower(), order_by=[ibis.desc(times), counted[names.row]]
        )
        table = counted.mutate(counted[shown].first().over(alike).name(shown)).drop(times)
    return table


def _operand(table: ir.Table, names: Names, operand: str | float) -> ir.NumericValue:
    if isinstance(operand, str):
        value = table[names.value(operand)]
        is_date = names.columns[operand].kind == "date"
        return (value.epoch_seconds() if is_date else value).cast("float64")
    return ibis.literal(float(as_number(operand)))


def names_for(query: Query, columns: Sequence[TableColumn], most: int = 1_000) -> Names:
    """Return the names of the columns that a query needs; without any named, the first ones."""
    computed = with_computed(query, {})
    needed = {*query.names, *computed}
    if not (query.columns or query.by or query.measures):
        needed |= {column.name for column in columns[:most]}
    return Names([*columns, *computed.values()], computed).only(needed)


def to_sql(query: Query, columns: Sequence[TableColumn]) -> str:
    """Return the SQL of a query over a table with these columns; nothing is read or run."""
    names = names_for(query, columns)
    tables = tables_label(query)
    compiler = Compiler(query, names, unbound(tables, names))
    return sql_of(compiler.expression(), tables, names)
