"""Replanner: replaces the rest of a run's plan by an approved new version, or records why not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.approval.decisions import Decisions
from okso_jupyter.approval.request_builder import check_tools, with_open_slots
from okso_jupyter.effects.effect import NOT_REPEATABLE, Effect
from okso_jupyter.errors import ApprovalError, ModelError, PlanError, UsageError
from okso_jupyter.execution.attempts import DeclinedError
from okso_jupyter.execution.budgets import Budgets
from okso_jupyter.execution.run_transcript import calls_in_brief
from okso_jupyter.journal.events import (
    DecisionMade,
    PlanMade,
    PlanProposed,
    ProposalShown,
    ReplanFailed,
    ReplanRequested,
)
from okso_jupyter.llm.sending import may_send
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.approval_request import Ended
from okso_jupyter.plan.merge import merged
from okso_jupyter.plan.plan import Plan, outline
from okso_jupyter.plan.plan_progress import Outcome, PlanProgress, ReplanDue
from okso_jupyter.plan.revision import Revision
from okso_jupyter.plan.states import StepState
from okso_jupyter.planning.background import RunSoFar
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.runs.fuzzy_names import NearestNames, nearest_names
from okso_jupyter.runs.planning_stage import plan_request
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.toolkit.steering import steering_words, words_in
from okso_jupyter.workspace.names_in_folder import names_in

#: Most plans that are made in a row after feedback.
_MAX_ROUNDS: Final = 10
#: Stands for a reason that may hold what a tool returned, where SEND keeps that here.
_UNTOLD: Final = "a step (why is not told)"
#: Characters of each output that a server is told for another plan.
_MOST_OUTPUT: Final = 500
#: Most words that a reason quotes.
_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Replanned:
    """Result of a request for a new plan.

    Attributes:
        plan: The approved plan, or None.
        is_rejected: Whether a new plan was made and rejected.
        reason: Why there is no new plan; empty if there is one.
    """

    plan: Plan | None = None
    is_rejected: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replanner:
    """Replans the rest of one run, at most PLAN_MAX_REPLANS times.

    Attributes:
        context: What the stages of the run share; its journal holds the number of new plans.
        decisions: Obtains the approval.
        budgets: What the run may spend.
    """

    context: RunContext
    decisions: Decisions
    budgets: Budgets

    def conduct(
        self, plan: Plan, progress: PlanProgress, walk: Callable[[Plan], Outcome]
    ) -> Outcome:
        """Execute a plan, and the plans that replace it, to the end.

        Args:
            plan: The approved plan.
            progress: The progress of the run; each execution continues from it.
            walk: Executes one version.

        Returns:
            The outcome of the last execution; its `due` is still set if a new plan was rejected.
        """
        outcome = walk(plan)
        while outcome.due is not None and not outcome.paused:
            if outcome.due.cause == "up_to":
                replanned = self._about_the_rest(plan, progress)
            elif outcome.due.cause == "budget" or self.budgets.is_over(None):
                if outcome.due.cause == "validation":
                    return replace(outcome, due=None)  # the answer stays, nothing more is spent
                replanned = self._about_the_budget(plan, progress)
            elif outcome.due.cause == "validation":
                replanned = self._for_a_better_answer(plan, progress, outcome.due)
                if replanned.plan is None:
                    return replace(outcome, due=None)  # better an invalid answer than none
            else:
                replanned = self.replan(plan, progress, outcome.due)
            if replanned.is_rejected:
                return outcome
            plan = replanned.plan or plan
            outcome = walk(plan)
        if not outcome.failed:
            return outcome
        return replace(outcome, answer="\n".join([outcome.answer, *self._why_not()]))

    def _about_the_budget(self, plan: Plan, progress: PlanProgress) -> Replanned:
        """Return the rest of a plan, once a person lets the run spend as much again.

        Raises:
            DeclinedError: A person did not allow more, which ends the run; or nobody can be asked
                here or answered in time: the run is paused and can be resumed.
        """
        reason = self.budgets.words
        try:
            replanned = self._about_the_rest(
                plan, progress, f"{reason}. Approving allows as much again", reason
            )
        except ApprovalError as error:
            raise DeclinedError(reason, is_open=True) from error
        if replanned.is_rejected:
            is_late = self.context.events(DecisionMade)[-1].by == "timeout"
            outcome = "it was not decided in time" if is_late else "a person did not allow more"
            msg = f"{reason}, and {outcome}"
            raise DeclinedError(msg, is_open=is_late)
        self.budgets.raise_limits()
        return replanned

    def _about_the_rest(
        self,
        plan: Plan,
        progress: PlanProgress,
        note: str = "approved up to here; this is the rest",
        budget: str = "",
    ) -> Replanned:
        """Return the rest of a plan, once the rest is approved too.

        Args:
            plan: The plan.
            progress: The progress of the run.
            note: Why it is asked about.
            budget: Which budgets are used up, which a person alone may raise; empty if none is.
        """
        decided = self.decisions.about_plan(plan, note, ended=_ended(plan, progress), budget=budget)
        if decided.approval.decision == "reject":
            return Replanned(is_rejected=True, reason="the rest was turned down")
        if decided.approval.decision == "approve":
            if decided.plan is not plan:
                self._adopt(decided.plan)
            return Replanned(plan=decided.plan)
        said = decided.approval.feedback
        due = ReplanDue(cause="feedback", steps=(), error_class=None, reason=said)
        return self._decided(decided.plan, progress, due)

    def _adopt(self, plan: Plan) -> None:
        """Record the approved plan, with a person's edits, as the current version."""
        proposed = self.context.events(PlanProposed)[-1]
        made = PlanMade(
            plan=plan.to_dict(),
            cause=proposed.cause,
            reason=proposed.reason,
            doubt=proposed.doubt,
        )
        self.context.recorder.record(made)

    def _for_a_better_answer(self, plan: Plan, progress: PlanProgress, due: ReplanDue) -> Replanned:
        """Return a new plan after an invalid answer; if there is none, the answer is kept."""
        try:
            return self.replan(plan, progress, due)
        except ApprovalError as error:
            return self._without(error.message)

    def replan(self, plan: Plan, progress: PlanProgress, due: ReplanDue) -> Replanned:
        """Return the approved new version of a plan, or the reason why there is none.

        Args:
            plan: The newest version.
            progress: The progress of the run; its failures are marked as answered.
            due: Why a new plan is due.

        Raises:
            ApprovalError: No approver is available for the new plan.
        """
        progress.answered(due)
        most = self.context.settings.plan_max_replans
        if len(self.context.events(ReplanRequested)) >= most:
            return self._without(f"PLAN_MAX_REPLANS allows {most}")
        requested = ReplanRequested(
            plan_version=plan.version,
            cause=due.cause,
            steps=due.steps,
            error_class=due.error_class,
            reason=due.reason,
        )
        self.context.recorder.record(requested)
        return self._decided(plan, progress, due)

    def _why_not(self) -> list[str]:
        """Return the reasons why there was no new plan, or no further one, each once."""
        reasons = dict.fromkeys(failed.reason for failed in self.context.events(ReplanFailed))
        return [f"No new plan: {reason}" for reason in reasons]

    def _decided(self, plan: Plan, progress: PlanProgress, due: ReplanDue) -> Replanned:
        """Show new plans until one is approved or rejected."""
        turned_down: tuple[RejectedPlan, ...] = (RejectedPlan(plan, ""),)
        for _ in range(_MAX_ROUNDS):
            try:
                newer, near, planning = self._proposed(plan, progress, due, turned_down)
            except (ModelError, PlanError, UsageError) as error:
                return self._without(error.message)
            proposed = PlanProposed(
                plan=newer.to_dict(), cause=due.cause, reason=due.reason, doubt=planning.doubt
            )
            self.context.recorder.record(proposed)
            decided = self.decisions.about_plan(
                newer,
                "; ".join((*near.notes, *self._not_known(plan, progress).values(), planning.note)),
                revision=Revision(older=plan, newer=newer, cause=due.cause, reason=due.reason),
                ended=_ended(newer, progress),
                for_person=self._doubtful(newer, plan, progress, near, due),
                is_free_to_read=self._is_free_to_read(),
            )
            if decided.approval.decision == "approve":
                self._adopt(decided.plan)
                return Replanned(plan=decided.plan)
            if decided.approval.decision == "reject":
                break
            turned_down = (*turned_down, RejectedPlan(decided.plan, decided.approval.feedback))
        return Replanned(is_rejected=True, reason="the new plan was turned down")

    def _proposed(
        self,
        plan: Plan,
        progress: PlanProgress,
        due: ReplanDue,
        turned_down: tuple[RejectedPlan, ...],
    ) -> tuple[Plan, NearestNames, Planning]:
        """Return a new version of the plan, the names it was planned with, and its planning.

        Raises:
            ModelError: No plan could be made.
            PlanError: The new plan does not fit this run.
        """
        request = plan.request or plan.title or outline(plan)
        failed = [plan.step(lost) for lost in due.steps]
        near = nearest_names(request, failed, self._names())
        is_told = may_send("contents", self.context.model("planner"), self.context.settings.send)
        so_far = RunSoFar(
            _so_far(plan, progress, due.reason if is_told else _UNTOLD), _calls(progress)
        )
        planning = plan_request(
            self.context, near.request, self.decisions.policy, turned_down, so_far
        )
        check_tools(planning.plan, self.context.tools)
        versions = [Plan.from_dict(plan) for plan in self._plans()]
        newer = merged(
            plan,
            with_open_slots(planning.plan, self.context.tools),
            progress.states,
            failed=[step.id for step in failed if progress.state(step.id) is StepState.FAILED],
            above=max(step.id for version in versions for step in version.steps),
        )
        newest = max(version.version for version in versions)
        return replace(newer, version=newest + 1), near, planning

    def _doubtful(
        self, newer: Plan, older: Plan, progress: PlanProgress, near: NearestNames, due: ReplanDue
    ) -> dict[int, str]:
        """Return the steps of a new plan that no policy may decide about, with the reason.

        These are: steps with an effect beyond reading, if a file name was replaced by a similar
        one or the plan is due to a rejected answer, which a model judged by tool output; steps
        with a value that occurs only in tool output, which is not an instruction; and steps that
        may repeat the effect of a lost call.
        """
        observed = words_in([seen.text, seen.error] for seen in progress.observations)
        foreign = observed - self._said(older, near)
        not_known = self._not_known(older, progress)
        doubt = "it follows from what tools gave, and not from the request"
        is_said_by_tools = bool(near.notes) or due.cause == "validation"
        doubts = {}
        for step in newer.steps:
            tool = self.context.tools[step.tool]
            effects = tool.effect_of(step.args)
            found = sorted(steering_words(tool, step.args) & foreign)
            if found:
                doubts[step.id] = f"tools alone gave {', '.join(map(repr, found[:_MOST_NAMED]))}"
            elif is_said_by_tools and effects - {Effect.READS}:
                doubts[step.id] = doubt
            elif step.tool in not_known and effects & NOT_REPEATABLE:
                doubts[step.id] = "a call whose end is not known may have done it already"
        return doubts

    def _said(self, plan: Plan, near: NearestNames) -> frozenset[str]:
        """Return the words of the request, the feedback and all approved steps."""
        shown: dict[int, Any] = {}
        said: list[object] = [plan.request, near.request]
        for event in self.context.events(ProposalShown, DecisionMade):
            match event:
                case ProposalShown(terms=terms):
                    shown = {int(one["step"]["id"]): one["step"]["args"] for one in terms}
                case DecisionMade():
                    said.append(event.feedback)
                    if event.is_approval:
                        said += [shown.get(step_id) for step_id in event.steps]
        return words_in(said)

    def _not_known(self, plan: Plan, progress: PlanProgress) -> dict[str, str]:
        """Return a sentence, by tool, for each call whose effect is uncertain."""
        lost = [step for step in plan.steps if progress.state(step.id) is StepState.UNCERTAIN]
        return {
            step.tool: f"whether step {step.id} ({step.tool}) took effect is not known"
            for step in lost
            if self.context.tools[step.tool].effect_of(step.args) & NOT_REPEATABLE
        }

    def _is_free_to_read(self) -> bool:
        """Return whether new plans that only read need no approval; FORCE_CONFIRM overrides it."""
        settings = self.context.settings
        return settings.plan_replan_approval == "auto" and not settings.force_confirm

    def _names(self) -> list[str]:
        """Return the names of the files beneath the root."""
        workspace = self.context.workspace
        return list(self.context.boundary.take("names", {}, lambda: list(names_in(workspace))))

    def _plans(self) -> list[Mapping[str, Any]]:
        """Return every version of the plan that was made or proposed."""
        made, proposed = self.context.events(PlanMade), self.context.events(PlanProposed)
        return [one.plan for one in made] + [one.plan for one in proposed]

    def _without(self, reason: str) -> Replanned:
        """Record and log why there is no new plan; return that result."""
        self.context.recorder.record(ReplanFailed(reason=reason))
        LOGGER.warning("there is no new plan", extra={"detail": reason})
        return Replanned(reason=reason)


