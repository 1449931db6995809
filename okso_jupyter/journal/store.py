"""Journal: an append-only table of records in a SQLite file that only its user can read."""

from __future__ import annotations

import gc
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import tenacity

from okso_jupyter import private_files
from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import Event, Recorded, read_event
from okso_jupyter.journal.size_limits import MAX_RECORD_BYTES, fitted
from okso_jupyter.log import LOGGER
from okso_jupyter.redaction.redactor import Redactor

#: Version of the record bodies; records of a newer version are refused, not guessed at.
SCHEMA_VERSION: Final = 1
_FILE: Final = "journal.sqlite3"
#: Longest wait in seconds for another kernel that is writing to the file.
_LOCK_TIMEOUT_S: Final = 30
#: Suffixes of the files that SQLite keeps beside the database.
_BESIDE: Final = ("-wal", "-shm")

# Triggers enforce append-only in the file itself, not only in this module.
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS record_of_run ON record (run_id, seq);
CREATE TRIGGER IF NOT EXISTS record_is_final BEFORE UPDATE ON record
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
_INSERT: Final = "INSERT INTO record (run_id, kind, at, schema_version, body) VALUES (?,?,?,?,?)"
#: Run id, kind, time, version of the body, body.
_Row = tuple[str, str, str, int, str]
_KEEP: Final = """
CREATE TRIGGER IF NOT EXISTS record_is_kept BEFORE DELETE ON record
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
# Steps from run to run by the index, without scanning the records between.
_RUNS: Final = """
CREATE VIEW IF NOT EXISTS run AS
WITH RECURSIVE each_run(id) AS (
    SELECT min(run_id) FROM record
    UNION ALL
    SELECT (SELECT min(run_id) FROM record WHERE run_id > id) FROM each_run WHERE id IS NOT NULL
)
SELECT id, (SELECT min(seq) FROM record WHERE run_id = id) AS began FROM each_run
WHERE id IS NOT NULL;
"""


_E = TypeVar("_E", bound=Recorded)


@dataclass(frozen=True, kw_only=True)
class Record:
    """One record of the journal.

    Attributes:
        seq: Position in the journal, over all runs.
        run_id: The run it belongs to.
        kind: Kind of event it records, such as "call_started" or "decision".
        at: When it was written, ISO 8601 in UTC.
        body: The data as written, for exports; readers use `event`.
    """

    seq: int
    run_id: str
    kind: str
    at: str
    body: dict[str, Any]

    @cached_property
    def event(self) -> Event:
        """The recorded event.

        Raises:
            JournalError: The record is damaged; the message says where.
        """
        try:
            return read_event(self.kind, self.body)
        except (TypeError, ValueError) as error:
            raise self.damaged(error) from error

    def damaged(self, error: Exception) -> JournalError:
        """Return the error that says that the record is damaged, and where it is."""
        return _damaged(self.seq, self.run_id, error)

    def with_plan(self, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Record:
        """Return the record with its plan replaced and every other key unchanged.

        Args:
            change: Returns the new plan for the given one.
        """
        plan = self.body.get("plan")
        if not isinstance(plan, dict):
            return self  # reading its event raises the error for the damaged record
        return replace(self, body={**self.body, "plan": change(plan)})


def with_events(records: Iterable[Record], *kinds: type[_E]) -> Iterator[tuple[Record, _E]]:
    """Yield the records of some kinds with their events, in order; other records are not decoded.

    Raises:
        JournalError: A record of one of these kinds is damaged.
    """
    names = {kind.kind for kind in kinds}
    for record in records:
        if record.kind in names:
            event = record.event
            assert isinstance(event, kinds)  # noqa: S101  its kind says so
            yield record, event


def events_of(records: Iterable[Record], *kinds: type[_E]) -> list[_E]:
    """Return the events of some kinds, in the order of their records.

    Raises:
        JournalError: A record of one of these kinds is damaged.
    """
    return [event for _, event in with_events(records, *kinds)]


def last_of(records: Sequence[Record], kind: type[_E]) -> _E | None:
    """Return the last event of a kind, or None if there is none.

    Raises:
        JournalError: Its record is damaged.
    """
    last = next((record for record in reversed(records) if record.kind == kind.kind), None)
    return next(iter(events_of([last], kind)), None) if last is not None else None


class Journal:
    """An open journal.

    Args:
        home: Its folder; created for this user alone if it does not exist.
        redactor: Removes secrets from everything that is written.

    Raises:
        JournalError: The folder or file cannot be used; the message says why.
    """

    def __init__(self, home: Path, redactor: Redactor | None = None) -> None:
        self.path = home / _FILE
        self._redactor = redactor or Redactor()
        self._lock = threading.Lock()
        self._held: list[_Row] = []
        _make_private(home, self.path)
        try:
            self._db = sqlite3.connect(self.path, check_same_thread=False, timeout=_LOCK_TIMEOUT_S)
            _use_wal(self._db)
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_TABLES + _KEEP + _RUNS)
            self._db.commit()
        except sqlite3.Error as error:
            msg = f"{self.path} cannot be used as a journal: {error}"
            raise JournalError(msg, hint="set OKSO_HOME to another folder") from error

    @staticmethod
    def is_at(home: Path) -> bool:
        """Return whether a folder has a journal; nothing is created."""
        return (home / _FILE).is_file()

    def append(self, run_id: str, event: Event) -> int:
        """Write one record and return its position; it survives the death of the process.

        A record that is too large is cut, never refused: what it reports has happened already.

        Raises:
            JournalError: It could not be written; the journal is unchanged.
        """
        row = self._row(run_id, event)
        with self._errors(), self._lock:
            return self._write(row)

    def append_with_next(self, run_id: str, event: Event) -> None:
        """Queue a record that is written in one transaction with the next appended one.

        Use it for records that nothing depends on before the next one is written: if the process
        dies between the two, it is lost. Readers of this journal object see it.
        """
        row = self._row(run_id, event)
        with self._lock:
            self._held.append(row)

    def settle(self) -> None:
        """Write the queued records, as before work that may take long.

        Raises:
            JournalError: They could not be written and are lost.
        """
        with self._ready():
            pass  # entering `_ready` writes them

    def _row(self, run_id: str, event: Event) -> _Row:
        """Return a record as a row, redacted and cut to size."""
        text, is_cut = fitted(
            self._redactor.json(event.to_json()), lambda value: self._redactor.text(str(value))
        )
        if is_cut:
            detail = {"run": run_id, "kind": event.kind, "max_bytes": MAX_RECORD_BYTES}
            LOGGER.warning("a record is too large and was cut", extra={"detail": detail})
        return run_id, event.kind, now(), SCHEMA_VERSION, text

    def _write(self, *rows: _Row) -> int:
        """Write the queued rows, then `rows`, all or none; return the position of the last one."""
        # Cleared first: an interrupt after the commit must not cause them to be written twice.
        held, self._held = self._held, []
        place = 0
        with self._db:
            for row in (*held, *rows):
                place = int(self._db.execute(_INSERT, row).lastrowid or 0)
        return place

    @contextmanager
    def _ready(self) -> Iterator[sqlite3.Connection]:
        """Yield the database with all queued records written."""
        with self._errors(), self._lock:
            if self._held:
                self._write()
            yield self._db

    def records(self, run_id: str, *kinds: type[Recorded]) -> list[Record]:
        """Return the records of a run in order, of some kinds or of all kinds.

        Raises:
            JournalError: The journal cannot be read, or the run was written by a newer version.
        """
        query = (
            "SELECT seq, run_id, kind, at, schema_version, body FROM record "
            "WHERE run_id = ? ORDER BY seq"
        )
        with self._ready() as database:
            rows = database.execute(query, (run_id,)).fetchall()
        names = {kind.kind for kind in kinds}
        return _records([row for row in rows if not kinds or row[2] in names])

    def events(self, run_id: str, *kinds: type[_E]) -> list[_E]:
        """Return the events of some kinds of a run, in order.

        Raises:
            JournalError: The journal cannot be read, or one of them is damaged.
        """
        return events_of(self.records(run_id, *kinds), *kinds)

    def first_of_each(self, kind: type[_E]) -> list[tuple[Record, _E]]:
        """Return the first readable event of a kind of every run, newest run first."""
        query = (
            "SELECT min(seq), run_id, kind, at, schema_version, body FROM record "
            "WHERE kind = ? GROUP BY run_id ORDER BY seq DESC"
        )
        with self._ready() as database:
            rows = database.execute(query, (kind.kind,)).fetchall()
        return _with_readable_events(rows, kind)

    def last_of_each(self, kind: type[_E]) -> list[tuple[Record, _E]]:
        """Return the last readable event of a kind of every run, newest event first."""
        query = (
            "SELECT max(seq), run_id, kind, at, schema_version, body FROM record "
            "WHERE kind = ? GROUP BY run_id ORDER BY max(seq) DESC"
        )
        with self._ready() as database:
            rows = database.execute(query, (kind.kind,)).fetchall()
        return _with_readable_events(rows, kind)

    def part_of_each(self, kind: type[Recorded], part: str) -> Iterator[tuple[str, Any]]:
        """Yield the run id and one part of every readable record of a kind, oldest first."""
        query = (
            "SELECT run_id, json_quote(json_extract(body, ?)) FROM record "
            "WHERE kind = ? AND json_valid(body) ORDER BY seq"
        )
        with self._ready() as database:
            rows = database.execute(query, (f"$.{part}", kind.kind)).fetchall()
        for run_id, text in rows:
            yield run_id, json.loads(text)

    def unreadable_runs(self, kind: type[_E]) -> set[str]:
        """Return the runs whose last record of a kind is damaged or of a newer version."""
        readable = {record.run_id for record, _ in self.last_of_each(kind)}
        return set(self.runs_with(kind)) - readable

    def newer_runs(self) -> dict[str, int]:
        """Return the runs that a newer version wrote, with the version of their records."""
        query = (
            "SELECT run_id, max(schema_version) FROM record WHERE schema_version > ? "
            "GROUP BY run_id"
        )
        with self._ready() as database:
            return dict(database.execute(query, (SCHEMA_VERSION,)).fetchall())

    def check_version(self, run_id: str) -> None:
        """Raise JournalError if a newer version wrote the run."""
        version = self.newer_runs().get(run_id)
        if version is not None:
            raise _newer(run_id, version)

    def runs_with(self, kind: type[Recorded]) -> list[str]:
        """Return the runs that have a record of a kind, ordered by its last one, newest first."""
        query = "SELECT run_id FROM record WHERE kind = ? GROUP BY run_id ORDER BY max(seq) DESC"
        with self._ready() as database:
            return [row[0] for row in database.execute(query, (kind.kind,))]

    def kinds_since(self, run_id: str, seq: int) -> tuple[int, frozenset[str]]:
        """Return the position of a run's last record, and the kinds of records after a position.

        Args:
            run_id: The run.
            seq: The position; returned unchanged if nothing was written since.
        """
        query = "SELECT seq, kind FROM record WHERE run_id = ? AND seq > ? ORDER BY seq"
        with self._ready() as database:
            rows = database.execute(query, (run_id, seq)).fetchall()
        return (rows[-1][0] if rows else seq), frozenset(kind for _, kind in rows)

    def count_runs(self) -> int:
        """Return how many runs there are."""
        with self._ready() as database:
            return int(database.execute("SELECT count(id) FROM run").fetchone()[0])

    def run_ids(self) -> list[str]:
        """Return the ids of all runs, oldest first."""
        with self._ready() as database:
            return [row[0] for row in database.execute("SELECT id FROM run ORDER BY began")]

    def size_bytes(self) -> int:
        """Return the bytes that all records take in the file."""
        with self._ready() as database:
            pages, free, page_bytes = (
                database.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * page_bytes)

    def is_damaged(self, kind: type[Recorded]) -> bool:
        """Return whether a record of a kind is not valid JSON."""
        query = "SELECT EXISTS (SELECT 1 FROM record WHERE kind = ? AND NOT json_valid(body))"
        with self._ready() as database:
            return bool(database.execute(query, (kind.kind,)).fetchone()[0])

    def first_times(self) -> dict[str, str]:
        """Return when each run began, ISO 8601 in UTC, oldest run first."""
        query = "SELECT run_id, at FROM record WHERE seq IN (SELECT began FROM run) ORDER BY seq"
        with self._ready() as database:
            return dict(database.execute(query).fetchall())

    def last_places(self) -> dict[str, int]:
        """Return the position of each run's last record."""
        query = "SELECT id, (SELECT max(seq) FROM record WHERE run_id = id) FROM run"
        with self._ready() as database:
            return dict(database.execute(query).fetchall())

    def last_times(self) -> dict[str, str]:
        """Return the time of each run's last record, ISO 8601 in UTC."""
        query = (
            "SELECT run_id, at FROM record WHERE seq IN "
            "(SELECT max(seq) FROM record GROUP BY run_id)"
        )
        with self._ready() as database:
            return dict(database.execute(query).fetchall())

    def drop(self, run_ids: Iterable[str]) -> int:
        """Delete runs from the journal and return how many records they had.

        Their space in the file is overwritten, and reused.

        Raises:
            JournalError: The journal could not be written; nothing was deleted.
        """
        rows = [(run_id,) for run_id in run_ids]
        with self._ready() as database:
            database.execute("PRAGMA secure_delete=ON")
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.execute("DROP TRIGGER record_is_kept")
                count = database.executemany("DELETE FROM record WHERE run_id = ?", rows).rowcount
                database.execute(_KEEP)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(count)

    def folder_of(self, run_id: str) -> Path:
        """Return the private folder of a run: its lease, its images and its tools' files."""
        return self.path.parent / "runs" / run_id

    def close(self) -> None:
        """Write the queued records and close the file."""
        with self._errors(), self._lock, closing(self._db):
            if self._held:
                self._write()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Convert SQLite errors to a JournalError that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            msg = f"the journal {self.path} failed: {error}"
            raise JournalError(msg) from error


