"""TableEngine: the tables of one run, each read and queried in a confined child process.

A process may read the sources that it was started for, one without joins, and nothing else of the
user's folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Self, TypeVar

from okso_jupyter import private_files, removal
from okso_jupyter.errors import (
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
)
from okso_jupyter.sandbox import artifacts
from okso_jupyter.sandbox.child_process import ChildProcess, WorkerCall, encode
from okso_jupyter.sandbox.launch import check_system, launch, layers_here
from okso_jupyter.sandbox.output_tail import LineWriter, Tail
from okso_jupyter.sandbox.process import started
from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.column_kinds import TableColumn
from okso_jupyter.tables.database import Answer, Database
from okso_jupyter.tables.query import Query
from okso_jupyter.tables.read_source import ReadSource
from okso_jupyter.tables.table_processes import Key, TableHead, TableProcess, TableProcesses
from okso_jupyter.workspace import Workspace

_PROGRAM: Final = Path(__file__).with_name("engine_process.py")
#: DuckDB looks here for limits of memory and processors when it starts, and ends the process if
#: they are there and may not be read; they tell nothing but such limits and figures.
_ASKED_BY_DUCKDB: Final = ("/proc/self/cgroup", "/sys/fs/cgroup")
_MIB: Final = 1 << 20
_MAX_ANSWER_BYTES: Final = 32 * _MIB
_MAX_REASON_CHARS: Final = 300
#: Suffixes of the files that hold what SQLite has not written to the database yet.
_JOURNALS: Final = ("-wal", "-journal")

_T = TypeVar("_T")
#: Open files of a source by path, a database's journals behind it; none for a frame.
_Files = Mapping[str, BinaryIO]
#: The sources of a query, each with its files.
_Tables = Sequence[tuple[str, _Files]]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimits:
    """Limits of the queries over one source.

    Attributes:
        memory_mb: What DuckDB may hold in memory; the rest goes to the disk.
        disk_mb: How much it may put there.
        threads: How many threads it uses.
        progress_s: Seconds between two lines about how far a query is.
    """

    memory_mb: int = 512
    disk_mb: int = 16_384
    threads: int = field(default_factory=lambda: min(os.cpu_count() or 1, 4))
    progress_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a query; every text in it comes from the source and is untrusted.

    Attributes:
        columns: What its columns are called.
        rows: JSON values: numbers as numbers, dates in ISO form, None where there is no value.
        cells: The same as the file writes it; None for what was computed.
        units: The unit of each column that was computed; "" where there is none.
        dates: The columns whose values are dates.
        sql: The SQL that ran.
        total_rows: The number of rows of the table; None as for `TableHead`.
        matched_rows: The number of rows that pass the filters; None as for `TableHead`.
        truncated: Whether there were more rows than fit.
        nearest: Column, value and perhaps nearest value of each filter whose text does not occur.
        tied: Value and cell of the first of those behind the last row that rank as high.
        read: How the source was read; None where there is no result.
        pictures: The chart, as stored in the run's folder; nothing where none was drawn.
    """

    columns: tuple[str, ...]
    rows: list[list[Any]]
    cells: list[list[str | None]]
    sql: str
    units: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    total_rows: int | None = None
    matched_rows: int | None = None
    truncated: bool = False
    nearest: tuple[tuple[str, ...], ...] = ()
    tied: tuple[tuple[Any, str | None], ...] = ()
    read: ReadSource | None = None
    pictures: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """How long a request may take, and who is told how far it is.

    Attributes:
        timeout_s: Its time limit in seconds.
        cancelled: Set by another thread to stop it.
        closing: Set while its engine closes, which stops it, too.
        tail: Receives the lines about how far it is.
    """

    timeout_s: float
    cancelled: threading.Event
    closing: threading.Event
    tail: Tail = field(default_factory=Tail)

    def ask(self, child: ChildProcess, request: Mapping[str, Any]) -> WorkerCall:
        """Send a request and wait for the answer."""
        return child.ask(
            request,
            timeout_s=self.timeout_s,
            stop=lambda: "stopped" if self.closing.is_set() or self.cancelled.is_set() else "",
            max_frame_bytes=_MAX_ANSWER_BYTES,
            listeners=(LineWriter(self.tail).write_bytes, _unheard),
        )


