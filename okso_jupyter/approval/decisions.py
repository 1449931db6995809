"""Approval decisions of a run: shows what would run, records each decision and grants approvals."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Literal

from okso_jupyter.approval.editing.edit_scoring import Alternatives, EditScorer
from okso_jupyter.approval.editing.flawed_plans import cannot_run, flaws_found
from okso_jupyter.approval.editing.plan_editor import PlanEditor
from okso_jupyter.approval.gate import ApprovalGate
from okso_jupyter.approval.policy import Policy, decide, name_of
from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ApprovalError
from okso_jupyter.execution.attempts import DeclinedError
from okso_jupyter.journal.endings import how_to_answer
from okso_jupyter.journal.events import (
    CallStarted,
    DecisionMade,
    PlanMade,
    PlanProposed,
    ProposalShown,
    RuleMatched,
)
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.run_view.plan_folds import VersionFold
from okso_jupyter.journal.store import Record
from okso_jupyter.kernel.front_end import detect
from okso_jupyter.plan.approval_request import ApprovalRequest, Ended
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Approval, ToolCall
from okso_jupyter.plan.revision import Revision
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.replay.recorded_decisions import portable_fingerprint, sealed_part
from okso_jupyter.seal import Sealer
from okso_jupyter.tables.query import Query
from okso_jupyter.toolkit.plan_check import flaws_of

#: The subject of a question: a plan, one step, or a part of what a step does. The last is asked
#: in addition to the approval of its step and grants nothing itself.
About = Literal["plan", "step", "part"]
RuleOf = Callable[[ToolCall], MatchedRule | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedPlan:
    """A decision and the plan it is about.

    Attributes:
        approval: The decision.
        plan: The shown plan, or the person's edit of it.
    """

    approval: Approval
    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """Obtains the decisions of one run.

    Attributes:
        request_builder: Builds approval requests from plans.
        policy: Who decides.
        gate: Is granted every approval.
        recorder: The run's journal.
        answered: Fingerprints of questions about single steps that were answered with "yes"
            before the run was interrupted and whose step has not begun since.
        held: Ids of the steps that were shown but need another approval before they run.
    """

    request_builder: RequestBuilder
    policy: Policy
    gate: ApprovalGate
    recorder: RunRecorder
    answered: set[str] = field(default_factory=set)
    held: set[int] = field(default_factory=set)

    @classmethod
    def of(
        cls, request_builder: RequestBuilder, policy: Policy, recorder: RunRecorder
    ) -> Decisions:
        """Return decisions without any approval yet."""
        gate = ApprovalGate(
            effects_of=request_builder.effects_of,
            preview_of=request_builder.preview_of,
            rehearsal_of=request_builder.rehearsal_of,
            left_by_run=request_builder.resources.made.left,
            folder=request_builder.folder,
            data=request_builder.data,
            may_replace=request_builder.may_replace,
            rule_of=_noting(request_builder, recorder),
            refusal_of=request_builder.redirect_refusal,
        )
        return cls(request_builder=request_builder, policy=policy, gate=gate, recorder=recorder)

    def about_plan(  # noqa: PLR0913  all but the first two are named at every call
        self,
        plan: Plan,
        note: str,
        *,
        revision: Revision | None = None,
        ended: Mapping[int, Ended] | None = None,
        for_person: Mapping[int, str] = MappingProxyType({}),
        is_free_to_read: bool = False,
        alternatives: Alternatives | None = None,
        budget: str = "",
    ) -> DecidedPlan:
        """Show a plan and return the decision about it; an approval is granted at the gate.

        A person's edit of the plan is recorded as a new version.

        Args:
            plan: The plan.
            note: How it was chosen.
            revision: The differences from the previous version, if there is one.
            ended: Outcomes of the steps that have already run, by id; None before the run begins.
            for_person: Steps that no policy may decide about: the reason in words, by id.
            is_free_to_read: Whether steps that only read may run without being asked about.
            alternatives: The candidates that a person may choose instead.
            budget: Which budgets are used up, so that a person alone may decide; empty if none is.
        """
        proposal = self.request_builder.proposal(
            plan, note, revision=revision, ended=ended, for_person=for_person
        )
        alternatives = alternatives or Alternatives()
        run_id = "" if ended is None else self.recorder.run_id  # Stop in a first form is final
        judge = EditScorer(
            settings=self.request_builder.settings,
            tools=self.request_builder.tools,
            request=self.request_builder.request,
            alternatives=alternatives,
            sample=self._sampler(),
        )
        proposal = replace(
            proposal,
            candidates=alternatives.candidates,
            chosen=alternatives.chosen,
            is_begun=bool(self._calls_begun()),
            run_id=run_id,
            doubt=budget or self.doubt_about(plan),
            budget=budget,
            not_taken_up=judge.not_taken_up(plan),
        )
        editing = PlanEditor(
            base=proposal,
            request_builder=self.request_builder,
            judge=judge,
            for_person=for_person,
            is_begun=ended is not None,
        )
        approval = self._ask(
            proposal, "plan", is_free=is_free_to_read and _only_reads(proposal), editing=editing
        )
        return DecidedPlan(approval=approval, plan=editing.proposal(approval.shown).plan)

    def _sampler(self) -> Callable[[Query], TableSample | None]:
        """Return a function that reads the beginning of a query's tables, once for all queries."""
        resources = self.request_builder.resources
        read = cache(TableSources(resources.workspace, resources.tables).sample_of)
        return lambda query: read(query.without_question)

    def doubt_about(self, plan: Plan) -> str:
        """Return why no policy may decide about a version of the plan; empty if one may.

        It is read from the journal, so it also holds for the rest of a plan, and for this version
        only: a plan that was not adopted says nothing about the current one.
        """
        kinds = VersionFold.takes
        records = self.recorder.journal.records(self.recorder.run_id, *kinds)
        doubts = RunView(self.recorder.run_id, records).versions.doubts
        return doubts.get(plan.version, "")

    def restore(self, records: Sequence[Record]) -> None:
        """Restore decisions from the run's journal, so that no question is asked twice."""
        approvals = RunView(self.recorder.run_id, records).approvals
        self.gate.grants = approvals.left
        self.held.update(approvals.held)
        self.answered.update(*approvals.answered.values())

    def about_step(self, plan: Plan, step: Step, note: str, *, needs_person: bool) -> None:
        """Ask about a step that differs from what was shown.

        Args:
            plan: The plan of the step.
            step: The step with its arguments filled.
            note: What is new about it, in words.
            needs_person: Whether no policy may decide about it.

        Raises:
            DeclinedError: It was not approved.
            ApprovalError: No decision can be obtained.
        """
        self._ask_alone(plan, step, note, "step", needs_person=needs_person)

    def about_part(self, plan: Plan, step: Step, note: str) -> None:
        """Ask a person about a part of what a step does.

        Raises:
            DeclinedError: It was not approved.
            ApprovalError: No decision can be obtained.
        """
        self._ask_alone(plan, step, note, "part", needs_person=True)

    def about_resumed(self, plan: Plan, step: Step, note: str, *, needs_person: bool) -> bool:
        """Ask about a step that cannot resume without a decision where the run was interrupted.

        Returns:
            Whether it may run.

        Raises:
            ApprovalError: There was no decision, or none in time.
        """
        approval = self._asked_in_time(plan, step, note, needs_person=needs_person)
        return approval.decision == "approve"

    def about_uncertain(self, plan: Plan, step: Step, note: str) -> Approval:
        """Ask about the outcome of a step whose outcome is unknown.

        Raises:
            ApprovalError: There was no decision, or none in time.
        """
        proposal = self._alone(plan, step, f"resumed: {note}", needs_person=True)
        try:
            return self._in_time(self._ask(replace(proposal, is_uncertain=True), "step"), step)
        except ApprovalError as error:
            how = how_to_answer(self.recorder.run_id, step.id)
            raise ApprovalError(error.message, hint=how) from error

    def _asked_in_time(self, plan: Plan, step: Step, note: str, *, needs_person: bool) -> Approval:
        return self._in_time(
            self._asked_alone(plan, step, note, "step", needs_person=needs_person), step
        )

    def _in_time(self, approval: Approval, step: Step) -> Approval:
        if approval.by == "timeout":
            msg = f"step {step.id} ({step.tool}) was not decided in time"
            raise ApprovalError(msg, hint="the run stays as it is: resume it again")
        return approval

    def _ask_alone(
        self, plan: Plan, step: Step, note: str, about: About, *, needs_person: bool
    ) -> None:
        approval = self._asked_alone(plan, step, note, about, needs_person=needs_person)
        if approval.decision != "approve":
            is_open = self.is_left_open(approval.by)
            words = "it was not decided in time" if approval.by == "timeout" else "it was rejected"
            words = approval.reason if approval.by == "rule" else words
            msg = f"step {step.id} ({step.tool}; {note}): {words}"
            raise DeclinedError(msg, is_open=is_open)

    def were_left_open(self) -> bool:
        """Return whether the last question can still be answered later."""
        last = self.recorder.journal.events(self.recorder.run_id, DecisionMade)[-1]
        return self.is_left_open(last.by)

    def is_left_open(self, by: str) -> bool:
        """Return whether a question without a "yes" can still be answered later.

        It can if it timed out and the run has begun a call that cannot be repeated.

        Args:
            by: Who decided.
        """
        if by != "timeout":
            return False
        return any(not started.is_repeatable for started in self._calls_begun())

    def _calls_begun(self) -> list[CallStarted]:
        """Return the calls that the run has begun."""
        return self.recorder.journal.events(self.recorder.run_id, CallStarted)

    def _asked_alone(
        self, plan: Plan, step: Step, note: str, about: About, *, needs_person: bool
    ) -> Approval:
        proposal = self._alone(plan, step, note, needs_person=needs_person)
        if proposal.fingerprint in self.answered and (
            about == "part" or self.gate.is_good(step.id)
        ):
            reason = "approved before the run was interrupted"
            return Approval(
                decision="approve", shown=proposal.fingerprint, by="journal", reason=reason
            )
        return self._ask(proposal, about)

    def _alone(self, plan: Plan, step: Step, note: str, *, needs_person: bool) -> ApprovalRequest:
        """Return the approval request for one step, to ask about it during the run."""
        alone = replace(step, depends_on=(), condition="", replaces=None)
        for_person = {step.id: note} if needs_person else {}
        proposal = self.request_builder.proposal(
            plan.with_steps([alone]), note, for_person=for_person
        )
        return replace(proposal, is_begun=True, run_id=self.recorder.run_id)

    def _ask(
        self,
        proposal: ApprovalRequest,
        about: About,
        *,
        is_free: bool = False,
        editing: PlanEditor | None = None,
    ) -> Approval:
        """Get a decision and record it; earlier approvals of these steps are withdrawn."""
        policy: Policy = "auto" if is_free and self.policy != "deny" else self.policy
        if about != "part":
            self.gate.withdraw(proposal)
        self._note_shown(proposal, about, policy)
        is_first = editing is not None and not editing.is_begun
        if is_first and policy == "auto":
            self._check_runs(proposal)
        with self.recorder.span("approval"):
            timeout_s = self.request_builder.settings.okso_approve_timeout_s
            is_forced = self.request_builder.settings.force_confirm
            approval = decide(
                proposal, policy, timeout_s=timeout_s, editor=editing, always_ask=is_forced
            )
        if is_first and policy not in {"ask", "auto"} and approval.decision == "approve":
            self._check_runs(proposal if approval.shown == proposal.fingerprint else None)
        edited = proposal if editing is None else editing.proposal(approval.shown)
        if edited is not proposal and approval.shown != proposal.fingerprint:
            proposal = edited
            self._note_edited(proposal, PlanMade if is_first else PlanProposed)
            self._note_shown(proposal, about, policy)
        self._note_decided(approval)
        _check_approves(approval, proposal)
        if approval.decision == "approve" and about != "part":
            self.gate.grant(proposal, approval)
        if approval.decision == "approve" and about == "plan":
            self._hold(_due(proposal), approval.steps)
        return approval

    def _check_runs(self, proposal: ApprovalRequest | None) -> None:
        """Refuse to begin a plan that cannot run; the form itself does not let one be approved.

        Args:
            proposal: The shown request; None if a person edited it.

        Raises:
            ApprovalError: The plan cannot run.
        """
        if proposal is None or not self.request_builder.settings.plan_checks:
            return
        known = self.request_builder
        flaws = flaws_found(
            proposal.plan,
            known.found,
            lambda: flaws_of(proposal.plan, known.tools, known.resources.workspace),
        )
        if flaws:
            raise cannot_run(proposal.plan, flaws)

    def _note_shown(self, proposal: ApprovalRequest, about: About, policy: Policy) -> None:
        """Record what is shown and the scope of each step's approval."""
        fingerprint, steps = proposal.fingerprints
        shown = ProposalShown(
            about=about,
            run=self.recorder.run_id,
            fingerprint=fingerprint,
            anywhere=portable_fingerprint(proposal),
            steps=steps,
            terms=tuple(terms.to_dict() for terms in proposal.terms.values()),
            policy=name_of(policy),
            front_end=detect(),
        )
        self.recorder.record(shown)
        for one in proposal.due:
            if one.rule is not None:
                call = ToolCall(step_id=one.step.id, tool=one.step.tool, args=one.step.args,
                                plan_version=proposal.plan.version)  # fmt: skip
                _note_rule(self.recorder, call, one.rule, "shown")

    def _note_decided(self, approval: Approval) -> None:
        """Record a decision; a person's is sealed, so that a replay can verify it."""
        made = DecisionMade(**asdict(approval), run=self.recorder.run_id)
        if approval.by == "user":
            made = replace(made, seal=Sealer.of_user().seal(sealed_part(made.to_json())))
        self.recorder.record(made)

    def _note_edited(self, proposal: ApprovalRequest, made: type[PlanMade | PlanProposed]) -> None:
        """Record a person's edit of the plan."""
        revision = proposal.revision
        assert revision is not None  # noqa: S101  an edited plan says what was edited
        plan = proposal.plan.to_dict()
        cause, reason = revision.cause, revision.reason
        self.recorder.record(made(plan=plan, cause=cause, reason=reason, doubt=proposal.doubt))

    def _hold(self, shown: Iterable[int], approved: Container[int]) -> None:
        """Mark the steps that were shown but not approved, so that they are asked about again."""
        self.held.clear()
        self.held.update(step_id for step_id in shown if step_id not in approved)


