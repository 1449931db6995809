"""File changes: what a call did to files, with their states before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """State of a path at one moment.

    Attributes:
        what: Its kind.
        size_bytes: Size of a file; None for everything else.
        sha256: Hash of a file's content; empty for everything else, and for a very large file.
        mode: Permissions of a file or folder; None if unknown.
        target: Target of a link.
    """

    what: Literal["file", "folder", "link", "special"] = "file"
    size_bytes: int | None = None
    sha256: str = ""
    mode: int | None = None
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """Change of one path, with enough detail to describe it and to check before undoing it.

    Attributes:
        kind: What was done.
        path: The path, relative to the root; for a move its target.
        source: The path before a move.
        before: State of `path` before, or None.
        after: State of `path` now, or None.
    """

    kind: Literal["created", "overwritten", "deleted", "moved"]
    path: str
    source: str = ""
    before: FileState | None = None
    after: FileState | None = None


def made_folder(path: str) -> FileChange:
    """Return the change for a folder that was created."""
    return FileChange(kind="created", path=path, after=FileState(what="folder"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes by a call, as the tool reports them; paths are relative to the root.

    Attributes:
        touched: Files that were read.
        created: Paths that were created.
        updated: Paths whose content was changed.
        deleted: Paths that were removed.
        commands: Command lines that were run.
        details: Each change with the states before and after, in order.
    """

    touched: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    details: tuple[FileChange, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Every path that the call read or changed, each once."""
        return tuple(dict.fromkeys((*self.touched, *self.created, *self.updated, *self.deleted)))
