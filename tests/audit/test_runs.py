"""Audits of real plannings and runs, checked against the scorer and the journal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Run, Session
from okso_jupyter.audit.counterfactual_plans import edits
from okso_jupyter.errors import UsageError
from okso_jupyter.journal.store import Record
from okso_jupyter.plan.plan import check_rules
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.planner import select
from okso_jupyter.planning.scoring.rules import DEFAULT
from okso_jupyter.planning.scoring.scorer import score_all
from okso_jupyter.testing import ScriptedModel

pytestmark = pytest.mark.slow

REQUEST = "Copy notes.txt to copy.txt"
END: dict[str, Any] = {"tool": "final_answer", "args": {}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
WRITE = {"tool": "file_write", "args": {"path": "copy.txt", "content": "one\n"}}
COPY = {"tool": "terminal", "args": {"command": "cp", "args": ["notes.txt", "copy.txt"]}}
OTHER = {"tool": "file_read", "args": {"path": "other.txt"}}
ELSEWHERE = {"tool": "terminal", "args": {"command": "cp", "args": ["notes.txt", "other.txt"]}}
SAMPLES: list[Any] = [
    [READ, END],
    [COPY, END],
    "no plan",
    [READ, READ, WRITE, END],
    [COPY, END],
    [ELSEWHERE, END],
    [END],
]


def _settings(home: Path, **more: Any) -> dict[str, Any]:
    return {"OKSO_HOME": str(home), "PLANNER_SAMPLE_COUNT": len(SAMPLES), **more}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session whose model returns SAMPLES once."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "notes.txt").write_text("one\n")
    model = ScriptedModel(SAMPLES)
    with Session(_settings(tmp_path / "home"), model=model, root=root) as session:
        yield session


@pytest.fixture
def planning(session: Session) -> Planning:
    """A planning with the candidates of SAMPLES."""
    return session.plan(REQUEST, seed=1)


@pytest.fixture
def run(session: Session, planning: Planning) -> Run:
    """A run of the winning candidate."""
    return session.execute(planning, approve="auto")


def test_rescoring_equals_scoring_with_those_weights(planning: Planning) -> None:
    """Rescoring with random weights equals the scorer with these SCORE_WEIGHTS.

    Order, winner and points are compared.
    """
    source = random.Random(3)  # noqa: S311  weights, not secrets
    judge: Any = planning.judge
    for _ in range(30):
        weights = {
            rule.name: round(source.uniform(-1, 4), source.randint(0, 3))
            for rule in DEFAULT
            if source.random() < 0.6
        }
        settings = replace(judge.settings, score_weights=weights)
        plans = [candidate.plan for candidate in planning.sampled]
        cards = score_all(plans, judge.tools, settings, REQUEST)
        scored = [
            replace(candidate, scorecard=card)
            for candidate, card in zip(planning.sampled, cards, strict=True)
        ]
        table = planning.rescore(weights)
        assert table["candidate"].iloc[0] == select(scored).index
        by_index = {candidate.index: candidate.scorecard for candidate in scored}
        for row in table.to_dict("records"):
            card = by_index[int(row["candidate"])]
            assert row["score"] == card.score
            assert [row[f"rule_{f.rule}"] for f in card.findings] == [
                f.points for f in card.findings
            ]
        assert list(table["rank"]) == list(range(1, len(plans) + 1))
        assert sorted(table["rank_before"]) == list(table["rank"])


def test_a_loaded_run_is_audited_like_its_planning(
    session: Session, planning: Planning, run: Run
) -> None:
    """Sentences, tables and panel are the same from the candidates and from the journal."""
    again = session.load_run(run.id)
    for candidate in planning.sampled:
        assert again.why_not(candidate.index).sentence == planning.why_not(candidate.index).sentence
    pd.testing.assert_frame_equal(again.rescore({"length": 3}), planning.rescore({"length": 3}))
    assert repr(again.what_if()) == repr(planning.what_if())


def test_the_named_edit_wins(tmp_path: Path) -> None:
    """The scorer chooses the edited plan, which is not the winner's plan.

    The only edit of an argument would give the winner's plan.
    """
    model = ScriptedModel([[COPY, READ, END], [COPY, READ, END], [COPY, OTHER, END]])
    settings = _settings(tmp_path / "home", PLANNER_SAMPLE_COUNT=3)
    with Session(settings, model=model, root=tmp_path) as session:
        planning = session.plan(REQUEST, seed=1)
    candidate = planning.sampled[2]
    change = planning.why_not(3).smallest_step_change
    assert planning.chosen.index == 1
    assert change is not None
    assert (change.kind, change.words) == ("dropped", "step 2 (file_read) dropped")
    assert not change.is_winners_plan
    judge: Any = planning.judge
    assert _chosen_with(planning.sampled, candidate, change.plan, judge) == 3
    arguments = [e for e in edits(candidate.plan, planning.plan) if e.kind == "argument"]
    assert [e.plan.steps == planning.plan.steps for e in arguments] == [True]


def _chosen_with(
    sampled: tuple[Candidate, ...], candidate: Candidate, plan: Any, judge: Any
) -> int:
    plans = [plan if other is candidate else other.plan for other in sampled]
    cards = judge(plans)
    return select(
        [replace(c, scorecard=card) for c, card in zip(sampled, cards, strict=True)]
    ).index


def test_no_edit_breaks_a_plan(planning: Planning) -> None:
    """Every edit of every candidate is a valid plan and differs from the original."""
    for candidate in planning.sampled:
        for edit in edits(candidate.plan, planning.plan):
            check_rules(edit.plan)
            assert edit.plan.steps != candidate.plan.steps


def test_one_argument_is_the_smallest_edit(planning: Planning) -> None:
    """If a candidate differs in one argument, the audit names it and its consequence."""
    chosen = planning.why_not(6)
    change = chosen.smallest_step_change
    assert planning.chosen.index == 2
    assert change is not None
    assert change.kind == "argument"
    assert change.words == 'args of step 1 (terminal) as ["notes.txt", "copy.txt"]'
    assert change.is_winners_plan
    assert chosen.sentence.endswith("it would be the winner's plan.")


def test_not_every_edit_of_a_long_plan_is_tried(tmp_path: Path) -> None:
    """For a long plan not every edit is tried; the sentence says so.

    It claims nothing about the untried edits.
    """
    reads = [{"tool": "file_read", "args": {"path": f"{n}.txt"}} for n in range(200)]
    model = ScriptedModel([[*reads[:100], END], [*reads[100:], *reads[:20], END]])
    settings = _settings(tmp_path, PLANNER_SAMPLE_COUNT=2)
    with Session(settings, model=model, root=tmp_path) as session:
        found = session.plan("Read the files").why_not(2)
    assert found.smallest_step_change is None
    assert "too long to try every edit" in found.sentence
    assert found.sentence.endswith("No single other step that was tried makes it win.")


def test_the_points_are_sorted_and_add_up(planning: Planning) -> None:
    """There is one row per rule, the largest loss first.

    The differences add up to the difference of the scores.
    """
    found = planning.why_not(4)
    points = found.points
    assert list(points["difference"]) == sorted(points["difference"])
    scores = found.candidate.scorecard.score - found.winner.scorecard.score
    assert points["difference"].sum() == pytest.approx(scores)
    assert set(points["rule"]) == {rule.name for rule in DEFAULT}


def test_duplicates_and_unusable_samples_are_reported(planning: Planning) -> None:
    """A duplicate of the winner's plan is reported; an unusable sample is an error."""
    found = planning.why_not(5)
    assert found.sentence == "Candidate 5 has the same plan as candidate 2."
    assert found.smallest_step_change is None
    assert not found.can_win
    with pytest.raises(UsageError, match="sample 3 is neither a plan"):
        planning.why_not(3)


