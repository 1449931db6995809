"""One call: the only place where a tool's handler runs, and where its failure becomes a value."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from okso_jupyter.errors import ErrorClass, OksoError, ToolDefinitionError, ToolTimeoutError
from okso_jupyter.execution.classify import classify, classify_text, words_of
from okso_jupyter.execution.summary import summarize
from okso_jupyter.journal.codec import observation_to_json, sha256_of
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.legible import sentence
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.toolkit.threads import start
from okso_jupyter.toolkit.tool import Tool, ToolOutput


class Gate(Protocol):
    """Knows what was approved."""

    def __call__(self, call: ToolCall) -> None:
        """Raise ApprovalError unless the call is one that was approved."""

    def drifted(self, call: ToolCall) -> bool:
        """Say whether an approved call would no longer change what was shown."""

    def note(self, step_id: int, status: StepStatus) -> None:
        """Take in how a call came out."""


#: Extra seconds for a tool to end by its own time-out before it is given up.
_GRACE_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatcher:
    """Runs calls.

    Attributes:
        tools: The catalogue.
        resources: What the calls of the run share.
        settings: The settings.
        recorder: The run's journal.
        clearance: Refuses what was not approved.
    """

    tools: Mapping[str, Tool]
    resources: RunResources
    settings: Settings
    recorder: RunRecorder
    clearance: Gate

    def run(self, call: ToolCall, timeout_s: float) -> Observation:
        """Run one call and return what it came to; a failure is a value.

        Args:
            call: The call, every argument filled.
            timeout_s: Seconds it may take.

        Raises:
            ApprovalError: The call is not one that was approved; nothing ran.
            KeyboardInterrupt: The user stopped it; it is recorded as cancelled first.
        """
        self.clearance(call)
        tool = self.tools[call.tool]
        self.recorder.record(
            "call_started",
            step_id=call.step_id,
            plan_version=call.plan_version,
            attempt=call.attempt,
            tool=call.tool,
            args=dict(call.args),
            args_sha256=sha256_of(dict(call.args)),
            effects=sorted(tool.effect_of(call.args)),
        )
        started_at, started = now(), time.monotonic()
        with self.recorder.span(
            "execute_tool", step_id=call.step_id, tool=call.tool, attempt=call.attempt
        ) as span:
            outcome = self._outcome(tool, call, timeout_s)
            span.status = "ok" if outcome.status == "completed" else "error"
        observation = Observation(
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
        self.recorder.record("observation", **observation_to_json(observation))
        self.clearance.note(call.step_id, observation.status)
        return observation

    def _outcome(self, tool: Tool, call: ToolCall, timeout_s: float) -> _Outcome:
        """Call the handler in a thread of its own, so that time-out and Stop are heard."""
        context = ToolContext(run=self.resources, timeout_s=timeout_s)
        future = start(lambda: _call(tool, context, call.args))
        try:
            error = future.exception(timeout=timeout_s + _GRACE_S)
        except FutureTimeoutError:
            context.cancelled.set()
            failed = _failed(ToolTimeoutError(f"no result within {timeout_s:g} s"))
            # The thread cannot be ended, so what it still does is not known.
            return _Outcome(failed.output, "uncertain", "transient")
        except KeyboardInterrupt:
            context.cancelled.set()
            self.recorder.record("call_cancelled", step_id=call.step_id, attempt=call.attempt)
            raise
        if isinstance(error, ToolDefinitionError):
            raise error
        return _failed(error) if error is not None else _judged(future.result())


@dataclass(frozen=True, slots=True)
class _Outcome:
    output: ToolOutput
    status: StepStatus
    error_class: ErrorClass | None = None


def _call(tool: Tool, context: ToolContext, args: Mapping[str, Any]) -> ToolOutput:
    """Check the arguments and run the handler."""
    tool.check(args)
    return tool.call(context, args)


def _judged(output: ToolOutput) -> _Outcome:
    """Return an output as an outcome: an exit code other than 0 is a failure."""
    if output.exit_code == 0:
        return _Outcome(output, "completed")
    message = output.error or f"it ended with exit code {output.exit_code}"
    found = classify_text(message)
    failed = replace(output, error=message)
    return _Outcome(failed, "failed", "logic" if found == "unknown" else found)


def _failed(error: BaseException) -> _Outcome:
    """Return a failure as an outcome, its error in one line."""
    kind = type(error).__name__
    message = str(error) if isinstance(error, OksoError) else f"{kind}: {words_of(error)}"
    line = sentence(" ".join(message.split()) or kind)
    output = ToolOutput(
        value={"output": "", "error": line, "exit_code": 1}, exit_code=1, error=line
    )
    return _Outcome(output, "failed", classify(error))
