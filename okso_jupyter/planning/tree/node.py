"""The tree that a search grows: its nodes, what lets it grow, and where it has to end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.plan_tree import NodeStatus

Path = tuple[Mapping[str, Any], ...]
"""The steps of a plan so far, as a model writes them."""


@dataclass(frozen=True, slots=True)
class ProposedSteps:
    """A step that may come next.

    Attributes:
        step: The step, as a model writes it.
        share: Which part of the draws proposed it, above 0 and at most 1.
    """

    step: Mapping[str, Any]
    share: float = 1.0


class Moves(Protocol):
    """What a search may ask for; whoever answers knows the model and the rules."""

    def expand(self, paths: Sequence[Path]) -> Sequence[Sequence[ProposedSteps]]:
        """Return for each path the steps that may come next, all different."""
        ...

    def complete(self, path: Path) -> Path | None:
        """Return a whole plan that begins with a path, or None where none was found."""
        ...

    def score(self, paths: Sequence[Path]) -> Sequence[float]:
        """Return the points of each path as a plan that ends there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Where a search ends whatever there is left to look at.

    Attributes:
        nodes: Most nodes, the root included.
        depth: Most steps of a plan, the final one included.
        branching: Most steps that `Moves.expand` gives for a path.
        in_time: Says whether there is time left.
    """

    nodes: int
    depth: int
    branching: int
    in_time: Callable[[], bool] = lambda: True


@dataclass(slots=True, kw_only=True, eq=False)
class Node:
    """A plan so far.

    Attributes:
        id: Its place in the tree's list; the root, with no step at all, is 0.
        parent: The plan without its last step; None for the root.
        step: The last step.
        share: Which part of the draws proposed that step.
        depth: How many steps there are.
        score: Points of the plan if it ended here.
        value: What the search goes by; see each search.
        visits: How often the search came through.
        total: Sum of the points that it came back with.
        status: What became of it.
        children: The plans with one step more.
    """

    id: int
    parent: Node | None
    step: Mapping[str, Any]
    share: float
    depth: int
    score: float
    value: float = math.nan
    visits: int = 0
    total: float = 0.0
    status: NodeStatus = "open"
    children: list[Node] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """The steps from the root to here."""
        return () if self.parent is None else (*self.parent.path, self.step)

    @property
    def likelihood(self) -> float:
        """Which part of all draws comes this way, 0 to 1."""
        return self.share * (1.0 if self.parent is None else self.parent.likelihood)


@dataclass(slots=True)
class Tree:
    """A tree of plans that a search grows.

    Attributes:
        moves: Says what may come next and what it is worth.
        bounds: Where growing ends.
        nodes: All nodes; children stand behind their parents.
        plans: The whole plans that were found, in order, each with the node that led to it.
        full: Whether it ended because there was no room for another node.
        late: Whether it ended because the time was up.
    """

    moves: Moves
    bounds: Bounds
    nodes: list[Node] = field(default_factory=list)
    plans: list[tuple[Path, Node]] = field(default_factory=list)
    full: bool = False
    late: bool = False

    def __post_init__(self) -> None:
        """Begin with the root."""
        root = Node(id=0, parent=None, step={}, share=1.0, depth=0, score=math.nan)
        self.nodes.append(root)

    @property
    def root(self) -> Node:
        """The plan without a step."""
        return self.nodes[0]

    @property
    def going(self) -> bool:
        """Whether there is time, and room for another node."""
        self.late = self.late or not self.bounds.in_time()
        return not self.full and not self.late

    def grow(self, parents: Sequence[Node]) -> list[Node]:
        """Give nodes their children, all in one go; return the new ones.

        Where there is no room for all of them, the last ones are left as they are.
        """
        room = self.bounds.nodes - len(self.nodes)
        ready = parents[: room // self.bounds.branching]
        self.full = len(ready) < len(parents)
        if not ready:
            return []
        proposed = self.moves.expand([node.path for node in ready])
        grown = [
            self._child(parent, proposal)
            for parent, proposals in zip(ready, proposed, strict=True)
            for proposal in proposals[: self.bounds.branching]
        ]
        for parent in ready:
            parent.status = "expanded" if parent.children else "dead"
        if grown:
            scores = self.moves.score([node.path for node in grown])
            for node, score in zip(grown, scores, strict=True):
                node.score = score
        return grown

    def _child(self, parent: Node, proposal: ProposedSteps) -> Node:
        child = Node(
            id=len(self.nodes),
            parent=parent,
            step=proposal.step,
            share=proposal.share,
            depth=parent.depth + 1,
            score=math.nan,
        )
        if proposal.step.get("tool") == FINAL_TOOL:
            child.status = "plan"
            self.plans.append((child.path, child))
        elif child.depth >= self.bounds.depth:
            child.status = "dead"
        parent.children.append(child)
        self.nodes.append(child)
        return child

    def complete(self, node: Node) -> float | None:
        """Have a plan completed from a node on; return its points, None where that failed."""
        if node.status == "plan":
            return node.score
        path = self.moves.complete(node.path)
        if path is None:
            return None
        self.plans.append((path, node))
        return self.moves.score([path])[0]
