"""A live table: a source, or several joined, open in DuckDB, in the child; it answers queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import duckdb
import ibis
import ibis.expr.types as ir

from okso_jupyter.tables import statistics
from okso_jupyter.tables.cells import number_of
from okso_jupyter.tables.charts import draw, undrawable
from okso_jupyter.tables.choice import chosen_label, chosen_names, chosen_place
from okso_jupyter.tables.column_kinds import (
    TableColumn,
    column_of,
    date_in,
    nearest,
    problem_with,
    whole,
)
from okso_jupyter.tables.delimited import UnreadableError
from okso_jupyter.tables.expressions import Compiler, Shown, merges, names_for
from okso_jupyter.tables.joins import tables_label
from okso_jupyter.tables.labels import chart_label
from okso_jupyter.tables.query import CHOICES, Join, Query
from okso_jupyter.tables.query_progress import told
from okso_jupyter.tables.ranks import MOST_TIED, is_ranked, ranking
from okso_jupyter.tables.raw_tables import RAW, Source, first_texts, framed, joined, opened
from okso_jupyter.tables.read_source import ReadSource
from okso_jupyter.tables.readable_sql import sql_of
from okso_jupyter.tables.sql_quoting import sql_name, sql_text
from okso_jupyter.tables.typed_table import (
    Names,
    clean_text_macro,
    cleaned_fast,
    raw_name,
    typed,
    unbound,
    unfit,
)

#: Rows and columns of a head and of a result; a frame has bounds of its own.
HEAD_ROWS: Final = 2_000
MAX_ROWS: Final = 10_000
MAX_COLUMNS: Final = 1_000
_MAX_CELL_CHARS: Final = 10_000
_MAX_RESULT_CHARS: Final = 2_000_000
#: Values of a column among which a misspelt one is looked for.
_MAX_VALUES: Final = 10_000
_SECONDS_A_DAY: Final = 86_400


class LiveTable:
    """One table, or several joined to one, and the queries over it.

    Args:
        request: "tables", "joins" as a query has them, "scratch" (a folder), and limits as in
            `QueryLimits`. A table has a "name", and "path" and "beside" (paths of its journals),
            or "frame" (a pandas DataFrame).
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._scratch = request["scratch"]
        self._progress_s = request["progress_s"]
        self._backend = ibis.duckdb.connect()
        self._connection: duckdb.DuckDBPyConnection = self._backend.con
        statistics.register(self._connection)
        _confine(self._connection, request)
        self._parts: list[ReadSource] = []
        makers = [partial(self._opened, table) for table in request["tables"]]
        joins = [Join(**join) for join in request.get("joins", ())]
        self._source = joined(self._connection, makers, joins) if joins else makers[0]()
        self._head = first_texts(self._connection, self._source)
        cells = list(zip(*self._head, strict=True)) or [()] * len(self._source.names)
        pairs = zip(self._source.names, cells, strict=True)
        thousands = self._source.thousands
        self._columns = {
            name: column_of(name, own, has_thousands=name in thousands) for name, own in pairs
        }
        self._places = {name: place for place, name in enumerate(self._source.names)}
        self._checked: set[str] = set()
        self._total = self._count() if self._source.kept else None

    def _opened(self, table: Mapping[str, Any]) -> Source:
        """Make the raw table of one source."""
        if "frame" in table:
            source = framed(self._connection, table["frame"])
        else:
            args = (table["path"], table["name"], self._scratch, table.get("beside", {}))
            source = opened(self._connection, *args)
        names = (column_of(name, ()) for name in source.names)
        is_frame = "frame" in table
        self._parts.append(_read_as(source, table["name"], tuple(names), is_frame=is_frame))
        return source

    def _count(self) -> int:
        # fetched to the end: an unfinished result blocks the connection
        [(count,)] = self._connection.execute(f'SELECT count(*) FROM "{RAW}"').fetchall()  # noqa: S608  our own name
        return int(count)

    def head(self) -> dict[str, object]:
        """Return the columns, the first rows and the number of all."""
        rows = [[cell[:_MAX_CELL_CHARS] for cell in row] for row in self._head[:HEAD_ROWS]]
        return {
            "columns": [column.to_json() for column in self._columns.values()],
            "rows": _bounded(rows),
            "total_rows": self._total,
        }

    def explained(self, data: Mapping[str, Any]) -> dict[str, object]:
        """Return the SQL of a query without running it, or "problem" as `answer` does."""
        query = Query.from_json(data)
        fault = problem_with(query, self._columns)
        return {"problem": fault} if fault else {"sql": _sql(self._compiler(query), query)}

    def answer(self, data: Mapping[str, Any]) -> dict[str, object]:
        """Return the result of a query, or "problem": why this table cannot answer it."""
        query = Query.from_json(data)
        fault = problem_with(query, self._columns)
        if fault:
            return {"problem": fault}
        try:
            with told(self._connection, self._progress_s):
                return self._result(self._compiler(query), query)
        except duckdb.OutOfMemoryException as error:
            msg = "it needs more memory or disk than a query may take"
            raise UnreadableError(msg) from error
        except duckdb.Error as error:
            raise UnreadableError(str(error).strip().split("\n")[0]) from error

    def _compiler(self, query: Query) -> Compiler:
        """Return the compiler of a query over a view with the columns that it needs."""
        names = self._checked_names(query)
        if not self._source.kept and merges(query, names):
            names = names.reading(query.by)
            self._connection.execute(clean_text_macro())
        cells = self._backend.compile(typed(self._raw, names, self._places, cleaned_fast))
        label = tables_label(query)
        # ibis would ask DuckDB for columns that are known
        self._connection.execute(f"CREATE OR REPLACE VIEW {sql_name(label)} AS {cells}")
        return Compiler(query, names, unbound(label, names), is_large=not self._source.kept)

    @cached_property
    def _raw(self) -> ir.Table:
        """The table of texts."""
        return self._backend.table(RAW)

    def _result(self, compiler: Compiler, query: Query) -> dict[str, object]:
        sql = _sql(compiler, query)
        bounded = f"SELECT * FROM ({sql}) LIMIT {MAX_ROWS + 1}"  # noqa: S608  ibis wrote it
        rows = self._connection.execute(bounded).fetchall()
        matched = self._matched(compiler, query)
        found: dict[str, object] = {"sql": sql, "matched_rows": matched, "total_rows": self._total}
        if query.filters and (matched == 0 or not rows):
            found["nearest"] = self._nearest(query, compiler)
        if query.combine in CHOICES:
            found |= chosen_row(rows, compiler.shown, query)
        else:
            found |= shown_rows(rows, compiler.shown, query.combine)
        if rows and self._source.kept and is_ranked(query):
            found["tied"] = self._tied(query)
        found["read"] = self._read(query, compiler).to_json()
        if query.chart and found.get("rows"):
            fault = undrawable(query, found)
            if fault:
                return {"problem": fault}
            draw(query, found, str(Path(self._scratch, f"{chart_label(query.chart)}.png")))
        return found

    def _read(self, query: Query, compiler: Compiler) -> ReadSource:
        """Return how the source was read, for code that reads it again."""
        read = _read_as(self._source, query.source, tuple(compiler.names.given.values()))
        return replace(read, parts=tuple(self._parts)) if query.joins else read

    def _checked_names(self, query: Query) -> Names:
        """Return the names for a query, once every plain column of it is known to be plain."""
        names = names_for(query, list(self._columns.values()), MAX_COLUMNS)
        doubted = [c for n, c in names.given.items() if c.plain and n not in self._checked]
        if not doubted or not self._source.kept:
            return names
        tests = {
            f"t{number}": unfit(self._raw[raw_name(self._places[column.name])], column).sum()
            for number, column in enumerate(doubted)
        }
        [counts] = self._rows(self._raw.aggregate(**tests))
        for column, count in zip(doubted, counts, strict=True):
            self._checked.add(column.name)
            self._columns[column.name] = replace(column, plain=not count)
        return names_for(query, list(self._columns.values()), MAX_COLUMNS)

    def _matched(self, compiler: Compiler, query: Query) -> int | None:
        """Return how many rows pass the filters; None where that would read a large file again."""
        if not query.filters:
            return self._total
        return self._number(compiler.passing.count()) if self._source.kept else None

    def _number(self, scalar: Any) -> int:  # noqa: ANN401  an ibis scalar
        [(number,)] = self._rows(scalar)
        return int(number)

    def _rows(self, expression: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  of ibis, which would import pandas to run it
        return self._connection.execute(self._backend.compile(expression)).fetchall()

    def _tied(self, query: Query) -> list[list[Any]]:
        """Return value and cell of those behind the last one of a result that have as much."""
        compiler = self._compiler(ranking(query, query.limit + MOST_TIED + 1))
        rows = self._connection.execute(_sql(compiler, query)).fetchall()
        last = rows[query.limit - 1][-1] if len(rows) > query.limit else None
        tied = [row[0] for row in rows[query.limit :] if last is not None and row[-1] == last]
        shown = compiler.shown[0]
        return [[_value(cell, shown.column), _cell(cell, shown)] for cell in tied]

    def _nearest(self, query: Query, compiler: Compiler) -> list[list[str]]:
        """Return column, value and nearest value of each filter whose text does not occur."""
        found = []
        for condition in query.filters:
            if condition.comparison != "=" or not isinstance(condition.value, str):
                continue
            if condition.part or self._number(compiler.alone(condition).count()):
                continue
            cells = self._rows(compiler.values(condition.column).limit(_MAX_VALUES))
            close = nearest(condition.value, [str(cell) for (cell,) in cells])
            found.append([condition.column, condition.value, *close[:1]])
        return found


def _sql(compiler: Compiler, query: Query) -> str:
    return sql_of(compiler.expression(), tables_label(query), compiler.names)


def _read_as(
    source: Source, name: str, columns: tuple[TableColumn, ...], *, is_frame: bool = False
) -> ReadSource:
    """Return how a source was read."""
    return ReadSource(
        name=name,
        columns=columns,
        all_names=source.names,
        is_frame=is_frame,
        encoding=source.encoding,
        delimiter=source.delimiter,
        renamed=source.renamed,
    )


def _confine(connection: duckdb.DuckDBPyConnection, request: Mapping[str, Any]) -> None:
    """Let DuckDB reach the sources and its own folder alone; load and fetch no extension."""
    paths = [sql_text(table["path"]) for table in request["tables"] if "path" in table]
    settings = {
        "memory_limit": f"'{request['memory_mb']}MiB'",
        "threads": str(request["threads"]),
        "temp_directory": sql_text(request["scratch"]),
        "max_temp_directory_size": f"'{request['disk_mb']}MiB'",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
        "allowed_paths": f"[{', '.join(paths)}]",
        "allowed_directories": f"[{sql_text(request['scratch'])}]",
        "enable_external_access": "false",
        "enable_progress_bar": "true",
        "enable_progress_bar_print": "false",
        "lock_configuration": "true",
    }
    for name, value in settings.items():
        connection.execute(f"SET {name} = {value}")


def shown_rows(
    rows: Sequence[Sequence[Any]], columns: Sequence[Shown], combine: str
) -> dict[str, object]:
    """Return the rows of a result as JSON values, and as the cells of the file."""
    values = [[_value(c, s.column) for c, s in zip(row, columns, strict=True)] for row in rows]
    labels = [shown.label for shown in columns]
    units = [shown.unit for shown in columns]
    if combine:
        number, fault = combined(values, columns, combine)
        if fault:
            return {"problem": fault}
        return {
            "columns": [f"{combine} of {labels[-1]}"],
            "rows": [[number]],
            "cells": [[None]],
            "units": [units[-1] if combine == "difference" else ""],
        }
    texts = [[_cell(c, s) for c, s in zip(row, columns, strict=True)] for row in rows]
    kept = len(_bounded(values[:MAX_ROWS]))
    return {
        "columns": labels,
        "units": units,
        "dates": [s.label for place, s in enumerate(columns) if _has_dates(rows, place, s)],
        "months": [s.label for s in columns if s.column is not None and s.column.is_of_months],
        "rows": values[:kept],
        "cells": texts[:kept],
        "truncated": kept < len(values),
    }


def chosen_row(
    rows: Sequence[Sequence[Any]], columns: Sequence[Shown], query: Query
) -> dict[str, object]:
    """Return the one of several measures that a query keeps; the first of equal ones."""
    values = [_amount(_value(cell, None)) for cell in rows[0]]
    place = chosen_place(values, query.combine)
    if place is None:
        return {"problem": f"there is no {query.combine}: none of the measures has a value"}
    return {
        "columns": ["column", chosen_label(query)],
        "rows": [[chosen_names(query.measures)[place], whole(values[place] or 0.0)]],
        "cells": [[None, None]],
        "units": ["", columns[place].unit],
    }


def _has_dates(rows: Sequence[Sequence[Any]], place: int, shown: Shown) -> bool:
    """Return whether a column of a result holds days: typed ones, or texts of a date column."""
    column = shown.column
    is_read = column is not None and column.kind == "date" and not column.is_of_months
    return is_read or any(isinstance(row[place], date) for row in rows)


def combined(
    values: Sequence[Sequence[Any]], columns: Sequence[Shown], combine: str
) -> tuple[float | int | None, str]:
    """Return the difference or ratio of two rows, or why there is none."""
    if len(values) != 2:  # noqa: PLR2004  two
        return None, f"a {combine} needs two rows, and there are {len(values)}"
    place = next((p for p, shown in enumerate(columns) if shown.is_measure), 0)
    first, second = (_amount(row[place]) for row in values)
    if first is None or second is None:
        return None, f"a {combine} needs numbers or dates, and {columns[place].label} has none"
    if combine == "difference":
        return whole(abs(first - second)), ""
    return (whole(first / second), "") if second else (None, "a ratio to nothing: it is 0")


def _amount(value: object) -> float | None:
    """Return a value as a number: dates are days."""
    if isinstance(value, str):
        found = date_in(value)
        if found:
            day_one = datetime(1970, 1, 1)  # noqa: DTZ001  cells name no zone
            return (datetime.fromisoformat(found[0]) - day_one).total_seconds() / _SECONDS_A_DAY
        return number_of(value)
    return float(value) if isinstance(value, (int, float)) else None


def _value(cell: object, column: TableColumn | None) -> object:
    """Return a cell of a result as a JSON value."""
    if isinstance(cell, Decimal):
        cell = float(cell)
    if isinstance(cell, float):
        return whole(cell) if math.isfinite(cell) else None
    if isinstance(cell, date):
        return _iso(cell)
    if isinstance(cell, str):
        cell = cell[:_MAX_CELL_CHARS]
        return column.value_of(cell) if column else cell
    return cell


def _cell(cell: object, shown: Shown) -> str | None:
    """Return a cell as the file writes it; None for a measure."""
    if shown.column is None:
        return None
    value = _value(cell, None)
    return "" if value is None else str(value)


def _iso(moment: date) -> str:
    """Return a date, with its time where it has one."""
    if isinstance(moment, datetime):
        return moment.isoformat(" ").removesuffix(" 00:00:00")
    return moment.isoformat()


def _bounded(rows: list[Any]) -> list[Any]:
    """Return as many rows as may be sent."""
    room = _MAX_RESULT_CHARS
    for count, row in enumerate(rows):
        room -= sum(len(str(cell)) + 1 for cell in row)
        if room < 0:
            return rows[:count]
    return rows
