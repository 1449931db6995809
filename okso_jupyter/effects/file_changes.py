"""File changes: what a call did to files, with what was there before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What lay at a path at one moment.

    Attributes:
        what: Its kind.
        size_bytes: Size of a file; None for everything else.
        sha256: Hash of a file's content; empty for everything else, and for a very large file.
        mode: Permissions of a file or folder; None where they are not known.
        target: Where a link points.
    """

    what: Literal["file", "folder", "link", "special"] = "file"
    size_bytes: int | None = None
    sha256: str = ""
    mode: int | None = None
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What became of one path: enough to tell what was done, and to check before undoing it.

    Attributes:
        kind: What was done.
        path: The path, relative to the root; of a move its target.
        source: Where it was before a move.
        before: What lay at `path` before, or None.
        after: What lies there now, or None.
    """

    kind: Literal["created", "overwritten", "deleted", "moved"]
    path: str
    source: str = ""
    before: FileState | None = None
    after: FileState | None = None


def made_folder(path: str) -> FileChange:
    """Return that a folder was made."""
    return FileChange(kind="created", path=path, after=FileState(what="folder"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a call did, as the tool reports it; paths are relative to the root.

    Attributes:
        touched: Files that were read.
        created: Paths that were made.
        updated: Paths whose content was changed.
        deleted: Paths that were removed.
        commands: Command lines that were run.
        details: Each change with what was there before and after, in order.
    """

    touched: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    details: tuple[FileChange, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Every path that the call touched, each once."""
        return tuple(dict.fromkeys((*self.touched, *self.created, *self.updated, *self.deleted)))
