"""Pause requests: written to the journal, so that any kernel, terminal or thread can make one.

A running cell keeps its kernel busy. It reads the journal before each step, and every process with
the same OKSO_HOME can write to that journal.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import UsageError
from okso_jupyter.journal.events import PauseRequested, RunMoved
from okso_jupyter.journal.lease import is_leased
from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.states import RunState
from okso_jupyter.results import read_run

#: States in which a run can be paused: before it waits for approval, nothing can be resumed.
_PAUSABLE: Final = frozenset({RunState.AWAITING_APPROVAL, RunState.APPROVED, RunState.EXECUTING})


@dataclass(slots=True)
class PauseWatch:
    """Checks whether a pause was requested; reads each record once.

    Attributes:
        journal: The journal.
        run_id: The run.
        seen: Sequence number of the last record to ignore, such as the last one before a resume.
    """

    journal: Journal
    run_id: str
    seen: int = 0
    _asked: bool = False

    def __call__(self) -> bool:
        """Return whether a pause was requested."""
        self.seen, kinds = self.journal.kinds_since(self.run_id, self.seen)
        self._asked = self._asked or PauseRequested.kind in kinds
        return self._asked


def ask_to_pause(journal: Journal, run_id: str | None) -> str:
    """Request a run to pause before its next step, and return its id.

    Args:
        journal: The journal that the run writes to.
        run_id: The run; None means the only one that is running.

    Raises:
        JournalError: There is no such run.
        UsageError: It is not running, or no id was given and not exactly one run is running.
    """
    chosen = _only_one(running(journal)) if run_id is None else run_id
    state = read_run(journal, chosen).state
    if state not in _PAUSABLE or not is_leased(journal.folder_of(chosen)):
        msg = f"run {chosen} is {state} and not running"
        raise UsageError(msg, hint="%okso resume list lists the runs that can be resumed")
    journal.append(chosen, PauseRequested(process_id=os.getpid()))
    return chosen


def running(journal: Journal) -> list[str]:
    """Return the ids of the runs that are running now, the newest first."""
    return [
        record.run_id
        for record, move in journal.last_of_each(RunMoved)
        if move.after in _PAUSABLE and is_leased(journal.folder_of(record.run_id))
    ]


def _only_one(run_ids: list[str]) -> str:
    if len(run_ids) == 1:
        return run_ids[0]
    if not run_ids:
        msg = "no run is running that could be paused"
        raise UsageError(msg, hint="%okso resume list lists the runs that can be resumed")
    msg = f"{len(run_ids)} runs are running: {', '.join(run_ids)}"
    raise UsageError(msg, hint=f"name one: %okso pause {run_ids[0]}")