def _unheard(_: bytes) -> None:
    """Drop what the process writes to standard error."""


class TableEngine:
    """Runs queries over files of a workspace and over frames; close it after use.

    Queries run one at a time. A process that a query ended is replaced by the next one.

    Args:
        workspace: Opens the files.
        scratch: A private folder, where each process gets a folder for what memory does not hold.
        frames: Encoded values of the notebook by name; a name that is here is no file.
        limits: Limits of every process.
        database: Its tables are sources, too; they are read here, without a process.
        processes: Those that it takes processes from and gives them back to; None for its own.
    """

    def __init__(  # noqa: PLR0913  all but two are named at every call
        self,
        workspace: Workspace,
        scratch: Path,
        *,
        frames: Mapping[str, Mapping[str, Any]] | None = None,
        limits: QueryLimits | None = None,
        database: Database | None = None,
        processes: TableProcesses | None = None,
    ) -> None:
        self.database = database
        self._workspace, self._scratch = workspace, scratch
        self._frames = frames or {}
        self._limits = limits or QueryLimits()
        self._owns_processes = processes is None
        self._processes = processes or TableProcesses()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._digests: dict[str, tuple[Mapping[str, Any], str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the query that runs; end the processes that are the engine's own."""
        self._closing.set()
        with self._lock:
            self._closing.clear()
            if self._owns_processes:
                self._processes.close()

    def head(
        self, source: str, *, timeout_s: float = 60, cancelled: threading.Event | None = None
    ) -> TableHead:
        """Return the beginning of a table.

        Args:
            source: A file, a table within one, or the name of a frame.
            timeout_s: Time limit in seconds.
            cancelled: Set by another thread to stop.

        Raises:
            ToolError: As for `run`.
        """
        asked = self._asked(timeout_s, cancelled)
        if self._is_in_database(source):
            return _head(self._of_database(Query(source), {"head": True}, asked))
        with self._lock:
            known = self._known_head(source)
            if known is not None:
                return known
            with self._opened(Query(source), asked) as process:
                return process.head

    def run(
        self,
        query: Query,
        *,
        timeout_s: float = 60,
        cancelled: threading.Event | None = None,
        tail: Tail | None = None,
    ) -> Result:
        """Return the result of a query.

        Args:
            query: The query.
            timeout_s: Time limit in seconds.
            cancelled: Set by another thread to stop.
            tail: Receives lines about how far it is.

        Raises:
            ToolNotFoundError: There is no such file.
            ToolInputError: The table cannot answer it; the message says why.
            ToolFailedError: The file is no table, or the query needs too much.
            ToolTimeoutError: It took too long.
            ToolRefusedError: It was stopped, the path is refused, or a layer of the sandbox is
                missing.
        """
        asked = self._asked(timeout_s, cancelled, tail)
        if self._is_in_database(query.source):
            return _result(self._of_database(query, {"query": query.to_json()}, asked))
        with self._lock, self._opened(query, asked) as process:
            before = artifacts.pictures(process.folder)
            exchange = asked.ask(process.child, {"query": query.to_json()})
            result = _result(_frame(exchange, query.source, asked))
            kept = self._scratch.with_name("artifacts")
            pictures = artifacts.keep_pictures(process.folder, before, kept)
            read = result.read and self._told_of_variables(result.read)
            return replace(result, read=read, pictures=pictures)

    def _told_of_variables(self, read: ReadSource) -> ReadSource:
        """Return how a source was read, with what only a variable of the notebook has."""
        parts = tuple(map(self._told_of_variables, read.parts))
        frame = self._frames.get(read.name)
        if frame is None:
            return replace(read, is_frame=False, parts=parts)
        renamed = read.renamed or bool(frame.get("renamed"))
        is_pairs = bool(frame.get("pairs"))
        return replace(read, is_frame=True, renamed=renamed, is_pairs=is_pairs, parts=parts)

    def sql(
        self, query: Query, *, timeout_s: float = 60, cancelled: threading.Event | None = None
    ) -> str:
        """Return the SQL that `run` would run; arguments and errors are the same."""
        asked = self._asked(timeout_s, cancelled)
        if self._is_in_database(query.source):
            frame = self._of_database(query, {"sql": query.to_json()}, asked)
            return _text(frame.get("sql"))
        with self._lock, self._opened(query, asked) as process:
            exchange = asked.ask(process.child, {"sql": query.to_json()})
            return _text(_frame(exchange, query.source, asked).get("sql"))

    def _asked(
        self, timeout_s: float, cancelled: threading.Event | None, tail: Tail | None = None
    ) -> _Asked:
        return _Asked(timeout_s, cancelled or threading.Event(), self._closing, tail or Tail())

    def _is_in_database(self, source: str) -> bool:
        return (
            self.database is not None and source not in self._frames and self.database.has(source)
        )

    def _of_database(self, query: Query, request: Mapping[str, Any], asked: _Asked) -> Answer:
        """Return the database's answer about a table; raise if it cannot be answered."""
        source = query.source
        if self.database is None:
            msg = f"{source}: TABLE_BACKEND names no database"
            raise ToolInputError(msg)
        if query.joins:
            msg = f"{source}: tables of a database are joined by a view there, not here"
            raise ToolInputError(msg)
        answer = self.database.answer(
            source, request, timeout_s=asked.timeout_s, cancelled=asked.cancelled
        )
        if answer.get("problem"):
            msg = f"{source}: {_text(answer['problem'])[:_MAX_REASON_CHARS]}"
            raise ToolInputError(msg)
        return answer

    @contextmanager
    def _opened(self, query: Query, asked: _Asked) -> Iterator[TableProcess]:
        """Yield the process of a query's tables; end it if it does not answer."""
        with ExitStack() as stack:
            tables, key = self._tables(query, stack)
            process = self._processes.take(key) or self._started(query, tables, key, asked)
        try:
            yield process
        except ToolInputError:
            self._processes.give_back(process)
            raise
        except BaseException:
            # after an interrupted wait, an answer without a reader is still on its way
            process.close()
            raise
        self._processes.give_back(process)

    def _known_head(self, source: str) -> TableHead | None:
        """Return the beginning of a table that was read, and has not changed since."""
        with ExitStack() as stack:
            _, key = self._tables(Query(source), stack)
        return self._processes.head(key)

    def _tables(self, query: Query, stack: ExitStack) -> tuple[_Tables, Key]:
        """Return the sources of a query, open until the stack ends, and what identifies them."""
        tables = [(source, self._files_of(source, stack)) for source in query.sources]
        contents = tuple(self._content_of(source, files) for source, files in tables)
        return tables, (contents, query.joins, self._limits)

    def _content_of(self, source: str, files: _Files) -> Key:
        """Return what identifies the content of a source."""
        if not files:
            return "frame", source, self._digest_of(source)
        return (*map(_identity, files.values()), source)

    def _digest_of(self, frame: str) -> str:
        """Return the digest of a frame's values, which is computed once."""
        values = self._frames[frame]
        known, digest = self._digests.get(frame, (None, ""))
        if known is not values:
            digest = hashlib.sha256(encode(values)).hexdigest()
            self._digests[frame] = values, digest
        return digest

    def _files_of(self, source: str, stack: ExitStack) -> _Files:
        """Return the files of a source, open for reading until the stack ends."""
        if source in self._frames:
            return {}
        file, _ = file_kinds.parts_of(source)
        files = {file: stack.enter_context(self._workspace.open(file))}
        if file_kinds.suffix_of(file) in file_kinds.DATABASES:
            for journal in (f"{file}{suffix}" for suffix in _JOURNALS):
                with suppress(ToolNotFoundError):
                    files[journal] = stack.enter_context(self._workspace.open(journal))
        return files

    def _started(self, query: Query, tables: _Tables, key: Key, asked: _Asked) -> TableProcess:
        """Start a process that has opened a query's tables."""
        check_system()
        private_files.make_folder(self._scratch)
        folder = Path(tempfile.mkdtemp(dir=self._scratch)).resolve()
        child = None
        try:
            child = self._child(folder, [own for _, files in tables for own in files.items()])
            request = {
                "tables": [self._table_request(*table) for table in tables],
                "joins": [asdict(join) for join in query.joins],
                "scratch": str(folder),
                **asdict(self._limits),
            }
            frame = _frame(asked.ask(child, {"open": request}), query.source, asked)
            return TableProcess(key, child, folder, _head(frame))
        except BaseException:
            if child is not None:
                child.kill()
            removal.remove(folder)
            raise

    def _child(self, folder: Path, files: Sequence[tuple[str, BinaryIO]]) -> ChildProcess:
        reads = [str(_PROGRAM.parent), *_ASKED_BY_DUCKDB]
        if sys.platform != "linux":
            reads += [self._real_path(path) for path, _ in files]
        with launch(
            None,
            folder,
            layers_here(),
            self_test=True,
            program=_PROGRAM,
            reads=reads,
            descriptors=[file.fileno() for _, file in files],
            max_file_bytes=self._limits.disk_mb * _MIB,
        ) as how:
            return started(how, folder)[0]

    def _real_path(self, path: str) -> str:
        return str(self._workspace.root / self._workspace.relative(path))

    def _table_request(self, source: str, files: _Files) -> dict[str, Any]:
        """Return what the process is told of one table."""
        if not files:
            return {"name": source, "frame": self._frames[source]}
        # the open file itself: a path may name another one by now
        linux = sys.platform == "linux"
        paths = {
            path: f"/dev/fd/{file.fileno()}" if linux else self._real_path(path)
            for path, file in files.items()
        }
        first, *beside = paths
        journals = {path.removeprefix(first): paths[path] for path in beside}
        return {"name": source, "path": paths[first], "beside": journals}


def _identity(file: BinaryIO) -> tuple[int, ...]:
    """Return what changes when a file is another one, or is written."""
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _frame(exchange: WorkerCall, source: str, asked: _Asked) -> dict[str, Any]:
    """Return the answer of a process; raise if there is none, or it names a fault."""
    if exchange.end == "timeout":
        msg = f"{source}: the query took longer than {asked.timeout_s:g} s"
        raise ToolTimeoutError(msg)
    if exchange.end == "stopped":
        msg = "stopped"
        raise ToolRefusedError(msg)
    if exchange.end != "answered":
        msg = f"{source} cannot be read: its reader crashed on it"
        raise ToolFailedError(msg)
    for name, kind in (("problem", ToolInputError), ("error", ToolFailedError)):
        if exchange.frame.get(name):
            msg = f"{source}: {_text(exchange.frame[name])[:_MAX_REASON_CHARS]}"
            raise kind(msg)
    return exchange.frame


def _head(frame: Mapping[str, Any]) -> TableHead:
    """Return the beginning of a table; only the form of the answer is trusted."""
    return _formed(
        lambda: TableHead(
            columns=tuple(TableColumn(**column) for column in frame["columns"]),
            rows=[[_text(cell) for cell in row] for row in frame["rows"]],
            total_rows=_count(frame["total_rows"]),
        )
    )


def _result(frame: Mapping[str, Any]) -> Result:
    """Return the result of a query; only the form of the answer is trusted."""
    return _formed(
        lambda: Result(
            columns=tuple(_text(name) for name in frame["columns"]),
            rows=[[_scalar(cell) for cell in row] for row in frame["rows"]],
            cells=[[None if c is None else _text(c) for c in row] for row in frame["cells"]],
            sql=_text(frame["sql"]),
            units=tuple(map(_text, frame["units"])),
            dates=tuple(map(_text, frame.get("dates", ()))),
            total_rows=_count(frame["total_rows"]),
            matched_rows=_count(frame["matched_rows"]),
            truncated=bool(frame.get("truncated")),
            nearest=tuple(tuple(map(_text, each)) for each in frame.get("nearest", ())),
            tied=tuple(
                (_scalar(value), None if cell is None else _text(cell))
                for value, cell in frame.get("tied", ())
            ),
            read=ReadSource.from_json(frame["read"]) if "read" in frame else None,
        )
    )


def _formed(make: Callable[[], _T]) -> _T:
    try:
        return make()
    except (LookupError, TypeError, ValueError) as error:
        msg = "the table's reader gave an invalid answer"
        raise ToolFailedError(msg) from error


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _scalar(value: object) -> str | float | bool | None:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _text(value)


def _text(value: object) -> str:
    """Return a text that can be written to any output."""
    return str(value).encode("utf-8", "replace").decode("utf-8")
