"""State of a run, and the states that it was in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from okso_jupyter.journal.events import RunMoved
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.states import RunState


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
