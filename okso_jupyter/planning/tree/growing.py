"""One request's tree: which search grows it, how large it may get, and what is kept of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from okso_jupyter.errors import PlanningTimeoutError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel
from okso_jupyter.plan.plan_tree import PlanTree, TreeNode
from okso_jupyter.planning.time_limit import Deadline
from okso_jupyter.planning.tree.astar import astar
from okso_jupyter.planning.tree.beam import beam
from okso_jupyter.planning.tree.mcts import mcts
from okso_jupyter.planning.tree.model_moves import Judge, ModelMoves, substance
from okso_jupyter.planning.tree.node import Bounds, Node, Tree
from okso_jupyter.planning.tree.schemas import steps_needed

#: Most plans so far that are looked at.
_MAX_NODES: Final = 512
#: Free draws for a next step.
_LEAST_DRAWS, _MOST_DRAWS = 2, 6
#: All draws for a next step, those that are held to one tool included.
_BRANCHING: Final = 12
#: Plans that mcts completes for each one that would be sampled.
_ITERATIONS_PER_SAMPLE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """What came of a search.

    Attributes:
        completions: The different whole plans, the likeliest first; where there is none, what the
            model wrote instead, and the most promising beginning if the time was up.
        tree: The tree.
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
        question: What it would be asked for candidates; as many as its seeds are wanted.
        algorithm: "beam", "mcts" or "astar".
        depth: Most steps of a plan, the final one included.
        judge: Gives the points of plans.
        deadline: When the plans that are there are enough.

    Raises:
        PlanningTimeoutError: There was no plan when the time was up for good, and the model did
            not hand over what it had written.
        ModelError: The model could not be asked.
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
    """Have a tree grown; the more samples are wanted, the larger."""
    samples, schema = len(question.seeds), question.schema or {}
    if algorithm == "beam":
        beam(tree, width=samples)
    elif algorithm == "mcts":
        mcts(tree, iterations=_ITERATIONS_PER_SAMPLE * samples)
    else:
        astar(tree, plans=samples, needed=lambda path: steps_needed(schema, path))


def _grown(tree: Tree, moves: ModelMoves, algorithm: str) -> Grown:
    """Return the plans of a tree as completions, and the tree as it is kept."""
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
    """Return what a model wrote where no plan is whole, the best beginning first if time was up."""
    begun = tree.nodes[1:]  # of a dead one more may be known now than that nothing came behind it
    if not begun or not any(completion.finish == "draft" for completion in moves.failed):
        return tuple(moves.failed)
    best = moves.begun[substance(max(begun, key=_promise).path)]
    return replace(best, finish="draft"), *moves.failed


def _most_promising(tree: Tree) -> Node:
    """Return the plan so far that should be completed where none was: the one with most points."""
    alive = (node for node in tree.nodes if node.status != "dead")
    return max(alive, key=_promise, default=tree.root)


def _promise(node: Node) -> tuple[float, int]:
    """Return a key that puts the most points last, then the oldest."""
    return (-math.inf if math.isnan(node.score) else node.score, -node.id)


def _found(tree: Tree) -> dict[str, Node]:
    """Return the different whole plans, those first whose beginning was drawn most often.

    Of plans with the same points and tie-breaker the first one wins.
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
    """Return the nodes as they are kept, each with the first candidate that came of it."""
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
