"""Approval loop: shows a plan, and new ones after feedback, until one is approved or rejected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.approval.decisions import DecidedPlan, Decisions
from okso_jupyter.approval.editing.edit_scoring import Alternatives
from okso_jupyter.approval.request_builder import check_tools, with_open_slots
from okso_jupyter.journal.events import PlanMade, RunDeclined
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan, outline
from okso_jupyter.plan.records import Approval
from okso_jupyter.plan.revision import Revision
from okso_jupyter.plan.states import RunEvent, RunState
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.resume.rebuild import RebuiltRun
from okso_jupyter.runs.lifecycle import Lifecycle
from okso_jupyter.runs.planning_stage import plan_request
from okso_jupyter.runs.run_context import RunContext

#: Most plans that are made in a row after feedback.
_MAX_ROUNDS: Final = 10


@dataclass(slots=True, kw_only=True)
class ApprovalLoop:
    """Has a plan approved before the first step runs.

    Attributes:
        context: What the stages of the run share.
        life: The state of the run.
        decisions: Obtains the decisions.
    """

    context: RunContext
    life: Lifecycle
    decisions: Decisions

    def agree(
        self, plan: Plan, note: str, alternatives: Alternatives, found: RebuiltRun | None = None
    ) -> Plan | None:
        """Return the approved plan; None where the run is rejected.

        A resumed run continues with the plan that it showed last, or with the decision that it
        had recorded.

        Args:
            plan: The first plan to show.
            note: How it was chosen.
            alternatives: The candidates that it was chosen from.
            found: The rebuilt state of a resumed run.
        """
        turned_down = found.turned_down if found else ()
        known = found.decided if found else None
        revision: Revision | None = None
        for rounds_left in reversed(range(_MAX_ROUNDS)):
            decided = self._decided(plan, note, revision, alternatives, known)
            approval, plan, known = decided.approval, decided.plan, None
            if approval.decision == "approve":
                self.life.move(RunEvent.APPROVE)
                return plan
            if approval.decision == "reject":
                break
            if rounds_left == 0:
                self._give_up()
                break
            if self.life.state is RunState.AWAITING_APPROVAL:
                self.life.move(RunEvent.FEEDBACK)
            turned_down = (*turned_down, RejectedPlan(plan, approval.feedback))
            planning = self._planned_anew(plan, turned_down)
            alternatives, note = Alternatives.of(planning, turned_down), planning.note
            newer = with_open_slots(
                replace(planning.plan, version=plan.version + 1), self.context.tools
            )
            revision = Revision(older=plan, newer=newer, cause="feedback", reason=approval.feedback)
            plan = newer
        self.life.move(RunEvent.REJECT)
        return None

    def _decided(
        self,
        plan: Plan,
        note: str,
        revision: Revision | None,
        alternatives: Alternatives,
        known: Approval | None,
    ) -> DecidedPlan:
        """Return the decision about a plan; the plan is recorded before it is shown."""
        if known is not None:
            return DecidedPlan(approval=known, plan=plan)
        if self.life.state is RunState.DRAFT:
            cause, reason = (revision.cause, revision.reason) if revision else (None, None)
            doubt = alternatives.doubt or self.decisions.doubt_about(plan)
            made = PlanMade(plan=plan.to_dict(), cause=cause, reason=reason, doubt=doubt)
            self.context.recorder.record(made)
            self.life.move(RunEvent.PLANNED)
        return self.decisions.about_plan(plan, note, revision=revision, alternatives=alternatives)

    def _planned_anew(self, plan: Plan, turned_down: tuple[RejectedPlan, ...]) -> Planning:
        """Return a new planning that takes the feedback into account."""
        request = plan.request or plan.title or outline(plan)
        planning = plan_request(self.context, request, self.decisions.policy, turned_down)
        self.context.listeners.planned(planning)
        check_tools(planning.plan, self.context.tools)
        return planning

    def _give_up(self) -> None:
        """Record and log that the limit of plans after feedback is reached."""
        reason = f"feedback was given {_MAX_ROUNDS} times, and none of the plans was approved"
        self.context.recorder.record(RunDeclined(reason=reason, is_open=False))
        LOGGER.warning(reason, extra={"detail": "ask again, with the feedback in the request"})
