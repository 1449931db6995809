"""Recovery: which failed steps were compensated, by a replacement or by a conditional branch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from okso_jupyter.plan.plan import Plan, stands_in_for
from okso_jupyter.plan.states import StepState

StateOf = Callable[[int], StepState]

#: States of a step that may need to be compensated.
FAILED: Final = frozenset({StepState.FAILED, StepState.UNCERTAIN})


def stand_ins(plan: Plan) -> Mapping[int, Sequence[int]]:
    """Return the ids of the steps that compensate a failure, by the id of the failed step."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for step in plan.steps:
        for other in stands_in_for(step):
            found[other].append(step.id)
    return found


def is_lost(step_id: int, those: Mapping[int, Sequence[int]], state_of: StateOf) -> bool:
    """Return whether a step failed for good.

    A failure is compensated by a completed step that replaces the failed one, or by a completed
    `step_N_failed` branch. A replacement that failed counts if it was compensated itself.

    Args:
        step_id: The step.
        those: The result of `stand_ins`.
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
                seen.add(other)  # several paths may lead to it
                left.append(other)
    return True
