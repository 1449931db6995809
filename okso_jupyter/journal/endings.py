"""Endings: what kept a run from completing, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import (
    AnswerGiven,
    DecisionMade,
    ErrorRaised,
    ObservationMade,
    PauseRequested,
    PlanMade,
    RunDeclined,
    RunMoved,
)
from okso_jupyter.journal.store import Record, events_of, last_of
from okso_jupyter.plan.states import RunState

#: Stands for the state of a run whose records do not tell it.
DAMAGED: Final = "damaged"
_LOST: Final = frozenset({"failed", "uncertain"})
#: Words for a rejection, by who decided; a policy and a deadline give their reason.
_REJECTED: Final[Mapping[str, str]] = {
    "user": "the plan was rejected",
    "callable": "the plan was rejected",
}
_STOPPED: Final = "KeyboardInterrupt"
_PAUSED: Final = "it was paused"


class Ending:
    """How a run ended: the part of `Run` that says what it lacks, and whether it can go on.

    Attributes:
        records: Everything the journal holds of it.
    """

    records: tuple[Record, ...]

    @property
    def state(self) -> str:
        """Where the run stands, such as "completed"; "damaged" where that cannot be read."""
        try:
            moved = last_of(self.records, RunMoved)
        except JournalError:
            return DAMAGED
        return str(moved.after if moved is not None else RunState.DRAFT)

    @property
    def is_undone(self) -> bool:
        """Whether its changes of files are taken back at this moment."""
        raise NotImplementedError

    @property
    def shortfall(self) -> str:
        """What kept the run from completing, in a sentence; empty where nothing did so far."""
        return why_not_completed(self.state, self.records)

    @property
    def failure(self) -> str:
        """What came of a run that did not complete: of one that failed, step by step."""
        answer = last_of(self.records, AnswerGiven) if self.state == RunState.FAILED else None
        return (answer and answer.text) or self.shortfall

    @property
    def is_superseded(self) -> bool:
        """Whether it ended undecided, since its cell was run once more."""
        made = last_of(self.records, DecisionMade)
        is_superseded = made is not None and made.by == "superseded"
        return self.state == RunState.CANCELLED and is_superseded

    @property
    def is_open(self) -> bool:
        """Whether the run can be gone on with: it was shown, and neither completed nor refused.

        One that failed can once a step of it was begun, unless it was undone.
        """
        states = {moved.after for moved in events_of(self.records, RunMoved)}
        has_plan = any(record.kind == PlanMade.kind for record in self.records)
        if self.state == RunState.FAILED:
            return RunState.EXECUTING in states and not self.is_undone
        return self.state not in {RunState.COMPLETED, RunState.CANCELLED} and has_plan


def how_to_answer(run_id: str, step_id: int) -> str:
    """Return how the question about one step is answered on a line, where no form can be shown."""
    start = f"answer with %okso resume {run_id} {step_id}=again"
    return f'{start}, or with "{step_id}=done: RESULT" or "{step_id}=leave out" in its place'


def why_not_completed(state: str, records: Sequence[Record]) -> str:
    """Return why a run failed, was cancelled or is paused; empty for any other.

    Args:
        state: State of the run.
        records: Everything the journal holds of it.
    """
    if state == RunState.FAILED:
        return _lost_step(records) or _error(records)
    if state == RunState.CANCELLED:
        return _stopped(records) or _rejection(records)
    return _pause(records) if state == RunState.PAUSED else ""


def _lost_step(records: Sequence[Record]) -> str:
    """Return what became of the first step whose last attempt failed; empty if none did."""
    made = events_of(records, ObservationMade)
    last = {one.observation.call.step_id: one.observation for one in made}
    for step_id, seen in last.items():
        if seen.status in _LOST:
            return f"step {step_id} ({seen.call.tool}): {' '.join(seen.error.split())}"
    return ""


def _error(records: Sequence[Record]) -> str:
    """Return the error that ended the run."""
    raised = last_of(records, ErrorRaised)
    return raised.message if raised is not None else ""


def _stopped(records: Sequence[Record]) -> str:
    """Return that the run was stopped, or what else ended it; empty for a rejection."""
    raised = last_of(records, ErrorRaised)
    if raised is not None and raised.type == _STOPPED:
        return "it was stopped"
    declined = last_of(records, RunDeclined)
    return _error(records) or (declined.reason if declined is not None else "")


def _pause(records: Sequence[Record]) -> str:
    """Return why a run is paused: a question without an answer, *Stop*, a wish, a lost process."""
    paused = events_of(records, PauseRequested, RunDeclined, ErrorRaised, DecisionMade)
    match paused[-1] if paused else None:
        case RunDeclined(reason=reason):
            return reason
        case ErrorRaised(type=name, message=message):
            return "it was stopped" if name == _STOPPED else message
        case DecisionMade(by="timeout", reason=reason):
            return f"nobody decided: {reason}"
        case _:
            return _PAUSED


def _rejection(records: Sequence[Record]) -> str:
    made = last_of(records, DecisionMade)
    return _REJECTED.get(made.by, made.reason) if made is not None else ""


def how_to_execute(plan: str, doubt: str) -> str:
    """Return the call that runs the plan of a run once more; a doubtful one is for a person.

    Args:
        plan: The expression that gives the plan.
        doubt: Why no policy may decide about it; empty where one may. The plan does not say.
    """
    if not doubt:
        return f"session.execute({plan})"
    return f"session.execute({plan}, approve='ask'), since {doubt}"
