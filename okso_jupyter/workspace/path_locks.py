"""PathLocks: one writer at a time per path, across steps, runs, kernels and processes.

The locks are files in a folder of the user, named after what they lock: device and inode of the
folder, and the name in it. The locks of a process that dies are released.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import ToolError, ToolFailedError
from okso_jupyter.workspace.files import Workspace

#: Number of lock files: paths share them, so that they need no cleanup, and a call on many files
#: opens at most this many. Two paths that share one only wait for each other.
_COUNT: Final = 256


def locks_folder() -> Path:
    """Return the folder of the locks, which all processes of this user share."""
    return Path(platformdirs.user_state_path("okso")) / "locks"


class PathLocks:
    """Locks for the paths of one workspace.

    Args:
        workspace: The workspace.
        folder: Folder of the lock files; None for that of the user.
    """

    def __init__(self, workspace: Workspace, folder: Path | None = None) -> None:
        self._workspace = workspace
        self._folder = folder

    @contextmanager
    def holding(self, paths: Iterable[str]) -> Iterator[bool]:
        """Hold the locks of some paths; yield whether all were acquired without waiting.

        Raises:
            ToolFailedError: Lock files cannot be created.
        """
        names = sorted({self._name(path) for path in paths})
        if not names:
            yield True
            return
        folder = self._folder or locks_folder()
        with ExitStack() as held:
            try:
                private_files.make_private_folder(folder)
                for name in names:
                    held.enter_context(_lock(folder / name).acquire(timeout=0))
            except Timeout:
                held.close()
                yield False
                return
            except OSError as error:
                msg = f"no lock can be made in {folder}: {error.strerror}"
                raise ToolFailedError(msg, hint="nothing was changed") from error
            yield True

    def _name(self, path: str) -> str:
        """Return the lock name of a path: the same for every spelling of the path.

        A replaced file gets another inode, but its folder and name stay the same.
        """
        folder, _, name = path.rpartition("/")
        while True:
            try:
                info = self._workspace.stat(folder or ".").info
            except ToolError:  # its folder is new, too
                folder, _, above = folder.rpartition("/")
                name = f"{above}/{name}"
            else:
                break
        key = f"{info.st_dev}:{info.st_ino}/{name}".encode("utf-8", "surrogateescape")
        return f"{int(hashlib.sha256(key).hexdigest(), 16) % _COUNT:04d}"


def _lock(file: Path) -> FileLock:
    # without locks of the system it is unknown whether the holder is still alive
    return FileLock(file, mode=0o600, thread_local=False, fallback_to_soft=False)
