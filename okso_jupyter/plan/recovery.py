"""Which failures of a run were made up for: by a stand-in, or by a branch that foresaw them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.states import StepState

_FAILED: Final = frozenset({StepState.FAILED, StepState.UNCERTAIN})


def lost_steps(plan: Plan, state_of: Callable[[int], StepState]) -> tuple[int, ...]:
    """Return the ids of the steps that failed for good, in plan order.

    A failure is made up for by a completed step that replaces the failed one, or by a completed
    `step_N_failed` branch. A stand-in that failed counts if it was made up for itself.

    Args:
        plan: A plan that keeps the rules, so that replacements do not go round in a circle.
        state_of: State of a step, by id.
    """

    def is_good(step: Step) -> bool:
        if state_of(step.id) is StepState.COMPLETED:
            return True
        return state_of(step.id) in _FAILED and any(
            is_good(other) for other in plan.steps if makes_up_for(other, step.id)
        )

    return tuple(
        step.id for step in plan.steps if state_of(step.id) in _FAILED and not is_good(step)
    )


def makes_up_for(step: Step, failed: int) -> bool:
    """Say whether a step stands in for a failed one, or is the branch for when it fails."""
    return step.replaces == failed or step.condition.strip() == f"step_{failed}_failed"
