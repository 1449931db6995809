"""Selection of the run for an undo or a redo without an id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from okso_jupyter.errors import UndoError
from okso_jupyter.journal.events import ObservationMade, ReversalEnded
from okso_jupyter.journal.store import Journal
from okso_jupyter.undo.change_history import read_change_history
from okso_jupyter.undo.program import Direction

_KIND: Final[Mapping[Direction, type[ObservationMade | ReversalEnded]]] = {
    "undo": ObservationMade,
    "redo": ReversalEnded,
}


def latest_to_reverse(journal: Journal, root: Path, direction: Direction) -> str:
    """Return the id of the latest run of a folder that can be undone or redone.

    Undo takes the last run that changed files and is not undone, redo the run undone last.

    Args:
        journal: The journal.
        root: The folder.
        direction: "undo" or "redo".

    Raises:
        UndoError: There is no such run.
    """
    is_undone = direction == "redo"
    for run_id in journal.runs_with(_KIND[direction]):
        history = read_change_history(journal.records(run_id))
        if history.root == root and history.changes and history.is_undone is is_undone:
            return run_id
    if is_undone:
        msg = "no run of this folder is undone, so there is nothing to redo"
    else:
        msg = "no run of this folder changed a file that can be put back"
    raise UndoError(msg, hint="%okso runs tells what each run changed")
