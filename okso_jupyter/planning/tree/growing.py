"""Runs a tree search for one request: selects the algorithm, sets bounds, records the result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from okso_jupyter.errors import PlanningTimeoutError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel
from okso_jupyter.plan.plan_tree import PlanTree, TreeNode
from okso_jupyter.planning.time_limit import Deadline
from okso_jupyter.planning.tree.model_moves import Judge, ModelMoves, substance
from okso_jupyter.planning.tree.node import Bounds, Node, Tree
from okso_jupyter.planning.tree.schemas import steps_needed
from okso_jupyter.planning.tree.strategies import astar, beam, mcts

#: Maximum number of nodes, that is, of partial plans.
_MAX_NODES: Final = 512
#: Minimum and maximum number of unconstrained draws for a next step.
_LEAST_DRAWS, _MOST_DRAWS = 2, 6
#: Maximum number of draws for a next step, including those constrained to one tool.
_BRANCHING: Final = 12
#: MCTS iterations (completed plans) per sample of PLANNER_SAMPLE_COUNT.
_ITERATIONS_PER_SAMPLE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """The result of a search.

    Attributes:
        completions: The distinct whole plans, likeliest first; if there is none, the failed
            completions, and before them the most promising partial plan if the time was up.
        tree: The record of the search tree.
    """

    completions: tuple[Completion, ...]
    tree: PlanTree


def grow(  # noqa: PLR0913  named at every call
    model: LanguageModel,
    question: CompletionRequest,
    *,
    algorithm: str,
    depth: int,
    judge: Judge,
    deadline: Deadline,
) -> Grown:
    """Grow a tree of plans and return the whole ones.

    Args:
        model: The model that proposes steps.
        question: The completion request for candidates; its number of seeds sets the size.
        algorithm: "beam", "mcts" or "astar".
        depth: Most steps of a plan, the final one included.
        judge: Returns the scores of plans.
        deadline: The time limit, after which the plans found so far are taken.

    Raises:
        PlanningTimeoutError: There was no plan when the extended time limit was over, and the
            model did not return its unfinished text.
        ModelError: The model call failed.
    """
    moves = ModelMoves(
        model=model,
        question=question,
        schema=question.schema or {},
        judge=judge,
        deadline=deadline,
        draws=max(_LEAST_DRAWS, min(len(question.seeds), _MOST_DRAWS)),
        most_draws=_BRANCHING,
    )
    bounds = Bounds(nodes=_MAX_NODES, depth=depth, branching=_BRANCHING, in_time=deadline.in_time)
    tree = Tree(moves, bounds)
    try:
        _search(tree, algorithm, question)
        if not tree.plans:
            tree.complete(_most_promising(tree))
    except PlanningTimeoutError:
        if not tree.plans:
            raise
        tree.late = True
    return _grown(tree, moves, algorithm)


def _search(tree: Tree, algorithm: str, question: CompletionRequest) -> None:
    """Grow a tree by an algorithm; more wanted samples make it larger."""
    samples, schema = len(question.seeds), question.schema or {}
    if algorithm == "beam":
        beam(tree, width=samples)
    elif algorithm == "mcts":
        mcts(tree, iterations=_ITERATIONS_PER_SAMPLE * samples)
    else:
        astar(tree, plans=samples, needed=lambda path: steps_needed(schema, path))


def _grown(tree: Tree, moves: ModelMoves, algorithm: str) -> Grown:
    """Return the plans of a tree as completions, and its record."""
    indices = {key: index for index, key in enumerate(_found(tree), start=1)}
    return Grown(
        completions=tuple(moves.written[key] for key in indices) or _unfinished(tree, moves),
        tree=PlanTree(
            algorithm=algorithm,
            seed=moves.question.seeds[0],
            nodes=_records(tree, indices),
            model_calls=moves.calls,
            completions=moves.completions,
            output_tokens=moves.output_tokens,
            duration_s=moves.deadline.elapsed_s,
            plans=len(indices),
            ended_by=_end(tree),
        ),
    )


def _unfinished(tree: Tree, moves: ModelMoves) -> tuple[Completion, ...]:
    """Return the completions of a search without a whole plan.

    If the time was up, the best partial plan comes first.
    """
    begun = tree.nodes[1:]  # dead ones too: they have no next step, but may have the best score
    if not begun or not any(completion.finish == "draft" for completion in moves.failed):
        return tuple(moves.failed)
    best = moves.begun[substance(max(begun, key=_promise).path)]
    return replace(best, finish="draft"), *moves.failed


def _most_promising(tree: Tree) -> Node:
    """Return the partial plan to complete if there is no whole one: the one with the top score."""
    alive = (node for node in tree.nodes if node.status != "dead")
    return max(alive, key=_promise, default=tree.root)


def _promise(node: Node) -> tuple[float, int]:
    """Return a key whose maximum is the highest score, then the oldest node."""
    return (-math.inf if math.isnan(node.score) else node.score, -node.id)


def _found(tree: Tree) -> dict[str, Node]:
    """Return the distinct whole plans by likelihood of their path, most likely first.

    The order matters: of plans with the same score and tie-breaker the first one wins.
    """
    found: dict[str, Node] = {}
    for path, node in sorted(tree.plans, key=lambda plan: -plan[1].likelihood):
        found.setdefault(substance(path), node)
    return found


def _end(tree: Tree) -> Literal["search", "nodes", "time"]:
    if tree.late:
        return "time"
    return "nodes" if tree.full else "search"


def _records(tree: Tree, indices: Mapping[str, int]) -> tuple[TreeNode, ...]:
    """Return the records of the nodes, each with the first candidate it led to."""
    candidates: dict[int, int] = {}
    for path, node in tree.plans:
        candidates.setdefault(node.id, indices[substance(path)])
    return tuple(
        TreeNode(
            node=node.id,
            parent=None if node.parent is None else node.parent.id,
            depth=node.depth,
            tool=str(node.step.get("tool", "")),
            args=args if isinstance(args := node.step.get("args"), Mapping) else {},
            thought=str(node.step.get("thought", "")),
            share=node.share,
            visits=node.visits,
            value=None if math.isnan(node.value) else node.value,
            score=None if math.isnan(node.score) else node.score,
            status=node.status,
            candidate=candidates.get(node.id),
        )
        for node in tree.nodes
    )
