"""Endings: why a run did not complete, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import (
    AnswerGiven,
    DecisionMade,
    ErrorRaised,
    PauseRequested,
    PlanMade,
    RunDeclined,
)
from okso_jupyter.journal.run_records import RunRecords
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.run_folds import EndingEvent
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


class Ending(RunRecords):
    """Mixin of `Run`: how the run ended, why it did not complete, and whether it can be resumed."""

    @property
    def state(self) -> str:
        """State of the run, such as "completed"; "damaged" if it cannot be read."""
        try:
            return str(self.view.state)
        except JournalError:
            return DAMAGED

    @property
    def is_undone(self) -> bool:
        """Whether the run's file changes are currently undone."""
        return self.view.reversals.is_undone

    @property
    def shortfall(self) -> str:
        """Why the run did not complete, in a sentence; empty if nothing has prevented it so far."""
        return _why_not_completed(self.state, self.view)

    @property
    def failure(self) -> str:
        """Outcome of a run that did not complete; for a failed run, step by step."""
        answer = self._last(AnswerGiven) if self.state == RunState.FAILED else None
        return (answer and answer.text) or self.shortfall

    @property
    def is_superseded(self) -> bool:
        """Whether the run ended undecided because its cell was run again."""
        made = self.view.ending.decision
        is_superseded = made is not None and made.by == "superseded"
        return self.state == RunState.CANCELLED and is_superseded

    @property
    def is_open(self) -> bool:
        """Whether the run can be resumed: it has a plan and is neither completed nor cancelled.

        A failed run can be resumed if it began executing, unless it was undone.
        """
        state = self.view.state
        if state is RunState.FAILED:
            return RunState.EXECUTING in self.view.passed and not self.is_undone
        is_over = state in {RunState.COMPLETED, RunState.CANCELLED}
        return not is_over and self._last(PlanMade) is not None


def how_to_answer(run_id: str, step_id: int) -> str:
    """Return how to answer the question about one step as text, where no form can be shown."""
    start = f"answer with %okso resume {run_id} {step_id}=again"
    return f'{start}, or with "{step_id}=done: RESULT" or "{step_id}=leave out" in its place'


def _why_not_completed(state: str, view: RunView) -> str:
    """Return why a run failed, was cancelled or is paused; empty for any other state."""
    if state == RunState.FAILED:
        return _lost_step(view) or _error(view)
    if state == RunState.CANCELLED:
        return _stopped(view) or _rejection(view)
    return _pause(view.ending.interruption) if state == RunState.PAUSED else ""


def _lost_step(view: RunView) -> str:
    """Return the error of the first step whose last attempt failed or is uncertain; else empty."""
    last = {seen.call.step_id: seen for seen in view.calls.observed}
    for step_id, seen in last.items():
        if seen.status in _LOST:
            return f"step {step_id} ({seen.call.tool}): {' '.join(seen.error.split())}"
    return ""


def _error(view: RunView) -> str:
    """Return the message of the error that ended the run; empty if there was none."""
    raised = view.ending.error
    return raised.message if raised is not None else ""


def _stopped(view: RunView) -> str:
    """Return that the run was stopped, or the error or refusal that ended it; else empty."""
    raised, declined = view.ending.error, view.ending.declined
    if raised is not None and raised.type == _STOPPED:
        return "it was stopped"
    return _error(view) or (declined.reason if declined is not None else "")


def _pause(by: EndingEvent | None) -> str:
    """Return why a run is paused: an open question, a stop, a pause request or a lost process."""
    match by:
        case RunDeclined(reason=reason) | DecisionMade(by="timeout", reason=reason):
            return reason
        case ErrorRaised(type=name, message=message):
            return "it was stopped" if name == _STOPPED else message
        case DecisionMade() | PauseRequested() | None:
            return _PAUSED
        case _:
            assert_never(by)


def _rejection(view: RunView) -> str:
    made = view.ending.decision
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
