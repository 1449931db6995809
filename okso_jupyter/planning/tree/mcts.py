"""Monte Carlo tree search: completed plans tell which beginnings are worth more completions.

Every iteration goes down from the root by UCB1, gives children to a node it has been at before,
completes a plan from there, and takes that plan's points back up to the root.
"""

from __future__ import annotations

import math
from typing import Final

from okso_jupyter.planning.tree.node import Node, Tree

#: How much what was seldom tried counts beside what did well; the usual one of UCB1.
_EXPLORATION: Final = math.sqrt(2)


def mcts(tree: Tree, *, iterations: int) -> None:
    """Grow the tree where completed plans did well, or where few were tried.

    A node's value is the mean of the points that came back through it. Points have no bounds, so
    UCB1 sees them between the fewest and the most that came back so far, as 0 to 1. What has been
    looked at to its end is not gone down to again: the same plan would come back.

    Args:
        tree: The root of one, and where it may grow.
        iterations: Plans to complete.
    """
    seen: list[float] = []
    closed: set[int] = set()
    while len(seen) < iterations and 0 not in closed and tree.going:
        node = _select(tree.root, closed, seen)
        if node.visits and (children := tree.grow([node])):
            node = min(children, key=lambda child: (-child.share, child.id))
        points = tree.complete(node)
        seen.append(min(seen, default=0.0) if points is None else points)
        _take_back(node, seen[-1])
        _close(node, closed)


def _select(root: Node, closed: set[int], seen: list[float]) -> Node:
    """Go down by UCB1 to a node without children."""
    node = root
    while node.children:
        node = max(
            (child for child in node.children if child.id not in closed),
            key=lambda child: (_ucb1(child, seen), child.share, -child.id),
        )
    return node


def _ucb1(node: Node, seen: list[float]) -> float:
    """Return how promising a node is: infinitely so before the first visit."""
    if not node.visits or node.parent is None:
        return math.inf
    low, high = min(seen), max(seen)
    mean = (node.value - low) / (high - low) if high > low else 0.5
    return mean + _EXPLORATION * math.sqrt(math.log(node.parent.visits) / node.visits)


def _take_back(leaf: Node, points: float) -> None:
    """Add the points of a completed plan to every node on its way."""
    node: Node | None = leaf
    while node is not None:
        node.visits += 1
        node.total += points
        node.value = node.total / node.visits
        node = node.parent


def _close(leaf: Node, closed: set[int]) -> None:
    """Close a node that has nothing more to show, and the parents that it was the last one of."""
    node: Node | None = leaf if leaf.status in ("plan", "dead") else None
    while node is not None and all(child.id in closed for child in node.children):
        closed.add(node.id)
        node = node.parent
