"""Sources: a file or a notebook's frame as a raw table in DuckDB, in the child process."""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

import duckdb
import pyarrow as pa

from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.cells import SAMPLED, text_of, thousands_columns, unique_names
from okso_jupyter.tables.delimited import (
    ONE_BYTE,
    READ_BY_DUCKDB,
    TextLayout,
    UnreadableError,
    layout_of,
    one_byte_encoding,
)
from okso_jupyter.tables.joins import joined_columns
from okso_jupyter.tables.log_lines import NoLogError, log_table
from okso_jupyter.tables.query import Join
from okso_jupyter.tables.sql_quoting import sql_name, sql_text
from okso_jupyter.tables.sqlite_tables import texts_of
from okso_jupyter.tables.typed_table import ROW, raw_name

RAW: Final = "okso raw"
#: Each thread holds two parts of a file at a time; of DuckDB's own 32 MiB two threads need 72 MB,
#: and sometimes more, where other programs keep one of them waiting.
_BUFFER_BYTES: Final = 8 << 20
#: Files up to this size are kept in memory, so that further queries need not read them again.
_KEPT_BYTES: Final = 32 << 20
_MAX_COLUMNS: Final = 1_000
#: DuckDB holds at least a block of 256 KiB for each column of a table.
_MAX_KEPT_COLUMNS: Final = 200
_MAX_WORKBOOK_CELLS: Final = 4_000_000
_MAX_LOG_BYTES: Final = 64 << 20
_MAX_REASON_CHARS: Final = 300
_CHUNK_CHARS: Final = 1 << 20
_CHUNK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """A raw table.

    Attributes:
        names: The names of its columns.
        kept: Whether it is small, so that all its rows may be read for a detail.
        encoding: Encoding of delimited text, as Python calls it; "" for other sources.
        delimiter: What stands between its cells; "" for other sources.
        renamed: Whether a column is called other than in the source.
        thousands: The columns whose points stand between thousands.
    """

    names: tuple[str, ...]
    kept: bool
    encoding: str = ""
    delimiter: str = ""
    renamed: bool = False
    thousands: frozenset[str] = frozenset()


def opened(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    name: str,
    scratch: str,
    beside: Mapping[str, str],
) -> Source:
    """Make the raw table of a file.

    Args:
        connection: Where it is made; it may read nothing but the path.
        path: The file.
        name: The source, which says what the file is, and perhaps a table within it.
        scratch: A folder for temporary files.
        beside: Journals of a database, by the suffix of their names.

    Raises:
        UnreadableError: The file is no table.
    """
    try:
        if file_kinds.suffix_of(name) in file_kinds.DATABASES:
            table = file_kinds.parts_of(name)[1]
            return _from_database(connection, path, *texts_of(path, table, scratch, beside))
        return _opened(connection, path, file_kinds.suffix_of(name), scratch)
    except OSError as error:
        raise UnreadableError(str(error.strerror)) from error
    except duckdb.Error as error:
        reason = str(error).strip().split("\n")[0].replace(path, name)
        raise UnreadableError(reason[:_MAX_REASON_CHARS]) from error


def joined(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[Callable[[], Source]],
    joins: Sequence[Join],
) -> Source:
    """Make the raw table of several: rows of the first, each with what the others hold beside it.

    Args:
        connection: Where it is made.
        tables: Each makes one raw table.
        joins: How all but the first are joined.

    Raises:
        UnreadableError: A table cannot be read, or has no such column.
    """
    sources = [_put_aside(connection, make(), place) for place, make in enumerate(tables)]
    others = list(zip(joins, (list(s.names) for s in sources[1:]), strict=True))
    columns = joined_columns(sources[0].names, others)
    cells = {column.name: f"t{column.table}.{raw_name(column.place)}" for column in columns}
    beside = [
        f'LEFT JOIN "{RAW} {place}" AS t{place} ON {_same(join, cells, source, place)}'
        for place, (join, source) in enumerate(zip(joins, sources[1:], strict=True), 1)
    ]
    made = ", ".join(f"{cell} AS {raw_name(n)}" for n, cell in enumerate(cells.values()))
    order = ", ".join(f"t{place}.{ROW}" for place in range(len(sources)))
    select = f'SELECT {made} FROM "{RAW} 0" AS t0 {" ".join(beside)} ORDER BY {order}'  # noqa: S608  our own names
    table = _raw_table(connection, select, list(cells), kept=all(s.kept for s in sources))
    own = (sources[c.table].names[c.place] in sources[c.table].thousands for c in columns)
    pairs = zip(columns, own, strict=True)
    return replace(table, thousands=frozenset(c.name for c, is_one in pairs if is_one))


