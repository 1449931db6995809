"""Approvals of a run: granted, used up, held back, and questions that were answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never, get_args

from okso_jupyter.journal.events import CallStarted, DecisionMade, ObservationMade, ProposalShown
from okso_jupyter.journal.run_view.fold import Fold, is_own
from okso_jupyter.plan.approval_grants import Grants
from okso_jupyter.plan.approval_scope import ApprovalScope

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
            self.granted.add(terms, approved)


def _terms(shown: ProposalShown) -> dict[int, ApprovalScope]:
    """Return what an approval of each step covers, by step id."""
    return {terms.step.id: terms for terms in map(ApprovalScope.from_dict, shown.terms)}
