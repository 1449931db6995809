"""Events of the steps of a plan: their states, calls and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from okso_jupyter.effects.effect import NOT_REPEATABLE, Effect
from okso_jupyter.errors import ErrorClass
from okso_jupyter.journal.codec import FLAT, OMIT_DEFAULT, sha256_of
from okso_jupyter.journal.events.base import Recorded
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.plan.states import StepState


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMoved(Recorded):
    """A step changed its state, or is tried again.

    Attributes:
        step_id: The step.
        plan_version: Version of the plan that the step belongs to.
        before: State before.
        after: State from now on; equal to `before` if the step is tried again.
        reason: Why, in words; empty if it is obvious.
    """

    kind: ClassVar[str] = "step_state"
    step_id: int
    plan_version: int = 1
    before: StepState
    after: StepState
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStarted(Recorded):
    """A tool is about to be called; from now on the call may have had its effect.

    Attributes:
        step_id: The step.
        plan_version: Version of the plan that the step belongs to.
        attempt: Number of the attempt, from 1.
        tool: The tool.
        args: Its arguments, all of them filled.
        args_sha256: Hash of the arguments, before secrets were redacted.
        effects: Effects that the call may have.
    """

    kind: ClassVar[str] = "call_started"
    step_id: int
    plan_version: int
    attempt: int
    tool: str
    args: Mapping[str, Any]
    args_sha256: str = ""
    effects: frozenset[Effect]

    @property
    def call(self) -> ToolCall:
        """The call."""
        return ToolCall(
            step_id=self.step_id,
            tool=self.tool,
            args=self.args,
            plan_version=self.plan_version,
            attempt=self.attempt,
        )

    @property
    def is_repeatable(self) -> bool:
        """Whether the call can be repeated without having its effect twice."""
        return not self.effects & NOT_REPEATABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentsFilled(Recorded):
    """A model filled the open arguments of a step.

    Attributes:
        step_id: The step.
        filled: The value of each argument, by name.
        sources: Steps whose output the values came from.
    """

    kind: ClassVar[str] = "arguments_filled"
    step_id: int
    filled: Mapping[str, Any]
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationMade(Recorded):
    """A call ended, or a step ended without a call.

    Attributes:
        observation: Result of the call; its fields are keys of the body.
        raw_sha256: Hash of the raw output, before secrets were redacted and long parts cut.
        changed_nothing: Whether a failed call is known to have changed nothing.
    """

    kind: ClassVar[str] = "observation"
    observation: Observation = field(metadata=FLAT)
    raw_sha256: str = ""
    changed_nothing: bool = field(default=False, metadata=OMIT_DEFAULT)

    @classmethod
    def of(cls, observation: Observation, *, changed_nothing: bool = False) -> Self:
        """Return the event for an observation."""
        return cls(
            observation=observation,
            raw_sha256=sha256_of(observation.raw),
            changed_nothing=changed_nothing,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplanRequested(Recorded):
    """A new plan for the remaining steps was requested.

    Attributes:
        plan_version: Version of the plan that was executing.
        cause: Why.
        steps: Steps that failed or diverged, in that order.
        error_class: Class of the last failure; None if nothing failed.
        reason: The cause in words.
    """

    kind: ClassVar[str] = "replan"
    plan_version: int
    cause: Literal["failure", "in_a_row", "divergence", "validation", "feedback", "up_to", "budget"]
    steps: tuple[int, ...]
    error_class: ErrorClass | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplanFailed(Recorded):
    """No new version of the plan could be made.

    Attributes:
        reason: Why not.
    """

    kind: ClassVar[str] = "replan_failed"
    reason: str
