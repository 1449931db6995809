"""Leases: who runs a plan holds a lock that dies with the process, so that nobody else runs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import JournalError, UsageError

_FILE: Final = "lease"
#: Somebody who only looks whether a lease is held holds it for a moment.
_PATIENCE_S: Final = 0.5


@contextmanager
def lease(folder: Path) -> Iterator[None]:
    """Hold the lease of a run; another process, session or thread gets none meanwhile.

    Args:
        folder: The run's own folder; its name is the run's id.

    Raises:
        UsageError: Somebody holds it: the run is running.
        JournalError: The folder cannot be used, or its file system knows no locks.
    """
    lock = _lock(folder)
    try:
        lock.acquire(timeout=_PATIENCE_S)
    except Timeout:
        msg = f"run {folder.name} is running already, in this kernel or another one"
        hint = f"wait for it, or pause it: %okso pause {folder.name}"
        raise UsageError(msg, hint=hint) from None
    try:
        yield
    finally:
        lock.release()


def is_leased(folder: Path) -> bool:
    """Say whether somebody holds the lease of a run.

    Raises:
        JournalError: The folder cannot be used, or its file system knows no locks.
    """
    if folder.is_symlink() or not (folder / _FILE).exists():
        return False  # behind a link there is no run of ours
    try:
        with _lock(folder).acquire(blocking=False):
            return False
    except Timeout:
        return True


def _lock(folder: Path) -> FileLock:
    """Return the lock of a run, which is not held yet."""
    try:
        private_files.make_private_folder(folder.parent)
        private_files.make_private_folder(folder)
        private_files.touch(folder / _FILE)
    except OSError as error:
        msg = f"{error.filename} cannot be used: {error.strerror}"
        raise JournalError(msg, hint="set OKSO_HOME to another folder") from error
    # Another thread of this process must not be taken for the one that holds it; and a lock that
    # a dead process leaves behind, as a file would, is worse than none.
    return FileLock(folder / _FILE, mode=0o600, thread_local=False, fallback_to_soft=False)
