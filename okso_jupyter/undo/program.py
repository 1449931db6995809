"""Programs: the file changes of a run as elementary operations, forward and backward.

A program is a list of changes, each of one path and with exactly one inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, Literal

from okso_jupyter.effects.file_changes import FileChange

Direction = Literal["undo", "redo"]
Program = tuple[FileChange, ...]

_INVERSE: Final[dict[str, Literal["created", "deleted", "overwritten"]]] = {
    "created": "deleted",
    "deleted": "created",
    "overwritten": "overwritten",
}


def forward(changes: Iterable[FileChange]) -> Program:
    """Return the program that makes the changes of a run.

    Args:
        changes: The changes that the run recorded, in order.
    """
    return tuple(part for change in changes for part in _parts(change))


def backward(program: Program) -> Program:
    """Return the program that reverts another one."""
    return tuple(_inverse(change) for change in reversed(program))


def program_of(direction: Direction, changes: Iterable[FileChange]) -> Program:
    """Return the program that undoes or redoes the changes of a run."""
    done = forward(changes)
    return done if direction == "redo" else backward(done)


def _parts(change: FileChange) -> Iterator[FileChange]:
    """Yield a change as elementary ones: a move onto a file first deletes that file."""
    if change.kind == "moved" and change.before is not None:
        yield FileChange(kind="deleted", path=change.path, before=change.before)
        change = replace(change, before=None)
    yield change


def _inverse(change: FileChange) -> FileChange:
    if change.kind == "moved":
        return replace(change, path=change.source, source=change.path)
    return replace(change, kind=_INVERSE[change.kind], before=change.after, after=change.before)
