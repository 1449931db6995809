"""File changes: what calls did to files, one by one and in sum, with states before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NetChanges:
    """Differences of a folder after a run; a file that was created and removed is none.

    Attributes:
        created: Paths that did not exist before.
        changed: Paths whose content was changed.
        removed: Paths that no longer exist.
    """

    created: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @classmethod
    def of(cls, calls: Iterable[Changes]) -> Self:
        """Return the net changes of calls, in the order in which they ended."""
        found: dict[str, str] = {}
        for changes in calls:
            for path in changes.created:
                found[path] = "changed" if found.get(path) == "removed" else "created"
            for path in changes.updated:
                found.setdefault(path, "changed")
            for path in changes.deleted:
                if found.pop(path, "") != "created":
                    found[path] = "removed"
        return cls(
            **{
                kind: tuple(path for path, what in found.items() if what == kind)
                for kind in ("created", "changed", "removed")
            }
        )

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.removed)

    @property
    def words(self) -> str:
        """All changes on one line, such as "created a.txt, b.txt; removed c.txt"."""
        parts = {"created": self.created, "changed": self.changed, "removed": self.removed}
        return "; ".join(f"{kind} {', '.join(paths)}" for kind, paths in parts.items() if paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPreview:
    """Expected change of one path.

    Attributes:
        path: The path.
        there: Its current state, or None.
        back: Its state afterwards, or None.
        source: The path it would be moved from; empty if it is not a move.
        diff: The difference of both contents as a unified diff, or in words.
    """

    path: str
    there: FileState | None
    back: FileState | None
    source: str = ""
    diff: str = ""

    @property
    def kind(self) -> str:
        """The kind of change, as in `FileChange.kind`."""
        if self.source:
            return "moved"
        if self.back is None:
            return "deleted"
        return "created" if self.there is None else "overwritten"
