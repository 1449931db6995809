"""FolderView: what a reader of file commands may know of the folder."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request.facts import paths_beneath
from okso_jupyter.workspace import Workspace

_MAX_BYTES: Final = 1 << 20
_MAX_TEXT_BYTES: Final = 1 << 16


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

    def is_empty(self, path: str) -> bool:
        """Return whether nothing is in a folder."""
        try:
            return not self.workspace.listdir(path, max_entries=1)
        except ToolError:
            return False

    def files_with(self, suffixes: Sequence[str], beneath: str = ".") -> list[str]:
        """Return the files beneath a folder whose names end in one of these, all if there is none.

        Hidden ones are left out.
        """
        start = "" if beneath == "." else f"{beneath.rstrip('/')}/"
        known = [p for p in paths_beneath(self.workspace) if not p.endswith("/")]
        return [p for p in known if p.startswith(start) and p.lower().endswith(tuple(suffixes))]

    def text(self, path: str) -> str | None:
        """Return the text of a file of at most 64 KiB; None where it is no such text."""
        try:
            data = self.workspace.read_bytes(path, max_bytes=_MAX_TEXT_BYTES)
            return data.decode("utf-8")
        except (ToolError, UnicodeDecodeError):
            return None

    def ends_within_line(self, path: str) -> bool:
        """Return whether the last line of a file is not ended, so that a text would go on there."""
        text = self.text(path) or ""
        return text != "" and not text.endswith("\n")

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
