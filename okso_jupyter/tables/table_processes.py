"""TableProcesses: processes that have read a table and wait for the next question about it.

The runs of a session share them: starting a process and reading a table takes most of the time
that a question about it takes. A process is lent to one run at a time, which ends it or gives it
back.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter import removal
from okso_jupyter.sandbox.child_process import ChildProcess
from okso_jupyter.tables.column_kinds import TableColumn

#: Processes that wait at a time; each holds its table.
_MAX_WAITING: Final = 2
#: Beginnings of tables that are kept beyond their processes: planning looks at each several times.
_MAX_HEADS: Final = 16
_WAIT_S: Final = 300.0

#: What identifies the content of a query's tables, and how they are joined.
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class TableHead:
    """The beginning of a table; every text in it comes from the source and is untrusted.

    Attributes:
        columns: Its columns.
        rows: Its first rows, at most 2,000, as texts.
        total_rows: The number of all its rows; None for a file that is too large to count quickly.
    """

    columns: tuple[TableColumn, ...]
    rows: list[list[str]]
    total_rows: int | None


@dataclass(frozen=True, slots=True)
class TableProcess:
    """A process with its table.

    Attributes:
        key: What identifies the table.
        child: The process.
        folder: The folder that it may write to.
        head: The beginning of the table.
    """

    key: Key
    child: ChildProcess
    folder: Path
    head: TableHead

    def is_ready(self) -> bool:
        """Return whether it can be asked: it runs, said nothing unasked, and has its folder."""
        return self.child.alive and not self.child.spoke_unasked() and self.folder.is_dir()

    def close(self) -> None:
        """End the process and remove what it wrote."""
        self.child.kill()
        removal.remove(self.folder)


class TableProcesses:
    """Processes that wait for a question; all end some time after the last one.

    Args:
        wait_s: That time in seconds.
    """

    def __init__(self, *, wait_s: float = _WAIT_S) -> None:
        self._wait_s = wait_s
        self._lock = threading.Lock()
        self._waiting: OrderedDict[Key, TableProcess] = OrderedDict()
        self._heads: OrderedDict[Key, TableHead] = OrderedDict()
        self._timer: threading.Timer | None = None
        self._is_closed = False
        # also for a program that ends without closing its session
        weakref.finalize(self, _end, self._waiting)

    def take(self, key: Key) -> TableProcess | None:
        """Return the process with a table, which is the caller's now; None if there is none."""
        with self._lock:
            process = self._waiting.pop(key, None)
        if process is None or process.is_ready():
            return process
        process.close()
        return None

    def give_back(self, process: TableProcess) -> None:
        """Let a process wait for the next question about its table."""
        with self._lock:
            self._remember(process)
            surplus = [process] if self._is_closed else self._kept(process)
        for each in surplus:
            each.close()

    def head(self, key: Key) -> TableHead | None:
        """Return the beginning of a table that a process has read; None if it is not known."""
        with self._lock:
            return self._heads.get(key)

    def close(self) -> None:
        """End the processes that wait, and from now on each that is given back."""
        with self._lock:
            self._is_closed = True
            self._end_waiting()

    def _kept(self, process: TableProcess) -> list[TableProcess]:
        """Keep a process; return those in whose place it is kept."""
        # the run that used the same table meanwhile had a process of its own
        before = self._waiting.pop(process.key, None)
        surplus = [before] if before else []
        self._waiting[process.key] = process
        while len(self._waiting) > _MAX_WAITING:
            surplus.append(self._waiting.popitem(last=False)[1])
        self._start_timer()
        return surplus

    def _remember(self, process: TableProcess) -> None:
        self._heads[process.key] = process.head
        self._heads.move_to_end(process.key)
        while len(self._heads) > _MAX_HEADS:
            self._heads.popitem(last=False)

    def _start_timer(self) -> None:
        """End the processes after a while without a question."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._wait_s, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def _expire(self) -> None:
        with self._lock:
            # a question may have come while the lock was awaited; its timer is another one
            if self._timer is threading.current_thread():
                self._end_waiting()

    def _end_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        _end(self._waiting)


def _end(waiting: OrderedDict[Key, TableProcess]) -> None:
    """End processes and forget them."""
    while waiting:
        waiting.popitem()[1].close()
