"""Selection of the run for an undo or a redo without an id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from okso_jupyter.errors import JournalError, UndoError
from okso_jupyter.journal.events import ObservationMade, ReversalEnded
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER
from okso_jupyter.undo.change_history import read_change_history
from okso_jupyter.undo.program import Direction

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
