"""SQLite tables: the rows of a table of a SQLite file as texts, in the child process."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from okso_jupyter.tables.cells import text_of
from okso_jupyter.tables.column_kinds import listed
from okso_jupyter.tables.delimited import UnreadableError
from okso_jupyter.tables.sql_quoting import sql_name
from okso_jupyter.tables.typed_table import raw_name

#: The tables and views of a database, as a table: it is what a source without a table's name is.
CATALOGUE: Final = """\
SELECT name AS "table", iif(type = 'view', 'view', 'base table') AS kind,
    (SELECT group_concat(name, ', ') FROM pragma_table_info(entry.name)) AS columns
FROM sqlite_master AS entry
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"""
_BATCH_ROWS: Final = 10_000
_MOST_NAMED: Final = 10


def select_of(table: str) -> str:
    """Return the SQL of all rows of a table; of the catalogue without one."""
    return f"SELECT * FROM {sql_name(table)}" if table else CATALOGUE  # noqa: S608  the name is quoted


def texts_of(
    path: str, table: str, scratch: str, beside: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """Write the cells of a table as texts into a Parquet file; return its path and their columns.

    Args:
        path: The database.
        table: The table or view; "" for the catalogue.
        scratch: A folder, where the database is copied to: SQLite opens no inherited file.
        beside: The database's journals, by the suffix of their names.

    Raises:
        UnreadableError: It is no database, or has no such table.
    """
    copy, made = Path(scratch, "database"), Path(scratch, "rows.parquet")
    for suffix, each in {"": path, **beside}.items():
        shutil.copyfile(each, f"{copy}{suffix}")
    try:
        with closing(sqlite3.connect(copy)) as database:
            database.text_factory = lambda cell: cell.decode("utf-8", "replace")
            _check(database)
            _check_table(database, table)
            return str(made), _written(database, table, made)
    except sqlite3.Error as error:
        raise UnreadableError(_reason(error)) from error
    finally:
        for suffix in ("", *beside):
            Path(f"{copy}{suffix}").unlink(missing_ok=True)


def _reason(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
        return "it is no SQLite database, or encrypted"
    return f"SQLite says: {error}"


def _check(database: sqlite3.Connection) -> None:
    """Raise if a database is damaged: SQLite takes pages that are cut off for empty ones."""
    [(found,)] = database.execute("PRAGMA quick_check(1)")
    if found != "ok":
        msg = "it is damaged, or cut off"
        raise UnreadableError(msg)


def _check_table(database: sqlite3.Connection, table: str) -> None:
    """Raise if there is no such table; SQLite tells no names apart by their case."""
    names = [name for name, *_ in database.execute(CATALOGUE)]
    if not table or table.lower() in map(str.lower, names):
        return
    has = f"it has {listed(names[:_MOST_NAMED], 'and')}" if names else "it has none"
    msg = f"there is no table {table!r}; {has}"
    raise UnreadableError(msg)


def _written(database: sqlite3.Connection, table: str, made: Path) -> tuple[str, ...]:
    """Write the rows of a table, and return the names of its columns."""
    cursor = database.execute(select_of(table))
    names = tuple(column[0] for column in cursor.description)
    schema = pa.schema([(raw_name(place), pa.string()) for place in range(len(names))])
    with pq.ParquetWriter(made, schema) as writer:
        while rows := cursor.fetchmany(_BATCH_ROWS):
            cells = [[text_of(cell) for cell in column] for column in zip(*rows, strict=True)]
            writer.write_batch(pa.record_batch(cells, schema=schema))
    return names
