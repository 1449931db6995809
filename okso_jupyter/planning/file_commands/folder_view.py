"""FolderView: what a reader of file commands may know of the folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import ToolError
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

    def holds(self, path: str, text: str) -> bool:
        """Return whether a file of at most 1 MiB holds a text."""
        try:
            return text.encode() in self.workspace.read_bytes(path, max_bytes=_MAX_BYTES)
        except ToolError:
            return False
