"""ATIF: a run as a trajectory in the Agent Trajectory Interchange Format, version 1.7.

A step of it is one turn: the request, a plan, a decision, a call with its result, the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.journal.events import (
    AnswerGiven,
    CallStarted,
    CompletionMade,
    DecisionMade,
    ObservationMade,
    PlanMade,
    Recorded,
    RunStarted,
)
from okso_jupyter.journal.store import Record, with_events
from okso_jupyter.telemetry.genai_attributes import AGENT, call_id

_SCHEMA_VERSION: Final = "ATIF-v1.7"
_KINDS: Final[tuple[type[Recorded], ...]] = (
    RunStarted,
    CompletionMade,
    PlanMade,
    DecisionMade,
    CallStarted,
    ObservationMade,
    AnswerGiven,
)
#: Who decides in the words of the journal where a person does.
_PEOPLE: Final = frozenset({"user", "callable"})


@dataclass(slots=True)
class _Trajectory:
    """Takes the records of a run in their order.

    Attributes:
        steps: The steps so far.
        started: The beginning of the run; None before it.
        completions: All completions so far.
    """

    steps: list[dict[str, Any]] = field(default_factory=list)
    started: RunStarted | None = None
    completions: list[CompletionMade] = field(default_factory=list)
    _spent: int = 0
    _calls: dict[int, CallStarted] = field(default_factory=dict)

    def take(self, event: Recorded, at: str) -> None:
        """Add the step that an event tells of."""
        match event:
            case RunStarted(request=request):
                self.started = event
                self._add(at, "user", request)
            case CompletionMade():
                self.completions.append(event)
            case PlanMade(plan=plan):
                self._add_of_agent(at, _in_words(plan.get("steps", ())), extra={"plan": plan})
            case DecisionMade(by=by):
                said = event.feedback or event.reason
                message = f"{event.decision}: {said}" if said else event.decision
                self._add(at, "user" if by in _PEOPLE else "system", message)
            case CallStarted(step_id=step_id):
                self._calls[step_id] = event
            case ObservationMade():
                self._add_call(event, at)
            case AnswerGiven(text=text):
                self._add_of_agent(at, text)
            case _:
                pass

    def _add_call(self, made: ObservationMade, at: str) -> None:
        """Add a call with its result; a step that ended without a call is none."""
        seen = made.observation
        started = self._calls.pop(seen.call.step_id, None)
        if started is None:
            return
        number = call_id(started)
        result = {"source_call_id": number, "content": seen.text or seen.error}
        called = {"tool_call_id": number, "function_name": started.tool}
        self._add_of_agent(
            at,
            "",
            tool_calls=[{**called, "arguments": dict(started.args)}],
            observation={"results": [result]},
            extra={"status": seen.status},
        )

    def _add_of_agent(self, at: str, message: str, **parts: Any) -> None:  # noqa: ANN401  JSON
        """Add a step of the agent, with what its models spent since the last one."""
        asked = self.completions[self._spent :]
        self._spent = len(self.completions)
        metrics = {"metrics": _metrics(asked)} if asked else {}
        self._add(at, "agent", message, llm_call_count=len(asked), **metrics, **parts)

    def _add(self, at: str, source: str, message: str, **parts: Any) -> None:  # noqa: ANN401  JSON
        number = len(self.steps) + 1
        step = {"step_id": number, "timestamp": at, "source": source, "message": message, **parts}
        self.steps.append(step)


def to_atif(run_id: str, records: Iterable[Record]) -> dict[str, Any]:
    """Return a run as a trajectory; texts of people, models and tools are in it.

    Args:
        run_id: The run.
        records: Its records, in order.

    Raises:
        JournalError: One of the records is damaged.
    """
    trajectory = _Trajectory()
    for record, event in with_events(records, *_KINDS):
        trajectory.take(event, record.at)
    started, spent = trajectory.started, _metrics(trajectory.completions)
    agent = {"name": AGENT, "version": "", "model_name": ""}
    if started is not None:
        version = started.versions.get("okso-jupyter", "")
        agent |= {"version": version, "model_name": started.model}
    return {
        "schema_version": _SCHEMA_VERSION,
        "session_id": run_id,
        "agent": agent,
        "steps": trajectory.steps,
        "final_metrics": {
            **{f"total_{name}": value for name, value in spent.items()},
            "total_steps": len(trajectory.steps),
        },
    }


def _metrics(completions: Sequence[CompletionMade]) -> dict[str, int]:
    return {
        "prompt_tokens": sum(made.prompt_tokens for made in completions),
        "completion_tokens": sum(made.output_tokens for made in completions),
        "cached_tokens": sum(made.cached_tokens for made in completions),
    }


def _in_words(steps: Iterable[Any]) -> str:
    """Return the steps of a plan as one line each."""
    lines = []
    for number, step in enumerate(steps, start=1):
        why = step.get("title") or step.get("thought") or ""
        lines.append(f"{number}. {step.get('tool', '')}" + (f": {why}" if why else ""))
    return "\n".join(lines)
