"""ChangeHistory: file changes of a run as recorded, and the run that undo or redo takes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.errors import JournalError, UndoError
from okso_jupyter.journal.events import CallStarted, ObservationMade, ReversalEnded
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.step_folds import CallFold
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.states import RunState
from okso_jupyter.undo.outlook import never
from okso_jupyter.undo.program import Direction, backward, forward

_PLAYED_BACK: Final = "it was played back from a recording: no tool was called, nothing changed"


@dataclass(slots=True)
class ChangeHistory:
    """The file changes of a run, and their undo and redo so far.

    Attributes:
        root: Folder that the run worked in.
        state: State of the run.
        changes: File changes, in order.
        left: A sentence for each change that cannot be undone.
        last: The last completed reversal, "undo" or "redo"; None if there was none.
        begun: The reversal that began and has not ended, or None.
        at: How many of its changes are recorded as made.
    """

    root: Path = field(default_factory=Path)
    state: RunState = RunState.DRAFT
    changes: list[FileChange] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    last: Direction | None = None
    begun: Direction | None = None
    at: int = 0

    @property
    def is_undone(self) -> bool:
        """Whether the changes are currently undone."""
        return self.last == "undo"

    def notes(self) -> list[str]:
        """Return sentences about undone, interrupted or irreversible changes, for the report."""
        said = ["Undone: its changes of files are taken back."] if self.is_undone else []
        if self.begun is not None:
            said.append(f"Cut off: an {self.begun} has not finished.")
        lost = dict.fromkeys(never(backward(forward(self.changes))))
        return [*said, *(f"Cannot be undone: {reason}" for reason in lost)]

    def check_turn(self, run_id: str, direction: Direction) -> None:
        """Raise UndoError if there is nothing to reverse in this direction."""
        if not self.changes:
            more = f"; {self.left[0]}" if self.left else ""
            msg = f"run {run_id} changed no file that can be put back{more}"
            raise UndoError(msg)
        if direction == "undo" and self.is_undone:
            msg = f"run {run_id} is undone already"
            raise UndoError(msg, hint=f"%okso redo {run_id} does its changes again")
        if direction == "redo" and not self.is_undone:
            msg = f"run {run_id} is not undone, so there is nothing to redo"
            raise UndoError(msg)


def read_change_history(run: RunView) -> ChangeHistory:
    """Return the history of a run."""
    reversals, started = run.reversals, run.started
    history = ChangeHistory(
        root=Path() if started is None else Path(started.root),
        state=run.state,
        last=reversals.last,
        begun=reversals.begun,
        at=reversals.at,
    )
    if started is not None and started.is_replay:
        history.left = [_PLAYED_BACK]
    else:
        calls = run.calls
        history.changes = [change for one in calls.observed for change in one.changes.details]
        history.left = list(_left_behind(calls))
    return history


def _left_behind(calls: CallFold) -> Iterator[str]:
    """Yield a sentence for each effect of a call that undo cannot revert."""
    for call, seen in calls.ended:
        yield from _left(call, seen.changes, cut_off=seen.status == "uncertain")
    for call in calls.begun.values():
        yield from _left(call, Changes(), cut_off=True)


def _left(call: CallStarted, changes: Changes, *, cut_off: bool) -> list[str]:
    """Return a sentence for each effect of one call that undo cannot revert."""
    name = f"step {call.step_id} ({call.tool})"
    if call.is_repeatable:
        return []
    if cut_off:
        return [f"{name} was cut off: what it changed by then is not known"]
    # Compared by names: a path reached through a link differs from the real path.
    known = {posixpath.basename(p) for one in changes.details for p in (one.path, one.source)}
    changed = (*changes.created, *changes.updated, *changes.deleted)
    unknown = [path for path in changed if known.isdisjoint(path.split("/"))]
    if unknown:
        return [f"{name}: {path} cannot be put back" for path in dict.fromkeys(unknown)]
    if not changed and not changes.commands:
        return [f"{name}: what it did beside the file tools is not known, and stays"]
    return []


_KIND: Final[Mapping[Direction, type[ObservationMade | ReversalEnded]]] = {
    "undo": ObservationMade,
    "redo": ReversalEnded,
}


def latest_to_reverse(journal: Journal, root: Path, direction: Direction) -> str:
    """Return the id of the latest run of a folder that can be undone or redone.

    Undo takes the last run that changed files and is not undone, redo the run undone last. A run
    that cannot be read is passed over and logged.

    Args:
        journal: The journal.
        root: The folder.
        direction: "undo" or "redo".

    Raises:
        UndoError: There is no such run.
    """
    is_undone = direction == "redo"
    for run_id in journal.runs_with(_KIND[direction]):
        try:
            history = read_change_history(RunView(run_id, journal.records(run_id)))
        except JournalError as error:
            detail = {"run": run_id, "why": error.message}
            LOGGER.warning("a run cannot be read", extra={"detail": detail})
            continue
        if history.root == root and history.changes and history.is_undone is is_undone:
            return run_id
    if is_undone:
        msg = "no run of this folder is undone, so there is nothing to redo"
    else:
        msg = "no run of this folder changed a file that can be put back"
    raise UndoError(msg, hint="%okso runs tells what each run changed")
