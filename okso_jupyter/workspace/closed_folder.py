"""ClosedFolder: a folder beneath the root that no path may enter, such as that of the journal."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import Path

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.workspace.beneath import beneath_of
from okso_jupyter.workspace.entries import FolderEntry


class ClosedFolder:
    """A closed folder beneath a root; has no effect if it is elsewhere, or is the root.

    Args:
        root: The root.
        folder: The folder; None for none.
    """

    def __init__(self, root: Path, folder: Path | None) -> None:
        is_inside = folder is not None and folder != root and folder.is_relative_to(root)
        self._path = folder.relative_to(root).as_posix() if folder and is_inside else ""

    def check(self, root_fd: int, handle: int, path: str, name: str = ".") -> None:
        """Raise ToolRefusedError if a handle, or a name in it, is in the folder."""
        if not self._path:
            return
        inside = beneath_of(root_fd, handle)
        if self._holds(posixpath.normpath(posixpath.join(inside or ".", name))):
            msg = f"{path} lies in the folder of okso's own journal, which no step may use"
            raise ToolRefusedError(msg, hint="set OKSO_HOME to a folder elsewhere to use this one")

    def check_stays(self, source: str) -> None:
        """Raise ToolRefusedError if the folder is beneath an entry that is about to move."""
        if self._path and self._path.startswith(f"{source}/"):
            msg = f"{source} holds the folder of okso's own journal, which stays where it is"
            raise ToolRefusedError(msg, hint="set OKSO_HOME to a folder elsewhere")

    def skipping(
        self, skip: Callable[[FolderEntry], bool] | None
    ) -> Callable[[FolderEntry], bool] | None:
        """Return the filter of a walk: the given one, plus the folder."""
        if not self._path:
            return skip
        return lambda entry: self._holds(entry.path) or bool(skip is not None and skip(entry))

    def _holds(self, real: str) -> bool:
        return real == self._path or real.startswith(f"{self._path}/")
