"""Search tree of plans: its nodes, the moves that extend it, and its bounds."""

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
        share: Fraction of the draws that proposed it, above 0 and at most 1.
    """

    step: Mapping[str, Any]
    share: float = 1.0


class Moves(Protocol):
    """Interface between a search and the model with its scoring rules."""

    def expand(self, paths: Sequence[Path]) -> Sequence[Sequence[ProposedSteps]]:
        """Return for each path the distinct steps that may come next."""
        ...

    def complete(self, path: Path) -> Path | None:
        """Return a whole plan that begins with a path, or None if none was found."""
        ...

    def score(self, paths: Sequence[Path]) -> Sequence[float]:
        """Return the score of each path as a plan that ends there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits at which a search ends.

    Attributes:
        nodes: Most nodes, the root included.
        depth: Most steps of a plan, the final one included.
        branching: Most steps taken from `Moves.expand` for a path.
        in_time: Returns whether time is left.
    """

    nodes: int
    depth: int
    branching: int
    in_time: Callable[[], bool] = lambda: True


@dataclass(slots=True, kw_only=True, eq=False)
class Node:
    """A partial plan.

    Attributes:
        id: Index in the tree's list of nodes; the root, which has no steps, is 0.
        parent: The plan without its last step; None for the root.
        step: The last step.
        share: Fraction of the draws that proposed that step.
        depth: Number of steps.
        score: Score of the plan if it ended here.
        value: The value that the search compares; each search defines its own.
        visits: How often the search visited the node.
        total: Sum of the scores propagated through the node.
        status: Whether the node is open, expanded, a whole plan, pruned or dead.
        children: The plans with one more step.
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
        """Fraction of all draws that lead here, 0 to 1."""
        return self.share * (1.0 if self.parent is None else self.parent.likelihood)


@dataclass(slots=True)
class Tree:
    """A tree of plans that a search grows.

    Attributes:
        moves: Proposes next steps and scores plans.
        bounds: The limits of the search.
        nodes: All nodes; children come after their parents.
        plans: The whole plans in the order found, each with the node that led to it.
        full: Whether the search ended because the node limit was reached.
        late: Whether the search ended because the time was up.
    """

    moves: Moves
    bounds: Bounds
    nodes: list[Node] = field(default_factory=list)
    plans: list[tuple[Path, Node]] = field(default_factory=list)
    full: bool = False
    late: bool = False

    def __post_init__(self) -> None:
        """Add the root."""
        root = Node(id=0, parent=None, step={}, share=1.0, depth=0, score=math.nan)
        self.nodes.append(root)

    @property
    def root(self) -> Node:
        """The plan without steps."""
        return self.nodes[0]

    @property
    def going(self) -> bool:
        """Whether there is time and room for another node."""
        self.late = self.late or not self.bounds.in_time()
        return not self.full and not self.late

    def grow(self, parents: Sequence[Node]) -> list[Node]:
        """Expand nodes in one call of `moves`; return the new children.

        If there is not room for all, the last nodes are not expanded.
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
        """Complete a plan from a node; return its score, or None if that failed."""
        if node.status == "plan":
            return node.score
        path = self.moves.complete(node.path)
        if path is None:
            return None
        self.plans.append((path, node))
        return self.moves.score([path])[0]
