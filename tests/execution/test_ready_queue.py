"""Which step may start: every plan is executed completely and in a valid order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.execution.ready_queue import ReadyQueue
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.states import StepState
from okso_jupyter.toolkit.tool import Tool

_FREE, _PRESS, _OVEN = (
    Tool.from_schema(name, "A tool.", {"type": "object"}, lambda: "", effect="none", exclusive=held)
    for name, held in (("free", None), ("press", "press"), ("oven", "oven"))
)
TOOLS = {tool.name: tool for tool in (_FREE, _PRESS, _OVEN)}


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans of up to twelve steps with random acyclic dependencies."""
    count = draw(st.integers(1, 12))
    order = draw(st.permutations(range(1, count + 1)))
    steps = []
    for step_id in range(1, count + 1):
        before = order[: order.index(step_id)]
        waits = draw(st.sets(st.sampled_from(before), max_size=3)) if before else set()
        steps.append(
            Step(
                id=step_id,
                tool=draw(st.sampled_from(sorted(TOOLS))),
                parallel=draw(st.booleans()),
                depends_on=tuple(sorted(waits)),
            )
        )
    return Plan(steps=tuple(steps))


def neighbours(plan: Plan, one: Step, other: Step) -> bool:
    """Return whether two steps and all steps between them are parallel."""
    first, last = sorted((one.id, other.id))
    return all(step.parallel for step in plan.steps[first - 1 : last])


@given(plan=plans(), most=st.integers(1, 5), data=st.data())
def test_every_plan_runs_in_a_valid_order(plan: Plan, most: int, data: st.DataObject) -> None:
    """Each step starts once, after its dependencies, beside neighbours, on free resources."""
    readiness = ReadyQueue(plan, TOOLS, PlanProgress(), most)
    running: list[Step] = []
    ended: list[int] = []
    while len(ended) < len(plan.steps):
        while (step := readiness.next()) is not None:
            assert step.id not in ended
            assert set(step.depends_on) <= set(ended)
            assert all(neighbours(plan, step, other) for other in running)
            held = TOOLS[step.tool].exclusive
            assert held is None or held not in {TOOLS[other.tool].exclusive for other in running}
            running.append(step)
        assert 0 < len(running) <= most
        done = running.pop(data.draw(st.integers(0, len(running) - 1)))
        ended.append(done.id)
        readiness.ended(done.id)
    assert readiness.next() is None
    assert readiness.blocked() is None


@given(plan=plans())
def test_completed_steps_are_not_returned_again(plan: Plan) -> None:
    """A resumed run starts exactly the steps that are not completed yet."""
    done = {step.id: StepState.COMPLETED for step in plan.steps if not step.depends_on}
    readiness = ReadyQueue(plan, TOOLS, PlanProgress(states=done), 1)
    seen = []
    while (step := readiness.next()) is not None:
        seen.append(step.id)
        readiness.ended(step.id)
    assert sorted(seen) == sorted(step.id for step in plan.steps if step.depends_on)


@dataclass
class _Counting(Mapping[str, Tool]):
    """A catalogue that counts its lookups."""

    asked: int = field(default=0)

    def __getitem__(self, name: str) -> Tool:
        self.asked += 1
        return TOOLS[name]

    def __iter__(self) -> Iterator[str]:
        return iter(TOOLS)

    def __len__(self) -> int:
        return len(TOOLS)


def test_the_work_per_step_does_not_grow_with_the_plan() -> None:
    """Each step costs three lookups, however long the plan, even if all share a resource."""
    for count in (100, 3000):
        steps = tuple(Step(id=n, tool="press", parallel=True) for n in range(1, count + 1))
        tools = _Counting()
        readiness = ReadyQueue(Plan(steps=steps), tools, PlanProgress(), 4)
        while (step := readiness.next()) is not None:
            assert readiness.next() is None
            readiness.ended(step.id)
        assert tools.asked == 3 * count
