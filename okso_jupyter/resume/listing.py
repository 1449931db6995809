"""Lists the runs that can be resumed, with the reason why each has not ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter.errors import JournalError, PlanError, UsageError
from okso_jupyter.journal.events import RunMoved
from okso_jupyter.journal.lease import is_leased
from okso_jupyter.journal.store import Journal
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.states import RunState, StepState
from okso_jupyter.results import read_run
from okso_jupyter.resume.checks import check_resumable
from okso_jupyter.resume.rebuild import RebuiltRun, rebuilt
from okso_jupyter.resume.waiting_runs import OPEN

_DONE: Final = frozenset({StepState.COMPLETED, StepState.SKIPPED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumable:
    """A run that can be resumed.

    Attributes:
        id: The id of the run.
        request: Its request.
        state: Its state.
        done: Number of completed and skipped steps.
        steps: Number of steps in its plan.
        when: Time of its last record, ISO 8601 in UTC.
        why: Why it has not ended, in words.
    """

    id: str
    request: str
    state: str
    done: int
    steps: int
    when: str
    why: str


def resumable_runs(journal: Journal, root: Path) -> list[Resumable]:
    """Return the runs of a folder that have not ended and are not running, the newest first.

    A run that cannot be read is left out and logged; the others are still listed.
    """
    states = OPEN | {RunState.FAILED}
    waiting = [r.run_id for r, move in journal.last_of_each(RunMoved) if move.after in states]
    found = (_resumable(journal, run_id, root) for run_id in waiting)
    return [run for run in found if run is not None]


def _resumable(journal: Journal, run_id: str, root: Path) -> Resumable | None:
    if is_leased(journal.folder_of(run_id)):
        return None
    try:
        run = read_run(journal, run_id)
        check_resumable(run, root)
    except UsageError:
        return None  # it belongs to another folder or was a dry run
    except JournalError as error:
        _say_unreadable(run_id, error)
        return None
    try:
        known = rebuilt(run)
    except (JournalError, PlanError, UsageError, KeyError, TypeError, ValueError) as error:
        _say_unreadable(run_id, error)
        return None
    states = [known.progress.state(step.id) for step in known.plan.steps]
    return Resumable(
        id=run_id,
        request=run.request or known.plan.title,
        state=run.state,
        done=sum(state in _DONE for state in states),
        steps=len(states),
        when=run.records[-1].at,
        why=_why(known),
    )


def _say_unreadable(run_id: str, error: Exception) -> None:
    LOGGER.warning("a run cannot be read", extra={"detail": {"run": run_id, "why": str(error)}})


def _why(known: RebuiltRun) -> str:
    if known.state is RunState.AWAITING_APPROVAL:
        return "it waits for approval"
    if known.state in {RunState.PAUSED, RunState.FAILED}:
        return known.run.shortfall
    running = [str(interrupted.step_id) for interrupted in known.interrupted]
    if not running:
        return "its process ended"
    return f"its process ended while step {', '.join(running)} ran"
