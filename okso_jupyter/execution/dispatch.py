"""Dispatcher: the only place where tool handlers run and their failures become values."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from okso_jupyter.effects.effect import Effects
from okso_jupyter.errors import (
    ErrorClass,
    OksoError,
    ToolDefinitionError,
    ToolTimeoutError,
    ToolUnavailableError,
    ToolUncertainError,
    words_of,
)
from okso_jupyter.execution.budgets import Budgets
from okso_jupyter.execution.failure_classes import classify, classify_text
from okso_jupyter.execution.pool import Pool, abandon
from okso_jupyter.execution.scheduler import StepTask, wait_for
from okso_jupyter.execution.step_log import RecordedResults
from okso_jupyter.execution.summary import summarize
from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import CallStarted, ObservationMade
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.legible import sentence
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.sandbox.output_tail import Tail
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.context import RedirectRefusal, RunResources, ToolContext
from okso_jupyter.toolkit.rehearsal import Rehearser
from okso_jupyter.toolkit.tool import Tool, ToolOutput
from okso_jupyter.workspace import PathLocks

#: Extra seconds in which a tool that knows its time-out can return a partial result.
_GRACE_S: Final = 1.0
#: Seconds for a cancelled tool to stop; a tool that cannot be cancelled is not waited for.
_DRAIN_S: Final = 5.0
#: Seconds between attempts to lock the files of a call.
_LOOK_S: Final = 0.02
#: Amends the observation of a call.
Amendment = Callable[[Observation], Observation]


class Gate(Protocol):
    """Checks calls against what was approved."""

    def __call__(self, call: ToolCall) -> Effects:
        """Return the effects of a call that was approved.

        Raises:
            ApprovalError: It was not approved.
            DriftedError: It has to be shown again.
        """

    def written_unseen(self, step_id: int) -> tuple[str, ...]:
        """Return the open arguments, not shown since filled, of a step that overwrites a file."""

    def redirect_refusal(self, call: ToolCall) -> RedirectRefusal:
        """Return what says why a call must not follow a redirect."""

    def note(self, step_id: int, status: StepStatus) -> None:
        """Record the outcome of a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatcher:
    """Runs calls.

    Attributes:
        tools: The catalogue.
        resources: Resources shared by the calls of the run.
        settings: The settings.
        recorder: The run's journal.
        gate: Refuses calls that were not approved.
        pool: Runs handlers.
        past: Returns the recorded results in a replay; None for a live run.
        budgets: Refuses calls that would spend more than is allowed; None for no limit.
    """

    tools: Mapping[str, Tool]
    resources: RunResources
    settings: Settings
    recorder: RunRecorder
    gate: Gate
    pool: Pool = field(default_factory=Pool)
    past: RecordedResults | None = None
    budgets: Budgets | None = None
    _tails: dict[int, Tail] = field(default_factory=dict)
    _unchanged: set[int] = field(default_factory=set)

    def tails(self) -> dict[int, str]:
        """Return the last output lines of each running call, by step id."""
        return {step_id: tail.text() for step_id, tail in self._tails.items()}

    def run(
        self, call: ToolCall, timeout_s: float, amend: Amendment = lambda seen: seen
    ) -> StepTask[Observation]:
        """Run one call and return its observation; failures and Stop are values too.

        The start is on disk before the handler runs; the observation is on disk once the caller has
        recorded the step's next transition.

        Args:
            call: The call, every argument filled.
            timeout_s: Maximum seconds.
            amend: Amends the observation before it is recorded.

        Raises:
            DriftedError: What the call reads or changes was changed from outside; nothing ran.
            ApprovalError: The call was not approved; nothing ran.
            BudgetReachedError: The call would spend more than is allowed; nothing ran.
            ToolTimeoutError: The call's files were locked by others for too long; nothing ran.
        """
        with ExitStack() as held:
            yield from self._take_locks(call, timeout_s, held)
            self._begin(call)
            return (yield from self._run(call, timeout_s, amend))

    def _begin(self, call: ToolCall) -> None:
        """Check a call against budgets and approvals, and record its start."""
        with nullcontext() if self.budgets is None else self.budgets.reserving():
            if self.budgets is not None:
                self.budgets.check(self.tools[call.tool].effect_of(call.args))
            effects = self.gate(call)
            started = CallStarted(
                step_id=call.step_id,
                plan_version=call.plan_version,
                attempt=call.attempt,
                tool=call.tool,
                args=dict(call.args),
                args_sha256=sha256_of(dict(call.args)),
                effects=effects,
            )
            self.recorder.record(started)

    def _take_locks(self, call: ToolCall, timeout_s: float, held: ExitStack) -> StepTask[None]:
        """Wait for, and take, the locks of the files that a call reads or changes."""
        locks = PathLocks(self.resources.workspace)
        end_s = time.monotonic() + timeout_s
        while True:
            paths = self._paths_of(call)
            with ExitStack() as tried:
                if tried.enter_context(locks.holding(paths)):
                    held.push(tried.pop_all())
                    return
            if time.monotonic() > end_s:
                names = ", ".join(sorted(paths))
                msg = f"another run or process has been changing {names} for {timeout_s:g} s"
                raise ToolTimeoutError(msg)
            yield wait_for(_LOOK_S)

    def _paths_of(self, call: ToolCall) -> frozenset[str]:
        """Return the files that a call would read or change now.

        They are known even for a call that would fail or whose rehearsal takes too long.
        """
        step = Step(id=call.step_id, tool=call.tool, args=call.args, literal=tuple(call.args))
        found = Rehearser(self.resources).rehearse(self.tools[call.tool], step)
        return frozenset() if found is None else found.paths | frozenset(found.touched)

    def _run(self, call: ToolCall, timeout_s: float, amend: Amendment) -> StepTask[Observation]:
        """Run a call that has begun, and record its observation."""
        tool = self.tools[call.tool]
        with self.recorder.span(
            "execute_tool",
            with_next=True,
            step_id=call.step_id,
            tool=call.tool,
            attempt=call.attempt,
        ) as span:
            known = None if self.past is None else self.past.observed(call)
            observation = known or amend((yield from self._observed(tool, call, timeout_s)))
            span.status = "ok" if observation.status == "completed" else "error"
        # the step's transition follows and is written in the same transaction
        is_unchanged = call.step_id in self._unchanged
        self._unchanged.discard(call.step_id)
        self.recorder.record_with_next(
            ObservationMade.of(observation, changed_nothing=is_unchanged)
        )
        self.resources.made.take_in(observation.changes)
        self.gate.note(call.step_id, observation.status)
        return observation

    def _observed(self, tool: Tool, call: ToolCall, timeout_s: float) -> StepTask[Observation]:
        """Run the handler and return the observation."""
        started_at, started = now(), time.monotonic()
        try:
            outcome = yield from self._outcome(tool, call, timeout_s)
        finally:
            self._tails.pop(call.step_id, None)
        return Observation(
            call=call,
            status=outcome.status,
            exit_code=outcome.output.exit_code,
            raw=outcome.output.value,
            text=outcome.output.text,
            summary=summarize(outcome.output, self.settings.summary_line_char_limit),
            error=outcome.output.error,
            error_class=outcome.error_class,
            started_at=started_at,
            duration_s=time.monotonic() - started,
            changes=outcome.output.changes,
        )

    def _outcome(self, tool: Tool, call: ToolCall, timeout_s: float) -> StepTask[_Outcome]:
        """Run the handler; cancel it at its time-out or when the user stops the run."""
        context = ToolContext(
            run=self.resources,
            timeout_s=timeout_s,
            refuses_redirect=self.gate.redirect_refusal(call),
        )
        can_be_told = tool.is_lent
        future = self.pool.submit(tool, context, call.args)
        self._tails[call.step_id] = context.tail
        ended = None
        try:
            yield wait_for(timeout_s + (_GRACE_S if can_be_told else 0.0), future)
        except KeyboardInterrupt:
            ended = _Outcome(_without_result("stopped by the user"), "cancelled", "cancelled")
        if future.done():
            outcome = _returned(future)
            if tool.rehearses and outcome.status == "failed" and not context.changed.is_set():
                self._unchanged.add(call.step_id)
            return outcome
        ended = ended or _failed(ToolTimeoutError(f"no result within {timeout_s:g} s"))
        context.cancelled.set()
        future.cancel()
        with suppress(KeyboardInterrupt):  # a second Stop ends the waiting
            yield wait_for(_DRAIN_S if can_be_told else 0.0, future)
        if future.done() and not future.cancelled() and not can_be_told:
            return _returned(future)  # it ended by itself between the two checks
        if future.done():
            left = replace(ended, output=_with_changes_of(future, ended.output))
            return replace(left, status="uncertain") if _is_uncertain(future) else left
        abandon(self.recorder.run_id, call.step_id, future)
        return replace(ended, status="uncertain")


