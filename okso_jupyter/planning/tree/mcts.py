"""Monte Carlo tree search: scores of completed plans decide which partial plans to extend.

Each iteration selects a leaf by UCB1, expands it if it was visited before, completes a plan from
there, and propagates that plan's score back to the root.
"""

from __future__ import annotations

import math
from typing import Final

from okso_jupyter.planning.tree.node import Node, Tree

#: Weight of exploration against exploitation; the usual constant of UCB1.
_EXPLORATION: Final = math.sqrt(2)


def mcts(tree: Tree, *, iterations: int) -> None:
    """Grow the tree where completed plans scored well, or where few were tried.

    A node's value is the mean of the scores propagated through it. Scores are unbounded, so UCB1
    uses them scaled to 0..1 between the lowest and highest seen so far. An exhausted node is not
    visited again: it would yield the same plan.

    Args:
        tree: The tree to grow, with only its root.
        iterations: Number of plans to complete.
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
    """Return the leaf reached from the root by the highest UCB1."""
    node = root
    while node.children:
        node = max(
            (child for child in node.children if child.id not in closed),
            key=lambda child: (_ucb1(child, seen), child.share, -child.id),
        )
    return node


def _ucb1(node: Node, seen: list[float]) -> float:
    """Return the UCB1 value of a node: infinity before the first visit."""
    if not node.visits or node.parent is None:
        return math.inf
    low, high = min(seen), max(seen)
    mean = (node.value - low) / (high - low) if high > low else 0.5
    return mean + _EXPLORATION * math.sqrt(math.log(node.parent.visits) / node.visits)


def _take_back(leaf: Node, points: float) -> None:
    """Add the score of a completed plan to every node from the leaf to the root."""
    node: Node | None = leaf
    while node is not None:
        node.visits += 1
        node.total += points
        node.value = node.total / node.visits
        node = node.parent


def _close(leaf: Node, closed: set[int]) -> None:
    """Close an exhausted leaf, and every ancestor whose children are all closed."""
    node: Node | None = leaf if leaf.status in ("plan", "dead") else None
    while node is not None and all(child.id in closed for child in node.children):
        closed.add(node.id)
        node = node.parent
