"""PlanTree: records of a search tree of plans and of the cost of its search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

#: open: not examined further; expanded: it has children; pruned: others were better;
#: plan: it is complete; dead: it has no continuation.
NodeStatus = Literal["open", "expanded", "pruned", "plan", "dead"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """A partial plan.

    Attributes:
        node: Its number; the root, a plan without a step, is 0.
        parent: The plan without its last step; None for the root.
        depth: Number of steps.
        tool: Tool of the last step; empty for the root.
        args: Arguments of the last step.
        thought: The model's thought for it.
        share: Share of the draws that proposed it, 0 to 1.
        visits: How often the search passed through it.
        value: The search's criterion: for beam the score, for mcts the mean points of the plans
            completed from here, for astar the cost in nats; None if it has none.
        score: Points of the plan if it ended here; None if it cannot be scored.
        status: Its status.
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
    """A tree of plans, and the cost of its search.

    Attributes:
        algorithm: The search algorithm.
        seed: The first seed.
        nodes: All nodes, children after their parents.
        model_calls: Number of calls of the model.
        completions: Number of completions.
        output_tokens: Tokens of all of them, including forced ones.
        duration_s: Seconds that the search took.
        plans: Number of different complete plans that were found.
        ended_by: "search" if it was finished, "nodes" or "time" if a limit ended it.
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
        """Return the number of nodes with a status."""
        return sum(node.status == status for node in self.nodes)
