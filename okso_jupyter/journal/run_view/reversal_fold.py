"""Undo and redo of a run's file changes: the last one, and one that has not ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from okso_jupyter.journal.events import ReversalAdvanced, ReversalEnded, ReversalStarted
from okso_jupyter.journal.run_view.fold import Fold

ReversalEvent = ReversalStarted | ReversalAdvanced | ReversalEnded


@dataclass(kw_only=True)
class ReversalFold(Fold[ReversalEvent]):
    """Undo and redo of a run.

    Attributes:
        last: The last completed reversal; None if there was none.
        begun: The reversal that began and has not ended, or None.
        at: How many of its changes are recorded as made.
    """

    takes = get_args(ReversalEvent)
    last: Literal["undo", "redo"] | None = None
    begun: Literal["undo", "redo"] | None = None
    at: int = 0

    @property
    def is_undone(self) -> bool:
        """Whether the changes are currently undone."""
        return self.last == "undo"

    def apply(self, event: ReversalEvent, at: str) -> None:
        """Change the reversals as an event says."""
        del at
        match event:
            case ReversalStarted(direction=direction):
                self.begun, self.at = direction, 0
            case ReversalAdvanced(at=made):
                self.at = made
            case ReversalEnded(direction=direction, outcome=outcome):
                self.begun = None
                self.last = direction if outcome == "done" else self.last
            case _:
                assert_never(event)