@dataclass(frozen=True, slots=True)
class _Outcome:
    output: ToolOutput
    status: StepStatus
    error_class: ErrorClass | None = None


def _returned(future: Future[ToolOutput]) -> _Outcome:
    """Return the outcome of a call that ended by itself.

    Raises:
        ToolDefinitionError: The tool does not match its declaration.
    """
    if future.cancelled():
        return _failed(ToolUnavailableError("the cluster abandoned the call"))
    error = future.exception()
    if isinstance(error, ToolDefinitionError):
        raise error
    if error is None:
        return _judged(future.result())
    failed = _failed(error)
    return replace(failed, status="uncertain") if _is_uncertain(future) else failed


def _is_uncertain(future: Future[ToolOutput]) -> bool:
    """Return whether a call was sent to a program that did not say what became of it."""
    return not future.cancelled() and isinstance(future.exception(), ToolUncertainError)


def _with_changes_of(future: Future[ToolOutput], output: ToolOutput) -> ToolOutput:
    """Return an output with the file changes of a cancelled call that ended in time."""
    if future.cancelled() or future.exception() is not None:
        return output
    return replace(output, changes=future.result().changes)


def _judged(output: ToolOutput) -> _Outcome:
    """Return the outcome of an output: an exit code other than 0 is a failure."""
    if output.exit_code == 0:
        return _Outcome(output, "completed")
    message = output.error or f"it ended with exit code {output.exit_code}"
    found = classify_text(message)
    failed = replace(output, error=message)
    return _Outcome(failed, "failed", "logic" if found == "unknown" else found)


def _failed(error: BaseException) -> _Outcome:
    """Return the outcome of an exception, its message on one line."""
    kind = type(error).__name__
    message = str(error) if isinstance(error, OksoError) else f"{kind}: {words_of(error)}"
    line = sentence(" ".join(message.split()) or kind)
    return _Outcome(_without_result(line), "failed", classify(error))


def _without_result(line: str) -> ToolOutput:
    """Return the output of a call without a result: the reason as its error."""
    return ToolOutput(value={"output": "", "error": line, "exit_code": 1}, exit_code=1, error=line)
