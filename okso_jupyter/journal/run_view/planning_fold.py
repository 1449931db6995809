"""The latest planning call of a run that gave candidates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never, get_args

from okso_jupyter.journal.events import CandidateChosen, CandidateScored, ModelUsed, SampleUnusable
from okso_jupyter.journal.run_view.fold import Fold

PlanningEvent = ModelUsed | CandidateScored | SampleUnusable | CandidateChosen


@dataclass(kw_only=True)
class PlanningFold(Fold[PlanningEvent]):
    """The latest planning call; one without candidates leaves those of the call before it.

    Attributes:
        scored: The candidates.
        unusable: The samples since the call began that are no plan.
        chosen: The choice that a planning call made last.
    """

    takes = get_args(PlanningEvent)
    scored: list[CandidateScored] = field(default_factory=list)
    unusable: list[SampleUnusable] = field(default_factory=list)
    chosen: CandidateChosen | None = None
    #: Unusable samples of a call that has no candidate yet; None if no such call has begun.
    _begun: list[SampleUnusable] | None = None

    def apply(self, event: PlanningEvent, at: str) -> None:
        """Change what is known of the planning as an event says."""
        del at
        match event:
            case ModelUsed(role=role):
                self._begun = [] if role == "planner" else self._begun
            case SampleUnusable():
                self._reject(event)
            case CandidateScored():
                self._score(event)
            case CandidateChosen():
                self.chosen = event
            case _:
                assert_never(event)

    def _reject(self, sample: SampleUnusable) -> None:
        self.unusable.append(sample)
        if self._begun is not None:
            self._begun.append(sample)

    def _score(self, candidate: CandidateScored) -> None:
        if self._begun is not None:
            self.scored, self.unusable, self._begun = [], self._begun, None
        self.scored.append(candidate)
