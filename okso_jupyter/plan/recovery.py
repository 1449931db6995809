"""Which failures of a run were made up for: by a stand-in, or by a branch that foresaw them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from okso_jupyter.plan.plan import Plan, stands_in_for
from okso_jupyter.plan.states import StepState

StateOf = Callable[[int], StepState]

#: States of a step that may have to be made up for.
FAILED: Final = frozenset({StepState.FAILED, StepState.UNCERTAIN})


def stand_ins(plan: Plan) -> Mapping[int, Sequence[int]]:
    """Return which steps make up for the failure of which other one, by the id of that."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for step in plan.steps:
        for other in stands_in_for(step):
            found[other].append(step.id)
    return found


def is_lost(step_id: int, those: Mapping[int, Sequence[int]], state_of: StateOf) -> bool:
    """Say whether a step failed for good.

    A failure is made up for by a completed step that replaces the failed one, or by a completed
    `step_N_failed` branch. A stand-in that failed counts if it was made up for itself.

    Args:
        step_id: The step.
        those: What `stand_ins` gave.
        state_of: State of a step, by id.
    """
    if state_of(step_id) not in FAILED:
        return False
    left, seen = [step_id], {step_id}
    while left:
        for other in those.get(left.pop(), ()):
            if state_of(other) is StepState.COMPLETED:
                return False
            if state_of(other) in FAILED and other not in seen:
                seen.add(other)  # several ways may lead to it, and it is looked at once
                left.append(other)
    return True
