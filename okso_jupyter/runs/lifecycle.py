"""Where a run stands: written down first, then so; and how it ends when an error ends it."""

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

#: How a run ends when an error ends it, by the state it was in. A paused one does not: whoever is
#: asked again and does not answer has lost nothing.
_LAST_EVENT: Final[Mapping[RunState, RunEvent]] = {
    RunState.DRAFT: RunEvent.REFUSED,
    RunState.AWAITING_APPROVAL: RunEvent.CANCEL,
    RunState.APPROVED: RunEvent.CANCEL,
    RunState.EXECUTING: RunEvent.FAIL,
}
#: The same for *Stop*: before the approval it is final, and what runs can be gone on with.
_STOPPED: Final[Mapping[RunState, RunEvent]] = {
    **dict.fromkeys(_LAST_EVENT, RunEvent.CANCEL),
    RunState.EXECUTING: RunEvent.PAUSE,
}
#: The same for a question that nobody could answer once a run is gone on with: it waits on.
_UNANSWERED: Final[Mapping[RunState, RunEvent | None]] = {
    RunState.AWAITING_APPROVAL: None,
    RunState.EXECUTING: RunEvent.PAUSE,
}


def check_first_time(recorder: RunRecorder, doubt: str) -> None:
    """Raise UsageError if a run was shown or ended before: a planning runs once.

    Args:
        recorder: The run's journal.
        doubt: Why no policy may decide about what was planned; empty where one may.
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
        state: Where the run stands.
        is_resumed: Whether it was begun before: where nobody can decide, it waits as before.
    """

    recorder: RunRecorder
    state: RunState = RunState.DRAFT
    is_resumed: bool = False

    def move(self, event: RunEvent) -> None:
        """Change the state.

        Raises:
            IllegalTransitionError: The table of states has no such move.
        """
        after = advance(RUN_TRANSITIONS, self.state, event)
        self.recorder.record(RunMoved(before=self.state, event=event, after=after))
        self.state = after

    @contextmanager
    def ending_on_error(self) -> Iterator[None]:
        """Write down how the run ended when an exception ends it, and let that go on."""
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
        """Return how the run ends with an error; None where it stays as it is."""
        if isinstance(error, KeyboardInterrupt):
            return _STOPPED.get(self.state)
        if self.is_resumed and isinstance(error, ApprovalError):
            return _UNANSWERED.get(self.state, _LAST_EVENT.get(self.state))
        return _LAST_EVENT.get(self.state)
