"""What is recorded of a tree of plans: its nodes, and what it took to grow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

#: open: not looked at further; expanded: it has children; pruned: others were better;
#: plan: it is whole; dead: nothing comes behind it.
NodeStatus = Literal["open", "expanded", "pruned", "plan", "dead"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """A plan so far.

    Attributes:
        node: Its number; the root, a plan without a step, is 0.
        parent: The plan without its last step; None for the root.
        depth: How many steps there are.
        tool: Tool of the last step; empty for the root.
        args: Arguments of the last step.
        thought: What the model says of it.
        share: Which part of the draws proposed it, 0 to 1.
        visits: How often the search came through.
        value: What the search went by: of beam the score, of mcts the mean points of the plans
            completed from here, of astar the cost in nats; None where it has none.
        score: Points of the plan if it ended here; None where it cannot be judged.
        status: What became of it.
        candidate: Index of the candidate that it is, or that was completed from it; None for none.
    """

    node: int
    parent: int | None
    depth: int
    tool: str
    args: Mapping[str, Any]
    thought: str
    share: float
    visits: int
    value: float | None
    score: float | None
    status: NodeStatus
    candidate: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTree:
    """A tree of plans, and what it took to grow it.

    Attributes:
        algorithm: Which search grew it.
        seed: The first seed.
        nodes: All nodes, children behind their parents.
        model_calls: How often the model was asked.
        completions: How many completions it wrote.
        output_tokens: Tokens of all of them, forced ones included.
        duration_s: Seconds that the search took.
        plans: Different whole plans that were found.
        ended_by: "search" where it was through, "nodes" or "time" where a bound ended it.
    """

    algorithm: str
    seed: int
    nodes: tuple[TreeNode, ...]
    model_calls: int
    completions: int
    output_tokens: int
    duration_s: float
    plans: int
    ended_by: Literal["search", "nodes", "time"]

    def count(self, status: NodeStatus) -> int:
        """Return how many nodes have come to this."""
        return sum(node.status == status for node in self.nodes)
