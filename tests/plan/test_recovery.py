"""A failed step is recovered by its replacements, however long their chain is."""

from __future__ import annotations

import pytest

from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.plan_graph import is_lost, stand_ins
from okso_jupyter.plan.states import StepState


@pytest.mark.parametrize("last", [StepState.FAILED, StepState.COMPLETED])
def test_each_replacement_is_visited_once(last: StepState) -> None:
    """With two ways on from each of 200 steps the search still ends.

    Following every path would take exponential time.
    """
    count = 200
    steps = [Step(id=1, tool="a"), Step(id=2, tool="a", replaces=1)]
    steps += [
        Step(id=i, tool="a", replaces=i - 1, condition=f"step_{i - 2}_failed")
        for i in range(3, count + 1)
    ]
    states = {**dict.fromkeys(range(1, count), StepState.FAILED), count: last}

    is_made_up_for = not is_lost(1, stand_ins(Plan(steps=tuple(steps))), states.__getitem__)
    assert is_made_up_for == (last is StepState.COMPLETED)
