"""MadeFiles: what a run itself has left in the folder, to be told from what others did."""

from __future__ import annotations

from dataclasses import dataclass, field

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.workspace.predictions import fingerprint_of


@dataclass(slots=True)
class MadeFiles:
    """What the calls of one run have left at the paths that they changed."""

    _left: dict[str, str] = field(default_factory=dict)
    _made: set[str] = field(default_factory=set)

    def take_in(self, changes: Changes) -> None:
        """Take in what a call did."""
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
        """Return the fingerprint of what the run left at a path; None where it changed nothing."""
        return self._left.get(path)

    def is_own(self, path: str, fingerprint: str) -> bool:
        """Say whether the run made the file at a path, and nobody has changed it since."""
        return path in self._made and self._left.get(path) == fingerprint

    def _move(self, change: FileChange) -> None:
        self._left[change.source], self._left[change.path] = "", fingerprint_of(change.after)
        if change.source in self._made:
            self._made.discard(change.source)
            self._made.add(change.path)
        else:
            self._made.discard(change.path)
