"""What is done with a run's changes of files afterwards: the part of `Run` that undoes them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from okso_jupyter.effects.net_changes import NetChanges
from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import ObservationMade, RunStarted
from okso_jupyter.journal.store import Journal, Record, events_of
from okso_jupyter.redaction.redactor import remembered
from okso_jupyter.undo.change_history import read_change_history
from okso_jupyter.undo.preview import preview
from okso_jupyter.undo.program import Direction
from okso_jupyter.undo.reverse import reverse

if TYPE_CHECKING:
    import pandas as pd


class Undoable:
    """Takes back what a run did to files, and does it again.

    Attributes:
        id: Its id in the journal.
        records: Everything the journal holds of it; undo and redo add to it.
        home: Folder of the journal.
    """

    id: str
    records: tuple[Record, ...]
    home: Path

    @property
    def changes(self) -> NetChanges:
        """What the run changed in its folder, also where that is undone."""
        made = events_of(self.records, ObservationMade)
        is_replay = any(started.is_replay for started in events_of(self.records, RunStarted))
        return NetChanges.of(() if is_replay else (one.observation.changes for one in made))

    @property
    def is_undoable(self) -> bool:
        """Whether it changed files and that is not undone; whether undo succeeds may change."""
        history = read_change_history(self.records)
        return bool(history.changes) and not history.is_undone

    @property
    def is_undone(self) -> bool:
        """Whether its changes of files are taken back at this moment."""
        return read_change_history(self.records).is_undone

    def undo(self, *, dry_run: bool = False) -> pd.DataFrame:
        """Take back every change of files that the run made, or none, and return them.

        What it did otherwise (foreign code, the web) stays and has a row that says so.

        Args:
            dry_run: Change nothing; return what lies at each path, and what would come back.

        Raises:
            UndoError: The run has not ended, was undone already, or a file has changed since.
        """
        return self._reverse("undo", dry_run=dry_run)

    def redo(self, *, dry_run: bool = False) -> pd.DataFrame:
        """Make the changes again that `undo` took back, all or none, and return them.

        Args:
            dry_run: Change nothing, and return what would become of each path.

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
                self.records = tuple(journal.records(self.id))
        return reversal_frame(reversal.changes, reversal.left)
