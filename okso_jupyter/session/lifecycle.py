"""Where a run stands: written down first, then so; and how it ends when an error ends it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import OksoError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.states import RUN_TRANSITIONS, RunEvent, RunState, advance
from okso_jupyter.session.settling import note_lost_calls

#: How a run ends when an error ends it, by the state it was in. A paused one does not: whoever is
#: asked again and does not answer has lost nothing.
_LAST_EVENT: Final[Mapping[RunState, RunEvent]] = {
    RunState.DRAFT: RunEvent.REFUSED,
    RunState.AWAITING_APPROVAL: RunEvent.CANCEL,
    RunState.APPROVED: RunEvent.CANCEL,
    RunState.EXECUTING: RunEvent.FAIL,
}


@dataclass(slots=True)
class Lifecycle:
    """The state of one run.

    Attributes:
        recorder: The run's journal.
        state: Where the run stands.
    """

    recorder: RunRecorder
    state: RunState = RunState.DRAFT

    def move(self, event: RunEvent) -> None:
        """Change the state.

        Raises:
            IllegalTransitionError: The table of states has no such move.
        """
        after = advance(RUN_TRANSITIONS, self.state, event)
        self.recorder.record("run_state", before=self.state, event=event, after=after)
        self.state = after

    @contextmanager
    def ending_on_error(self) -> Iterator[None]:
        """Write down how the run ended when an exception ends it, and let that go on."""
        try:
            yield
        except BaseException as error:
            if self.state is RunState.EXECUTING:
                note_lost_calls(self.recorder)
            message = error.message if isinstance(error, OksoError) else str(error)
            self.recorder.record("error", type=type(error).__name__, message=message)
            event = _LAST_EVENT.get(self.state)
            if event is not None:
                stopped = isinstance(error, KeyboardInterrupt)
                self.move(RunEvent.CANCEL if stopped else event)
            raise
