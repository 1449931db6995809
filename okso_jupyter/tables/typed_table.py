"""Typed tables: the columns of a table as texts, numbers and dates, as ibis expressions.

A raw table holds texts only, as "c0", "c1", ..., and "row", the number of each row. The typed
table has the names of the file. A column that needs no cleaning is a number or date under its own
name; any other is the text of its cells under its name, and its value in a column beside it.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Self

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.types as ir
import sqlglot as sg
import sqlglot.expressions as sge

from okso_jupyter.tables.cells import MISSING, NUMBER
from okso_jupyter.tables.column_kinds import TableColumn

ROW: Final = "row"
#: What Python's `str.strip` removes and a table may contain.
_BLANKS: Final = " \t\n\r\v\f\u00a0\u2007\u202f\u3000\ufeff"
_SAYS_NOTHING: Final = "|".join(map(re.escape, sorted(MISSING)))
_MISSING: Final = f"(?i)^[{_BLANKS}]*(?:{_SAYS_NOTHING})[{_BLANKS}]*$"
#: Blanks around a cell, or one that says nothing.
_UNCLEAN: Final = f"(?i)^[{_BLANKS}]|[{_BLANKS}]$|^(?:{_SAYS_NOTHING})$"
#: Bytes of the longest cell that says nothing.
_LONGEST_MISSING: Final = max(len(word.encode()) for word in MISSING)


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def trim(text: str, blanks: str) -> str:  # type: ignore[empty-body]  # its signature is enough
    """Return a text without blanks around it."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # see above
def try_strptime(text: str, date_format: str) -> dt.timestamp:
    """Return a text as a date, or null."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # see above
def strlen(text: str) -> int:  # type: ignore[empty-body]  # see above
    """Return how many bytes a text has."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # see above
def array_extract(text: str, place: int) -> str:  # type: ignore[empty-body]  # see above
    """Return a character of a text by its place, counted from 1, or from -1 at the end."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # see above
def clean_text(text: str) -> str:  # type: ignore[empty-body]  # see above
    """Return what `cleaned` does, by a macro of the engine's, which is read easily."""


def raw_name(place: int) -> str:
    """Return the name of a raw table's column, by its place."""
    return f"c{place}"


def cleaned(text: ir.StringValue) -> ir.StringValue:
    """Return a cell without blanks around it; null if it says nothing."""
    # one search costs a tenth of trimming every cell, and `IN` would be a join of all of them
    trimmed = ibis.ifelse(text.re_search(_MISSING), ibis.null(str), trim(text, _BLANKS))
    return ibis.ifelse(text.re_search(_UNCLEAN), trimmed, text)


def clean_text_macro() -> str:
    """Return the SQL that makes the macro of `clean_text`."""
    select = ibis.to_sql(cleaned(ibis.table({"cell": "string"}, name="t").cell), dialect="duckdb")
    made = sg.parse_one(str(select), read="duckdb").expressions[0].unalias()
    for column in made.find_all(sge.Column):
        column.set("table", None)
    return f"CREATE OR REPLACE MACRO {clean_text.__name__}(cell) AS {made.sql('duckdb')}"


def cleaned_fast(text: ir.StringValue) -> ir.StringValue:
    """Return what `cleaned` does, by more code that costs less a cell, for the engine.

    Most cells need no search: they are longer than any that says nothing, and begin and end with a
    visible character of ASCII.
    """
    is_whole = text.between("!", "~") & array_extract(text, -1).between("!", "~")
    return ibis.ifelse(is_whole & (strlen(text) > _LONGEST_MISSING), text, cleaned(text))


def first_number(text: ir.StringValue) -> ir.FloatingValue:
    """Return the first number of a cell, as `cells.number_of` does; null if it has none."""
    found = text.re_extract(NUMBER, 0).replace(",", "").replace("−", "-")
    return found.try_cast("float64")


def number_in(text: ir.StringValue, column: TableColumn) -> ir.FloatingValue:
    """Return the number of a cell."""
    if column.decimal_comma:
        return first_number(text.replace(".", "").replace(",", "."))
    return first_number(text)


def plain_value(cell: ir.StringValue, column: TableColumn) -> ir.Value:
    """Return the value of a plain cell; a cell that says nothing is none as it is."""
    if column.kind == "date":
        return cell.try_cast("timestamp")
    number = cell.try_cast("float64")
    return ibis.ifelse(number.isinf() | number.isnan(), ibis.null(float), number)


