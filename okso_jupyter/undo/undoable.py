"""Undoable: the part of `Run` that undoes and redoes the run's file changes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from okso_jupyter.effects.file_changes import NetChanges
from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import ObservationMade, RunStarted
from okso_jupyter.journal.run_records import RunRecords
from okso_jupyter.journal.store import Journal
from okso_jupyter.redaction.redactor import remembered
from okso_jupyter.undo.change_history import read_change_history
from okso_jupyter.undo.preview import preview
from okso_jupyter.undo.program import Direction
from okso_jupyter.undo.reverse import reverse

if TYPE_CHECKING:
    import pandas as pd


class Undoable(RunRecords):
    """Mixin that undoes and redoes the file changes of a run, and appends records to it.

    Attributes:
        home: Folder of the journal.
    """

    home: Path

    @property
    def changes(self) -> NetChanges:
        """The run's file changes in its folder, including undone ones."""
        started = self.view.started
        if started is not None and started.is_replay:
            return NetChanges.of(())
        return NetChanges.of(made.observation.changes for made in self._events(ObservationMade))

    @property
    def is_undoable(self) -> bool:
        """Whether the run changed files and is not undone; `undo` may still fail."""
        history = read_change_history(self.view)
        return bool(history.changes) and not history.is_undone

    def undo(self, *, dry_run: bool = False) -> pd.DataFrame:
        """Undo every file change of the run, or none, and return the changes made.

        Other effects (foreign code, the web) remain and have a row that says so.

        Args:
            dry_run: Change nothing; return the current state of each path and the restored one.

        Raises:
            UndoError: The run has not ended, is undone already, or a file has changed since.
        """
        return self._reverse("undo", dry_run=dry_run)

    def redo(self, *, dry_run: bool = False) -> pd.DataFrame:
        """Redo every file change that `undo` reverted, or none, and return the changes made.

        Args:
            dry_run: Change nothing; return how each path would change.

        Raises:
            UndoError: The run is not undone, or a file has changed since.
        """
        return self._reverse("redo", dry_run=dry_run)

    def _reverse(self, direction: Direction, *, dry_run: bool) -> pd.DataFrame:
        from okso_jupyter.frames.run_tables import preview_frame, reversal_frame  # noqa: PLC0415  pandas is slow

        with closing(Journal(self.home, remembered())) as journal:
            if not journal.records(self.id, RunStarted):
                msg = f"run {self.id} is not in the journal any more"
                raise JournalError(msg, hint="%okso runs lists those that are")
            if dry_run:
                shown = preview(journal, self.id, direction)
                return preview_frame(shown.paths, shown.left)
            try:
                reversal = reverse(journal, self.id, direction)
            finally:
                self._read_on(journal.records(self.id))
        return reversal_frame(reversal.changes, reversal.left)
