"""Beam search: level by level, and only the best plans so far go on."""

from __future__ import annotations

from okso_jupyter.planning.tree.node import Node, Tree


def beam(tree: Tree, *, width: int) -> None:
    """Grow all plans of one length at once; keep those with the most points.

    A node's value is its score. Whole plans leave the beam and take none of its places.

    Args:
        tree: The root of one, and where it may grow.
        width: Plans that go on from each level.
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
    """Return a key that puts the most points first, then the most often drawn, then the oldest."""
    return (-node.score, -node.share, node.id)
