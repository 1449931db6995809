"""Which call is made for a step that is due: as planned, or as a model writes it (EXECUTOR_MODE).

A mode only chooses. Filling, asking and dispatching are the walk's, the same for every mode.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from okso_jupyter.errors import ModelError
from okso_jupyter.execution.call_suggestion import Suggester
from okso_jupyter.execution.plan_progress import PlanProgress
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.holes import MISSING, is_open
from okso_jupyter.plan.plan import Plan, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class CallChoice:
    """What is to be done about a step.

    Attributes:
        step: The step with the arguments that were chosen.
        changed: Names of the arguments that are not those that were approved.
        failed: Why nothing can be run for the step; empty where something can.
        skipped: Why nothing needs to be run; empty where something does.
        diverged: Why the plan does not fit any more; empty where it does.
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
        """Whether a step is chosen for only once the one before it has ended."""

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return what is to be done about a step that is due."""

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return what else may be tried after an attempt failed, or None."""


@dataclass(frozen=True, slots=True)
class AsPlanned:
    """EXECUTOR_MODE=plan: the steps as they were approved."""

    one_at_a_time: bool = False

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return the step itself."""
        del plan, progress
        return CallChoice(step=step)

    def choose_again(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice | None:
        """Return None: what failed is repeated by its class of failure alone."""
        del step, plan, progress
        return None


@dataclass(frozen=True, slots=True)
class OneCall:
    """EXECUTOR_MODE=call: a model writes the call of every step, once."""

    suggester: Suggester
    one_at_a_time: bool = False

    def choose(self, step: Step, plan: Plan, progress: PlanProgress) -> CallChoice:
        """Return the step with the arguments that the model wrote.

        What it marks as missing is filled from what was observed, as every open argument is.
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
    """Return the step as it was approved, since no model can be asked about it."""
    LOGGER.warning("the planned call is made as it is", extra={"detail": str(error)})
    return CallChoice(step=step)


def chosen(step: Step, args: Mapping[str, Any]) -> CallChoice:
    """Return a step with other arguments, and which of them were not approved.

    Open arguments stay open: they are filled in one way only. What is left out or marked as
    missing stays as it was approved.
    """
    given = {n: v for n, v in args.items() if n not in step.open_args and not is_open(v)}
    changed = tuple(
        name
        for name, value in given.items()
        if name not in step.args or not same(step.args[name], value)
    )
    return CallChoice(step=replace(step, args={**step.args, **given}), changed=changed)


def same(one: object, other: object) -> bool:
    """Say whether two values are the same JSON, whatever the order of keys."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
