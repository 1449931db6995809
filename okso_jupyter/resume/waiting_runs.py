"""Runs that can be resumed, found by reading few records: fast enough for `%load_ext`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter.journal.events import AnswerGiven, RunMoved, RunStarted
from okso_jupyter.journal.lease import is_leased
from okso_jupyter.journal.store import Journal, last_of
from okso_jupyter.plan.states import RunState
from okso_jupyter.redaction.redactor import remembered

#: States of runs that have not ended.
OPEN: Final = frozenset(
    {RunState.AWAITING_APPROVAL, RunState.APPROVED, RunState.EXECUTING, RunState.PAUSED}
)
_WORDS: Final = {
    RunState.AWAITING_APPROVAL: "waits for approval",
    RunState.PAUSED: "is paused",
}
_INTERRUPTED: Final = "was interrupted"
_MAX_REQUEST_CHARS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRun:
    """A run that has not ended and is not running.

    Attributes:
        id: The id of the run.
        request: Its request.
        state: Its state.
    """

    id: str
    request: str
    state: RunState

    @property
    def words(self) -> str:
        """What it waits for, in words."""
        return _WORDS.get(self.state, _INTERRUPTED)


def waiting_runs(journal: Journal, root: Path) -> Iterator[WaitingRun]:
    """Yield the runs of a folder that can be resumed, the newest first.

    Args:
        journal: The journal.
        root: The folder.
    """
    for record, move in journal.last_of_each(RunMoved):
        run_id, state = record.run_id, move.after
        if state not in OPEN or is_leased(journal.folder_of(run_id)):
            continue
        records = journal.records(run_id, RunStarted, AnswerGiven)
        begun = last_of(records, RunStarted)
        is_rehearsal = state is RunState.APPROVED and last_of(records, AnswerGiven) is not None
        if begun is not None and begun.root == str(root) and not is_rehearsal:
            yield WaitingRun(id=run_id, request=begun.request, state=state)


def notice(home: Path, root: Path) -> str:
    """Return one line about the runs of a folder that can be resumed; empty if there are none.

    Args:
        home: OKSO_HOME; no file is created in it.
        root: The folder.

    Raises:
        JournalError: The journal cannot be read.
    """
    if not Journal.is_at(home):
        return ""
    with closing(Journal(home, remembered())) as journal:
        found = list(waiting_runs(journal, root))
    if not found:
        return ""
    if len(found) > 1:
        return f"{len(found)} runs of this folder can be resumed: %okso resume lists them"
    run = found[0]
    request = " ".join(run.request.split())
    short = request if len(request) <= _MAX_REQUEST_CHARS else f"{request[:_MAX_REQUEST_CHARS]}…"
    return f'a run of this folder {run.words} ("{short}"): %okso resume {run.id} resumes it'
