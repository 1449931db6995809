"""Live state of a run: an immutable record with a method for each event.

`journal.run_view` builds it from the events of a run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Self

from okso_jupyter.legible import sentence
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import ToolCall
from okso_jupyter.plan.states import RunState, StepState

#: States of steps that will not run again, for whatever reason.
ENDED: Final = frozenset(StepState) - {StepState.PENDING, StepState.RUNNING}
#: States of steps that were started and did not succeed.
LOST: Final = frozenset({StepState.FAILED, StepState.UNCERTAIN})
_DONE: Final = frozenset({StepState.COMPLETED, StepState.SKIPPED})
#: Most decisions that are kept; the journal has all of them.
_MAX_DECISIONS: Final = 200
_MAX_CALL_CHARS: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveStep:
    """Current state of one step.

    Attributes:
        step: The step of the plan; once it is called, with the arguments of the call.
        state: Its state.
        reason: Why it is in this state, on one line; empty if that is obvious.
        attempt: Number of the attempt, from 1; 0 before the first one.
        started_at: When it started; None before that.
        ended_at: When it ended; None before that.
        tail: The last lines of its output so far; empty once it has ended.
        is_asked: Whether it waits for a decision about it alone.
        is_cut_off: Whether it was running when its run ended.
    """

    step: Step
    state: StepState = StepState.PENDING
    reason: str = ""
    attempt: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    tail: str = ""
    is_asked: bool = False
    is_cut_off: bool = False

    @property
    def id(self) -> int:
        """Id of the step."""
        return self.step.id

    def elapsed_s(self, now: datetime) -> float | None:
        """Return the seconds from its start to its end, or to now; None before the start."""
        if self.started_at is None:
            return None
        return max(0.0, ((self.ended_at or now) - self.started_at).total_seconds())

    def moved(self, state: StepState, reason: str, at: datetime) -> LiveStep:
        """Return the step in another state; moved back to pending, it has no start."""
        begins = state is StepState.RUNNING and self.state is not StepState.RUNNING
        started_at = at if begins else self.started_at
        return replace(
            self,
            state=state,
            reason=sentence(reason),
            started_at=None if state is StepState.PENDING else started_at,
            ended_at=at if state in ENDED else None,
            tail=self.tail if state is StepState.RUNNING else "",
            is_asked=False,
            is_cut_off=False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """Current state of a run: immutable, each method returns the next state.

    Attributes:
        run_id: The run.
        state: State of the run.
        plan_version: Version of the newest plan; 0 before there is one.
        steps: Every step that ran or may still run, including those of earlier versions.
        decisions: Decisions during the run, one line each, the newest last.
        started_at: When the run started to execute or was last resumed; None before that.
        ended_at: When it ended or was paused; None before that.
    """

    run_id: str
    state: RunState = RunState.DRAFT
    plan_version: int = 0
    steps: tuple[LiveStep, ...] = ()
    decisions: tuple[str, ...] = ()
    started_at: datetime | None = None
    ended_at: datetime | None = None
    _places: Mapping[int, int] = field(default_factory=dict, repr=False)

    @property
    def running(self) -> tuple[LiveStep, ...]:
        """The running steps."""
        return tuple(step for step in self.steps if step.state is StepState.RUNNING)

    @property
    def done(self) -> int:
        """Number of steps that are completed or skipped."""
        return sum(step.state in _DONE for step in self.steps)

    @property
    def progress(self) -> float:
        """Share of the plan that is done, 0 to 1; 1 for a completed run despite failed steps."""
        if self.state is RunState.COMPLETED:
            return 1.0
        return self.done / len(self.steps) if self.steps else 0.0

    def elapsed_s(self, now: datetime) -> float:
        """Return the seconds from the start of execution to its end, or to now."""
        if self.started_at is None:
            return 0.0
        return max(0.0, ((self.ended_at or now) - self.started_at).total_seconds())

    def with_tails(self, tails: Mapping[int, str]) -> Self:
        """Return the state with the output so far of the running steps, by step id."""
        if all(step.tail == tails.get(step.id, step.tail) for step in self.running):
            return self
        steps = (
            replace(step, tail=tails.get(step.id, step.tail))
            if step.state is StepState.RUNNING
            else step
            for step in self.steps
        )
        return replace(self, steps=tuple(steps))

    def with_plan(self, plan: Plan, cause: str) -> Self:
        """Return the state with a new plan: started steps stay, its steps replace pending ones."""
        kept = {step.id: step for step in self.steps if step.state is not StepState.PENDING}
        newer = {step.id: kept.get(step.id, LiveStep(step=step)) for step in plan.steps}
        steps = tuple({**kept, **newer}.values())
        changed = replace(
            self,
            plan_version=plan.version,
            steps=steps,
            _places={step.id: place for place, step in enumerate(steps)},
        )
        if not cause or self.state is not RunState.EXECUTING:
            return changed
        return changed.with_decision(f"version {plan.version} of the plan takes over")

    def in_state(self, state: RunState, at: datetime) -> Self:
        """Return the state with the run in another state."""
        goes_on = state is RunState.EXECUTING
        # no step runs while the run does not execute: Stop came between start and end of a step
        steps = (
            replace(step, is_cut_off=not goes_on and step.state is StepState.RUNNING)
            for step in self.steps
        )
        return replace(
            self,
            state=state,
            steps=tuple(steps),
            started_at=at if goes_on else self.started_at,
            ended_at=None if goes_on or self.started_at is None else at,
        )

    def step_moved(
        self, step_id: int, states: tuple[StepState, StepState], reason: str, at: datetime
    ) -> Self:
        """Return the state after a transition of a step.

        Args:
            step_id: The step; one that is not in the plan changes nothing.
            states: Its previous state, and its new state.
            reason: Why, in words.
            at: When.
        """
        place = self._places.get(step_id)
        if place is None:
            return self
        before, state = states
        step = self.steps[place].moved(state, reason, at)
        moved = replace(self, steps=(*self.steps[:place], step, *self.steps[place + 1 :]))
        if before is state is StepState.RUNNING:
            return moved.with_decision(f"step {step.id} is tried again: {step.reason}")
        return moved

    def asked(self, step_ids: Sequence[int]) -> Self:
        """Return the state in which only these running steps wait for a decision."""
        if not step_ids and not any(step.is_asked for step in self.steps):
            return self
        steps = (
            replace(step, is_asked=step.id in step_ids and step.state is StepState.RUNNING)
            for step in self.steps
        )
        return replace(self, steps=tuple(steps))

    def called(self, call: ToolCall) -> Self:
        """Return the state after the call of a tool for a step."""
        line = f"step {call.step_id}: {_call(call.tool, call.args)}"
        place = self._places.get(call.step_id)
        if place is None:
            return self.with_decision(line)
        before = self.steps[place]
        called = replace(before.step, tool=call.tool, args=call.args)
        step = replace(before, step=called, attempt=call.attempt)
        steps = (*self.steps[:place], step, *self.steps[place + 1 :])
        return replace(self, steps=steps).with_decision(line)

    def filled(self, step_id: int, values: Mapping[str, Any], sources: Sequence[int]) -> Self:
        """Return the state after open arguments of a step were filled.

        Args:
            step_id: The step.
            values: The values filled in, by name; if empty, nothing changes.
            sources: Steps whose output provided the values.
        """
        if not values:
            return self
        given = ", ".join(f"{name} = {_value(value)}" for name, value in values.items())
        origin = f", from step {', '.join(map(str, sources))}" if sources else ""
        return self.with_decision(f"step {step_id}: filled in {given}{origin}")

    def with_decision(self, line: str) -> Self:
        """Return the state with one more decision; an empty line changes nothing."""
        if not line:
            return self
        return replace(self, decisions=(*self.decisions, sentence(line))[-_MAX_DECISIONS:])


def _call(tool: str, args: Mapping[str, Any]) -> str:
    """Return a shortened call; the plan and the ledger have the whole call."""
    words = f"{tool}({', '.join(f'{name}={_value(value)}' for name, value in args.items())})"
    return words if len(words) <= _MAX_CALL_CHARS else f"{words[:_MAX_CALL_CHARS]}…"


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