def _noting(request_builder: RequestBuilder, recorder: RunRecorder) -> RuleOf | None:
    """Return a function that finds the rule for a call and records it; None in a replay."""
    if request_builder.rules is None:
        return None

    def found(call: ToolCall) -> MatchedRule | None:
        rule = request_builder.rule_of(call)
        if rule is not None:
            _note_rule(recorder, call, rule, "called")
        return rule

    return found


def _note_rule(
    recorder: RunRecorder, call: ToolCall, rule: MatchedRule, when: Literal["shown", "called"]
) -> None:
    """Record the rule that decides about a call."""
    matched = RuleMatched(
        step_id=call.step_id,
        plan_version=call.plan_version,
        tool=call.tool,
        when=when,
        matched=rule,
    )
    recorder.record(matched)


def _check_approves(approval: Approval, proposal: ApprovalRequest) -> None:
    """Raise ApprovalError for an approval of no step: it would be requested endlessly."""
    due = _due(proposal)
    if approval.decision == "approve" and due and not due & set(approval.steps):
        msg = "the approval covers no step of the plan"
        raise ApprovalError(msg, hint="approve at least one step, or reject the plan")


def _due(proposal: ApprovalRequest) -> set[int]:
    """Return the ids of the steps that would run."""
    return {shown.step.id for shown in proposal.due}


def _only_reads(proposal: ApprovalRequest) -> bool:
    """Return whether all due steps at most read files and none needs a person."""
    return not proposal.doubt and all(
        shown.effects <= {Effect.READS} and not shown.person_reason for shown in proposal.due
    )
