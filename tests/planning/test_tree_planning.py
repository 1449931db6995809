"""Candidates of a tree search are scored, shown and stored like sampled ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from pandas.testing import assert_frame_equal

from okso_jupyter import Session, score_plan
from okso_jupyter.errors import NoCandidateError
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel, Sampling
from okso_jupyter.planning.outcome import Planning
from tests.bench import Bench
from tests.planning.tree_lab import Obedient

pytestmark = pytest.mark.slow

ASK = "How many lines has notes.txt, and what is in sales.csv?"
TREES = ("beam", "mcts", "astar")


def _session(
    bench: Bench, algorithm: str, model: LanguageModel | None = None, **settings: object
) -> Session:
    return Session(
        {"OKSO_HOME": str(bench.home), "PLAN_ALGORITHM": algorithm, **settings},
        model=model,
        root=bench.root,
    )


class Planned(NamedTuple):
    """A planning, the model that was asked, and where it was made."""

    planning: Planning
    model: Obedient
    bench: Bench


@pytest.fixture(name="planned", scope="module", params=TREES)
def _planned(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Planned]:
    """A planning for each algorithm, with a model that chooses at random what is allowed."""
    model, bench = Obedient(), Bench.within(tmp_path_factory.mktemp("planned"))
    with _session(bench, request.param, model) as session:
        yield Planned(session.plan(ASK, seed=3), model, bench)


def test_plans_of_a_tree_are_candidates(planned: Planned) -> None:
    """Every complete plan is a candidate, ends with the answer, and is distinct."""
    planning = planned.planning
    table = planning.candidates

    assert len(table) > 1
    assert table["distinct"].all()
    assert table["candidate"].tolist() == list(range(1, len(table) + 1))
    assert all(candidate.plan.steps[-1].is_final for candidate in planning.sampled)


def test_plans_of_a_tree_are_scored_like_any_other(planned: Planned) -> None:
    """The scorecard is that of the scoring rules, and the best plan is chosen."""
    planning = planned.planning
    tools = Session().tools.values()

    for candidate in planning.sampled:
        peers = [other.plan for other in planning.sampled if other is not candidate]
        alone = score_plan(candidate.plan, tools, request=ASK, peers=peers)
        # of a plan alone nobody knows what lies in the folder
        known, found = (
            [one for one in card.findings if one.rule != "losses"]
            for card in (candidate.scorecard, alone)
        )
        assert known == found
        assert candidate.scorecard.score == alone.score
    assert planning.chosen.scorecard.score == planning.candidates["score"].max()


def test_nodes_lead_to_their_candidates(planned: Planned) -> None:
    """A complete plan's node names its candidate; the path to it has that plan's steps."""
    planning = planned.planning
    tree = planning.tree.set_index("node")
    candidates = {candidate.index: candidate for candidate in planning.sampled}

    for node in tree.index[tree["status"] == "plan"]:
        tools: list[str] = []
        at = node
        while tree.loc[at, "depth"]:
            tools.insert(0, tree.loc[at, "tool"])
            at = tree.loc[at, "parent"]
        found = candidates[int(tree.loc[node, "candidate"])]
        assert [step["tool"] for step in json.loads(found.response)] == tools
        agreed = next(f.points for f in found.scorecard.findings if f.rule == "agreement")
        assert tree.loc[node, "score"] == pytest.approx(found.scorecard.score - agreed)


def test_the_statistics_of_a_tree_are_correct(planned: Planned) -> None:
    """Calls, completions and tokens match what the model did; node counts match the tree."""
    planning, model, bench = planned
    with _session(bench, "sample") as session:
        (stats,) = session.load_run(planning.run_id).tree_stats.to_dict("records")

    tree = planning.tree
    assert stats["model_calls"] == len(model.requests)
    assert stats["completions"] == sum(len(request.seeds) for request in model.requests)
    assert stats["output_tokens"] == model.written_tokens
    assert stats["nodes"] == len(tree)
    assert stats["depth"] == tree["depth"].max()
    assert stats["expanded"] == (tree["status"] == "expanded").sum()
    assert stats["plans"] == len(planning.candidates)
    assert stats["ended_by"] == "search"


def test_a_tree_is_in_the_journal(planned: Planned) -> None:
    """The tree that is loaded from the journal equals the one that was grown."""
    planning, _, bench = planned
    with _session(bench, "sample") as session:
        run = session.load_run(planning.run_id)

    assert_frame_equal(run.tree, planning.tree)
    assert run.trees == (planning.grown,)


@pytest.mark.parametrize("algorithm", TREES)
def test_the_same_seed_grows_the_same_tree(algorithm: str, bench: Bench) -> None:
    """With equal seed, model and settings everything but the duration is the same."""
    trees = []
    for seed in (5, 5, 6):
        with _session(bench, algorithm, Obedient()) as session:
            grown = session.plan(ASK, seed=seed).grown
            assert grown is not None
            trees.append(replace(grown, duration_s=0.0))

    assert trees[0] == trees[1]
    assert trees[0] != trees[2]


def test_a_level_of_a_beam_is_one_call(bench: Bench) -> None:
    """However many plans are extended at once, the model is called once per length."""
    model = Obedient()
    with _session(bench, "beam", model, PLANNER_SAMPLE_COUNT=5) as session:
        planning = session.plan(ASK, seed=1)

    assert len(model.requests) <= planning.tree["depth"].max()
    assert max(len(request.seeds) for request in model.requests) > 5
    seeds = [seed for request in model.requests for seed in request.seeds]
    assert seeds == list(range(1, 1 + len(seeds)))


def test_no_plan_is_longer_than_its_budget(bench: Bench) -> None:
    """PLANNER_MAX_PLAN_STEPS bounds the depth of the tree."""
    with _session(bench, "beam", Obedient(), PLANNER_MAX_PLAN_STEPS=2) as session:
        planning = session.plan(ASK, seed=1)

    assert planning.tree["depth"].max() <= 2


class Garbled(Obedient):
    """A model that ignores every schema."""

    def _completion(self, seed: int, schema: Mapping[str, Any]) -> Completion:
        return replace(super()._completion(seed, schema), text=f"well, {seed}")


@pytest.mark.parametrize("algorithm", TREES)
def test_a_tree_without_a_plan_is_an_error(algorithm: str, bench: Bench) -> None:
    """If the model writes no valid step, NoCandidateError is raised."""
    with (
        _session(bench, algorithm, Garbled()) as session,
        pytest.raises(NoCandidateError, match="samples is a plan; the first: the completion holds"),
    ):
        session.plan(ASK, seed=1)


class Leaving(Obedient):
    """A model during whose third call the user interrupts."""

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Answer twice, then raise KeyboardInterrupt."""
        if len(self.requests) == 2:
            raise KeyboardInterrupt
        return super().complete(request)


