"""Leases: a file lock per run, released when its process dies, so that one process runs a plan."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import JournalError, UsageError

_FILE: Final = "lease"
#: `is_leased` holds the lock for a moment; acquiring it waits at least that long.
_PATIENCE_S: Final = 0.5


@contextmanager
def lease(folder: Path) -> Iterator[None]:
    """Hold the lease of a run; other processes, sessions and threads cannot acquire it meanwhile.

    Args:
        folder: The run's own folder; its name is the run's id.

    Raises:
        UsageError: The lease is held already: the run is running.
        JournalError: The folder cannot be used, or its file system does not support locks.
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
    """Return whether the lease of a run is held.

    Raises:
        JournalError: The folder cannot be used, or its file system does not support locks.
    """
    if folder.is_symlink() or not (folder / _FILE).exists():
        return False  # runs are never stored behind a symbolic link
    try:
        with _lock(folder).acquire(blocking=False):
            return False
    except Timeout:
        return True


def _lock(folder: Path) -> FileLock:
    """Return the lock of a run, not yet acquired."""
    try:
        private_files.make_private_folder(folder.parent)
        private_files.make_private_folder(folder)
        private_files.touch(folder / _FILE)
    except OSError as error:
        msg = f"{error.filename} cannot be used: {error.strerror}"
        raise JournalError(msg, hint="set OKSO_HOME to another folder") from error
    # thread_local=False: otherwise another thread of this process could be taken for the holder.
    # fallback_to_soft=False: a soft lock file outlives a dead process, which is worse than no lock.
    return FileLock(folder / _FILE, mode=0o600, thread_local=False, fallback_to_soft=False)
