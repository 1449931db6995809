"""Net changes: differences of a folder after a run, or after its undo."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from okso_jupyter.effects.file_changes import Changes, FileState


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