class Names:
    """The names of a typed table's columns; DuckDB tells no names apart by their case.

    Args:
        columns: The columns.
        computed: Those of them that a query computes.

    Attributes:
        columns: The columns by the name that a query says.
        as_read: The names of columns that hold the cells of others as they are read.
    """

    def __init__(self, columns: Iterable[TableColumn], computed: Iterable[str] = ()) -> None:
        self.columns = {column.name: column for column in columns}
        self._computed = frozenset(computed)
        self._taken: frozenset[str] = frozenset()
        self.text = {name: self.free(name) for name in self.columns}
        self._value = {
            name: self.free(f"{name} ({'date' if column.kind == 'date' else 'number'})")
            for name, column in self.columns.items()
            if not column.plain and column.kind != "text"
        }
        self.row = self.free("row number")
        self.as_read: Mapping[str, str] = {}

    def free(self, name: str) -> str:
        """Return a name that no other column has, and take it."""
        found, count = name, 1
        while found.lower() in self._taken:
            count += 1
            found = f"{name} ({count})"
        self._taken |= {found.lower()}
        return found

    def value(self, name: str) -> str:
        """Return the name of the column that holds the values of one: itself or one beside it."""
        return self._value.get(name, self.text[name])

    def only(self, wanted: Iterable[str]) -> Self:
        """Return the names of these columns alone, each under the name that it has here."""
        chosen, names = copy.copy(self), set(wanted)
        chosen.columns = {name: c for name, c in self.columns.items() if name in names}
        return chosen

    def reading(self, column: str) -> Self:
        """Return these names and one for a column's cells as they are read."""
        more = copy.copy(self)
        more.as_read = {**self.as_read, column: more.free(f"{column} (as read)")}
        return more

    @property
    def given(self) -> dict[str, TableColumn]:
        """The columns that the table itself has."""
        return {name: c for name, c in self.columns.items() if name not in self._computed}

    def schema(self) -> ibis.Schema:
        """Return the names and types of the typed table."""
        types: dict[str, str] = {self.row: "int64"}
        for name, column in self.given.items():
            typed = {"date": "timestamp", "text": "string"}.get(column.kind, "float64")
            types[self.text[name]] = typed if column.plain else "string"
            types[self.value(name)] = typed
        types |= dict.fromkeys(self.as_read.values(), "string")
        return ibis.schema(types)


def typed(
    raw: ir.Table,
    names: Names,
    places: Mapping[str, int],
    clean: Callable[[ir.StringValue], ir.StringValue] = cleaned,
) -> ir.Table:
    """Return the typed table of a raw one.

    Args:
        raw: The texts.
        names: The columns that are wanted.
        places: Where each column stands in the raw table.
        clean: Cleans a cell: `cleaned`, or `cleaned_fast`.
    """
    made: dict[str, ir.Value] = {names.row: raw[ROW]}
    for name, column in names.given.items():
        cell = raw[raw_name(places[name])]
        made[names.text[name]] = shown_cell(cell, column, clean)
        if name in names.as_read:
            made[names.as_read[name]] = cell
        if not column.plain and column.kind != "text":
            made[names.value(name)] = value_in(clean(cell), column)
    return raw.select([value.name(name) for name, value in made.items()])


def shown_cell(
    cell: ir.StringValue,
    column: TableColumn,
    clean: Callable[[ir.StringValue], ir.StringValue] = cleaned,
) -> ir.Value:
    """Return what is shown of a cell: the value of a plain one, the clean text of any other."""
    return plain_value(cell, column) if column.plain else clean(cell)


def value_in(text: ir.StringValue, column: TableColumn) -> ir.Value:
    """Return the number or date of a cell that needs cleaning."""
    if column.kind == "date":
        return try_strptime(text, column.date_format)
    return number_in(text, column)


def unfit(cell: ir.StringColumn, column: TableColumn) -> ir.BooleanColumn:
    """Return whether a cell of a plain column says something, but has no value."""
    return cleaned(cell).notnull() & plain_value(cell, column).isnull()


def unbound(source: str, names: Names) -> ir.Table:
    """Return a typed table without its data, to make SQL of."""
    return ibis.table(names.schema(), name=source)
