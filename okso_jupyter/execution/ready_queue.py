"""Ready queue: which step may start next, by dependencies, order and shared resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from heapq import heappop, heappush

from okso_jupyter.plan.plan import Plan, Step, predecessors
from okso_jupyter.plan.plan_graph import parallel_groups
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.states import StepState
from okso_jupyter.toolkit.tool import Tool


@dataclass(slots=True)
class ReadyQueue:
    """Yields each step of a plan once, when it may start; takes linear time in total.

    Steps run one after another in plan order. Adjacent steps that are all marked `parallel` run
    concurrently, except those that share an exclusive resource.

    Attributes:
        plan: The plan; its dependencies are valid and acyclic.
        tools: The catalogue.
        progress: The states of the steps that are no longer pending.
        most: Maximum number of steps that run at once.
        held: Exclusive resources that are in use from the start.
        after: Ids of the steps that each step must wait for because both use a file, by step id.
    """

    plan: Plan
    tools: Mapping[str, Tool]
    progress: PlanProgress
    most: int
    held: set[str] = field(default_factory=set)
    after: Mapping[int, frozenset[int]] = field(default_factory=dict)
    _sorter: TopologicalSorter[int] = field(init=False)
    _places: dict[int, int] = field(init=False)
    _groups: list[int] = field(init=False)
    #: Plan positions of the ready steps, by the exclusive resource that they need.
    _ready: dict[str | None, list[int]] = field(init=False, default_factory=dict)
    _running: set[int] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Sort the steps and queue those that are ready at once."""
        steps = self.plan.steps
        self._places = {step.id: place for place, step in enumerate(steps)}
        self._groups = parallel_groups(self.plan)
        self._sorter = TopologicalSorter(
            {step.id: {*predecessors(step), *self.after.get(step.id, ())} for step in steps}
        )
        self._sorter.prepare()
        self._enqueue()

    def next(self) -> Step | None:
        """Return a step to start now, or None until another one ends."""
        queues = [q for resource, q in self._ready.items() if q and resource not in self.held]
        if not queues or len(self._running) >= self.most:
            return None
        queue = min(queues, key=lambda queue: queue[0])
        # only its parallel neighbours may overtake a step that waits for a resource
        first = min(waiting[0] for waiting in self._ready.values() if waiting)
        group = self._groups[queue[0]]
        if any(self._groups[place] != group for place in (first, *self._running)):
            return None
        place = heappop(queue)
        self._running.add(place)
        step = self.plan.steps[place]
        resource = self._resource(step)
        if resource is not None:
            self.held.add(resource)
        return step

    def ended(self, step_id: int, *, keeps_resource: bool = False) -> None:
        """Mark a step as ended, so that the steps waiting for it may start.

        Args:
            step_id: The step.
            keeps_resource: Whether its call still uses the exclusive resource.
        """
        place = self._places[step_id]
        self._running.discard(place)
        resource = self._resource(self.plan.steps[place])
        if resource is not None and not keeps_resource:
            self.held.discard(resource)
        self._sorter.done(step_id)
        self._enqueue()

    def came_free(self, held: set[str]) -> bool:
        """Update the held resources while nothing runs; return whether one was released."""
        before, self.held = self.held, self.held & held
        return self.held != before

    def blocked(self) -> Step | None:
        """Remove and return the first step whose resource is not released, if nothing runs."""
        places = [queue[0] for queue in self._ready.values() if queue]
        if not places or self._running:
            return None
        step = self.plan.steps[min(places)]
        heappop(self._ready[self._resource(step)])
        return step

    def _enqueue(self) -> None:
        """Queue the steps that have become ready; steps that are not pending count as ended."""
        while new := self._sorter.get_ready():
            for step_id in new:
                if self.progress.state(step_id) is not StepState.PENDING:
                    self._sorter.done(step_id)
                    continue
                place = self._places[step_id]
                resource = self._resource(self.plan.steps[place])
                heappush(self._ready.setdefault(resource, []), place)

    def _resource(self, step: Step) -> str | None:
        return self.tools[step.tool].exclusive
