"""SessionResources: journal and pool shared by a session's threads, each opened at first use."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

from okso_jupyter.execution.pool import Pool, open_pool
from okso_jupyter.journal.store import Journal
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.settings import Settings


class SessionResources:
    """The journal and the pool of a session; concurrent threads get the same objects.

    Args:
        journal: A journal that is already open.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self._lock = threading.RLock()
        self._journal = journal
        self._pool: Pool | None = None
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

    def close(self) -> None:
        """Close both; the next use opens them again."""
        with self._lock:
            self._pool = None
            self._opened.close()
            if self._journal is not None:
                self._journal.close()
                self._journal = None