@pytest.mark.parametrize("algorithm", TREES)
def test_an_interrupt_ends_a_search(algorithm: str, bench: Bench) -> None:
    """A run interrupted during the search is cancelled and has no candidates."""
    with _session(bench, algorithm, Leaving()) as session:
        with pytest.raises(KeyboardInterrupt):
            session.plan(ASK, seed=1)
        ((started, _),) = session.journal.first_of_each(RunStarted)
        run = session.load_run(started.run_id)

    assert run.state == "cancelled"
    assert run.candidates.empty


@pytest.mark.model
@pytest.mark.parametrize("algorithm", TREES)
def test_the_bundled_model_grows_trees(algorithm: str, bench: Bench) -> None:
    """The chosen plan does what was asked, and a second planning gives the same tree."""
    heard: list[Sampling] = []
    with _session(bench, algorithm, PLANNER_SAMPLE_COUNT=2, PLANNER_MAX_PLAN_STEPS=3) as session:
        planning = session.plan("How many lines has notes.txt?", seed=1, on_sampling=heard.append)
        again = session.plan("How many lines has notes.txt?", seed=1)

    chosen = planning.plan.steps[0]
    assert (chosen.tool, dict(chosen.args)) == (
        "terminal",
        {"command": "wc", "args": ["-l", "notes.txt"]},
    )
    assert planning.tree.equals(again.tree)
    assert heard
    assert all(json.loads(c.response)[-1]["tool"] == "final_answer" for c in planning.sampled)


@pytest.mark.model
def test_an_interrupt_ends_a_search_in_the_bundled_model(bench: Bench) -> None:
    """A progress callback can end a search; the model stays usable afterwards."""

    def stop(_sampling: Sampling) -> None:
        raise KeyboardInterrupt

    with _session(bench, "beam") as session:
        with pytest.raises(KeyboardInterrupt):
            session.plan("How many lines has notes.txt?", seed=1, on_sampling=stop)
        assert session.plan("How many lines has notes.txt?", seed=1, samples=1).candidates.size
