"""Relations between steps: what may run at once, what waits, what makes up for a failure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Final, Literal

from okso_jupyter.plan.plan import Condition, Plan, Step, predecessors, stands_in_for
from okso_jupyter.plan.states import StepState

#: "after" is a dependency, "if_failed" and "if_succeeded" a condition, "replaces" a replacement.
EdgeKind = Literal["after", "if_failed", "if_succeeded", "replaces"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A relation between two steps, by their ids."""

    source: int
    target: int
    kind: EdgeKind

    @property
    def words(self) -> str:
        """The relation in words for the target, such as "if 1 failed"."""
        return {
            "after": f"after {self.source}",
            "if_failed": f"if {self.source} failed",
            "if_succeeded": f"if {self.source} succeeded",
            "replaces": f"replaces {self.source}",
        }[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanGraph:
    """A plan in the order in which it can run.

    Attributes:
        layers: Steps of one layer may run concurrently; layers run one after another.
        edges: Relations between steps beyond that order, in plan order of the targets.
    """

    layers: tuple[tuple[Step, ...], ...]
    edges: tuple[Edge, ...]

    def into(self, step_id: int) -> tuple[Edge, ...]:
        """Return the edges that end at a step."""
        return tuple(edge for edge in self.edges if edge.target == step_id)


def graph_of(plan: Plan) -> PlanGraph:
    """Return the graph of a plan whose references are valid and acyclic."""
    edges = tuple(edge for step in plan.steps for edge in _edges(step))
    return PlanGraph(layers=tuple(_layers(plan)), edges=edges)


def parallel_groups(plan: Plan) -> list[int]:
    """Return a group number per step in plan order; parallel neighbours share a number."""
    numbers = [0]
    for before, step in zip(plan.steps, plan.steps[1:], strict=False):
        together = before.parallel and step.parallel and not step.is_final
        numbers.append(numbers[-1] if together else numbers[-1] + 1)
    return numbers


def _layers(plan: Plan) -> Iterator[tuple[Step, ...]]:
    """Yield the steps in layers: the first ready step with its ready parallel neighbours."""
    groups = dict(zip((step.id for step in plan.steps), parallel_groups(plan), strict=False))
    sorter = TopologicalSorter({step.id: predecessors(step) for step in plan.steps})
    sorter.prepare()
    free: set[int] = set()
    while sorter.is_active():
        free.update(sorter.get_ready())
        first = next(step for step in plan.steps if step.id in free)
        wave = [s for s in plan.steps if s.id in free and groups[s.id] == groups[first.id]]
        free.difference_update(step.id for step in wave)
        sorter.done(*(step.id for step in wave))
        yield tuple(wave)


def _edges(step: Step) -> Iterator[Edge]:
    """Yield the relations of a step to others; a condition replaces the edge for waiting."""
    condition = Condition.parse(step.condition, step=step.id) if step.condition else None
    for other in dict.fromkeys(step.depends_on):
        if condition is None or other != condition.step_id:
            yield Edge(source=other, target=step.id, kind="after")
    if condition is not None:
        kind: EdgeKind = "if_failed" if condition.outcome == "failed" else "if_succeeded"
        yield Edge(source=condition.step_id, target=step.id, kind=kind)
    if step.replaces is not None:
        yield Edge(source=step.replaces, target=step.id, kind="replaces")


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
