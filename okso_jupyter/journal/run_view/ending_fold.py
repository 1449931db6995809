"""How a run came to its end or to a pause: errors, refusals, pauses, decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, get_args

from okso_jupyter.journal.events import (
    DecisionMade,
    ErrorRaised,
    PauseRequested,
    RunDeclined,
)
from okso_jupyter.journal.run_view.fold import Fold

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
