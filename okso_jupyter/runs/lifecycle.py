"""Lifecycle: the state of a run; records each transition before making it, and ends on errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import ApprovalError, OksoError, UsageError
from okso_jupyter.journal.endings import how_to_execute
from okso_jupyter.journal.events import ErrorRaised, RunMoved
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.states import RUN_TRANSITIONS, RunEvent, RunState, advance
from okso_jupyter.resume.reconcile import record_lost_calls

#: Last event of a run that an error ends, by state. A paused run stays paused, so that a question
#: which is not answered after a resume loses nothing.
_LAST_EVENT: Final[Mapping[RunState, RunEvent]] = {
    RunState.DRAFT: RunEvent.REFUSED,
    RunState.AWAITING_APPROVAL: RunEvent.CANCEL,
    RunState.APPROVED: RunEvent.CANCEL,
    RunState.EXECUTING: RunEvent.FAIL,
}
#: The same for *Stop*: it is final before approval; an executing run can be resumed.
_STOPPED: Final[Mapping[RunState, RunEvent]] = {
    **dict.fromkeys(_LAST_EVENT, RunEvent.CANCEL),
    RunState.EXECUTING: RunEvent.PAUSE,
}
#: The same for a question of a resumed run that could not be answered: the run stays open.
_UNANSWERED: Final[Mapping[RunState, RunEvent | None]] = {
    RunState.AWAITING_APPROVAL: None,
    RunState.EXECUTING: RunEvent.PAUSE,
}


def check_first_time(recorder: RunRecorder, doubt: str) -> None:
    """Raise UsageError if a run was shown or has ended before: a planning runs once.

    Args:
        recorder: The run's journal.
        doubt: Why no policy may decide about the plan; empty if one may.
    """
    if recorder.journal.records(recorder.run_id, RunMoved):
        msg = f"run {recorder.run_id} was decided before, or waits for a decision"
        how = how_to_execute("planning.plan", doubt)
        raise UsageError(msg, hint=f"plan the request again, or {how}")


@dataclass(slots=True)
class Lifecycle:
    """The state of one run.

    Attributes:
        recorder: The run's journal.
        state: The state of the run.
        is_resumed: Whether the run was resumed: it stays open if no approver is available.
    """

    recorder: RunRecorder
    state: RunState = RunState.DRAFT
    is_resumed: bool = False

    def move(self, event: RunEvent) -> None:
        """Record a transition and change the state.

        Raises:
            IllegalTransitionError: The transition table has no such transition.
        """
        after = advance(RUN_TRANSITIONS, self.state, event)
        self.recorder.record(RunMoved(before=self.state, event=event, after=after))
        self.state = after

    @contextmanager
    def ending_on_error(self) -> Iterator[None]:
        """Record how the run ended if an exception ends it, and re-raise the exception."""
        try:
            yield
        except BaseException as error:
            if self.state is RunState.EXECUTING:
                record_lost_calls(self.recorder)
            message = error.message if isinstance(error, OksoError) else str(error)
            self.recorder.record(ErrorRaised(type=type(error).__name__, message=message))
            event = self._last_event(error)
            if event is not None:
                self.move(event)
            raise

    def _last_event(self, error: BaseException) -> RunEvent | None:
        """Return the event that ends the run on an error; None where its state does not change."""
        if isinstance(error, KeyboardInterrupt):
            return _STOPPED.get(self.state)
        if self.is_resumed and isinstance(error, ApprovalError):
            return _UNANSWERED.get(self.state, _LAST_EVENT.get(self.state))
        return _LAST_EVENT.get(self.state)
