"""RunController: takes one run through its stages; records decisions before they take effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from okso_jupyter.approval.decisions import Decisions
from okso_jupyter.approval.editing.edit_scoring import Alternatives
from okso_jupyter.approval.policy import Approver, Policy
from okso_jupyter.approval.request_builder import with_open_slots, would_run
from okso_jupyter.execution.attempts import DeclinedError
from okso_jupyter.execution.budgets import Budgets
from okso_jupyter.execution.dispatch import Dispatcher
from okso_jupyter.execution.executor import Executor
from okso_jupyter.execution.model_calls import ModelCalls
from okso_jupyter.execution.validation import Validator
from okso_jupyter.journal.events import AnswerGiven, RunDeclined
from okso_jupyter.journal.lease import lease
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.plan_progress import Outcome, PlanProgress
from okso_jupyter.plan.states import RunEvent, RunState
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.sampling.debug_log import DebugLog
from okso_jupyter.results import Run, read_run
from okso_jupyter.resume.pause import PauseWatch
from okso_jupyter.resume.rebuild import RebuiltRun, check_tools_again
from okso_jupyter.resume.reconcile import reconciled
from okso_jupyter.runs.approval_loop import ApprovalLoop
from okso_jupyter.runs.arguments import (
    Approve,
    checked_request,
    plan_from_argument,
    policy_of,
    sampled_as,
)
from okso_jupyter.runs.boundaries import recorded_policy
from okso_jupyter.runs.direct_replies import is_reply
from okso_jupyter.runs.lifecycle import Lifecycle, check_first_time
from okso_jupyter.runs.listeners import RunWatch
from okso_jupyter.runs.outputs import take_outputs
from okso_jupyter.runs.planning_events import record_start
from okso_jupyter.runs.planning_stage import plan_request
from okso_jupyter.runs.progress_reports import ProgressReporter
from okso_jupyter.runs.replanning import Replanner
from okso_jupyter.runs.run_context import RunContext


@dataclass(slots=True)
class RunController:
    """Controls one run, from planning to the answer.

    Attributes:
        context: What the stages of the run share.
        life: The state of the run.
    """

    context: RunContext
    life: Lifecycle = field(init=False)
    _pause: PauseWatch | None = None
    _watch: RunWatch | None = None

    def __post_init__(self) -> None:
        """Start in the state draft."""
        self.life = Lifecycle(self.context.recorder)

    def plan(self, request: str, *, approve: Approve | None = None) -> Planning:
        """Start the run and plan its request; see `Session.plan`."""
        request, policy = checked_request(request), self._policy(approve)
        DebugLog(self.context.settings.debug_log, self.context.redactor).check()
        with self.life.ending_on_error():
            record_start(self.context, request)
            return plan_request(self.context, request, policy)

    def _policy(self, approve: Approve | None) -> Policy:
        """Return the policy of the run, recorded or replayed by its boundary."""
        policy = policy_of(approve, self.context.settings)
        return recorded_policy(policy, self.context.boundary)

    def execute(
        self,
        wanted: Plan | Planning | Mapping[str, Any] | list[Any],
        *,
        approve: Approve | None = None,
        dry_run: bool = False,
    ) -> Run:
        """Have a plan approved, run it and return the run; see `Session.execute`."""
        if isinstance(wanted, Planning):
            settings = sampled_as(wanted, self.context.settings)
            self.context = replace(self.context, settings=settings)
        with lease(self.context.resources.scratch):
            self._open_watch()
            self._execute(wanted, approve, dry_run=dry_run)
            self.context.boundary.end()
            return self._read()

    def _open_watch(self) -> None:
        """Report the run to the listener of its live state from now on."""
        on_live = self.context.listeners.on_live
        if on_live is not None:
            self._watch = RunWatch.open(self.context.recorder, on_live)

    def _read(self) -> Run:
        """Return the run as the journal holds it."""
        recorder = self.context.recorder
        return read_run(recorder.journal, recorder.run_id, self.context.tools)

    def _execute(
        self,
        wanted: Plan | Planning | Mapping[str, Any] | list[Any],
        approve: Approve | None,
        *,
        dry_run: bool,
    ) -> None:
        """Have a plan approved and run it."""
        tools, recorder = self.context.tools, self.context.recorder
        plan, note = plan_from_argument(wanted, tools)
        plan = with_open_slots(plan, tools)
        policy = self._policy(approve)
        if policy == "ask" and isinstance(wanted, Planning) and wanted.reply:
            policy = "ask" if self.context.settings.force_confirm else "auto"  # nothing is run
        alternatives = Alternatives.of(wanted) if isinstance(wanted, Planning) else Alternatives()
        # before `ending_on_error`: the state of a run that has ended must not change
        check_first_time(recorder, alternatives.doubt)
        with self.life.ending_on_error():
            if not isinstance(wanted, Planning):
                record_start(self.context, plan.request, plan)
            decisions = self._decisions(plan.request, policy)
            approved = self._approval_loop(decisions).agree(plan, note, alternatives)
            if approved is not None and dry_run:
                calls = (step for step in approved.steps if step.id not in decisions.held)
                recorder.record(AnswerGiven(text=would_run(approved.with_steps(calls))))
            elif approved is not None:
                self._run(approved, decisions, PlanProgress())

    def resume(
        self,
        found: RebuiltRun,
        *,
        said: Mapping[int, Approver],
        approve: Approve | None = None,
    ) -> Run:
        """Resume an interrupted run, whose lease the caller holds; see `Session.resume`."""
        self._open_watch()
        context = self.context
        check_tools_again(found, context.tools)
        plan = with_open_slots(found.plan, context.tools)
        self.life.state, self.life.is_resumed = found.state, True
        context.resources.folder = found.folder_beneath(context.root)
        for seen in found.progress.observations:
            context.resources.made.take_in(seen.changes)
        recorder = context.recorder
        self._pause = PauseWatch(recorder.journal, recorder.run_id, seen=found.run.records[-1].seq)
        with self.life.ending_on_error():
            decisions = self._decisions(plan.request, self._policy(approve))
            decisions.restore(found.run.records)
            approved = self._approved_again(found, plan, decisions, said)
            if approved is not None:
                self._run(approved, decisions, found.progress)
        return self._read()

    def _approved_again(
        self,
        found: RebuiltRun,
        plan: Plan,
        decisions: Decisions,
        said: Mapping[int, Approver],
    ) -> Plan | None:
        """Return the plan that a resumed run continues with; None where it is rejected."""
        context = self.context
        if self.life.state in {RunState.DRAFT, RunState.AWAITING_APPROVAL}:
            alternatives = Alternatives.recovered(found.run, plan, context.tools)
            return self._approval_loop(decisions).agree(plan, "", alternatives, found)
        if self.life.state is RunState.APPROVED:
            return plan
        if self.life.state is RunState.EXECUTING:
            self.life.move(RunEvent.LOSE)
        if reconciled(found, plan, decisions, context.settings, context.recorder, said=said):
            return plan
        if self.life.state is RunState.PAUSED:
            self.life.move(RunEvent.CANCEL)
        return None

    def _decisions(self, request: str, policy: Policy) -> Decisions:
        return Decisions.of(self.context.request_builder(request), policy, self.context.recorder)

    def _approval_loop(self, decisions: Decisions) -> ApprovalLoop:
        """Return the loop that has a plan approved."""
        return ApprovalLoop(context=self.context, life=self.life, decisions=decisions)

    def _run(self, plan: Plan, decisions: Decisions, progress: PlanProgress) -> None:
        """Run an approved plan and its new versions to the end; record the answer."""
        recorder = self.context.recorder
        is_resumed = self.life.state in {RunState.PAUSED, RunState.FAILED}
        self.life.move(RunEvent.RESUME if is_resumed else RunEvent.START)
        budgets = Budgets.of(self.context.settings, recorder, self.context.boundary.found)
        replanner = Replanner(context=self.context, decisions=decisions, budgets=budgets)
        telling = ProgressReporter(plan, self.context.listeners.on_event, dict(progress.states))

        def walk(newest: Plan) -> Outcome:
            telling.plan = newest
            return self._executor(newest, decisions, budgets, telling, progress).run()

        try:
            with recorder.span("run"), telling.to_the_end():
                outcome = replanner.conduct(plan, progress, walk)
                if self._watch is not None:
                    self._watch.check_stopped()
        except DeclinedError as declined:
            recorder.record(RunDeclined(reason=str(declined), is_open=declined.is_open))
            self.life.move(RunEvent.PAUSE if declined.is_open else RunEvent.CANCEL)
            return
        if outcome.paused or (outcome.due is not None and decisions.were_left_open()):
            self.life.move(RunEvent.PAUSE)
            return
        take_outputs(self.context, progress.observations)
        if outcome.due is not None:
            self.life.move(RunEvent.CANCEL)
            return
        recorder.record(AnswerGiven(text=outcome.answer))
        self.life.move(RunEvent.FAIL if outcome.failed else RunEvent.SUCCEED)
        LOGGER.debug(
            "finished", extra={"detail": {"state": self.life.state, "answer": outcome.answer}}
        )

    def _executor(
        self,
        plan: Plan,
        decisions: Decisions,
        budgets: Budgets,
        telling: ProgressReporter,
        progress: PlanProgress,
    ) -> Executor:
        """Return the executor of one version of a plan."""
        context = self.context
        model_calls = context.model_calls(plan.request)
        return Executor(
            plan=plan,
            dispatcher=Dispatcher(
                tools=context.tools,
                resources=context.resources,
                settings=context.settings,
                recorder=context.recorder,
                gate=decisions.gate,
                pool=context.pool,
                past=context.boundary,
                budgets=budgets if budgets.limits else None,
            ),
            model_calls=model_calls,
            questions=decisions,
            on_step=telling.step,
            validator=self._validator(model_calls, plan),
            progress=progress,
            after=decisions.request_builder.order_of(plan),
            should_pause=self._pause or PauseWatch(context.recorder.journal, context.run_id),
            halt=context.halt,
            on_wait=self._watch.wait if self._watch else None,
        )

    def _validator(self, model_calls: ModelCalls, plan: Plan) -> Validator | None:
        """Return the validator of the answer; None for a direct reply or without a request."""
        if not self.context.settings.enable_answer_validation or not model_calls.request:
            return None
        if is_reply(plan, self.context):
            return None
        return Validator(model_calls, asks_model=self.context.model.models.judge)
