"""Attempts of one step: fills arguments, gets approvals, runs the call, retries if useful."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

import tenacity

from okso_jupyter.effects.effect import NOT_REPEATABLE, beyond
from okso_jupyter.errors import ApprovalError, DriftedError, ToolError, ToolTimeoutError
from okso_jupyter.execution.budgets import BudgetReachedError
from okso_jupyter.execution.dispatch import Dispatcher
from okso_jupyter.execution.fill import Filler
from okso_jupyter.execution.modes import CallChoice, Mode, same
from okso_jupyter.execution.scheduler import StepTask, wait_for
from okso_jupyter.execution.step_log import StepLog
from okso_jupyter.plan.holes import surfaced
from okso_jupyter.plan.plan import Plan, Step, attempts_of
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.plan.states import StepEvent
from okso_jupyter.toolkit.tool import Tool


class DeclinedError(Exception):
    """A call must not be made: a person said "no", or there was no answer in time.

    It ends the execution. Unlike an ApprovalError, it does not mean that no person can be asked.

    Attributes:
        is_open: Whether the question stays open, so that the run can be resumed later.
    """

    def __init__(self, message: str, *, is_open: bool) -> None:
        super().__init__(message)
        self.is_open = is_open


#: Seconds to wait after a transient failure: doubled each time, with jitter.
_BACKOFF: Final = tenacity.wait_exponential(multiplier=1, max=30) + tenacity.wait_random(0, 0.5)
#: Why a transient failure is not retried.
_WITHHELD: Final = "not tried again: it may have had its effect"
_EVENTS: Final[dict[StepStatus, StepEvent]] = {
    "completed": StepEvent.SUCCEED,
    "failed": StepEvent.FAIL,
    "uncertain": StepEvent.LOSE,
    "cancelled": StepEvent.CANCEL,
}


class Questions(Protocol):
    """Asks about single steps while a plan runs."""

    @property
    def held(self) -> Container[int]:
        """Ids of the steps that need another approval before they run."""

    def about_step(self, plan: Plan, step: Step, note: str, *, needs_person: bool) -> None:
        """Ask about a step that differs from what was shown; raise DeclinedError on "no"."""

    def about_part(self, plan: Plan, step: Step, note: str) -> None:
        """Ask a person about a part of what a step does; raise DeclinedError on "no"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Runs steps, each with as many attempts as its failures allow.

    Attributes:
        dispatcher: Runs single calls.
        filler: Fills open arguments.
        plan: The plan of the steps.
        mode: Chooses another call for a step that failed.
        step_log: Records the transitions of the steps.
        questions: Asks about calls that differ from what was shown.
    """

    dispatcher: Dispatcher
    filler: Filler
    mode: Mode
    plan: Plan
    step_log: StepLog
    questions: Questions

    def run(self, step: Step, choice: CallChoice) -> StepTask[None]:
        """Run one step to its end.

        Args:
            step: The step as in the plan.
            choice: The call chosen for it.

        Raises:
            ApprovalError: A call was not covered by the approval.
            DeclinedError: A question about a call was not answered with "yes".
            ModelError: A model that fills arguments could not be asked.
            KeyboardInterrupt: The user stopped the run while no call of the step was running.
        """
        self.step_log.move(step, StepEvent.START)
        try:
            last = yield from self._series(step, choice)
        except KeyboardInterrupt:
            self.step_log.move(step, StepEvent.CANCEL, "stopped by the user")
            raise
        except DeclinedError as declined:
            event = StepEvent.RESUME if declined.is_open else StepEvent.CANCEL
            self.step_log.move(step, event, str(declined))
            raise
        except ApprovalError as error:  # not begun: a later approval may let it run
            self.step_log.move(step, StepEvent.RESUME, str(error))
            raise
        except BudgetReachedError as error:  # not begun: the executor asks, and starts it again
            self.step_log.progress.attempts[step.id] -= 1
            self.step_log.move(step, StepEvent.RESUME, str(error))
            return
        except Exception as error:
            self.step_log.move(step, StepEvent.FAIL, str(error))
            raise
        self.step_log.move(step, _EVENTS[last.status], last.error)

    def _series(self, step: Step, choice: CallChoice) -> StepTask[Observation]:
        """Make attempts until one is final and return the observation of the last one."""
        used = self.step_log.progress.attempts.get(step.id, 0)
        course = _Course(step, choice, used + 1)
        for attempt in self._retrying(course, used):
            if course.pause_s:
                yield wait_for(course.pause_s)
            course.number = used + attempt.retry_state.attempt_number
            seen = yield from self._attempt(course)
            if seen is None:
                break
            self.step_log.progress.observed(seen)
            attempt.retry_state.set_result(seen)
            course.last = seen
        assert course.last is not None  # noqa: S101  the first attempt is always made
        return course.last

    def _retrying(self, course: _Course, used: int) -> tenacity.Retrying:
        """Return the retry loop over the attempts a step has left."""

        def say(state: tenacity.RetryCallState) -> None:
            self.step_log.move(course.step, StepEvent.RETRY, _last(state).error)

        def wait(pause_s: float) -> None:
            course.pause_s = pause_s  # the task waits itself, so that others go on

        allowed = attempts_of(course.step, self.dispatcher.settings.plan_max_retries)
        return tenacity.Retrying(
            retry=tenacity.retry_if_result(
                lambda seen: (
                    self._may_help(course, seen)
                    or (course.number < allowed and self._has_another_way(course, seen))
                )
            ),
            stop=tenacity.stop_after_attempt(allowed - used),
            wait=_pause_s,
            sleep=wait,
            before_sleep=say,
            retry_error_callback=_last,
        )

    def _may_help(self, course: _Course, seen: Observation) -> bool:
        """Return whether to retry the same call: its failure allows it, and it had no effect."""
        return self._is_for_again(course, seen) and not self._may_have_effect(seen)

    def _may_have_effect(self, seen: Observation) -> bool:
        """Return whether a call may have had an effect that a retry would repeat."""
        tool = self.dispatcher.tools[seen.call.tool]
        return bool(tool.effect_of(seen.call.args) & NOT_REPEATABLE)

    def _is_for_again(self, course: _Course, seen: Observation) -> bool:
        """Return whether the failure's class, or an explicit retry setting, allows a retry."""
        step, tool = course.step, self.dispatcher.tools[course.step.tool]
        if seen.status != "failed":
            return False
        if seen.error_class == "transient":
            return not tool.patient
        asked_for = (step.max_retries, self.dispatcher.settings.plan_max_retries) != (None, None)
        return asked_for and seen.error_class != "fatal" and not course.choice.failed

    def _has_another_way(self, course: _Course, seen: Observation) -> bool:
        """Return whether the mode has another call for a failed step, and choose it if so."""
        if seen.status != "failed":
            return False
        other = self.mode.choose_again(course.step, self.plan, self.step_log.progress)
        if other is None:
            return False
        is_same = same(dict(other.step.args), dict(seen.call.args))
        if is_same and (seen.error_class == "fatal" or self._may_have_effect(seen)):
            return False
        course.choice = other
        return True

    def _attempt(self, course: _Course) -> StepTask[Observation | None]:
        """Fill open arguments, get an approval if the call differs from what was shown, and run it.

        Return None if the call would only repeat one that failed because of its arguments.
        """
        choice, step = course.choice, course.choice.step
        call = self.step_log.planned_call(step, course.number)
        self.step_log.progress.attempts[step.id] = course.number
        if choice.failed:
            return self.step_log.remark(call, "failed", choice.failed)
        tool = self.dispatcher.tools[call.tool]
        seen = self.step_log.progress.completed
        filled = self.filler.fill(step, tool, seen, course.wrong, self.plan)
        args = dict(filled.args)
        if step.open_args and course.wrong is not None and args == course.wrong.call.args:
            return None
        if filled.left_open and self.dispatcher.settings.missing_policy == "fail":
            reason = f"nothing was found to fill {', '.join(filled.left_open)} with"
            return self.step_log.remark(replace(call, args=args), "failed", reason)
        still_open = {name: surfaced(args[name]) for name in filled.left_open}
        call = replace(call, args={**args, **still_open})
        unseen = self.dispatcher.gate.written_unseen(step.id)
        self._ask_again(choice, call, filled.tainted or self._steering(step, call) or unseen)
        self._ask_apart(step, tool, call)
        self.step_log.progress.used |= filled.sources
        return (yield from self._dispatched(course, call, tool))

    def _dispatched(self, course: _Course, call: ToolCall, tool: Tool) -> StepTask[Observation]:
        """Run a call; if its files were changed from outside meanwhile, ask again first.

        No lock is held while a person is asked.
        """
        step = course.choice.step
        timeout_s = tool.timeout_for(
            step.timeout_s, self.dispatcher.settings.plan_default_step_timeout_s
        )
        while True:
            try:
                amend = partial(self._amended, course)
                return (yield from self.dispatcher.run(call, timeout_s, amend))
            except DriftedError as error:
                again = replace(step, args=call.args)
                self.questions.about_step(self.plan, again, error.reason, needs_person=False)
            except ToolTimeoutError as error:
                return self.step_log.remark(call, "failed", error.message)

    def _amended(self, course: _Course, seen: Observation) -> Observation:
        """Return an observation; its error states if a retry is withheld for a possible effect."""
        is_left = course.number < attempts_of(
            course.step, self.dispatcher.settings.plan_max_retries
        )
        if not (is_left and self._is_for_again(course, seen) and self._may_have_effect(seen)):
            return seen
        return replace(seen, error=f"{seen.error} ({_WITHHELD})")

    def _ask_again(self, choice: CallChoice, call: ToolCall, filled: Sequence[str]) -> None:
        """Ask a person about a call whose arguments a model changed or filled in."""
        changed = choice.changed
        if not changed and not filled:
            return
        news = [f"filled in since the plan was approved: {', '.join(filled)}"] * bool(filled)
        news += [f"not as it was approved: {', '.join(changed)}"] * bool(changed)
        step = replace(choice.step, args=call.args)
        self.questions.about_step(self.plan, step, "; ".join(news), needs_person=True)

    def _ask_apart(self, step: Step, tool: Tool, call: ToolCall) -> None:
        """Ask separately about each path of a call that a person must decide about one by one."""
        try:
            parts = tool.decided_apart(call.args)
        except ToolError:
            return  # the call itself will report the error
        for number, args in enumerate(parts, start=1):
            note = f"{number} of {len(parts)}, each on its own"
            self.questions.about_part(self.plan, replace(step, args=args), note)

    def _steering(self, step: Step, call: ToolCall) -> tuple[str, ...]:
        """Return a step's open arguments if, once filled, the call has more effects than shown."""
        if not step.open_args:
            return ()
        effect_of = self.dispatcher.tools[step.tool].effect_of
        more = beyond(effect_of(step.args), effect_of(call.args))
        return step.open_args if more else ()


@dataclass(slots=True)
class _Course:
    """State of a step during its attempts.

    Attributes:
        step: The step as in the plan.
        choice: The call chosen for it.
        number: Number of the attempt, from 1.
        pause_s: Seconds to wait before it.
        last: The observation of the previous attempt.
    """

    step: Step
    choice: CallChoice
    number: int
    pause_s: float = 0.0
    last: Observation | None = None

    @property
    def wrong(self) -> Observation | None:
        """The previous attempt, if it failed because of its arguments."""
        return self.last if self.last is not None and self.last.error_class == "logic" else None


def _last(state: tenacity.RetryCallState) -> Observation:
    """Return the observation of the last attempt."""
    assert state.outcome is not None  # noqa: S101  it is asked about attempts that ended
    seen: Observation = state.outcome.result()
    return seen


def _pause_s(state: tenacity.RetryCallState) -> float:
    """Return the seconds to wait: a backoff after a transient failure, else 0."""
    return _BACKOFF(state) if _last(state).error_class == "transient" else 0.0
