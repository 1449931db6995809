"""Beam search: grows plans level by level and keeps only the best of each level."""

from __future__ import annotations

from okso_jupyter.planning.tree.node import Node, Tree


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
