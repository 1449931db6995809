"""Database: the tables of the database of TABLE_BACKEND, read from the kernel's side.

Each read is one transaction that may not write, on a connection of its own. A table is the source
"postgres/orders"; "postgres" alone is the table of its tables.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from okso_jupyter.errors import (
    SettingError,
    ToolFailedError,
    ToolInputError,
    ToolRefusedError,
    ToolTimeoutError,
)
from okso_jupyter.tables.file_kinds import DATABASES, LOGS, PERHAPS_TABLES, TABLES, suffix_of

_CONNECT_S: Final = 10
_POLL_S: Final = 0.05
_MAX_REASON_CHARS: Final = 300
#: An answer as that of the engine's process, or "problem": why the table cannot answer.
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of database.

    Attributes:
        dialect: Its SQL, as ibis calls it; the first part of a source.
        opened: Returns a connection to an address that may only read.
        stop: Ends the query of a connection, from another thread.
    """

    dialect: str
    opened: Callable[[str, float], Any]
    stop: Callable[[Any], object]


def _opened_postgres(address: str, timeout_s: float) -> Any:  # noqa: ANN401  a connection of an extra
    try:
        import psycopg  # noqa: PLC0415  an extra
    except ImportError as error:
        msg = "TABLE_BACKEND needs psycopg: pip install 'okso-jupyter[postgres]'"
        raise ToolFailedError(msg) from error
    connection = psycopg.connect(address, connect_timeout=_CONNECT_S)
    connection.read_only = True
    connection.execute(f"SET LOCAL statement_timeout = {max(1, int(timeout_s * 1000))}")
    return connection


def _opened_sqlite(address: str, _timeout_s: float) -> sqlite3.Connection:
    path = quote(unquote(urlsplit(address).path.removeprefix("/")))
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)


_POSTGRES: Final = _Kind("postgres", _opened_postgres, lambda each: each.cancel_safe(timeout=1))
_SQLITE: Final = _Kind("sqlite", _opened_sqlite, sqlite3.Connection.interrupt)
_KINDS: Final[Mapping[str, _Kind]] = {
    "postgres": _POSTGRES,
    "postgresql": _POSTGRES,
    "sqlite": _SQLITE,
}


def is_remote_source(source: str) -> bool:
    """Return whether a source is a table that is asked over the network."""
    return _is_within(source, _POSTGRES.dialect)


def _is_within(source: str, dialect: str) -> bool:
    """Return whether a source is of a database; a folder of tables may be called as it is."""
    is_file = suffix_of(source) in TABLES | PERHAPS_TABLES | LOGS | DATABASES
    return source.partition("/")[0] == dialect and not is_file


class Database:
    """The database at an address; nothing is connected before it is asked.

    Args:
        address: As TABLE_BACKEND says: "postgres://user@host/name" or "sqlite:///file".

    Attributes:
        name: The source that is the table of its tables.

    Raises:
        SettingError: It is the address of no known kind of database.
    """

    def __init__(self, address: str) -> None:
        kind = _KINDS.get(urlsplit(address).scheme.lower())
        if kind is None:
            msg = "TABLE_BACKEND is an address that begins with postgres:// or sqlite:///"
            raise SettingError(msg)
        self._address, self._kind = address, kind
        self.name = kind.dialect

    def has(self, source: str) -> bool:
        """Return whether a source is of this database."""
        return _is_within(source, self.name)

    def answer(
        self, source: str, request: Answer, *, timeout_s: float, cancelled: threading.Event
    ) -> Answer:
        """Return the answer to "head", or to a "query" or its "sql", about a table.

        Raises:
            ToolError: As for `TableEngine.run`.
        """
        asked = _Asked(self._kind, self._address, source, request, timeout_s)
        # a server that hangs may keep a connection for good: nothing waits for the thread
        threading.Thread(target=asked.work, daemon=True).start()
        return asked.wait(cancelled)


class _Asked:
    """One request in a thread of its own, which a stop or a time limit need not wait for."""

    def __init__(
        self, kind: _Kind, address: str, source: str, request: Answer, timeout_s: float
    ) -> None:
        self._kind, self._address, self._source = kind, address, source
        self._request, self._timeout_s = request, timeout_s
        self._answer: Future[Answer] = Future()
        self._connection: Any = None

    def work(self) -> None:
        """Answer the request."""
        try:
            self._answer.set_result(self._read())
        except Exception as error:  # noqa: BLE001  it is raised where it is waited for
            self._answer.set_exception(error)

    def _read(self) -> Answer:
        from okso_jupyter.tables.database_table import DatabaseTable  # noqa: PLC0415  loads ibis

        self._connection = self._kind.opened(self._address, self._timeout_s)
        try:
            table = DatabaseTable(self._connection, self._kind.dialect, self._source)
            return table.answer(self._request)
        finally:
            self._connection.close()

    def wait(self, cancelled: threading.Event) -> Answer:
        """Return the answer; end the query where it is stopped or takes too long."""
        until = time.monotonic() + self._timeout_s
        while not self._answer.done():
            if cancelled.is_set():
                self._stop()
                msg = "stopped"
                raise ToolRefusedError(msg)
            if time.monotonic() > until:
                self._stop()
                raise self._too_long()
            with suppress(TimeoutError):
                self._answer.exception(_POLL_S)
        return self._answered()

    def _answered(self) -> Answer:
        error = self._answer.exception()
        if error is None:
            return self._answer.result()
        if isinstance(error, (ToolFailedError, ToolInputError)):
            raise error
        if type(error).__name__ == "QueryCanceled":
            raise self._too_long() from error
        reason = " ".join(str(error).split("\n")[0].split())[:_MAX_REASON_CHARS]
        msg = f"{self._source}: {reason or type(error).__name__}"
        raise ToolFailedError(msg) from error

    def _too_long(self) -> ToolTimeoutError:
        return ToolTimeoutError(f"{self._source}: the query took longer than {self._timeout_s:g} s")

    def _stop(self) -> None:
        """Let the database end the query; one that does not answer is left alone."""
        if self._connection is not None:
            threading.Thread(target=self._kind.stop, args=(self._connection,), daemon=True).start()