def _put_aside(connection: duckdb.DuckDBPyConnection, source: Source, place: int) -> Source:
    """Give the raw table that was just made a name of its own."""
    views = f"SELECT count(*) FROM duckdb_views() WHERE view_name = {sql_text(RAW)}"  # noqa: S608  our own name
    [(count,)] = connection.execute(views).fetchall()
    kind = "VIEW" if count else "TABLE"
    connection.execute(f'ALTER {kind} "{RAW}" RENAME TO "{RAW} {place}"')
    return source


def _same(join: Join, cells: Mapping[str, str], source: Source, place: int) -> str:
    """Return the condition that a row of another table belongs to a row."""
    other = join.other or join.column
    missing = join.column if join.column not in cells else other
    if join.column not in cells or other not in source.names:
        msg = f"{join.source} cannot be joined: there is no column {missing!r}"
        raise UnreadableError(msg)
    own = f"t{place}.{raw_name(source.names.index(other))}"
    return f"nullif(lower(trim({cells[join.column]})), '') = lower(trim({own}))"


def _opened(connection: duckdb.DuckDBPyConnection, path: str, suffix: str, scratch: str) -> Source:
    with open(path, "rb") as file:  # noqa: PTH123  a descriptor's path
        if not os.fstat(file.fileno()).st_size:
            msg = "it is empty"
            raise UnreadableError(msg)
        if suffix in file_kinds.WORKBOOKS:
            return _kept(connection, *_workbook(file))
        if suffix in file_kinds.MARKDOWN:
            return _with_thousands(connection, _kept(connection, *_markdown(file)))
        if suffix in file_kinds.LOGS:
            return _kept(connection, *_log(file))
        if suffix in file_kinds.PARQUET:
            return _scanned(connection, f"read_parquet({sql_text(path)})", file)
        if suffix in file_kinds.JSON:
            return _scanned(connection, f"read_json({sql_text(path)}, sample_size=-1)", file)
        return _delimited(connection, file, path, scratch, tabs=suffix in file_kinds.TABBED)


def _delimited(
    connection: duckdb.DuckDBPyConnection, file: BinaryIO, path: str, scratch: str, *, tabs: bool
) -> Source:
    layout = layout_of(file, tabs=tabs)
    size = os.fstat(file.fileno()).st_size
    made_of: dict[str, str] = {}
    for encoding, parallel in _attempts(file, layout, is_large=size > _KEPT_BYTES):
        if encoding not in made_of:
            is_read = encoding in READ_BY_DUCKDB
            made_of[encoding] = path if is_read else _transcoded(file, encoding, scratch)
        select = _csv_select(layout, made_of[encoding], encoding, parallel=parallel)
        try:
            made = _raw_table(connection, select, layout.header, kept=size <= _KEPT_BYTES)
        except duckdb.Error as error:
            failed = error
        else:
            read = replace(
                made,
                encoding=encoding,
                delimiter=layout.delimiter,
                renamed=layout.renamed,
            )
            return _with_thousands(connection, read)
    raise failed


def _with_thousands(connection: duckdb.DuckDBPyConnection, source: Source) -> Source:
    """Return the source of a text, whose raw table was just made, with what its points say."""
    cells = list(zip(*first_texts(connection, source), strict=True))
    found = thousands_columns(cells, source.delimiter)
    return replace(source, thousands=frozenset(source.names[place] for place in found))


def first_texts(connection: duckdb.DuckDBPyConnection, source: Source) -> list[tuple[str, ...]]:
    """Return the first rows of the raw table."""
    columns = ", ".join(map(raw_name, range(len(source.names))))
    found = connection.execute(f'SELECT {columns} FROM "{RAW}" LIMIT {SAMPLED}').fetchall()  # noqa: S608  our own names
    return [tuple("" if cell is None else cell for cell in row) for row in found]


