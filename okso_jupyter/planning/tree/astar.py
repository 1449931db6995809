"""A*: the likeliest plans first, by what the model drew and the steps that are needed still.

A step costs 1, and the surprise at it in nats: 1 - ln(share of the draws that proposed it). What a
plan still costs is estimated as 1 for each step without which it cannot be whole. No step costs
less, so the estimate is never too high and never falls by more than a step costs: whole plans are
reached in the order of their cost, the cheapest of all first.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable

from okso_jupyter.planning.tree.node import Path, Tree


def astar(tree: Tree, *, plans: int, needed: Callable[[Path], int]) -> None:
    """Grow the plan that promises to be the cheapest, until enough whole ones were reached.

    A node's value is what it costs so far and what it will still cost at least, in nats.

    Args:
        tree: The root of one, and where it may grow.
        plans: Whole plans that are enough.
        needed: Gives the fewest steps that a path still lacks.
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
