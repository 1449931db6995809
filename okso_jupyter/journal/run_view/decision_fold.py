"""Decisions about a run's plan: what was shown, what was approved, what is still to take effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never, get_args

from okso_jupyter.journal.events import (
    CandidateChosen,
    DecisionMade,
    PlanMade,
    PlanProposed,
    ProposalShown,
)
from okso_jupyter.journal.run_view.fold import Fold, is_own

DecisionEvent = CandidateChosen | PlanMade | PlanProposed | ProposalShown | DecisionMade


@dataclass(kw_only=True)
class DecisionFold(Fold[DecisionEvent]):
    """Decisions about a run's plan; plans stay JSON data until they are asked for.

    Attributes:
        run_id: The run.
        shown: What was shown for approval last.
        proposed: The plan that was made or proposed last; None if a candidate was chosen since.
        approved: The plan that was shown and approved last.
        decided: The decision about the newest plan, which has not taken effect yet.
    """

    takes = get_args(DecisionEvent)
    run_id: str
    shown: ProposalShown | None = None
    proposed: Mapping[str, Any] | None = None
    approved: Mapping[str, Any] | None = None
    decided: DecisionMade | None = None

    def apply(self, event: DecisionEvent, at: str) -> None:
        """Change what was shown and decided as an event says."""
        del at
        match event:
            case CandidateChosen():
                self.proposed = self.decided = None
            case PlanMade(plan=plan):
                self.proposed, self.decided = plan, None
            case PlanProposed(plan=plan):
                self.proposed = plan
            case ProposalShown():
                self.shown = event
            case DecisionMade():
                self._decide(event)
            case _:
                assert_never(event)

    def _decide(self, decided: DecisionMade) -> None:
        is_mine = is_own(decided, self.run_id)
        self.decided = decided if is_mine else None
        if is_mine and decided.is_approval and self._is_about_plan(decided):
            self.approved = self.proposed

    def _is_about_plan(self, decided: DecisionMade) -> bool:
        """Return whether a decision is about a whole plan, the one that was shown last."""
        shown = self.shown
        return shown is not None and (shown.about, shown.fingerprint) == ("plan", decided.shown)