def test_text_of_a_model_is_escaped(session: Session, planning: Planning) -> None:
    """Text of a model is escaped in HTML; the output has no hidden characters."""
    hostile = "<script>alert(1)</script>\u202e"
    steps = list(planning.plan.steps)
    winner = replace(
        planning.chosen,
        plan=planning.plan.with_steps(
            [replace(steps[0], args={**steps[0].args, "args": ["notes.txt", hostile]}), steps[1]]
        ),
    )
    sampled = tuple(winner if c.index == winner.index else c for c in planning.sampled)
    bundle = replace(planning, sampled=sampled, chosen=winner).why_not(6)._repr_mimebundle_()
    assert "alert(1)" in bundle["text/html"]
    assert "<script" not in bundle["text/html"]
    assert all("\u202e" not in text for text in bundle.values())
    assert session.tools


def test_without_the_runs_tools_no_edit_is_named(
    tmp_path: Path, session: Session, run: Run
) -> None:
    """If the session lacks the run's tools, no edited step is named.

    The sentence says why.
    """
    others = [tool for tool in session.tools.values() if tool.name in {"file_read", "file_write"}]
    with Session(_settings(tmp_path / "home"), tools=others, root=tmp_path) as other:
        found = other.load_run(run.id).why_not(4)
    assert found.smallest_step_change is None
    assert "The score of another step cannot be computed" in found.sentence
    bare = replace(session.load_run(run.id), tools={})
    assert "the tools of the run are not here" in bare.why_not(4).sentence


