"""PathLocks: one writer at a time per path, across steps, runs, kernels and processes.

The locks are files in a folder of the user, named by what they protect: device and inode of the
folder, and the name in it. A process that dies lets go of them.
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

#: Lock files: paths share them, so that they need no clearing away, and that a call on many files
#: holds no more than these open. Two paths that share one only wait for each other.
_COUNT: Final = 256


def locks_folder() -> Path:
    """Return the folder of the locks: the same for every process of this user."""
    return Path(platformdirs.user_state_path("okso")) / "locks"


class PathLocks:
    """Locks of the paths of one workspace.

    Args:
        workspace: The workspace.
        folder: Where lock files lie.
    """

    def __init__(self, workspace: Workspace, folder: Path | None = None) -> None:
        self._workspace = workspace
        self._folder = folder or locks_folder()

    @contextmanager
    def holding(self, paths: Iterable[str]) -> Iterator[bool]:
        """Hold the locks of some paths; lends whether all of them could be had at once.

        Raises:
            ToolFailedError: Lock files cannot be made.
        """
        with ExitStack() as held:
            names = sorted({self._name(path) for path in paths})
            try:
                if names:
                    private_files.make_private_folder(self._folder)
                for name in names:
                    held.enter_context(_lock(self._folder / name).acquire(timeout=0))
            except Timeout:
                held.close()
                yield False
                return
            except OSError as error:
                msg = f"no lock can be made in {self._folder}: {error.strerror}"
                raise ToolFailedError(msg, hint="nothing was changed") from error
            yield True

    def _name(self, path: str) -> str:
        """Return the name of the lock of a path: the same by whatever way the path is written.

        A file that is replaced becomes another inode; its folder and its name stay.
        """
        folder, _, name = path.rpartition("/")
        while True:
            try:
                info = self._workspace.stat(folder or ".").info
            except ToolError:  # a folder that is new, too
                folder, _, above = folder.rpartition("/")
                name = f"{above}/{name}"
            else:
                break
        key = f"{info.st_dev}:{info.st_ino}/{name}".encode("utf-8", "surrogateescape")
        return f"{int(hashlib.sha256(key).hexdigest(), 16) % _COUNT:04d}"


def _lock(file: Path) -> FileLock:
    # without the system's own locks there is no saying whether who holds one is still alive
    return FileLock(file, mode=0o600, thread_local=False, fallback_to_soft=False)
