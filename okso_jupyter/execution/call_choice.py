"""Choice of the call for a due step: as planned, or as written by a model (EXECUTOR_MODE).

A mode only chooses. Filling, asking and dispatching are the executor's, the same for all modes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from okso_jupyter.errors import ModelError
from okso_jupyter.execution.call_suggestion import Suggester
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.holes import MISSING, is_open
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.plan_progress import PlanProgress


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
