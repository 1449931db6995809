"""MadeFiles: the files a run itself created or changed, as opposed to changes by others."""

from __future__ import annotations

from dataclasses import dataclass, field

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.workspace.predictions import fingerprint_of


@dataclass(slots=True)
class MadeFiles:
    """The state in which the calls of one run left the paths they changed."""

    _left: dict[str, str] = field(default_factory=dict)
    _made: set[str] = field(default_factory=set)

    def take_in(self, changes: Changes) -> None:
        """Record the changes of a call."""
        for change in changes.details:
            if change.kind == "moved":
                self._move(change)
            else:
                self._left[change.path] = fingerprint_of(change.after)
            if change.kind == "created":
                self._made.add(change.path)
            elif change.kind == "deleted":
                self._made.discard(change.path)

    def left(self, path: str) -> str | None:
        """Return the fingerprint of a path as the run left it; None if the run did not touch it."""
        return self._left.get(path)

    def is_own(self, path: str, fingerprint: str) -> bool:
        """Return whether the run created the file at a path, and it is unchanged since."""
        return path in self._made and self._left.get(path) == fingerprint

    def _move(self, change: FileChange) -> None:
        self._left[change.source], self._left[change.path] = "", fingerprint_of(change.after)
        if change.source in self._made:
            self._made.discard(change.source)
            self._made.add(change.path)
        else:
            self._made.discard(change.path)