def _attempts(file: BinaryIO, layout: TextLayout, *, is_large: bool) -> Iterator[tuple[str, bool]]:
    """Yield the encodings to read with, and whether in several threads, until one succeeds."""
    encoding = layout.encoding
    if encoding in ONE_BYTE:
        encoding = one_byte_encoding(_parts_of(file))
    # DuckDB reads quoted lines in one thread only
    if is_large and not layout.quoted_lines:
        yield encoding, True
    yield encoding, False
    if encoding.startswith("utf-8"):
        # what is no UTF-8, DuckDB may find behind the head only
        yield one_byte_encoding(_parts_of(file)), False


def _parts_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield a whole file in parts."""
    file.seek(0)
    while part := file.read(_CHUNK_BYTES):
        yield part


def _csv_select(layout: TextLayout, path: str, encoding: str, *, parallel: bool) -> str:
    columns = ", ".join(f"'{raw_name(place)}': 'VARCHAR'" for place in range(len(layout.header)))
    options = {
        "auto_detect": "false",
        "header": "false",
        "skip": "1",
        "delim": sql_text(layout.delimiter),
        "quote": "'\"'",
        "escape": "'\"'",
        "encoding": "'latin-1'" if encoding == "latin-1" else "'utf-8'",
        "columns": f"{{{columns}}}",
        "null_padding": "true",
        "strict_mode": "false",
        "parallel": str(parallel).lower(),
        "buffer_size": str(_BUFFER_BYTES),
    }
    said = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"SELECT * FROM read_csv({sql_text(path)}, {said})"  # noqa: S608  literals are quoted


def _transcoded(file: BinaryIO, encoding: str, scratch: str) -> str:
    """Write a file in UTF-8, and return its path.

    DuckDB reads no Windows-1252, and UTF-16 in part only.
    """
    file.seek(0)
    # five bytes are no character in Windows-1252
    text = codecs.getreader(encoding)(file, "replace" if encoding in ONE_BYTE else "strict")
    with tempfile.NamedTemporaryFile(dir=scratch, suffix=".csv", delete=False) as out:
        while part := text.read(_CHUNK_CHARS):
            out.write(part.removeprefix("\ufeff").encode("utf-8"))
    return out.name


def _scanned(connection: duckdb.DuckDBPyConnection, scan: str, file: BinaryIO) -> Source:
    """Make the raw table of a file whose columns have types: each as the text of its cells."""
    described = connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()  # noqa: S608  see above
    names = [column[0] for column in described]
    made = ", ".join(
        f"{_as_text(sql_name(name), kind)} AS {raw_name(place)}"
        for place, (name, kind, *_) in enumerate(described)
    )
    kept = os.fstat(file.fileno()).st_size <= _KEPT_BYTES
    select = f"SELECT {made} FROM {scan}"  # noqa: S608  see above
    unique = unique_names(names)
    source = _raw_table(connection, select, unique, kept=kept)
    return replace(source, renamed=unique != names)


def _from_database(
    connection: duckdb.DuckDBPyConnection, path: str, rows: str, names: tuple[str, ...]
) -> Source:
    """Make the raw table of the rows that were read from a database."""
    kept = Path(path).stat().st_size <= _KEPT_BYTES
    select = f"SELECT * FROM read_parquet({sql_text(rows)})"  # noqa: S608  see above
    unique = unique_names(names)
    return replace(_raw_table(connection, select, unique, kept=kept), renamed=unique != list(names))


def _as_text(name: str, kind: str) -> str:
    """Return the SQL of a typed column as text; a time without hours is a date."""
    if kind.startswith("TIMESTAMP"):
        stamp = f"CAST({name} AS TIMESTAMP)"
        return (
            f"CASE WHEN {stamp} = CAST({stamp} AS DATE) THEN strftime({stamp}, '%Y-%m-%d')"
            f" ELSE strftime({stamp}, '%Y-%m-%d %H:%M:%S') END"
        )
    if kind.startswith(("STRUCT", "MAP")) or kind.endswith("]"):
        return f"CAST(to_json({name}) AS VARCHAR)"
    return f"CAST({name} AS VARCHAR)"


def _raw_table(
    connection: duckdb.DuckDBPyConnection, select: str, names: Sequence[str], *, kept: bool
) -> Source:
    if len(names) > _MAX_COLUMNS:
        msg = f"it has {len(names):,} columns; the maximum is {_MAX_COLUMNS:,}"
        raise UnreadableError(msg)
    what = "TABLE" if kept and len(names) <= _MAX_KEPT_COLUMNS else "VIEW"
    numbered = f"SELECT *, row_number() OVER () AS {ROW} FROM ({select})"  # noqa: S608  see above
    connection.execute(f"CREATE OR REPLACE {what} {sql_name(RAW)} AS {numbered}")
    if what == "VIEW":
        # a view is not read before it is asked
        connection.execute(f"SELECT * FROM {sql_name(RAW)} LIMIT {SAMPLED}").fetchall()  # noqa: S608
    return Source(tuple(names), kept)


def framed(connection: duckdb.DuckDBPyConnection, frame: Any) -> Source:  # noqa: ANN401  pandas, which only a frame needs
    """Make the raw table of a pandas DataFrame or Series."""
    if hasattr(frame, "to_frame") and not hasattr(frame, "columns"):
        frame = frame.to_frame()
    if not hasattr(frame, "columns"):
        msg = "it is not a table"
        raise UnreadableError(msg)
    columns = [_texts(frame.iloc[:, place]) for place in range(frame.shape[1])]
    names = unique_names([str(name) for name in frame.columns])
    made = _kept(connection, names, list(zip(*columns, strict=True)))
    return replace(made, renamed=names != list(frame.columns))


def _texts(series: Any) -> list[str]:  # noqa: ANN401  pandas
    """Return the cells of a column as texts: whole numbers and days without zeros behind them."""
    missing = series.isna()
    return ["" if gone else text_of(cell) for cell, gone in zip(series, missing, strict=True)]


def _kept(
    connection: duckdb.DuckDBPyConnection, header: Sequence[str], rows: Sequence[Sequence[str]]
) -> Source:
    """Make a raw table of rows that are in memory."""
    width = len(header)
    cells = [[row[place] if place < len(row) else "" for row in rows] for place in range(width)]
    data = {raw_name(place): pa.array(column, pa.string()) for place, column in enumerate(cells)}
    connection.register("okso rows", pa.table(data))
    names = unique_names(header)
    made = _raw_table(connection, 'SELECT * FROM "okso rows"', names, kept=True)
    return replace(made, renamed=names != list(header))


def _workbook(file: BinaryIO) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the first visible sheet of a workbook."""
    import openpyxl  # noqa: PLC0415  an extra, and most tables are no workbooks

    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    except Exception as error:
        msg = f"it is damaged, or something else under this name ({type(error).__name__})"
        raise UnreadableError(msg) from error
    sheet = next((s for s in book.worksheets if s.sheet_state == "visible"), None)
    rows = list(_sheet_rows(sheet)) if sheet else []
    return _with_header(rows)


