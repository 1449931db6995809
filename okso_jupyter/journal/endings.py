"""Endings: why a run did not complete, in words."""

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

#: State reported for a run whose records cannot be read.
DAMAGED: Final = "damaged"
_LOST: Final = frozenset({"failed", "uncertain"})
#: Wording of a rejection by who decided; a policy or a deadline states its own reason.
_REJECTED: Final[Mapping[str, str]] = {
    "user": "the plan was rejected",
    "callable": "the plan was rejected",
}
_STOPPED: Final = "KeyboardInterrupt"
_PAUSED: Final = "it was paused"


class Ending:
    """Mixin of `Run`: how the run ended, why it did not complete, and whether it can be resumed.

    Attributes:
        records: All journal records of the run.
    """

    records: tuple[Record, ...]

    @property
    def state(self) -> str:
        """State of the run, such as "completed"; "damaged" if it cannot be read."""
        try:
            moved = last_of(self.records, RunMoved)
        except JournalError:
            return DAMAGED
        return str(moved.after if moved is not None else RunState.DRAFT)

    @property
    def is_undone(self) -> bool:
        """Whether the run's file changes are currently undone."""
        raise NotImplementedError

    @property
    def shortfall(self) -> str:
        """Why the run did not complete, in a sentence; empty if nothing has prevented it so far."""
        return why_not_completed(self.state, self.records)

    @property
    def failure(self) -> str:
        """Outcome of a run that did not complete; for a failed run, step by step."""
        answer = last_of(self.records, AnswerGiven) if self.state == RunState.FAILED else None
        return (answer and answer.text) or self.shortfall

    @property
    def is_superseded(self) -> bool:
        """Whether the run ended undecided because its cell was run again."""
        made = last_of(self.records, DecisionMade)
        is_superseded = made is not None and made.by == "superseded"
        return self.state == RunState.CANCELLED and is_superseded

    @property
    def is_open(self) -> bool:
        """Whether the run can be resumed: it has a plan and is neither completed nor cancelled.

        A failed run can be resumed if it began executing, unless it was undone.
        """
        states = {moved.after for moved in events_of(self.records, RunMoved)}
        has_plan = any(record.kind == PlanMade.kind for record in self.records)
        if self.state == RunState.FAILED:
            return RunState.EXECUTING in states and not self.is_undone
        return self.state not in {RunState.COMPLETED, RunState.CANCELLED} and has_plan


def how_to_answer(run_id: str, step_id: int) -> str:
    """Return how to answer the question about one step as text, where no form can be shown."""
    start = f"answer with %okso resume {run_id} {step_id}=again"
    return f'{start}, or with "{step_id}=done: RESULT" or "{step_id}=leave out" in its place'


def why_not_completed(state: str, records: Sequence[Record]) -> str:
    """Return why a run failed, was cancelled or is paused; empty for any other state.

    Args:
        state: State of the run.
        records: All journal records of the run.
    """
    if state == RunState.FAILED:
        return _lost_step(records) or _error(records)
    if state == RunState.CANCELLED:
        return _stopped(records) or _rejection(records)
    return _pause(records) if state == RunState.PAUSED else ""


def _lost_step(records: Sequence[Record]) -> str:
    """Return the error of the first step whose last attempt failed or is uncertain; else empty."""
    made = events_of(records, ObservationMade)
    last = {one.observation.call.step_id: one.observation for one in made}
    for step_id, seen in last.items():
        if seen.status in _LOST:
            return f"step {step_id} ({seen.call.tool}): {' '.join(seen.error.split())}"
    return ""


def _error(records: Sequence[Record]) -> str:
    """Return the message of the error that ended the run; empty if there was none."""
    raised = last_of(records, ErrorRaised)
    return raised.message if raised is not None else ""


def _stopped(records: Sequence[Record]) -> str:
    """Return that the run was stopped, or the error or refusal that ended it; else empty."""
    raised = last_of(records, ErrorRaised)
    if raised is not None and raised.type == _STOPPED:
        return "it was stopped"
    declined = last_of(records, RunDeclined)
    return _error(records) or (declined.reason if declined is not None else "")


def _pause(records: Sequence[Record]) -> str:
    """Return why a run is paused: an open question, a stop, a pause request or a lost process."""
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
    """Return the call that runs a plan again; a doubtful plan needs a person's approval.

    Args:
        plan: The expression that evaluates to the plan.
        doubt: Why no policy may decide about the plan; empty if one may. The plan lacks this fact.
    """
    if not doubt:
        return f"session.execute({plan})"
    return f"session.execute({plan}, approve='ask'), since {doubt}"
