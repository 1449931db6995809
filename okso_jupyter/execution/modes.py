"""Modes: who chooses the call of a due step (EXECUTOR_MODE): the plan, or a model.

A mode only chooses. Filling, asking and dispatching are the executor's, the same for all modes.

In mode `react`, a turn is one small question to the model. Turns are limited by the length of the
plan plus REACT_RETRY_BUFFER; the plan index, the position of the pending step, advances only when
the step's own tool has run or the step is skipped for a reason. Each turn is recorded as a span.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ModelError
from okso_jupyter.execution.call_suggestion import Suggester, Suggestion
from okso_jupyter.execution.model_calls import ModelCalls
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.holes import MISSING, is_open
from okso_jupyter.plan.plan import FINAL_TOOL, Plan, Step
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.states import StepState
from okso_jupyter.toolkit.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class CallChoice:
    """What to do about a step.

    Attributes:
        step: The step with the chosen arguments.
        changed: Names of the arguments that differ from the approved ones.
        failed: Why no call can be made for the step; empty if one can.
        skipped: Why no call is needed; empty if one is.
        diverged: Why the plan no longer fits; empty if it does.
    """

    step: Step
    changed: tuple[str, ...] = ()
    failed: str = ""
    skipped: str = ""
    diverged: str = ""


class Mode(Protocol):
    """Chooses calls, one step at a time."""

    @property
    def one_at_a_time(self) -> bool:
        """Whether the previous step must have ended before a call is chosen."""

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return what to do about a step that is due."""

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return what else to try after a failed attempt, or None."""


@dataclass(frozen=True, slots=True)
class AsPlanned:
    """EXECUTOR_MODE=plan: the steps as approved."""

    one_at_a_time: bool = False

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return the step unchanged."""
        del plan, progress
        return CallChoice(step=step)

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return None: retries depend only on the class of the failure."""
        del step, plan, progress
        return None


@dataclass(frozen=True, slots=True)
class OneCall:
    """EXECUTOR_MODE=call: a model writes the call of every step, once."""

    suggester: Suggester
    one_at_a_time: bool = False

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return the step with the arguments written by the model.

        Arguments that it marks as missing stay as approved; open ones are filled from observations.
        """
        del plan, progress
        try:
            suggestion = self.suggester.this_call(step)
        except ModelError as error:
            return as_planned(step, error)
        if suggestion.flaw:
            return CallChoice(step=step, failed=suggestion.flaw)
        if suggestion.tool == MISSING:
            return CallChoice(step=step, failed="the model could not choose a tool")
        if suggestion.tool != step.tool:
            reason = f"the model proposed {suggestion.tool}, and the step is {step.tool}"
            return CallChoice(step=step, failed=reason)
        return chosen(step, suggestion.args)

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return None: there is one call per step."""
        del step, plan, progress
        return None


def as_planned(step: Step, error: ModelError) -> CallChoice:
    """Return the step as approved, since no model could be asked."""
    LOGGER.warning("the planned call is made as it is", extra={"detail": str(error)})
    return CallChoice(step=step)


def chosen(step: Step, args: Mapping[str, Any]) -> CallChoice:
    """Return a step with other arguments, and the names of those that were not approved.

    Open arguments stay open: only `fill` fills them. Arguments that are left out or marked as
    missing stay as approved.
    """
    given = {n: v for n, v in args.items() if n not in step.open_args and not is_open(v)}
    changed = tuple(
        name
        for name, value in given.items()
        if name not in step.args or not same(step.args[name], value)
    )
    return CallChoice(step=replace(step, args={**step.args, **given}), changed=changed)


def same(one: object, other: object) -> bool:
    """Return whether two values are the same JSON, regardless of key order."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


#: Why the plan index did not advance; "" if the proposal is run.
SkipReason = Literal[
    "", "action_selection_failed", "duplicate_action", "plan_tool_mismatch", "answered_early"
]
#: Effects of steps that a model with an answer may skip: they only read.
_LOOKING: Final = frozenset({Effect.READS, Effect.NETWORK})


