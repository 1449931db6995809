"""Preview: what an undo or a redo would do to each file, computed without touching any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.effects.file_changes import PathPreview
from okso_jupyter.errors import ToolError, UndoError
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.store import Journal
from okso_jupyter.undo.change_history import read_change_history
from okso_jupyter.undo.outlook import check
from okso_jupyter.undo.program import Direction, Program, program_of
from okso_jupyter.undo.reverse import workspace_of
from okso_jupyter.workspace import Images, Workspace
from okso_jupyter.workspace.text_files import diff

#: Larger contents are not compared.
_MAX_SHOWN_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What an undo or a redo would do.

    Attributes:
        run_id: The run.
        direction: "undo" or "redo".
        paths: Every path that would be changed, each once.
        left: A sentence for each effect of the run that undo cannot revert.
    """

    run_id: str
    direction: Direction
    paths: tuple[PathPreview, ...]
    left: tuple[str, ...]


def preview(journal: Journal, run_id: str, direction: Direction) -> Preview:
    """Return what an undo or a redo of a run would do now.

    Raises:
        UndoError: It would be refused.
        JournalError: The journal cannot be read.
    """
    history = read_change_history(RunView(run_id, journal.records(run_id)))
    if history.begun is not None:
        msg = f"an {history.begun} of run {run_id} was cut off"
        raise UndoError(msg, hint=f"%okso {history.begun} {run_id} finishes it")
    history.check_turn(run_id, direction)
    images, program = Images.beneath(journal.path.parent), program_of(direction, history.changes)
    with closing(workspace_of(journal, run_id, images)) as workspace:
        check(program, workspace, images)
        paths = tuple(_with_diff(path, workspace, images) for path in _net(program))
    return Preview(run_id=run_id, direction=direction, paths=paths, left=tuple(history.left))


def _net(program: Program) -> Iterator[PathPreview]:
    """Yield the net effect of a program on each path."""
    found: dict[str, PathPreview] = {}
    for change in program:
        before = change.before
        if change.kind == "moved":
            before = None
            _put(found, PathPreview(path=change.source, there=change.after, back=None))
        came = PathPreview(path=change.path, there=before, back=change.after, source=change.source)
        _put(found, came)
    for one in found.values():
        if one.there != one.back:
            yield _as_moved(one, found)


def _as_moved(one: PathPreview, found: Mapping[str, PathPreview]) -> PathPreview:
    """Return a path marked as moved from or to another one, if both ends of the move remain."""
    if one.source and one.back is not None and found[one.source].there is not None:
        return replace(one, diff=f"moved from {one.source}")
    for other in found.values():
        if other.source == one.path and other.back is not None and one.there is not None:
            return replace(one, diff=f"moved to {other.path}")
    return replace(one, source="")


def _put(found: dict[str, PathPreview], newer: PathPreview) -> None:
    """Add a change of a path; the path's first state is kept."""
    known = found.get(newer.path)
    found[newer.path] = newer if known is None else replace(newer, there=known.there)


def _with_diff(path: PathPreview, workspace: Workspace, images: Images) -> PathPreview:
    """Return the preview of a path with the difference of its contents."""
    if path.diff:
        return path
    states = [state for state in (path.there, path.back) if state is not None]
    if any(state.what != "file" for state in states):
        return path
    if any((state.size_bytes or 0) > _MAX_SHOWN_BYTES for state in states):
        return replace(path, diff="too long to be shown")
    there = back = None
    try:
        if path.there is not None:
            there = workspace.read_bytes(path.path, max_bytes=_MAX_SHOWN_BYTES)
        if path.back is not None:
            back = b"".join(images.read(path.back.sha256))
    except ToolError as error:
        return replace(path, diff=error.message)
    return replace(path, diff=diff(path.path, there, back))
