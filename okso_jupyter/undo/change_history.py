"""ChangeHistory: the file changes of a run as recorded, and whether they are undone."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from okso_jupyter.effects.file_changes import Changes, FileChange
from okso_jupyter.errors import UndoError
from okso_jupyter.journal.events import (
    CallStarted,
    ObservationMade,
    ReversalAdvanced,
    ReversalEnded,
    ReversalStarted,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.store import Record, events_of
from okso_jupyter.plan.states import RunState
from okso_jupyter.undo.outlook import never
from okso_jupyter.undo.program import Direction, backward, forward

#: Events from which a history is read.
_OF_HISTORY: Final = (
    RunStarted,
    RunMoved,
    ObservationMade,
    ReversalStarted,
    ReversalAdvanced,
    ReversalEnded,
)
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
            said.append(f"Cut off: an {self.begun} has not come to its end.")
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


def read_change_history(records: Sequence[Record]) -> ChangeHistory:
    """Return the history recorded in the records of a run."""
    history, is_replay = ChangeHistory(left=list(_left_behind(records))), False
    for event in events_of(records, *_OF_HISTORY):
        match event:
            case RunStarted(root=root, is_replay=is_replay):
                history.root = Path(root)
            case RunMoved(after=after):
                history.state = after
            case ObservationMade(observation=seen):
                history.changes += seen.changes.details
            case ReversalStarted(direction=direction):
                history.begun, history.at = direction, 0
            case ReversalAdvanced(at=at):
                history.at = at
            case ReversalEnded(direction=direction, outcome=outcome):
                history.begun = None
                history.last = direction if outcome == "done" else history.last
    if is_replay:
        history.changes, history.left = [], [_PLAYED_BACK]
    return history


def _left_behind(records: Sequence[Record]) -> Iterator[str]:
    """Yield a sentence for each effect of a call that undo cannot revert."""
    started: dict[tuple[int, int], CallStarted] = {}
    for event in events_of(records, CallStarted, ObservationMade):
        match event:
            case CallStarted() as begun:
                started[begun.step_id, begun.attempt] = begun
            case ObservationMade(observation=seen):
                call = started.pop((seen.call.step_id, seen.call.attempt), None)
                if call is not None:
                    yield from _left(call, seen.changes, cut_off=seen.status == "uncertain")
    for call in started.values():
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
