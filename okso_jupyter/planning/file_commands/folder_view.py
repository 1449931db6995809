"""FolderView: what a reader of file commands may know of the folder."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request.facts import paths_beneath
from okso_jupyter.workspace import Workspace

_MAX_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FolderView:
    """Questions about the present content of a folder.

    Attributes:
        workspace: The folder.
    """

    workspace: Workspace

    def is_there(self, path: str) -> bool:
        """Return whether something is at a path; also where the path is refused."""
        try:
            return self.workspace.exists(path)
        except ToolError:
            return True

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is at a path."""
        try:
            return bool(path) and self.workspace.is_dir(path)
        except ToolError:
            return False

    def is_one_of_several(self, path: str) -> bool:
        """Return whether other files of the folder have the same name."""
        wanted = posixpath.basename(path).lower()
        known = paths_beneath(self.workspace)
        return sum(posixpath.basename(other).lower() == wanted for other in known) > 1

    def holds(self, path: str, text: str) -> bool:
        """Return whether a file of at most 1 MiB holds a text."""
        try:
            return text.encode() in self.workspace.read_bytes(path, max_bytes=_MAX_BYTES)
        except ToolError:
            return False