def test_a_supplied_plan_has_no_candidates(tmp_path: Path) -> None:
    """A run of a plan supplied by the caller has no candidates, and audits report this."""
    plan = {"request": REQUEST, "steps": [END]}
    settings = _settings(tmp_path, TESTING_PASSTHROUGH=True, PLAN_MAX_REPLANS=0)
    with Session(settings, root=tmp_path) as session:
        own = session.execute(plan, approve="auto")
    for ask in (lambda: own.why_not(1), lambda: own.rescore({"length": 1}), own.what_if):
        with pytest.raises(UsageError, match="there are no candidates"):
            ask()


def test_a_keyword_plan_is_the_only_candidate(tmp_path: Path) -> None:
    """Planning without a model yields one candidate, and each audit says so."""
    settings = _settings(tmp_path, TESTING_PASSTHROUGH=True)
    with Session(settings, root=tmp_path) as session:
        planning = session.plan("Show the files here")
        run = session.load_run(planning.run_id)
    for audited in (planning, run):
        assert audited.why_not(1).sentence == "Candidate 1 is the only one."
        assert "the only one" in audited.what_if().sentence
        assert len(audited.rescore({"length": 0})) == 1


def test_an_audit_starts_from_the_weights_of_the_run(tmp_path: Path) -> None:
    """The audit of a run with SCORE_WEIGHTS starts from these weights.

    The points of a rule with weight 0 are kept.
    """
    weights = {"coverage": 0, "length": 3}
    (tmp_path / "notes.txt").write_text("one\n")
    settings = _settings(tmp_path / "home", SCORE_WEIGHTS=weights)
    with Session(settings, model=ScriptedModel(SAMPLES), root=tmp_path) as session:
        planning = session.plan(REQUEST, seed=1)
        run = session.load_run(planning.run_id)
    assert planning.chosen.index == 7
    change = run.why_not(2).smallest_weight_change
    assert change is not None
    assert run.rescore({**weights, change.rule: change.weight})["candidate"].iloc[0] == 2
    assert run.rescore({})["rule_coverage"].abs().sum() > 0


def test_a_journal_of_an_older_version_is_read(run: Run) -> None:
    """Unweighted points missing in an older journal are derived from the weighted ones.

    This is not possible for a weight of 0.
    """
    old = replace(run, records=tuple(map(_forgetful, run.records)))
    pd.testing.assert_frame_equal(old.rescore({"length": 2}), run.rescore({"length": 2}))


def _forgetful(record: Record) -> Record:
    """Return a record in the format of an older version."""
    if record.kind != "candidate":
        return record
    card = record.body["scorecard"]
    kept = [{k: v for k, v in f.items() if k != "raw_points"} for f in card["findings"]]
    return replace(record, body={**record.body, "scorecard": {**card, "findings": kept}})


@pytest.mark.parametrize("algorithm", ["beam", "mcts", "astar"])
def test_candidates_of_a_tree_are_audited(tmp_path: Path, algorithm: str) -> None:
    """Plans built by tree search are audited like any other candidates."""
    from tests.planning.tree_lab import Obedient  # noqa: PLC0415  it scripts a model

    settings = {"OKSO_HOME": str(tmp_path), "PLAN_ALGORITHM": algorithm}
    with Session(settings, model=Obedient(), root=tmp_path) as session:
        planning = session.plan("read notes.txt", seed=1)
        run = session.load_run(planning.run_id)
    for candidate in run.sampled[:2]:
        assert f"Candidate {candidate.index} " in run.why_not(candidate.index).sentence
    assert str(planning.chosen.index) in run.what_if().sentence
