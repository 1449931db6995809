"""Decisions about a run's plan, and approvals: granted, used up, held back, answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never, get_args

from okso_jupyter.journal.events import (
    CallStarted,
    CandidateChosen,
    DecisionMade,
    ObservationMade,
    PlanMade,
    PlanProposed,
    ProposalShown,
)
from okso_jupyter.journal.run_view.fold import Fold, is_own
from okso_jupyter.plan.approval_scope import ApprovalScope, Grants

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


ApprovalEvent = ProposalShown | DecisionMade | CallStarted | ObservationMade


@dataclass(kw_only=True)
class ApprovalFold(Fold[ApprovalEvent]):
    """Approvals of a run; what was shown to another run or decided there grants nothing.

    Attributes:
        run_id: The run.
        granted: The approvals, with every attempt that began.
        held: Ids of the steps that were shown with the plan and not approved.
        answered: Fingerprints of approved questions about a single step that has not begun since,
            by step id.
    """

    takes = get_args(ApprovalEvent)
    run_id: str
    granted: Grants = field(default_factory=Grants)
    held: set[int] = field(default_factory=set)
    answered: dict[int, set[str]] = field(default_factory=dict)
    _shown: ProposalShown | None = None
    #: Steps with a call that began and has no outcome: whether it can be repeated.
    _begun: dict[int, bool] = field(default_factory=dict)

    @property
    def left(self) -> Grants:
        """What is left of the approvals where the run is interrupted.

        An attempt without an outcome does not count if it can be repeated.
        """
        return self.granted.given_back(step_id for step_id, again in self._begun.items() if again)

    def apply(self, event: ApprovalEvent, at: str) -> None:
        """Change the approvals as an event says."""
        del at
        match event:
            case ProposalShown():
                self._show(event)
            case DecisionMade():
                self._decide(event)
            case CallStarted(step_id=step_id, is_repeatable=is_repeatable):
                self.granted.count(step_id, is_repeatable=is_repeatable)
                self._begun[step_id] = is_repeatable
                self.answered.pop(step_id, None)
            case ObservationMade(observation=seen):
                self.granted.note(seen.call.step_id, seen.status)
                self._begun.pop(seen.call.step_id, None)
            case _:
                assert_never(event)

    def _show(self, shown: ProposalShown) -> None:
        """Withdraw the approvals of what is shown again; a part of a step has none of its own."""
        if not is_own(shown, self.run_id):
            return
        if shown.about != "part":
            self.granted.withdraw(_terms(shown))
        self._shown = shown

    def _decide(self, made: DecisionMade) -> None:
        shown = self._shown
        if shown is None or not made.is_approval or not is_own(made, self.run_id):
            return
        if shown.about == "plan":
            self.held = set(shown.steps) - set(made.steps)
        else:
            for step_id in made.steps:
                self.answered.setdefault(step_id, set()).add(made.shown)
        if shown.fingerprint == made.shown and shown.about != "part":
            terms = _terms(shown)
            # a scope that was redacted has another fingerprint than the one that was approved
            approved = {i for i in terms if made.steps.get(i) == terms[i].fingerprint}
            self.granted.add(terms, approved, by=made.by)


def _terms(shown: ProposalShown) -> dict[int, ApprovalScope]:
    """Return what an approval of each step covers, by step id."""
    return {terms.step.id: terms for terms in map(ApprovalScope.from_dict, shown.terms)}
