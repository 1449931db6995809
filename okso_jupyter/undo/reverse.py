"""Reverse: undoes or redoes the file changes of a run, all of them or none.

The intent is recorded before any file is touched, and every change after it was made. If the
process dies in between, the next undo or redo finishes the reversal or reverts it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from okso_jupyter import private_files
from okso_jupyter.effects.file_changes import FileChange
from okso_jupyter.errors import JournalError, ToolError, UndoError
from okso_jupyter.journal.events import (
    Event,
    ReversalAdvanced,
    ReversalEnded,
    ReversalStarted,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.lease import lease
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.store import Journal
from okso_jupyter.personal.opened_stores import served_places
from okso_jupyter.personal.personal_options import store_folders
from okso_jupyter.plan.states import RUN_TRANSITIONS, RunEvent, RunState, advance
from okso_jupyter.undo.change_history import ChangeHistory, read_change_history
from okso_jupyter.undo.outlook import check, differs
from okso_jupyter.undo.program import Direction, Program, backward, program_of
from okso_jupyter.undo.run_places import RunPlaces
from okso_jupyter.workspace import Images, Workspace, without_links


@dataclass(frozen=True, slots=True, kw_only=True)
class Reversal:
    """Result of an undo or a redo.

    Attributes:
        direction: "undo" or "redo".
        changes: The changes that were made, in order.
        left: A sentence for each effect of the run that undo cannot revert.
    """

    direction: Direction
    changes: Program
    left: tuple[str, ...]


def reverse(journal: Journal, run_id: str, direction: Direction) -> Reversal:
    """Undo or redo the file changes of a run.

    A paused or interrupted run is cancelled by it: it cannot be resumed afterwards.

    Raises:
        UndoError: It cannot be done as a whole; every file is as it was before.
        UsageError: The run is running.
        JournalError: The journal cannot be written.
    """
    images = Images.beneath(journal.path.parent)
    with (
        lease(journal.folder_of(run_id)),
        _alone(images),
        closing(workspace_of(journal, run_id, images)) as workspace,
    ):
        reverser = _Reverser(journal, run_id, workspace, images)
        history = reverser.history()
        if history.begun is not None:
            finished = reverser.settle(history.begun, history)
            if finished and history.begun == direction:
                return _reversal(direction, history)
            history = reverser.history()
        history.check_turn(run_id, direction)
        reverser.begin(direction, history)
        return _reversal(direction, history)


def _reversal(direction: Direction, history: ChangeHistory) -> Reversal:
    changes = program_of(direction, history.changes)
    return Reversal(direction=direction, changes=changes, left=tuple(history.left))


def workspace_of(journal: Journal, run_id: str, images: Images) -> Workspace:
    """Open the folder of a run without following links, and keeping images of what is removed."""
    started = RunView(run_id, journal.records(run_id, RunStarted)).started
    root = Path() if started is None else Path(started.root)
    lent = store_folders(started.settings, root) if started else ()
    try:
        folder = Workspace(root, opener=without_links, keep=images.keep).lending(*lent)
        served = served_places(started.settings) if started else ()
    except ToolError as error:
        msg = f"the folder of run {run_id} cannot be used: {error.message}"
        raise UndoError(msg) from error
    return RunPlaces(folder, served) if served else folder


@contextmanager
def _alone(images: Images) -> Iterator[None]:
    """Hold a lock that prevents other processes from undoing or redoing anything."""
    try:
        private_files.make_private_folder(images.folder)
        handle = os.open(images.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        msg = f"{images.folder} cannot be used: {error.strerror}"
        raise UndoError(msg) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        msg = "another undo or redo is under way"
        raise UndoError(msg, hint="try again when it has ended") from error
    finally:
        os.close(handle)


@dataclass(slots=True)
class _Reverser:
    """Carries out programs and records their progress."""

    journal: Journal
    run_id: str
    workspace: Workspace
    images: Images

    def history(self) -> ChangeHistory:
        """Return the run's history as the journal has it now."""
        return read_change_history(RunView(self.run_id, self.journal.records(self.run_id)))

    def begin(self, direction: Direction, history: ChangeHistory) -> None:
        """Carry out the program of a direction from its beginning."""
        program = program_of(direction, history.changes)
        check(program, self.workspace, self.images)
        self._cancel(history.state)
        self._record(ReversalStarted(direction=direction, changes=len(program)))
        self._carry_out(direction, program, 0)

    def _cancel(self, state: RunState) -> None:
        """Cancel a run that could still be resumed."""
        if (state, RunEvent.CANCEL) in RUN_TRANSITIONS:
            after = advance(RUN_TRANSITIONS, state, RunEvent.CANCEL)
            self._record(RunMoved(before=state, event=RunEvent.CANCEL, after=after))

    def settle(self, direction: Direction, history: ChangeHistory) -> bool:
        """Finish or revert an interrupted reversal; return whether it was finished.

        Raises:
            UndoError: Files have changed so that neither is possible.
        """
        program = program_of(direction, history.changes)
        end = len(program)
        places = [
            at for at in (history.at, history.at + 1, history.at - 1, 0, end) if 0 <= at <= end
        ]
        for at in places:
            if self._could(program[at:]) and self._could(backward(program[:at])):
                self._carry_out(direction, program, at)
                return True
        for at in sorted(places, reverse=True):
            if self._could(backward(program[:at])):
                self._give_up(direction, program, at)
                return False
        check(program[history.at :], self.workspace, self.images)
        check(backward(program[: history.at]), self.workspace, self.images)
        msg = f"an {direction} of run {self.run_id} was cut off and cannot be finished"
        raise UndoError(msg)

    def _could(self, program: Program) -> bool:
        try:
            check(program, self.workspace, self.images)
        except UndoError:
            return False
        return True

    def _carry_out(self, direction: Direction, program: Program, at: int) -> None:
        """Make the changes from an index on; if one fails, revert those made so far."""
        try:
            while at < len(program):
                self._make(program[at])
                self._record(ReversalAdvanced(at=at + 1))
                at += 1
        except BaseException as error:
            made = at < len(program) and self._is_made(direction, program[at])
            self._give_up(direction, program, at + made)
            if isinstance(error, ToolError | UndoError):
                msg = f"the {direction} was given up: {error.message}"
                raise UndoError(msg, hint="all files are as they were before it") from error
            raise
        ended = ReversalEnded(direction=direction, outcome="done", changes=len(program))
        self._record(ended)

    def _give_up(self, direction: Direction, program: Program, at: int) -> None:
        """Revert the changes made so far of a program.

        Raises:
            UndoError: Reverting failed too; the next undo or redo tries again.
        """
        for number, change in enumerate(backward(program[:at]), start=1):
            try:
                self._make(change)
            except (ToolError, UndoError) as error:
                msg = f"the {direction} stopped in its middle: {error.message}"
                raise UndoError(msg, hint=f"repair it, then run %okso {direction} again") from error
            with suppress(JournalError):  # files matter more: progress can be found without records
                self._record(ReversalAdvanced(at=at - number))
        self._record(ReversalEnded(direction=direction, outcome="given_up", changes=0))

    def _is_made(self, direction: Direction, change: FileChange) -> bool:
        """Return whether a path is in the state that a change leaves.

        Raises:
            UndoError: It cannot be seen, since a server is gone; the next undo or redo finds out.
        """
        try:
            return not differs(change.path, change.after, self.workspace.state(change.path))
        except ToolError as error:
            msg = f"the {direction} stopped in its middle: {error.message}"
            raise UndoError(msg, hint=f"run %okso {direction} again to finish it") from error

    def _make(self, change: FileChange) -> None:
        """Make one change, if its path is still in the expected state."""
        moved = change.kind == "moved"
        place, expected = change.source or change.path, change.after if moved else change.before
        problem = differs(place, expected, self.workspace.state(place))
        if moved and not problem:
            problem = differs(change.path, None, self.workspace.state(change.path))
        if problem:
            raise UndoError(problem)
        if moved:
            self.workspace.rename(change.source, change.path)
        elif change.after is None:
            is_folder = change.before is not None and change.before.what == "folder"
            remove = self.workspace.remove_dir if is_folder else self.workspace.remove_file
            remove(change.path)
        else:
            is_file = change.after.what == "file"
            chunks = self.images.read(change.after.sha256) if is_file else ()
            self.workspace.restore(change.path, change.after, chunks, new=change.kind == "created")

    def _record(self, event: Event) -> None:
        self.journal.append(self.run_id, event)
