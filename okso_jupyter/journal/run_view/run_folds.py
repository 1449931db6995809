"""A run as a whole: its start, its state, the states that it was in, how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self, assert_never, get_args

from okso_jupyter.journal.events import (
    DecisionMade,
    ErrorRaised,
    PauseRequested,
    RunDeclined,
    RunMoved,
    RunStarted,
)
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.states import RunState


@dataclass(kw_only=True)
class StartFold(Fold[RunStarted]):
    """Start of a run.

    Attributes:
        started: Its request, folder, settings, tools and versions; None if there is no record.
    """

    takes = (RunStarted,)
    started: RunStarted | None = None

    def apply(self, event: RunStarted, at: str) -> None:
        """Keep what the run began with."""
        del at
        self.started = event


@dataclass(kw_only=True)
class StateFold(Fold[RunMoved]):
    """State of a run, as its last move says, whatever came before; lists of runs read that, too.

    Attributes:
        state: The state now.
    """

    takes = (RunMoved,)
    state: RunState = RunState.DRAFT

    def caught_up(self) -> Self:
        """Apply the last move and return the part.

        Raises:
            JournalError: The record of the last move is damaged.
        """
        while len(self.waiting) > 1:
            self.waiting.popleft()
        return super().caught_up()

    def apply(self, event: RunMoved, at: str) -> None:
        """Move to the state that the event names."""
        del at
        self.state = event.after


@dataclass(kw_only=True)
class PassedFold(Fold[RunMoved]):
    """States that a run was in.

    Attributes:
        passed: Every state that the run moved to.
    """

    takes = (RunMoved,)
    passed: set[RunState] = field(default_factory=set)

    def apply(self, event: RunMoved, at: str) -> None:
        """Keep the state that the event names."""
        del at
        self.passed.add(event.after)


EndingEvent = PauseRequested | RunDeclined | ErrorRaised | DecisionMade


@dataclass(kw_only=True)
class EndingFold(Fold[EndingEvent]):
    """How a run ended.

    Attributes:
        error: The last error.
        declined: The last refusal.
        decision: The last decision.
        interruption: What stopped the run last: the last of pause, refusal, error, decision.
    """

    takes = get_args(EndingEvent)
    error: ErrorRaised | None = None
    declined: RunDeclined | None = None
    decision: DecisionMade | None = None
    interruption: EndingEvent | None = None

    def apply(self, event: EndingEvent, at: str) -> None:
        """Change what is known of the end as an event says."""
        del at
        match event:
            case PauseRequested():
                self.interruption = event
            case RunDeclined():
                self.interruption = self.declined = event
            case ErrorRaised():
                self.interruption = self.error = event
            case DecisionMade():
                self.interruption = self.decision = event
            case _:
                assert_never(event)
