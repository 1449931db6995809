"""Database table: one table of a database, and queries over it in the database's own SQL.

Its columns have types of their own: numbers are numbers, dates dates, and all else is text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import sqlglot as sg
import sqlglot.expressions as sge
from ibis.common.exceptions import IbisError

from okso_jupyter.tables.cells import SAMPLED, text_of
from okso_jupyter.tables.column_kinds import TableColumn, column_of, problem_with
from okso_jupyter.tables.expressions import Compiler, names_for
from okso_jupyter.tables.live_table import HEAD_ROWS, MAX_ROWS, shown_rows
from okso_jupyter.tables.query import Query
from okso_jupyter.tables.readable_sql import sql_of
from okso_jupyter.tables.sql_quoting import sql_name
from okso_jupyter.tables.sqlite_tables import CATALOGUE as SQLITE_CATALOGUE
from okso_jupyter.tables.typed_table import Names

_POSTGRES_CATALOGUE: Final = """\
SELECT t.table_name AS "table",
    CASE WHEN t.table_type LIKE '%VIEW' THEN 'view' ELSE 'base table' END AS kind,
    (SELECT string_agg(c.column_name, ', ' ORDER BY c.ordinal_position)
     FROM information_schema.columns AS c
     WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name) AS columns
FROM information_schema.tables AS t
WHERE t.table_schema = ANY (current_schemas(false))
ORDER BY 1"""
_CATALOGUES: Final = {"postgres": _POSTGRES_CATALOGUE, "sqlite": SQLITE_CATALOGUE}
_NUMBERS: Final = (int, float, Decimal)


class DatabaseTable:
    """One table, by a connection that may only read.

    Args:
        connection: As of Python's database interface.
        dialect: The database's SQL, as ibis calls it.
        source: The dialect, and behind a slash the table; without one the table of tables.
    """

    def __init__(self, connection: Any, dialect: str, source: str) -> None:  # noqa: ANN401  of two libraries
        self._connection, self._dialect = connection, dialect
        _, _, self._table = source.partition("/")
        self._from = (
            sql_name(self._table) if self._table else f"({_CATALOGUES[dialect]}) AS catalogue"
        )
        self._source = source
        names, self._rows = self._fetched(f"SELECT * FROM {self._from}", SAMPLED)  # noqa: S608  quoted
        cells = list(zip(*self._rows, strict=True)) or [()] * len(names)
        self._columns = {
            name: _column(name, own, dialect) for name, own in zip(names, cells, strict=True)
        }
        #: Columns that have to be cast to be compared as texts.
        self._cast = {
            name
            for name, own in zip(names, cells, strict=True)
            if self._columns[name].kind == "text"
            and not all(cell is None or isinstance(cell, str) for cell in own)
        }

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request: "head", "sql" or "query"."""
        if "head" in request:
            return self._head()
        query = Query.from_json(request.get("sql") or request["query"])
        fault = problem_with(query, self._columns)
        if query.chart:
            fault = "a chart is drawn of files and variables, not of a database's table yet"
        if fault:
            return {"problem": fault}
        try:
            compiler, sql = self._compiled(query)
        except IbisError as error:
            return {"problem": f"{self._dialect} cannot compute it: {error}"}
        if "sql" in request:
            return {"sql": sql}
        _, rows = self._fetched(sql, MAX_ROWS + 1)
        found: dict[str, Any] = {"sql": sql, "matched_rows": None, "total_rows": None}
        return found | shown_rows(rows, compiler.shown, query.combine)

    def _head(self) -> dict[str, Any]:
        texts = [[text_of(cell) for cell in row] for row in self._rows[:HEAD_ROWS]]
        columns = [column.to_json() for column in self._columns.values()]
        return {"columns": columns, "rows": texts, "total_rows": None}

    def _fetched(self, sql: str, most: int) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of a result's columns, and its first rows."""
        with closing(self._connection.cursor()) as cursor:
            limited = f"SELECT * FROM ({sql}) AS result LIMIT {most}"  # noqa: S608  compiled here
            cursor.execute(limited)
            rows = [tuple(map(_without_zone, row)) for row in cursor.fetchall()]
            return [column[0] for column in cursor.description], rows

    def _compiled(self, query: Query) -> tuple[Compiler, str]:
        """Return the compiler of a query, and the SQL."""
        names = names_for(query, list(self._columns.values()))
        name = self._table or "catalogue"
        compiler = Compiler(query, names, self._typed(name, names))
        sql = sql_of(compiler.expression(), name, names, self._dialect)
        tree = sg.parse_one(sql, read=self._dialect)
        if self._dialect == "postgres":
            sql = _without_first(tree).sql(dialect=self._dialect, pretty=True, identify=True)
        is_numbered = any(column.name == names.row for column in tree.find_all(sge.Column))
        if self._table and not is_numbered:
            return compiler, sql
        number = f", ROW_NUMBER() OVER () AS {sql_name(names.row)}" if is_numbered else ""
        rows = sg.parse_one(
            f"SELECT *{number} FROM {self._from}",  # noqa: S608  the name is quoted
            read=self._dialect,
        )
        for table in list(tree.find_all(sge.Table)):
            table.replace(sge.Subquery(this=rows.copy(), alias=table.alias or name))
        return compiler, tree.sql(dialect=self._dialect, pretty=True, identify=True)

    def _typed(self, name: str, names: Names) -> ir.Table:
        """Return the table as ibis sees it, without its data."""
        schema = dict(names.schema().items())
        table = ibis.table(schema | dict.fromkeys(self._cast & names.columns.keys(), "uuid"), name)
        cast = {own: table[own].cast("string") for own in self._cast & names.columns.keys()}
        return table.mutate(**cast) if cast else table


def _without_first(tree: sge.Expr) -> sge.Expr:
    """Replace the first of ordered values, which Postgres has as part of their array."""
    for first in list(tree.find_all(sge.First)):
        array = first.replace(sge.ArrayAgg(this=first.this))
        whole = array.parent if isinstance(array.parent, sge.Filter) else array
        place = sge.Bracket(
            this=sge.Paren(this=whole.copy()), expressions=[sge.Literal.number(1)], offset=1
        )
        whole.replace(place)
    return tree


def _without_zone(cell: object) -> object:
    return cell.replace(tzinfo=None) if isinstance(cell, datetime) else cell


def _column(name: str, cells: Sequence[object], dialect: str) -> TableColumn:
    """Return what the types of the first cells say about a column."""
    present = [cell for cell in cells if cell is not None]
    if present and all(isinstance(c, _NUMBERS) and not isinstance(c, bool) for c in present):
        return TableColumn(name, "number", plain=True)
    if present and all(isinstance(cell, date) for cell in present):
        return TableColumn(name, "date", "%Y-%m-%d", plain=True)
    if dialect == "sqlite":  # which has no dates of its own
        read = column_of(name, [text_of(cell) for cell in cells])
        if read.kind == "date" and read.plain:
            return read
    return TableColumn(name, "text", plain=True)
