"""Outlook: checks whether a program can be carried out, before any file is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from okso_jupyter.effects.file_changes import FileChange, FileState
from okso_jupyter.errors import ToolError, UndoError
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.undo.program import Program
from okso_jupyter.workspace import MAX_KEPT_BYTES, Images, Workspace


def check(program: Program, workspace: Workspace, images: Images) -> None:
    """Raise UndoError, naming the path, unless the whole program can be carried out now."""
    outlook = _Outlook(workspace)
    for change in program:
        problem = _unknown(change) or _not_kept(change, images) or outlook.objection(change)
        if problem:
            raise UndoError(problem, hint="nothing was changed")
        outlook.apply(change)


def never(program: Program) -> Iterator[str]:
    """Yield a sentence for each path because of which a program can never be carried out."""
    for change in program:
        after = change.after
        lost = after is not None and after.what == "file" and not after.sha256
        problem = _unknown(change) or _unmakable(change)
        if problem or (lost and change.kind != "moved"):
            yield problem or f"the content of {change.path} was too large to be kept"


def differs(path: str, expected: FileState | None, found: FileState | None) -> str:
    """Return in words how a path differs from its expected state; empty if it does not."""
    if expected is None or found is None:
        if expected is found:
            return ""
        return f"{path} is no longer there" if expected else f"{path} is there again"
    are_known = expected.mode is not None and found.mode is not None
    ways = (
        (expected.what != found.what, f"{path} is a {found.what} now, not a {expected.what}"),
        (expected.size_bytes != found.size_bytes, f"{path} has changed since"),
        (expected.sha256 != found.sha256, f"{path} has changed since"),
        (expected.target != found.target, f"{path} points elsewhere now"),
        (
            are_known and expected.mode != found.mode,
            f"the permissions of {path} have changed since",
        ),
    )
    return next((words for differ, words in ways if differ), "")


def _unknown(change: FileChange) -> str:
    """Return why the state before a change is not known well enough; empty if it is."""
    if REDACTED in change.path or REDACTED in change.source:
        return f"{change.path or change.source}: the name held a secret and was not written down"
    before = change.before
    if change.kind == "moved" or before is None or before.what != "file":
        return ""
    if before.size_bytes is not None and before.size_bytes > MAX_KEPT_BYTES:
        return f"{change.path} is too large ({before.size_bytes:,} bytes) to be kept or compared"
    if not before.sha256:
        return f"{change.path} could not be read, so whether it has changed is not known"
    return ""


def _not_kept(change: FileChange, images: Images) -> str:
    """Return why the content that a change restores is not available; empty if it is."""
    after = change.after
    if change.kind == "moved" or after is None or after.what in {"folder", "link"}:
        return ""
    if problem := _unmakable(change):
        return problem
    if not images.has(after.sha256):
        return f"the content of {change.path} was not kept: it was too large, or is too long ago"
    return ""


def _unmakable(change: FileChange) -> str:
    """Return why a change would create something that cannot be created; empty if it can."""
    if change.kind == "moved" or change.after is None or change.after.what != "special":
        return ""
    return f"{change.path} was not a regular file and cannot be made again"


@dataclass(slots=True)
class _Outlook:
    """The file system as it would be after some changes, simulated without touching it.

    Attributes:
        workspace: The real file system.
    """

    workspace: Workspace
    #: Simulated state of each changed path; None if nothing exists there.
    _states: dict[str, FileState | None] = field(default_factory=dict)
    #: Paths created or removed by the simulation, so that nothing real exists below them.
    _fresh: set[str] = field(default_factory=set)
    #: Moves so far, as (source, target), in order.
    _moves: list[tuple[str, str]] = field(default_factory=list)

    def objection(self, change: FileChange) -> str:
        """Return why a change cannot be made now; empty if it can."""
        try:
            if change.kind == "moved":
                return differs(change.source, change.after, self._state(change.source)) or differs(
                    change.path, None, self._state(change.path)
                )
            problem = differs(change.path, change.before, self._state(change.path))
            return problem or self._not_empty(change)
        except ToolError as error:
            return error.message

    def apply(self, change: FileChange) -> None:
        """Simulate a change."""
        if change.kind == "moved":
            for path in [path for path in self._states if _is_at(path, change.source)]:
                there = change.path + path.removeprefix(change.source)
                self._states[there] = self._states.pop(path)
                if path in self._fresh:
                    self._fresh.remove(path)
                    self._fresh.add(there)
            self._states[change.source] = None
            self._fresh.add(change.source)
            self._moves.append((change.source, change.path))
        else:
            self._fresh.add(change.path)
        self._states[change.path] = change.after

    def _state(self, path: str) -> FileState | None:
        """Return the simulated state of a path."""
        if path in self._states:
            return self._states[path]
        real = self._real(path)
        return None if real is None else self.workspace.state(real)

    def _real(self, path: str) -> str | None:
        """Return the real path of a simulated path; None if nothing real can exist there."""
        above = path
        while above and above not in self._states:
            above = above.rpartition("/")[0]
        if above in self._fresh:
            return None
        for source, target in reversed(self._moves):
            if _is_at(path, target):
                path = source + path.removeprefix(target)
        return path

    def _not_empty(self, change: FileChange) -> str:
        """Return what remains in a folder that a change removes; empty if nothing does."""
        if change.kind != "deleted" or change.before is None or change.before.what != "folder":
            return ""
        real = self._real(change.path)
        is_there = real is not None and self.workspace.state(real) is not None
        inside = self.workspace.listdir(real) if real is not None and is_there else []
        names = (f"{change.path}/{entry.name}" for entry in inside)
        left = [path for path in names if self._state(path) is not None]
        return f"{change.path} holds {left[0]}, which is not of this run" if left else ""


def _is_at(path: str, place: str) -> bool:
    """Return whether a path is a place or lies below it."""
    return path == place or path.startswith(f"{place}/")