@tenacity.retry(
    retry=tenacity.retry_if_exception_message(match="database is locked"),
    stop=tenacity.stop_after_delay(_LOCK_TIMEOUT_S),
    wait=tenacity.wait_random(0.001, 0.02),
    reraise=True,
)
def _use_wal(database: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, a persistent property of the file.

    SQLite's timeout does not cover this lock: two processes opening a new file at once would fail.
    """
    database.execute("PRAGMA journal_mode=WAL")


def _records(rows: Sequence[tuple[Any, ...]]) -> list[Record]:
    """Return rows as records; decoding all bodies at once takes a third of the time."""
    for _, run_id, _, _, version, _ in rows:
        if version > SCHEMA_VERSION:
            raise _newer(run_id, version)
    with _collecting_later():
        try:
            bodies = json.loads(f"[{','.join(row[5] for row in rows)}]")
            return [_record(row, body) for row, body in zip(rows, bodies, strict=True)]
        except (TypeError, ValueError, RecursionError):
            return [_record_alone(row) for row in rows]


def _with_readable_events(
    rows: Sequence[tuple[Any, ...]], kind: type[_E]
) -> list[tuple[Record, _E]]:
    """Return the readable rows of several runs as records with their events."""
    found: list[tuple[Record, _E]] = []
    for record in _readable(rows):
        try:
            found += with_events([record], kind)
        except JournalError as error:
            _log_unreadable(record.run_id, error)
    return found


def _readable(rows: Sequence[tuple[Any, ...]]) -> list[Record]:
    """Return the readable rows of several runs as records."""
    try:
        return _records(rows)
    except JournalError:
        found = []
    for row in rows:
        try:
            found += _records([row])
        except JournalError as error:
            _log_unreadable(row[1], error)
    return found


def _log_unreadable(run_id: str, error: JournalError) -> None:
    detail = {"run": run_id, "why": error.message}
    LOGGER.warning("a run cannot be read", extra={"detail": detail})


def _record_alone(row: tuple[Any, ...]) -> Record:
    """Return one row as a record.

    Raises:
        JournalError: It is damaged; the message says where.
    """
    try:
        return _record(row, json.loads(row[5]))
    except (TypeError, ValueError, RecursionError) as error:
        raise _damaged(row[0], row[1], error) from error


def _newer(run_id: str, version: int) -> JournalError:
    msg = f"run {run_id} was written by a newer okso_jupyter (records of version {version})"
    return JournalError(msg, hint="upgrade okso_jupyter to read it")


def _damaged(seq: int, run_id: str, error: Exception) -> JournalError:
    msg = f"record {seq} of run {run_id} is damaged: {error}"
    return JournalError(msg, hint=f"%okso forget {run_id} removes the run")


def _record(row: tuple[Any, ...], body: object) -> Record:
    seq, run_id, kind, at, _, _ = row
    if not isinstance(body, dict):
        msg = "it is not a JSON object"
        raise TypeError(msg)
    return Record(seq=seq, run_id=run_id, kind=kind, at=at, body=body)


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Disable garbage collection while many lasting values are made: it takes half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _make_private(home: Path, file: Path) -> None:
    """Make the folder and file private to the user; looser permissions are repaired.

    Raises:
        JournalError: The folder or a file is a symbolic link, or cannot be created.
    """
    try:
        private_files.make_private_folder(home)
        private_files.touch(file)
        for suffix in _BESIDE:
            private_files.close_to_others(file.with_name(file.name + suffix))
    except OSError as error:
        msg = f"{error.filename} cannot be used: {error.strerror}"
        raise JournalError(msg, hint="set OKSO_HOME to another folder") from error


def now() -> str:
    """Return the current time, ISO 8601 in UTC with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
