"""A* search: finds the likeliest plans first, by the model's draws and the steps still needed.

A step costs 1 plus its surprisal in nats: 1 - ln(share of the draws that proposed it). The
remaining cost is estimated as 1 for each step that a whole plan still needs at least. No step
costs less, so the heuristic is admissible and consistent: whole plans are reached in the order of
their cost, the cheapest first.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable

from okso_jupyter.planning.tree.node import Path, Tree


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
