"""The walk over an approved plan: what may run, what is skipped, how it all ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.execution.answer import Composer, digest
from okso_jupyter.execution.choosing import AsPlanned, Choice, Mode
from okso_jupyter.execution.dispatch import Dispatcher
from okso_jupyter.execution.fill import Filler
from okso_jupyter.execution.progress import Outcome, Progress, ReplanDue
from okso_jupyter.execution.validation import Validator
from okso_jupyter.journal.codec import observation_to_json
from okso_jupyter.journal.store import now
from okso_jupyter.plan.effects import NOT_REPEATABLE, beyond
from okso_jupyter.plan.plan import MISSING, Condition, Plan, Step, attempts_of, predecessors
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.plan.recovery import lost_steps
from okso_jupyter.plan.states import STEP_TRANSITIONS, StepEvent, StepState, advance
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool

#: Asks about a step that is not what was shown: the step, what is new in words, and whether only a
#: person may decide about it. ApprovalError on "no".
AskAgain = Callable[[Step, str, bool], None]

_RETRY_WAIT_S: Final = 1.0
_EVENTS: Final[dict[StepStatus, StepEvent]] = {
    "completed": StepEvent.SUCCEED,
    "failed": StepEvent.FAIL,
    "uncertain": StepEvent.LOSE,
    "skipped": StepEvent.SKIP,
}


@dataclass(slots=True, kw_only=True)
class Executor:
    """Runs one plan once.

    Attributes:
        plan: The approved plan.
        settings: The settings.
        dispatcher: Runs single calls.
        filler: Fills open arguments.
        composer: Writes the answer.
        ask_again: Asks about a call that is not what was shown.
        ask_apart: Asks about a part of a call on its own; ApprovalError on "no".
        on_step: Told of every change of a step: the step, its state, a reason.
        mode: Chooses the call of each step that is due.
        validator: Checks the answer; None leaves it unchecked.
        progress: How far the run is; grows as the walk goes on.
        should_pause: Asked before a step is started; "yes" ends the walk, to be gone on with.
    """

    plan: Plan
    settings: Settings
    dispatcher: Dispatcher
    filler: Filler
    composer: Composer
    ask_again: AskAgain
    ask_apart: Callable[[Step, str], object]
    on_step: Callable[[Step, StepState, str], None]
    mode: Mode = field(default_factory=AsPlanned)
    validator: Validator | None = None
    progress: Progress = field(default_factory=Progress)
    should_pause: Callable[[], bool] = lambda: False
    _answer: str | None = None

    def run(self) -> Outcome:
        """Run the plan to its end.

        Raises:
            ApprovalError: A call was not covered by the approval.
            ModelError: A model that fills or composes could not be asked.
            KeyboardInterrupt: The user stopped the run.
        """
        while (step := self._next()) is not None:
            if self.should_pause():
                return self._outcome(paused=True)
            reason = self._reason_to_skip(step)
            if reason:
                self._skip(step, reason)
            elif step.is_final:
                self._finish(step)
            else:
                choice = self.mode.choose(step, self.plan, self.progress)
                if choice.diverged:
                    return self._outcome(due=self._divergence(choice))
                self._go_on(step, choice)
        failed = bool(self._lost())
        if failed:
            self._answer = digest(self.progress.observations)
        elif self._answer is None:
            self._answer = self._compose()
        return self._outcome(failed=failed, due=None if failed else self._not_good_enough())

    def _outcome(
        self, *, failed: bool = False, paused: bool = False, due: ReplanDue | None = None
    ) -> Outcome:
        return Outcome(
            observations=tuple(self.progress.observations),
            states={step.id: self.progress.state(step.id) for step in self.plan.steps},
            answer=self._answer or "",
            failed=failed,
            paused=paused,
            due=due,
        )

    def _divergence(self, choice: Choice) -> ReplanDue:
        """Return that the plan has to be brought back in line with what a model wants to do."""
        self.progress.realigned = True
        return ReplanDue(
            cause="divergence", steps=(choice.step.id,), error_class=None, reason=choice.diverged
        )

    def _not_good_enough(self) -> ReplanDue | None:
        """Return that another plan is due for an answer that will not do; once in a run."""
        if self.validator is None or self.progress.validated:
            return None
        self.progress.validated = True
        verdict = self.validator.check(self._answer or "", self.progress.observations)
        if verdict.satisfied:
            return None
        return ReplanDue(cause="validation", steps=(), error_class=None, reason=verdict.reasoning)

    def _go_on(self, step: Step, choice: Choice) -> None:
        """Run a step, or leave it out if there is no need for it."""
        if choice.skipped:
            self._skip(step, choice.skipped)
        else:
            self._run_step(step, choice)

    def _next(self) -> Step | None:
        """Return the first pending step, in plan order, whose predecessors have all ended."""
        for step in self.plan.steps:
            ended = all(
                self.progress.state(other) not in (StepState.PENDING, StepState.RUNNING)
                for other in predecessors(step)
            )
            if self.progress.state(step.id) is StepState.PENDING and ended:
                return step
        return None

    def _reason_to_skip(self, step: Step) -> str:
        """Return why a step is not to run, or an empty text."""
        if step.condition:
            condition = Condition.parse(step.condition, step=step.id)
            wanted = StepState.FAILED if condition.outcome == "failed" else StepState.COMPLETED
            if self.progress.state(condition.step_id) is not wanted:
                self.progress.not_taken.add(step.id)
                return f"condition not met: {step.condition}"
        for other in step.depends_on:
            if not self._satisfies(other, step):
                return f"dependency failed: step {other}"
        if not step.condition and self.settings.on_failure == "stop":
            lost = self._lost()
            if lost:
                return f"stopped after step {lost[0]} failed"
        return ""

    def _satisfies(self, other: int, step: Step) -> bool:
        """Say whether a step that ended lets one that depends on it run."""
        if step.condition and Condition.parse(step.condition, step=step.id).step_id == other:
            return True  # its condition has already judged how that step came out
        if self.progress.state(other) is StepState.SKIPPED:
            return other in self.progress.not_taken
        return self.progress.state(other) is StepState.COMPLETED

    def _lost(self) -> tuple[int, ...]:
        """Return the ids of the steps that failed for good."""
        return lost_steps(self.plan, self.progress.state)

    def _run_step(self, step: Step, choice: Choice) -> None:
        """Fill and run one step, with the retries that its failure allows."""
        self._move(step, StepEvent.START)
        attempt = self.progress.attempts.get(step.id, 0) + 1
        while True:
            self.progress.attempts[step.id] = attempt
            observation = self._attempt(choice, attempt)
            self.progress.observations.append(observation)
            if self._may_retry(step, observation):
                time.sleep(_RETRY_WAIT_S * attempt)
            else:
                other = self._other_way(step, observation)
                if other is None:
                    break
                choice = other
            self._move(step, StepEvent.RETRY, observation.error)
            attempt += 1
        self._move(step, _EVENTS[observation.status], observation.error)

    def _other_way(self, step: Step, observation: Observation) -> Choice | None:
        """Return another call for a step whose attempt failed, where the mode has one."""
        allowed = attempts_of(step, self.settings.plan_max_retries)
        if observation.status != "failed" or observation.call.attempt >= allowed:
            return None
        return self.mode.choose_again(step, self.plan, self.progress)

    def _attempt(self, choice: Choice, attempt: int) -> Observation:
        """Fill what is open, have it approved where it is not what was shown, and run it."""
        call = replace(self._call(choice.step), attempt=attempt)
        if choice.failed:
            return self._note(call, "failed", choice.failed)
        step, tool = choice.step, self.dispatcher.tools[call.tool]
        filled = self.filler.fill(step, tool, self.progress.completed)
        call = replace(call, args=dict(filled.args))
        still_open = filled.left_open
        if still_open and self.settings.missing_policy == "fail":
            reason = f"nothing was found to fill {', '.join(still_open)} with"
            return self._note(call, "failed", reason)
        if still_open:
            call = replace(call, args={**call.args, **dict.fromkeys(still_open, MISSING)})
        self._ask_again(choice, call, filled.tainted or self._steering(step, call))
        self._ask_apart(step, tool, call)
        self.progress.used |= filled.sources
        return self.dispatcher.run(
            call, tool.timeout_for(step.timeout_s, self.settings.plan_default_step_timeout_s)
        )

    def _ask_again(self, choice: Choice, call: ToolCall, filled: Sequence[str]) -> None:
        """Ask about a call that is not what was shown.

        What a model changed after it had seen what tools gave is for a person to decide about,
        as is what was filled with it.
        """
        changed = choice.changed
        if not changed and not filled and not self.dispatcher.clearance.drifted(call):
            return
        news = [f"filled in since the plan was approved: {', '.join(filled)}"] * bool(filled)
        news += [f"not as it was approved: {', '.join(changed)}"] * bool(changed)
        note = "; ".join(news) or "what it would change is no longer what was shown"
        needs_person = bool(filled) or bool(changed and self.progress.observations)
        self.ask_again(replace(choice.step, args=call.args), note, needs_person)

    def _ask_apart(self, step: Step, tool: Tool, call: ToolCall) -> None:
        """Ask about each path of a call that a person has to decide about one by one."""
        try:
            parts = tool.decided_apart(call.args)
        except ToolError:
            return  # the call itself will say what is wrong with it
        for number, args in enumerate(parts, start=1):
            self.ask_apart(replace(step, args=args), f"{number} of {len(parts)}, each on its own")

    def _steering(self, step: Step, call: ToolCall) -> tuple[str, ...]:
        """Return the open arguments of a step that does more, once they are filled, than shown."""
        effect_of = self.dispatcher.tools[step.tool].effect_of
        more = beyond(effect_of(step.args), effect_of(call.args))
        return step.open_args if more else ()

    def _call(self, step: Step) -> ToolCall:
        """Return the first call of a step, its arguments as planned."""
        return ToolCall(
            step_id=step.id, tool=step.tool, args=step.args, plan_version=self.plan.version
        )

    def _may_retry(self, step: Step, observation: Observation) -> bool:
        """Say whether a failed attempt is repeated: transient, allowed, and without effect."""
        if observation.status != "failed" or observation.error_class != "transient":
            return False
        tool = self.dispatcher.tools[step.tool]
        effects = tool.effect_of(observation.call.args)
        allowed = attempts_of(step, self.settings.plan_max_retries)
        return (
            not tool.patient and not effects & NOT_REPEATABLE and observation.call.attempt < allowed
        )

    def _skip(self, step: Step, reason: str) -> None:
        self.progress.observations.append(self._note(self._call(step), "skipped", reason))
        self._move(step, StepEvent.SKIP, reason)

    def _finish(self, step: Step) -> None:
        """Run the step that answers."""
        self._move(step, StepEvent.START)
        given = str(step.args.get("input") or "")
        others = any(not other.is_final for other in self.plan.steps)
        # Words that were planned before anything was observed are no answer.
        self._answer = given if given and not others else self._compose()
        self.progress.observations.append(self._note(self._call(step), "completed", self._answer))
        self._move(step, StepEvent.SUCCEED)

    def _compose(self) -> str:
        return self.composer.compose(self.progress.observations, frozenset(self.progress.used))

    def _note(self, call: ToolCall, status: StepStatus, text: str) -> Observation:
        """Record an observation without a call: a skip, a step that cannot run, the answer."""
        completed = status == "completed"
        observation = Observation(
            call=call,
            status=status,
            exit_code=0 if completed else None,
            raw=text if completed else None,
            text=text if completed else "",
            summary=text,
            error="" if completed else text,
            error_class="logic" if status == "failed" else None,
            started_at=now(),
            duration_s=0.0,
        )
        self.dispatcher.recorder.record("observation", **observation_to_json(observation))
        return observation

    def _move(self, step: Step, event: StepEvent, reason: str = "") -> None:
        """Change a step's state, write it down, then tell."""
        before = self.progress.state(step.id)
        after = advance(STEP_TRANSITIONS, before, event)
        self.dispatcher.recorder.record(
            "step_state", step_id=step.id, before=before, after=after, reason=reason
        )
        self.progress.states[step.id] = after
        self.on_step(step, after, reason)
