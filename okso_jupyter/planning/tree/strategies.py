"""Search strategies over a tree of plans: beam, A* and Monte Carlo tree search.

Beam search grows plans level by level and keeps only the best of each level.

A* finds the likeliest plans first. A step costs 1 plus its surprisal in nats: 1 - ln(share of the
draws that proposed it). The remaining cost is estimated as 1 for each step that a whole plan still
needs at least. No step costs less, so the heuristic is admissible and consistent: whole plans are
reached in the order of their cost, the cheapest first.

Monte Carlo tree search extends partial plans by the scores of completed ones. Each iteration
selects a leaf by UCB1, expands it if it was visited before, completes a plan from there, and
propagates that plan's score back to the root.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Final

from okso_jupyter.planning.tree.node import Node, Path, Tree


def beam(tree: Tree, *, width: int) -> None:
    """Grow all plans of one length at once; keep those with the highest scores.

    A node's value is its score. Whole plans leave the beam and do not count towards its width.

    Args:
        tree: The tree to grow, with only its root.
        width: Number of plans kept on each level.
    """
    level = [tree.root]
    while level and tree.going:
        grown = tree.grow(level)
        for node in grown:
            node.value = node.score
        going_on = sorted((node for node in grown if node.status == "open"), key=_worst_last)
        level = going_on[:width]
        for node in going_on[width:]:
            node.status = "pruned"


def _worst_last(node: Node) -> tuple[float, float, int]:
    """Return a sort key: highest score first, then most often drawn, then oldest."""
    return (-node.score, -node.share, node.id)


def astar(tree: Tree, *, plans: int, needed: Callable[[Path], int]) -> None:
    """Grow the plan with the lowest estimated cost until enough whole plans are reached.

    A node's value is its cost so far plus the least remaining cost, in nats.

    Args:
        tree: The tree to grow, with only its root.
        plans: Number of whole plans to reach.
        needed: Returns the fewest steps that a path still lacks.
    """
    cost = {0: 0.0}
    tree.root.value = float(needed(()))
    queue = [(tree.root.value, 0)]
    reached = 0
    while queue and reached < plans and tree.going:
        node = tree.nodes[heapq.heappop(queue)[1]]
        if node.status == "plan":
            node.visits += 1
            reached += 1
            continue
        node.visits += 1
        for child in tree.grow([node]):
            cost[child.id] = cost[node.id] + 1 - math.log(child.share)
            child.value = cost[child.id] + (child.status != "plan" and needed(child.path))
            if child.status in ("open", "plan"):
                heapq.heappush(queue, (child.value, child.id))


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