def _sheet_rows(sheet: Any) -> Iterator[list[str]]:  # noqa: ANN401  openpyxl has no types
    cells = 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        if cells > _MAX_WORKBOOK_CELLS:
            msg = f"its sheet has more than {_MAX_WORKBOOK_CELLS:,} cells"
            raise UnreadableError(msg)
        texts = [text_of(cell) for cell in row]
        if any(texts):
            yield texts


def _markdown(file: BinaryIO) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the first table of a Markdown file."""
    rows: list[list[str]] = []
    for line in codecs.getreader("utf-8")(file, "replace"):
        if line.lstrip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    ruled = [row for row in rows if not all(set(cell) <= set(":- ") and cell for cell in row)]
    return _with_header(ruled)


def _log(file: BinaryIO) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of a log."""
    if os.fstat(file.fileno()).st_size > _MAX_LOG_BYTES:
        msg = f"it is a log of more than {_MAX_LOG_BYTES >> 20} MiB"
        raise UnreadableError(msg)
    try:
        return log_table(codecs.getreader("utf-8")(file, "replace"))
    except NoLogError as error:
        msg = "its lines do not begin with a level such as ERROR, perhaps behind a time"
        raise UnreadableError(msg) from error


def _with_header(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    if not rows:
        msg = "it has no table"
        raise UnreadableError(msg)
    width = max(map(len, rows))
    return [*rows[0], *[""] * (width - len(rows[0]))], rows[1:]
