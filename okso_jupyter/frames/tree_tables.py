"""Tables of the plan trees that a search grew, and of what each search cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.plan.plan_tree import PlanTree, TreeNode

_NONE: Final = "No tree was grown: whole plans were sampled (PLAN_ALGORITHM)."

_NODES: tuple[Column[TreeNode], ...] = (
    Column("node", "int64", "from 0", lambda n: n.node),
    Column("parent", "Int64", "", lambda n: n.parent),
    Column("depth", "int64", "steps", lambda n: n.depth),
    Column("tool", "object", "", lambda n: n.tool),
    Column("args", "object", "", lambda n: dict(n.args)),
    Column("thought", "object", "", lambda n: n.thought),
    Column("share", "float64", "0 to 1", lambda n: n.share),
    Column("visits", "int64", "visits", lambda n: n.visits),
    Column("value", "float64", "points; of astar nats", lambda n: n.value),
    Column("score", "float64", "points", lambda n: n.score),
    Column("status", "object", "", lambda n: n.status),
    Column("candidate", "Int64", "from 1", lambda n: n.candidate),
)


def tree_frame(nodes: Sequence[TreeNode]) -> pd.DataFrame:
    """Return one row per node (a partial plan), parents before their children."""
    return frame(nodes, _NODES, nothing=_NONE)


_TREES: tuple[Column[PlanTree], ...] = (
    Column("algorithm", "object", "", lambda t: t.algorithm),
    Column("seed", "int64", "", lambda t: t.seed),
    Column("nodes", "int64", "nodes", lambda t: len(t.nodes)),
    Column("depth", "int64", "steps", lambda t: max(node.depth for node in t.nodes)),
    Column("expanded", "int64", "nodes", lambda t: t.count("expanded")),
    Column("pruned", "int64", "nodes", lambda t: t.count("pruned")),
    Column("plans", "int64", "plans", lambda t: t.plans),
    Column("model_calls", "int64", "calls", lambda t: t.model_calls),
    Column("completions", "int64", "completions", lambda t: t.completions),
    Column("output_tokens", "int64", "tokens", lambda t: t.output_tokens),
    Column("duration_s", "float64", "s", lambda t: t.duration_s),
    Column("ended_by", "object", "", lambda t: t.ended_by),
)


def tree_stats_frame(trees: Sequence[PlanTree]) -> pd.DataFrame:
    """Return one row per tree that was grown for a run, oldest first."""
    return frame(trees, _TREES, nothing=_NONE)
