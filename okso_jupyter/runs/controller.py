"""RunController: takes one run through its stages; records decisions before they take effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from okso_jupyter.approval.decisions import Decisions
from okso_jupyter.approval.editing.edit_scoring import Alternatives
from okso_jupyter.approval.person import ask_line
from okso_jupyter.approval.policy import Approver, Policy
from okso_jupyter.approval.request_builder import RequestBuilder, with_open_slots, would_run
from okso_jupyter.errors import UsageError
from okso_jupyter.execution.answer import Composer
from okso_jupyter.execution.declined import DeclinedError
from okso_jupyter.execution.dispatch import Dispatcher
from okso_jupyter.execution.executor import Executor
from okso_jupyter.execution.fill import Filler
from okso_jupyter.execution.model_calls import ModelCalls
from okso_jupyter.execution.modes import mode_for
from okso_jupyter.execution.plan_progress import Outcome, PlanProgress
from okso_jupyter.execution.pool import Pool
from okso_jupyter.execution.validation import Validator
from okso_jupyter.journal.events import AnswerGiven, RunDeclined
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.states import RunEvent, RunState
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.sampling.debug_log import DebugLog
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.boundary import Boundary
from okso_jupyter.results import Run, read_run
from okso_jupyter.resume.pause import PauseWatch
from okso_jupyter.resume.rebuild import RebuiltRun, check_tools_again
from okso_jupyter.resume.reconcile import reconciled
from okso_jupyter.runs.approval_loop import ApprovalLoop
from okso_jupyter.runs.arguments import Approve, checked_request, plan_from_argument, policy_of
from okso_jupyter.runs.boundaries import (
    RecordedEnvironment,
    RecordedModels,
    ReplayedResults,
    recorded_policy,
)
from okso_jupyter.runs.direct_replies import is_reply
from okso_jupyter.runs.lifecycle import Lifecycle, check_first_time
from okso_jupyter.runs.outputs import take_outputs
from okso_jupyter.runs.planning_events import record_start
from okso_jupyter.runs.planning_stage import PlanningStage
from okso_jupyter.runs.progress_reports import ProgressReporter
from okso_jupyter.runs.replanning import Replanner
from okso_jupyter.runs.request_keys import RequestKeys
from okso_jupyter.runs.watch import RunWatch
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.notebook_variables import NotebookVariables
from okso_jupyter.toolkit.ratings import RatingLog
from okso_jupyter.web import FetchLimits, WebClient
from okso_jupyter.web.search import SearchOptions
from okso_jupyter.workspace import Images, Workspace

OnEvent = Callable[[Mapping[str, Any]], None]
OnPlanning = Callable[[Planning], None]
OnSampling = Callable[[Sampling], None]


@dataclass(slots=True, kw_only=True)
class RunController:
    """Controls one run; a context manager that closes the run's resources.

    Attributes:
        settings: The settings.
        tools: The catalogue.
        model: Returns the model of a role.
        recorder: The run's journal.
        boundary: Records or replays everything that the run takes from outside.
        request_keys: Counts the runs of one request.
        root: Folder that the tools work in.
        redactor: Removes secrets.
        notebook_variables: Variables copied from the notebook into Python, and back.
        pool: The pool that tools run in.
        on_sampling: Called with the progress of every model call; an exception ends the run.
        halt: Future that another thread sets to stop the run.
        judges: Whether the validator's model can judge answers.
        life: The state of the run.
        pause: Tells whether a pause was requested.
        watch: Reports the state of the run to a listener.
        may_replace: Paths, as the caller wrote them, whose content any policy may replace.
    """

    settings: Settings
    tools: ToolCatalog
    model: RecordedModels
    recorder: RunRecorder
    boundary: Boundary
    request_keys: RequestKeys
    root: Path
    redactor: Redactor
    notebook_variables: NotebookVariables = field(default_factory=NotebookVariables)
    pool: Pool = field(default_factory=Pool)
    on_sampling: OnSampling | None = None
    halt: Future[None] | None = None
    judges: bool = False
    pause: PauseWatch | None = None
    watch: RunWatch | None = None
    may_replace: frozenset[str] = frozenset()
    life: Lifecycle = field(init=False)
    _resources: RunResources | None = None

    def __post_init__(self) -> None:
        """Start in the state draft."""
        self.life = Lifecycle(self.recorder)

    def __enter__(self) -> Self:
        images = Images.beneath(self.settings.home)
        workspace = Workspace(self.root, keep=images.keep, closed=self.settings.home)
        scratch = self.recorder.journal.folder_of(self.recorder.run_id)
        self._resources = RunResources(
            workspace=workspace,
            scratch=scratch,
            notebook_variables=self.notebook_variables,
            python_state=self.settings.python_state,
            web=WebClient(limits=FetchLimits.of(self.settings)),
            search=SearchOptions.of(self.settings),
            ratings=RatingLog.of(self.settings, self.redactor),
            ask=ask_line,
        )
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._resources is not None:
            self._resources.close()

    @property
    def resources(self) -> RunResources:
        """The resources that the calls of this run share."""
        if self._resources is None:
            msg = "a run controller works inside its with block only"
            raise UsageError(msg)
        return self._resources

    def plan(self, request: str, *, approve: Approve | None = None) -> Planning:
        """Start the run and plan its request; see `Session.plan`."""
        request, policy = checked_request(request), self._policy(approve)
        debug_log = DebugLog(self.settings.debug_log, self.redactor)
        debug_log.check()
        with self.life.ending_on_error():
            self._begin(request)
            planning = self._plan(request, policy)
            debug_log.write(planning.sampled)
            return planning

    def _policy(self, approve: Approve | None) -> Policy:
        """Return the policy of the run, recorded or replayed by its boundary."""
        return recorded_policy(policy_of(approve, self.settings), self.boundary)

    def _begin(self, request: str, plan: Plan | None = None) -> None:
        """Record the start of the run in the journal."""
        record_start(
            self.recorder,
            request=request,
            root=self.root,
            data=self.notebook_variables.data,
            settings=self.settings,
            tools=self.tools,
            model=self.model.models.spec_of("planner"),
            is_replay=self.boundary.is_replay,
            request_keys=self.request_keys,
            plan=plan,
        )

    def _plan(
        self,
        request: str,
        policy: Policy,
        turned_down: tuple[RejectedPlan, ...] = (),
        so_far: str = "",
    ) -> Planning:
        maker = PlanningStage(
            settings=self.settings,
            request_builder=self._request_builder(request),
            policy=policy,
            redactor=self.redactor,
            model=self.model,
            recorder=self.recorder,
            notebook_variables=self.notebook_variables,
            on_sampling=self.on_sampling,
            environment=RecordedEnvironment(self.boundary),
            take=self.boundary.take,
            found=self.boundary.found,
        )
        replied = None if turned_down or so_far else maker.replied(request)
        if replied is not None:
            return replied
        background = replace(maker.background(request), so_far=so_far)
        return maker.plan(request, background, turned_down)

    def execute(
        self,
        wanted: Plan | Planning | Mapping[str, Any] | list[Any],
        *,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
        dry_run: bool = False,
    ) -> Run:
        """Have a plan approved, run it and return the run; see `Session.execute`."""
        plan, note = plan_from_argument(wanted, self.tools)
        plan = with_open_slots(plan, self.tools)
        policy = self._policy(approve)
        if policy == "ask" and isinstance(wanted, Planning) and wanted.reply:
            policy = "ask" if self.settings.force_confirm else "auto"  # nothing is run
        alternatives = Alternatives.of(wanted) if isinstance(wanted, Planning) else Alternatives()
        # before `ending_on_error`: the state of a run that has ended must not change
        check_first_time(self.recorder, alternatives.doubt)
        with self.life.ending_on_error():
            if not isinstance(wanted, Planning):
                self._begin(plan.request, plan)
            decisions = self._decisions(plan.request, policy)
            approved = self._approval_loop(decisions, on_planning).agree(plan, note, alternatives)
            if approved is not None and dry_run:
                calls = (step for step in approved.steps if step.id not in decisions.held)
                self.recorder.record(AnswerGiven(text=would_run(approved.with_steps(calls))))
            elif approved is not None:
                self._run(approved, decisions, ProgressReporter(approved, on_event))
        self.boundary.end()
        return read_run(self.recorder.journal, self.recorder.run_id, self.tools)

    def resume(
        self,
        found: RebuiltRun,
        *,
        said: Mapping[int, Approver],
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
    ) -> Run:
        """Resume an interrupted run; see `Session.resume`."""
        check_tools_again(found, self.tools)
        plan = with_open_slots(found.plan, self.tools)
        self.life.state, self.life.is_resumed = found.state, True
        self.resources.folder = found.folder_beneath(self.root)
        for seen in found.progress.observations:
            self.resources.made.take_in(seen.changes)
        self.pause = PauseWatch(
            self.recorder.journal, self.recorder.run_id, seen=found.run.records[-1].seq
        )
        with self.life.ending_on_error():
            decisions = self._decisions(plan.request, self._policy(approve))
            decisions.restore(found.run.records)
            approved: Plan | None = plan
            if self.life.state in {RunState.DRAFT, RunState.AWAITING_APPROVAL}:
                alternatives = Alternatives.recovered(found.run, plan, self.tools)
                approved = self._approval_loop(decisions, on_planning).agree(
                    plan, "", alternatives, found
                )
            elif self.life.state is not RunState.APPROVED:
                if self.life.state is RunState.EXECUTING:
                    self.life.move(RunEvent.LOSE)
                given = (plan, decisions, self.settings, self.recorder)
                if not reconciled(found, *given, said=said):
                    if self.life.state is RunState.PAUSED:
                        self.life.move(RunEvent.CANCEL)
                    approved = None
            if approved is not None:
                telling = ProgressReporter(approved, on_event, dict(found.progress.states))
                self._run(approved, decisions, telling, found.progress)
        return read_run(self.recorder.journal, self.recorder.run_id, self.tools)

    def _decisions(self, request: str, policy: Policy) -> Decisions:
        return Decisions.of(self._request_builder(request), policy, self.recorder, self.settings)

    def _request_builder(self, request: str) -> RequestBuilder:
        return RequestBuilder(
            tools=self.tools,
            resources=self.resources,
            request=request,
            default_timeout_s=self.settings.plan_default_step_timeout_s,
            default_retries=self.settings.plan_max_retries,
            data=self.notebook_variables.data,
            take=self.boundary.take,
            found=self.boundary.found,
            checks=self.settings.plan_checks,
            may_replace=frozenset(map(self.resources.workspace.relative, self.may_replace)),
        )

    def _approval_loop(self, decisions: Decisions, on_planning: OnPlanning | None) -> ApprovalLoop:
        """Return the loop that has a plan approved."""
        return ApprovalLoop(
            life=self.life,
            recorder=self.recorder,
            tools=self.tools,
            decisions=decisions,
            plan_again=self._plan_anew,
            on_planning=on_planning,
        )

    def _plan_anew(
        self, request: str, policy: Policy, turned_down: tuple[RejectedPlan, ...], so_far: str = ""
    ) -> Planning:
        """Return a new planning that takes feedback, or the run's progress, into account."""
        planning = self._plan(request, policy, turned_down, so_far)
        DebugLog(self.settings.debug_log, self.redactor).write(planning.sampled)
        return planning

    def _run(
        self,
        plan: Plan,
        decisions: Decisions,
        telling: ProgressReporter,
        so_far: PlanProgress | None = None,
    ) -> None:
        """Run an approved plan and its new versions to the end; record the answer."""
        is_resumed = self.life.state in {RunState.PAUSED, RunState.FAILED}
        self.life.move(RunEvent.RESUME if is_resumed else RunEvent.START)
        replanner = Replanner(
            settings=self.settings,
            tools=self.tools,
            workspace=self.resources.workspace,
            recorder=self.recorder,
            decisions=decisions,
            plan_again=self._plan_anew,
            take=self.boundary.take,
        )
        progress = so_far or PlanProgress()

        def walk(newest: Plan) -> Outcome:
            telling.plan = newest
            return self._executor(newest, decisions, telling, progress).run()

        try:
            with self.recorder.span("run"), telling.to_the_end():
                outcome = replanner.conduct(plan, progress, walk)
                if self.watch is not None:
                    self.watch.check_stopped()
        except DeclinedError as declined:
            self.recorder.record(RunDeclined(reason=str(declined), is_open=declined.is_open))
            self.life.move(RunEvent.PAUSE if declined.is_open else RunEvent.CANCEL)
            return
        if outcome.paused or (outcome.due is not None and decisions.were_left_open()):
            self.life.move(RunEvent.PAUSE)
            return
        take_outputs(self.resources, self.recorder, self.boundary.take)
        if outcome.due is not None:
            self.life.move(RunEvent.CANCEL)
            return
        self.recorder.record(AnswerGiven(text=outcome.answer))
        self.life.move(RunEvent.FAIL if outcome.failed else RunEvent.SUCCEED)
        LOGGER.debug(
            "finished", extra={"detail": {"state": self.life.state, "answer": outcome.answer}}
        )

    def _executor(
        self, plan: Plan, decisions: Decisions, telling: ProgressReporter, progress: PlanProgress
    ) -> Executor:
        """Return the executor of one version of a plan."""
        model_calls = ModelCalls(
            model=self.model,
            settings=self.settings,
            recorder=self.recorder,
            request=plan.request,
            values=self.notebook_variables.data.told(),
            on_sampling=self.on_sampling,
            redactor=self.redactor,
        )
        return Executor(
            plan=plan,
            settings=self.settings,
            dispatcher=Dispatcher(
                tools=self.tools,
                resources=self.resources,
                settings=self.settings,
                recorder=self.recorder,
                gate=decisions.gate,
                pool=self.pool,
                past=ReplayedResults(self.boundary),
            ),
            filler=Filler(model_calls),
            composer=Composer(model_calls),
            ask_again=lambda step, note, needs_person: decisions.about_step(
                plan, step, note, needs_person=needs_person
            ),
            ask_apart=lambda step, note: decisions.about_part(plan, step, note),
            on_step=telling.step,
            mode=mode_for(model_calls, self.tools),
            validator=self._validator(model_calls, plan),
            progress=progress,
            held=decisions.held,
            after=decisions.request_builder.order_of(plan),
            should_pause=self.pause or PauseWatch(self.recorder.journal, self.recorder.run_id),
            halt=self.halt,
            on_wait=self.watch.wait if self.watch else None,
        )

    def _validator(self, model_calls: ModelCalls, plan: Plan) -> Validator | None:
        """Return the validator of the answer; None for a direct reply or without a request."""
        if not self.settings.enable_answer_validation or not model_calls.request:
            return None
        if is_reply(plan, self.recorder):
            return None
        return Validator(model_calls, asks_model=self.judges)