def _ended(plan: Plan, progress: PlanProgress) -> dict[int, Ended]:
    """Return the outcome of every step that was started, by step id."""
    texts = {seen.call.step_id: seen.text or seen.error for seen in progress.observations}
    states = {step.id: progress.state(step.id) for step in plan.steps}
    return {
        step_id: Ended(how=state, observed=texts.get(step_id, ""))
        for step_id, state in states.items()
        if state is not StepState.PENDING
    }


def _calls(progress: PlanProgress) -> str:
    """Return the prompt text about the calls of the run, with the beginnings of their output."""
    calls = calls_in_brief(progress.observations, output_chars=_MOST_OUTPUT)
    return assets.prompt("replan_served", calls=calls)


def _so_far(plan: Plan, progress: PlanProgress, reason: str) -> str:
    """Return the prompt text about what is done, what failed and what was left."""

    def listed(state: StepState) -> str:
        steps = [s for s in plan.steps if not s.is_final and progress.state(s.id) is state]
        return "; ".join(f"{step.label} ({step.tool})" for step in steps) or "nothing"

    return assets.prompt(
        "replan",
        done=listed(StepState.COMPLETED),
        failed=reason,
        left=listed(StepState.PENDING),
        mark=hashlib.sha256(reason.encode("utf-8", "surrogatepass")).hexdigest()[:12],
    )
