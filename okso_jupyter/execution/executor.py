"""Executor: runs an approved plan; decides which steps start or are skipped, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from okso_jupyter.execution.answer import Composer, digest
from okso_jupyter.execution.attempts import Attempts, Questions
from okso_jupyter.execution.dispatch import Dispatcher
from okso_jupyter.execution.fill import Filler
from okso_jupyter.execution.model_calls import ModelCalls
from okso_jupyter.execution.modes import CallChoice, Mode, mode_for
from okso_jupyter.execution.pool import still_running
from okso_jupyter.execution.ready_queue import ReadyQueue
from okso_jupyter.execution.replan_policy import may_be_due, replan_due
from okso_jupyter.execution.scheduler import Scheduler
from okso_jupyter.execution.skip_rules import SkipRules
from okso_jupyter.execution.step_log import OnStep, StepLog
from okso_jupyter.execution.validation import Validator
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.plan_progress import Outcome, PlanProgress, ReplanDue
from okso_jupyter.plan.states import StepEvent
from okso_jupyter.settings import Settings


@dataclass(slots=True, kw_only=True)
class Executor:
    """Executes one version of a plan.

    Decisions, questions, records and callbacks all happen on the thread that calls `run`; only the
    handlers run elsewhere, in parallel where the plan says so.

    Attributes:
        plan: The approved plan.
        dispatcher: Runs single calls.
        model_calls: Asks the models that choose and fill calls and write the answer.
        questions: Asks about calls that differ from what was shown.
        on_step: Called with every transition of a step.
        validator: Checks the answer; None leaves it unchecked.
        progress: Progress of the run; updated during the execution.
        after: Ids of the steps that each step must wait for because both use a file, by step id.
        should_pause: Called before a step starts; True ends the execution, which can be resumed.
        halt: Done when another thread stops the execution.
        on_wait: Called several times a second while steps run, with the last output lines of each,
            by step id; an exception from it ends the execution.
    """

    plan: Plan
    dispatcher: Dispatcher
    model_calls: ModelCalls
    questions: Questions
    on_step: OnStep
    validator: Validator | None = None
    progress: PlanProgress = field(default_factory=PlanProgress)
    after: Mapping[int, frozenset[int]] = field(default_factory=dict)
    should_pause: Callable[[], bool] = lambda: False
    halt: Future[None] | None = None
    on_wait: Callable[[Mapping[int, str]], object] | None = None
    _composer: Composer = field(init=False)
    _mode: Mode = field(init=False)
    _step_log: StepLog = field(init=False)
    _attempts: Attempts = field(init=False)
    _skip_rules: SkipRules = field(init=False)
    _ready_queue: ReadyQueue = field(init=False)
    _answer: str | None = field(init=False, default=None)
    _due: ReplanDue | None = field(init=False, default=None)
    _held_back: list[int] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        """Create the parts of the execution."""
        self._composer = Composer(self.model_calls)
        self._mode = mode_for(self.model_calls, self.dispatcher.tools)
        self._step_log = StepLog(
            recorder=self.dispatcher.recorder,
            progress=self.progress,
            on_step=self.on_step,
            plan_version=self.plan.version,
            past=self.dispatcher.past,
        )
        self._attempts = Attempts(
            dispatcher=self.dispatcher,
            filler=Filler(self.model_calls),
            plan=self.plan,
            mode=self._mode,
            step_log=self._step_log,
            questions=self.questions,
        )
        self._skip_rules = SkipRules(
            self.plan, self.progress, stops=self.settings.after_failure == "stop"
        )
        most = 1 if self._mode.one_at_a_time else self.settings.plan_max_parallel
        self._ready_queue = ReadyQueue(
            plan=self.plan,
            tools=self.dispatcher.tools,
            progress=self.progress,
            most=most,
            held=self._resources_of_strays(),
            after=self.after,
        )

    @property
    def settings(self) -> Settings:
        """The settings of the run."""
        return self.dispatcher.settings

    def run(self) -> Outcome:
        """Execute the plan to its end, or until a pause or a new plan is requested.

        Raises:
            ApprovalError: A call was not covered by the approval.
            DeclinedError: A question about a call was not answered with "yes".
            ModelError: A model that fills arguments or composes the answer could not be asked.
            KeyboardInterrupt: The user stopped the run; every call is recorded.
        """
        with Scheduler(self.halt, self._watched()) as scheduler:
            paused = self._walk(scheduler)
        if paused or self._due is not None:
            return self._outcome(paused=paused)
        failed = self._skip_rules.first_lost() is not None
        if failed:
            self._answer = digest(self.progress.observations)
        elif self._answer is None:
            self._answer = self._given_before() or self._compose()
        if not failed:
            self._due = self._not_good_enough()
        return self._outcome(failed=failed)

    def _walk(self, scheduler: Scheduler) -> bool:
        """Start every step once it is ready and run it to its end; return whether it was paused."""
        paused = False
        while not (paused or self._due or self._failures() or self._budget_due()):
            step = self._ready_queue.next()
            if step is None and scheduler:
                self._receive(scheduler)
            elif step is None:
                if not self._skip_blocked():
                    break
            elif self.should_pause():
                paused = True
            else:
                self._begin(step, scheduler)
        while scheduler:
            self._receive(scheduler)
        self._due = self._due or self._budget_due() or self._failures()
        self._due = self._due or (None if paused else self._not_approved_yet())
        return paused

    def _watched(self) -> Callable[[], object] | None:
        """Return `on_wait` bound to the running calls' output; None if there is no callback."""
        on_wait, tails = self.on_wait, self.dispatcher.tails
        return None if on_wait is None else lambda: on_wait(tails())

    def _not_approved_yet(self) -> ReplanDue | None:
        """Return a request to approve the rest, if held steps were reached."""
        if not self._held_back:
            return None
        reason = "the plan was approved up to here"
        return ReplanDue(
            cause="up_to", steps=tuple(self._held_back), error_class=None, reason=reason
        )

    def _failures(self) -> ReplanDue | None:
        """Return a request for a new plan if failures call for one."""
        if not may_be_due(self.progress, self.settings):
            return None
        return replan_due(self._skip_rules.unanswered(), self.progress, self.settings)

    def _begin(self, step: Step, scheduler: Scheduler) -> None:
        """Start a step, or skip it."""
        reason = self._skip_rules.reason_to_skip(step)
        if reason:
            self._skip(step, reason)
        elif step.id in self.questions.held:
            self._held_back.append(step.id)
            return
        elif self._is_over_budget(step):
            return
        elif step.is_final:
            self._finish(step)
        elif not self._go_on(step, self._mode.choose(step, self.plan, self.progress), scheduler):
            return
        self._ready_queue.ended(step.id)

    def _is_over_budget(self, step: Step) -> bool:
        """Return whether a step would spend more than is allowed, before a model chooses its call.

        An answer that was planned is written by no model.
        """
        budgets = self.dispatcher.budgets
        if budgets is None or (step.is_final and self._is_planned_answer(step)):
            return False
        tool = self.dispatcher.tools[step.tool]
        return budgets.is_over(None if step.is_final else tool.effect_of(step.args))

    def _is_planned_answer(self, step: Step) -> bool:
        """Return whether the plan has its answer and observes nothing.

        A text planned before anything was observed is not an answer.
        """
        return bool(step.args.get("input")) and all(other.is_final for other in self.plan.steps)

    def _budget_due(self) -> ReplanDue | None:
        """Return a request to ask a person about the rest if a budget was found used up."""
        budgets = self.dispatcher.budgets
        if budgets is None or not budgets.reached:
            return None
        return ReplanDue(cause="budget", steps=(), error_class=None, reason=budgets.words)

    def _go_on(self, step: Step, choice: CallChoice, scheduler: Scheduler) -> bool:
        """Carry out the choice for a step; return whether the step has already ended."""
        if choice.diverged:
            self.progress.realigned = True
            self._due = ReplanDue(
                cause="divergence", steps=(step.id,), error_class=None, reason=choice.diverged
            )
            return False
        if choice.skipped:
            self._skip(step, choice.skipped)
            return True
        return scheduler.start(step.id, self._attempts.run(step, choice))

    def _not_good_enough(self) -> ReplanDue | None:
        """Return a replan request if the answer fails validation (at most once per run)."""
        if self.validator is None or self.progress.validated:
            return None
        self.progress.validated = True
        verdict = self.validator.check(self._answer or "", self.progress.observations)
        if verdict.satisfied:
            return None
        return ReplanDue(cause="validation", steps=(), error_class=None, reason=verdict.reasoning)

    def _receive(self, scheduler: Scheduler) -> None:
        """Wait for running steps and mark those that end."""
        for step_id in scheduler.advance():
            is_stray = step_id in still_running(self.dispatcher.recorder.run_id)
            self._ready_queue.ended(step_id, keeps_resource=is_stray)

    def _resources_of_strays(self) -> set[str]:
        """Return the exclusive resources held by abandoned calls that still run.

        Such calls may belong to an earlier version of the plan, whose steps this version keeps.
        """
        strays = still_running(self.dispatcher.recorder.run_id)
        tools = (self.dispatcher.tools[step.tool] for step in self.plan.steps if step.id in strays)
        return {tool.exclusive for tool in tools if tool.exclusive is not None}

    def _skip_blocked(self) -> bool:
        """Skip a step blocked by an abandoned call's resource; return whether to continue."""
        if self._ready_queue.came_free(self._resources_of_strays()):
            return True
        step = self._ready_queue.blocked()
        if step is None:
            return False
        resource = self.dispatcher.tools[step.tool].exclusive
        self._skip(step, f"{resource} is still held by a call that did not return")
        self._ready_queue.ended(step.id, keeps_resource=True)
        return True

    def _skip(self, step: Step, reason: str) -> None:
        self.progress.observed(
            self._step_log.remark(self._step_log.planned_call(step), "skipped", reason)
        )
        self._step_log.move(step, StepEvent.SKIP, reason)

    def _finish(self, step: Step) -> None:
        """Run the step that gives the answer."""
        self._step_log.move(step, StepEvent.START)
        given = str(step.args.get("input") or "")
        started = time.monotonic()
        self._answer = given if self._is_planned_answer(step) else self._compose(step.id)
        took_s = time.monotonic() - started
        call = self._step_log.planned_call(step)
        self.progress.observed(
            self._step_log.remark(call, "completed", self._answer, duration_s=took_s)
        )
        self._step_log.move(step, StepEvent.SUCCEED)

    def _given_before(self) -> str:
        """Return the answer of an execution interrupted after its last step; else empty."""
        final = [step.id for step in self.plan.steps if step.is_final]
        texts = [seen.text for seen in self.progress.completed if seen.call.step_id in final]
        return texts[-1] if texts else ""

    def _compose(self, step_id: int | None = None) -> str:
        """Return the composed answer; its cost is assigned to the step `step_id`."""
        used = frozenset(self.progress.used)
        return self._composer.compose(self.progress.observations, used, step_id)

    def _outcome(self, *, failed: bool = False, paused: bool = False) -> Outcome:
        return Outcome(
            observations=tuple(self.progress.observations),
            states={step.id: self.progress.state(step.id) for step in self.plan.steps},
            answer=self._answer or "",
            failed=failed,
            paused=paused,
            due=self._due,
        )
