"""SQL code: a query as DuckDB's SQL over the file itself, for a notebook's cell."""

from __future__ import annotations

from typing import Final

import ibis
import ibis.expr.types as ir
import sqlglot as sg
import sqlglot.expressions as sge

from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.delimited import READ_BY_DUCKDB
from okso_jupyter.tables.expressions import Compiler, Shown, names_for
from okso_jupyter.tables.pandas_table import texts_code
from okso_jupyter.tables.query import CHOICES, Query
from okso_jupyter.tables.read_source import NoCodeError, ReadSource
from okso_jupyter.tables.readable_sql import sql_of
from okso_jupyter.tables.sql_quoting import sql_name, sql_text
from okso_jupyter.tables.typed_table import ROW, Names, raw_name, typed, unbound, value_in

_DIALECT: Final = "duckdb"
_RAW: Final = "okso raw"
#: Functions that the engine adds to DuckDB.
_ADDED: Final = frozenset({"normality", "rank correlation", "correlation p-value"})
_TABLE: Final = "cells"
#: The frame with the texts of a source that DuckDB does not read by itself.
_TEXTS: Final = "texts"


def sql_code(query: Query, source: ReadSource) -> str:
    """Return a query as Python code that runs SQL, whose last line is the result.

    Raises:
        NoCodeError: DuckDB has no such function.
    """
    missing = _ADDED & {measure.function for measure in query.measures}
    if missing:
        msg = f"DuckDB has no function for {min(missing)}; without --sql the code is pandas"
        raise NoCodeError(msg)
    if source.parts:
        msg = "a query over joined tables is written in pandas only, without --sql"
        raise NoCodeError(msg)
    names = names_for(query, source.columns)
    compiler = Compiler(query, names, unbound(_TABLE, names))
    found = _with_values(compiler.expression(), compiler.shown)
    wanted = sql_of(found, _TABLE, names)
    numbered = names.row in {
        c.name for c in sg.parse_one(wanted, read=_DIALECT).find_all(sge.Column)
    }
    cells = _cells(names, source, numbered=numbered)
    sql = f"WITH {_TABLE} AS (\n{cells}\n)\n{_combined(query, compiler.shown, wanted)}"
    quoted = f'"""\n{_escaped(sql)}\n"""'
    texts = "" if _is_read_by_duckdb(source) else f"\n{texts_code(query, source, _TEXTS)}\n"
    # DuckDB gives another name to one that differs in its case only
    named = [each.label for each in compiler.shown]
    renamed = len({name.lower() for name in named}) < len(named) and not query.combine
    name = f".set_axis({named!r}, axis=1)" if renamed else ""
    return f"import duckdb\n{texts}\nresult = duckdb.sql({quoted}).df(){name}\nresult"


def _escaped(sql: str) -> str:
    """Return SQL as it stands between three quotation marks; hidden characters are escaped."""
    plain = sql.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return "".join(c if c == "\n" or c.isprintable() else repr(c)[1:-1] for c in plain)


def _with_values(found: ir.Table, shown: list[Shown]) -> ir.Table:
    """Return a result with the values of cells that the engine reads only after the query."""
    values = {
        each.name: value_in(found[each.name], each.column)
        for each in shown
        if each.column and not (each.column.plain or each.column.is_of_months)
        if each.column.kind in {"number", "date"}
    }
    found = found.mutate(**values) if values else found
    return found.rename({each.label: each.name for each in shown if each.label != each.name})


def _cells(names: Names, source: ReadSource, *, numbered: bool) -> str:
    """Return the SQL that reads the source and takes its cells for what they are."""
    places = {name: place for place, name in enumerate(source.all_names)}
    texts = {raw_name(place): "string" for place in places.values()}
    raw = ibis.table({**texts, ROW: "int64"}, name=_RAW)
    tree = sg.parse_one(
        str(ibis.to_sql(typed(raw, names, places), dialect=_DIALECT)), read=_DIALECT
    )
    wanted = [each for each in tree.expressions if numbered or each.alias_or_name != names.row]
    # without any column, the row number alone is read
    tree.set("expressions", wanted or tree.expressions)
    is_direct = _is_read_by_duckdb(source)
    is_csv = is_direct and not source.is_typed
    own = names.text if not is_direct else {name: name for name in places}
    by_raw = {raw_name(place): own[name] for name, place in places.items() if name in own}
    for column in list(tree.find_all(sge.Column)):
        if column.name == ROW:
            column.replace(sg.parse_one("row_number() OVER ()", read=_DIALECT))
            continue
        cell: sge.Expression = sge.column(by_raw[column.name], quoted=True)
        if isinstance(column.parent, sge.TryCast) and is_csv:
            # DuckDB has its CSV reader cast a bare column, which fails instead of giving null
            cell = sge.Trim(this=cell)
        column.replace(cell if is_csv else sge.cast(cell, "VARCHAR"))
    head, _, tail = tree.sql(dialect=_DIALECT, pretty=True).rpartition(f'"{_RAW}"')
    return f"{head}{_read(source)}{tail}"


def _read(source: ReadSource) -> str:
    """Return the SQL of the source."""
    if not _is_read_by_duckdb(source):
        return _TEXTS
    suffix = file_kinds.suffix_of(source.name)
    path = sql_text(source.name)
    if suffix in file_kinds.PARQUET:
        return f"read_parquet({path})"
    if suffix in file_kinds.JSON:
        return f"read_json({path}, sample_size=-1)"
    columns = ", ".join(f"{sql_text(name)}: 'VARCHAR'" for name in source.all_names)
    encoding = ", encoding='latin-1'" if source.encoding == "latin-1" else ""
    return (
        f"read_csv({path}, auto_detect=false, header=false, skip=1, "
        f"delim={sql_text(source.delimiter)}, columns={{{columns}}}, null_padding=true, "
        f"strict_mode=false{encoding}, parallel=false)"
    )


def _is_read_by_duckdb(source: ReadSource) -> bool:
    """Return whether DuckDB reads a source by itself, and tells its columns apart."""
    suffix = file_kinds.suffix_of(source.name)
    parsed = file_kinds.WORKBOOKS | file_kinds.MARKDOWN | file_kinds.LOGS | file_kinds.DATABASES
    by_pandas = source.is_frame or suffix in parsed
    cases = len({name.lower() for name in source.all_names}) == len(source.all_names)
    return cases and not by_pandas and source.encoding in READ_BY_DUCKDB


def _combined(query: Query, shown: list[Shown], sql: str) -> str:
    """Return the SQL of the difference or ratio of the two rows of a result."""
    if not query.combine:
        return sql
    if query.combine in CHOICES:
        msg = f"the {query.combine} of several measures is written in pandas only, without --sql"
        raise NoCodeError(msg)
    place = next((p for p, each in enumerate(shown) if each.is_measure), 0)
    value = shown[place].label
    column = shown[place].column
    if column is not None and column.kind != "number":
        msg = f"the {query.combine} of {value} is written in pandas only, without --sql"
        raise NoCodeError(msg)
    one, two = "pair[1]", "pair[2]"
    made = f"abs({one} - {two})" if query.combine == "difference" else f"{one} / {two}"
    name = sql_name(f"{query.combine} of {shown[-1].label}")
    pair = f"SELECT list({sql_name(value)}) AS pair FROM (\n{sql}\n)"  # noqa: S608  names are quoted
    return f"SELECT {made} AS {name}\nFROM ({pair})"
