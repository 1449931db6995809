"""SessionResources: what a session's threads share, each opened at first use."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

from okso_jupyter.execution.pool import Pool, open_pool
from okso_jupyter.journal.store import Journal
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.settings import Settings
from okso_jupyter.tables.table_processes import TableProcesses


class SessionResources:
    """Journal, pool and table processes of a session; concurrent threads get the same objects.

    Args:
        journal: A journal that is already open.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self._lock = threading.RLock()
        self._journal = journal
        self._pool: Pool | None = None
        self._table_processes: TableProcesses | None = None
        self._opened = ExitStack()

    def journal(self, home: Path, redactor: Redactor) -> Journal:
        """Return the journal.

        Raises:
            JournalError: The folder or file cannot be used.
        """
        with self._lock:
            if self._journal is None:
                self._journal = Journal(home, redactor)
            return self._journal

    def pool(self, settings: Settings) -> Pool:
        """Return the pool that tools run in.

        Raises:
            SettingError: The cluster that the settings name cannot be used.
        """
        with self._lock:
            if self._pool is None:
                self._pool = self._opened.enter_context(open_pool(settings))
            return self._pool

    def table_processes(self) -> TableProcesses:
        """Return the processes that have read a table."""
        with self._lock:
            if self._table_processes is None:
                self._table_processes = TableProcesses()
                self._opened.callback(self._table_processes.close)
            return self._table_processes

    def close(self) -> None:
        """Close all; the next use opens them again."""
        with self._lock:
            self._pool = self._table_processes = None
            self._opened.close()
            if self._journal is not None:
                self._journal.close()
                self._journal = None
