"""The tree searches satisfy their guarantees in every small world."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.tree.node import Bounds, Moves, Node, Path, Tree
from okso_jupyter.planning.tree.strategies import astar, beam, mcts
from tests.planning.tree_lab import Place, World, worlds

Search = Callable[[Tree], None]

FREE = Bounds(nodes=10_000, depth=20, branching=3)
SEARCHES: dict[str, Search] = {
    "beam": partial(beam, width=2),
    "mcts": partial(mcts, iterations=10),
    "astar": partial(astar, plans=3, needed=lambda _: 0),
}
search = st.sampled_from(sorted(SEARCHES)).map(SEARCHES.__getitem__)
tight = st.builds(
    Bounds, nodes=st.integers(1, 30), depth=st.integers(1, 4), branching=st.integers(1, 3)
)


def _cost(world: World, path: Path) -> float:
    """Return the cost of a plan in A*, computed from the world."""
    shares = []
    for length in range(len(path)):
        (proposals,) = world.expand([path[:length]])
        shares += [one.share for one in proposals if one.step == path[length]]
    return sum(1 - math.log(share) for share in shares)


def _grown(search: Search, moves: Moves, bounds: Bounds = FREE) -> Tree:
    tree = Tree(moves, bounds)
    search(tree)
    return tree


def _seen(tree: Tree) -> list[tuple[object, ...]]:
    return [(node.id, node.path, node.visits, node.status, str(node.value)) for node in tree.nodes]


@given(search, worlds, tight)
def test_a_search_returns_a_valid_tree_within_its_bounds(
    run: Search, world: World, bounds: Bounds
) -> None:
    """Parents come first, depths count up, bounds hold; all plans belong to the world."""
    tree = _grown(run, world, bounds)

    assert [node.id for node in tree.nodes] == list(range(len(tree.nodes)))
    for node in tree.nodes[1:]:
        assert node.parent is not None
        assert node.parent.id < node.id
        assert node.depth == node.parent.depth + 1 == len(node.path)
        assert node in node.parent.children
    assert len(tree.nodes) <= bounds.nodes
    assert max(node.depth for node in tree.nodes) <= bounds.depth
    assert {str(path) for path, _ in tree.plans} <= {str(path) for path in world.wholes()}


@given(search, worlds, tight)
def test_no_plan_is_expanded_twice(run: Search, world: World, bounds: Bounds) -> None:
    """The next steps of each partial plan are requested only once."""
    _grown(run, world, bounds)

    assert len({str(path) for path in world.asked}) == len(world.asked)


@given(search, worlds, tight)
def test_the_same_world_gives_the_same_tree(run: Search, world: World, bounds: Bounds) -> None:
    """A search is deterministic: it adds no randomness."""
    assert _seen(_grown(run, world, bounds)) == _seen(_grown(run, world, bounds))


@given(worlds)
def test_a_wide_beam_finds_every_plan(world: World) -> None:
    """A beam that is wide enough finds every complete plan of the world."""
    tree = _grown(partial(beam, width=1000), world)

    assert sorted(str(path) for path, _ in tree.plans) == sorted(map(str, world.wholes()))


@given(worlds, st.integers(1, 3))
def test_a_beam_keeps_the_plans_with_the_most_points(world: World, width: int) -> None:
    """At most `width` plans per level are kept; no pruned plan has a higher score."""
    tree = _grown(partial(beam, width=width), world)

    for depth in range(1, 1 + max(node.depth for node in tree.nodes)):
        level = [node for node in tree.nodes if node.depth == depth]
        kept = [node.score for node in level if node.status == "expanded"]
        pruned = [node.score for node in level if node.status == "pruned"]
        assert len(kept) <= width
        assert min(kept, default=math.inf) >= max(pruned, default=-math.inf)


@given(worlds)
def test_astar_finds_the_cheapest_plans_first(world: World) -> None:
    """With any admissible estimate the cheapest plans are found first, in order."""
    costs = sorted(_cost(world, path) for path in world.wholes())

    for estimate in (0, 1):  # times the steps that are lacking; of whole plans nobody asks
        needed = partial(_lacking, world, estimate)
        tree = _grown(partial(astar, plans=2, needed=needed), world)
        reached = sorted(n.value for n in tree.nodes if n.status == "plan" and n.visits)
        assert reached == pytest.approx(costs[:2])


def _lacking(world: World, estimate: int, path: Path) -> int:
    return estimate * (min(map(len, world.wholes(path))) - len(path)) if not _whole(path) else 99


@given(worlds)
def test_astar_estimates_never_decrease(world: World) -> None:
    """Along a path, the sum of the cost so far and the estimate only increases."""
    tree = _grown(partial(astar, plans=1000, needed=lambda _: 0), world)

    for node in tree.nodes[1:]:
        assert node.parent is not None
        assert node.value > node.parent.value


@given(worlds, st.integers(1, 40))
def test_mcts_propagates_every_result_to_the_root(world: World, iterations: int) -> None:
    """A node's visits are its own and its children's; its value is the mean result."""
    tree = _grown(partial(mcts, iterations=iterations), world)

    assert 1 <= tree.root.visits <= iterations
    assert tree.root.visits == len(tree.plans) + _returns(tree)
    for node in tree.nodes:
        through = sum(child.visits for child in node.children)
        assert node.visits >= through
        assert node.visits <= through + 1 or not node.children
        if node.visits:
            assert node.value == pytest.approx(node.total / node.visits)


def _returns(tree: Tree) -> int:
    """Return the number of repeated visits to complete plans, which added no plan."""
    return sum(node.visits - 1 for node in tree.nodes if node.status == "plan")


@given(worlds)
def test_mcts_with_enough_iterations_finds_every_plan(world: World) -> None:
    """The search continues until every plan is found, and then ends."""
    tree = _grown(partial(mcts, iterations=10_000), world)

    assert {str(path) for path, _ in tree.plans} == set(map(str, world.wholes()))
    assert tree.root.visits < 10_000


def _comb(points: float, length: int) -> Place:
    """Return a long path with a complete plan at every step, all with equal scores."""
    end = Place(points)
    return Place(points, 1, (end, _comb(points, length - 1))) if length else end


def test_mcts_revisits_the_better_branch() -> None:
    """Of two first steps the better one gets more visits; the other one gets some too."""
    tree = _grown(partial(mcts, iterations=30), World(Place(0, 1, (_comb(10, 30), _comb(50, 30)))))

    worse, better = tree.root.children
    assert better.visits > worse.visits > 1
    assert tree.root.visits == 30


@given(search, worlds, st.integers(1, 5))
def test_a_search_ends_in_time(run: Search, world: World, allowed: int) -> None:
    """After the time-out no model call follows; the plans found so far are kept."""
    bounds = Bounds(nodes=1000, depth=20, branching=3, in_time=lambda: len(world.asked) < allowed)

    tree = _grown(run, world, bounds)

    assert len(world.asked) < allowed + 2  # the two of a beam are asked together
    assert all(_whole(path) for path, _ in tree.plans)


def _whole(path: Path) -> bool:
    return bool(path) and path[-1]["tool"] == FINAL_TOOL


def test_a_plan_at_the_depth_bound_is_not_extended() -> None:
    """No step is added beyond the maximum length of a plan."""
    tree = _grown(
        partial(beam, width=9), World(_comb(1, 9)), Bounds(nodes=99, depth=3, branching=3)
    )

    ends: list[Node] = [node for node in tree.nodes if node.depth == 3]
    assert [node.status for node in ends] == ["plan", "dead"]