@dataclass(slots=True)
class React:
    """Lets a model propose the calls of one plan execution.

    Attributes:
        suggester: Asks the model.
        tools: The catalogue.
        retry_buffer: Turns beyond the length of the plan.
        may_realign: Whether a new plan may be requested when the model wants another tool.
    """

    suggester: Suggester
    tools: Mapping[str, Tool]
    retry_buffer: int
    may_realign: bool = False
    one_at_a_time: bool = True
    _turns: int = 0
    _told: list[str] = field(default_factory=list)
    _told_about: int = 0

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return the model's choice for a pending step, in as many turns as needed.

        The first turn offers all tools; turns after a useless proposal offer only the step's own.
        """
        if self._told_about != step.id:
            self._told, self._told_about = [], step.id
        while self._turns < self._most_turns(plan):
            choice = self._turn(step, plan, progress)
            if choice is not None:
                return choice
        turns = self._most_turns(plan)
        return CallChoice(
            step=step,
            failed=f"no turn is left: {turns} were used (the plan and REACT_RETRY_BUFFER)",
        )

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return another call for a step whose attempt failed; None if the model has none.

        It may be the same call again; another tool needs a new plan.
        """
        last = progress.observations[-1]
        # the reason is among the observations, between marks, as it is the tool's text
        self._told.append(f"The last call of {last.call.tool} failed.")
        if self._turns >= self._most_turns(plan):
            return None
        choice = self._turn(step, plan, progress)
        return None if choice is None or choice.skipped or choice.diverged else choice

    def _most_turns(self, plan: Plan) -> int:
        return len(plan.steps) + self.retry_buffer

    def _turn(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Ask the model once; return None if the proposal is useless."""
        self._turns += 1
        with self.suggester.model_calls.recorder.span(
            "turn", step_id=step.id, turn=self._turns, plan_index=plan.steps.index(step)
        ) as span:
            try:
                suggestion = self.suggester.next_call(
                    step,
                    _seen(progress),
                    offered=self._offered(step, plan, progress),
                    told=self._told,
                )
            except ModelError as error:
                return as_planned(step, error)
            choice, reason = self._judged(step, suggestion, progress)
            span.attributes |= {"tool": suggestion.tool, "skip_reason": reason}
            if suggestion.flaw:
                span.attributes["why"] = suggestion.flaw
            return choice

    def _judged(
        self, step: Step, suggestion: Suggestion, progress: PlanProgress
    ) -> tuple[CallChoice | None, SkipReason]:
        """Check a proposal against the pending step; return the choice and why it is not run."""
        if suggestion.tool == FINAL_TOOL and not suggestion.flaw:
            return CallChoice(step=step, skipped="the model answered without it"), "answered_early"
        reason, told = _objection(step, suggestion, progress)
        if not reason:
            return chosen(step, suggestion.args), ""
        if reason == "plan_tool_mismatch" and self.may_realign and not progress.realigned:
            wish = f"the model wants {suggestion.tool} in place of step {step.id} ({step.tool})"
            return CallChoice(step=step, diverged=wish), reason
        self._told.append(told)
        return None, reason

    def _offered(self, step: Step, plan: Plan, progress: PlanProgress) -> list[str]:
        """Return the tools that may be proposed besides the step's own."""
        if self._told:
            return []
        callable_ones = [
            name
            for name, tool in self.tools.items()
            if tool.expansion is None and name not in {step.tool, FINAL_TOOL}
        ]
        return [*callable_ones, FINAL_TOOL] if self._may_end(plan, progress) else callable_ones

    def _may_end(self, plan: Plan, progress: PlanProgress) -> bool:
        """Return whether the rest may be skipped: it only reads, and there are observations."""
        pending = [s for s in plan.steps if progress.state(s.id) is StepState.PENDING]
        return bool(_seen(progress)) and all(
            self.tools[step.tool].effect_of(step.args) <= _LOOKING for step in pending
        )


def _objection(
    step: Step, suggestion: Suggestion, progress: PlanProgress
) -> tuple[SkipReason, str]:
    """Return why a proposal is useless and the message for the model; both empty if it is not."""
    if suggestion.flaw:
        return "action_selection_failed", "That was no call."
    is_own = suggestion.tool == step.tool
    if is_own and not chosen(step, suggestion.args).changed:
        return "", ""
    last = next((o.call for o in reversed(progress.completed)), None)
    if last and last.tool == suggestion.tool and same(dict(last.args), dict(suggestion.args)):
        return "duplicate_action", f"{suggestion.tool} with these arguments was called already."
    if is_own:
        return "", ""
    return "plan_tool_mismatch", f"{suggestion.tool} is not in the plan here."


def _seen(progress: PlanProgress) -> list[Observation]:
    """Return the observations to show to the model: completed and failed attempts."""
    return [o for o in progress.observations if o.status in {"completed", "failed"}]


def mode_for(model_calls: ModelCalls, tools: Mapping[str, Tool]) -> Mode:
    """Return the mode that the settings name, for one plan execution."""
    settings = model_calls.settings
    if settings.executor_mode == "plan" or not settings.plan_enabled:
        return AsPlanned()  # without planning, the model already wrote the call itself
    suggester = Suggester(model_calls, tools)
    if settings.executor_mode == "call":
        return OneCall(suggester)
    return React(
        suggester, tools, settings.react_retry_buffer, may_realign=settings.plan_max_replans > 0
    )
