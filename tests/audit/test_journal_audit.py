"""The audit of a journal: what became of plans by points and rules, over runs of real sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Feedback, Run, Session
from okso_jupyter.audit.journal_audit import JournalAudit
from okso_jupyter.audit.planning_outcomes import planning_outcomes
from okso_jupyter.audit.share_interval import share_interval
from okso_jupyter.errors import UsageError
from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.plan import calls_of
from okso_jupyter.testing import ScriptedModel
from tests.approval.person import Person, approve, does, reject
from tests.frozen.reading import opened
from tests.journal.test_damage import damage

pytestmark = pytest.mark.slow

REQUEST = "Copy notes.txt to copy.txt"
END: dict[str, Any] = {"tool": "final_answer", "args": {}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
GONE = {"tool": "file_read", "args": {"path": "gone.txt"}}


def copy_to(name: str) -> list[dict[str, Any]]:
    """Return a plan that copies the notes."""
    return [{"tool": "terminal", "args": {"command": "cp", "args": ["notes.txt", name]}}, END]


#: Two candidates for each planning call: a plan that fits the request, and one that only reads.
SAMPLES: list[Any] = [
    plan for number in range(1, 7) for plan in (copy_to(f"copy{number}.txt"), [READ, END])
]


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(name="session")
def _session(tmp_path: Path, home: Path) -> Iterator[Session]:
    root = tmp_path / "root"
    root.mkdir()
    (root / "notes.txt").write_text("one\n")
    settings = {
        "OKSO_HOME": str(home),
        "PLANNER_SAMPLE_COUNT": 2,
        "FINAL_ANSWER": "digest",
        "ENABLE_ANSWER_VALIDATION": False,
        "PLAN_MAX_REPLANS": 0,
        "PLAN_CHECKS": False,  # the last plan is to fail while it runs
    }
    with Session(settings, model=ScriptedModel(SAMPLES), root=root) as session:
        yield session


def request(number: int) -> str:
    """Return the request that the n-th plan fits."""
    return f"Copy notes.txt to copy{number}.txt"


@pytest.fixture(name="runs")
def _runs(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """Runs that were approved by a policy, edited, rejected, sent back and approved, and failed."""
    answers = iter([Feedback("to copy5.txt"), "approve"])
    runs = [session.run(request(1), seed=1, approve="auto")]
    person = Person(monkeypatch, [does("check", off=[1]), approve, reject])
    runs += [
        session.execute(session.plan(request(number), seed=1), approve="ask") for number in (2, 3)
    ]
    assert person.left == 0
    runs.append(session.run(request(4), seed=1, approve=lambda _: next(answers)))
    planning = session.plan(request(6), seed=1)
    (session.root / "notes.txt").unlink()
    runs.append(session.execute(planning, approve=lambda _: "approve"))
    return runs


def test_the_outcome_of_every_planning_call_is_told(session: Session, runs: list[Run]) -> None:
    """Approved, edited, rejected, sent back and failed are counted by the points of the plan."""
    audit = session.audit()
    decided = [(one.decision, one.by, one.is_failed) for one in audit.outcomes]
    assert decided == [
        ("approved", "auto", False),
        ("edited", "user", False),
        ("rejected", "user", False),
        ("sent back", "callable", False),
        ("approved", "callable", False),
        ("approved", "callable", True),
    ]
    assert runs[-1].state == "failed"
    scores = audit.scores
    assert scores["plans"].sum() == 6
    assert scores[["approved", "edited", "rejected", "sent back"]].sum().tolist() == [3, 1, 1, 1]
    assert scores["by_person"].sum() == 2
    for row in scores.to_dict("records"):
        assert row["from"] < row["below"]
        assert row["kept_low"] <= row["kept"] <= row["kept_high"]
        interval = f"{row['kept']:.2g} ({row['kept_low']:.2g} to {row['kept_high']:.2g})"
        assert interval in audit._repr_mimebundle_()["text/html"]


def test_the_deciding_rule_is_that_of_the_points(session: Session, runs: list[Run]) -> None:
    """The lead and its parts add up to the points; rescoring confirms what decided."""
    outcome = session.audit().outcomes[0]
    run = runs[0]
    scores = dict(zip(run.candidates["chosen"], run.candidates["score"], strict=True))
    assert outcome.score == scores[True]
    assert outcome.lead == scores[True] - scores[False]
    assert sum(outcome.leads_by.values()) == pytest.approx(outcome.lead)
    chosen = calls_of(run.sampled[0].plan)
    for rule in outcome.leads_by:
        first = run.rescore({rule: 0})["candidate"].iloc[0]
        other = calls_of(run.sampled[first - 1].plan)
        assert (rule in outcome.decisive) == (other != chosen)
    rules = {row["rule"]: row for row in session.audit().rules.to_dict("records")}
    assert rules[outcome.rule]["led"] >= 1
    assert {row["choices"] for row in rules.values()} == {6}


def test_requests_tell_the_share_of_the_best_score(session: Session, runs: list[Run]) -> None:
    """A row per planning call, the newest first, with the most points that a request can have."""
    table = session.audit().requests
    assert table["run_id"].tolist() == [
        runs[-1].id, runs[3].id, runs[3].id, runs[2].id, runs[1].id, runs[0].id
    ]  # fmt: skip
    assert (table["share"] == table["score"] / table["best"]).all()
    assert (table["share"] <= 1).all()


def test_the_prompt_and_a_diff_of_two_candidates(session: Session, runs: list[Run]) -> None:
    """The prompt is what the model read; the diff names tool, argument and both values."""
    run = session.load_run(runs[0].id)
    assert request(1) in run.prompt
    assert run.compare(1, 1).empty
    rows = run.compare(1, 2).to_dict("records")
    assert [(row["change"], row["tool"], row["argument"]) for row in rows] == [
        ("only here", "terminal", "command"),
        ("only here", "terminal", "args"),
        ("only there", "file_read", "path"),
    ]
    with pytest.raises(UsageError, match="there is no candidate 7"):
        run.compare(1, 7)


def test_a_changed_argument_is_one_row(tmp_path: Path, home: Path) -> None:
    """Steps are paired by their tools, so a step that was added moves no argument."""
    (tmp_path / "notes.txt").write_text("one\n")
    samples = [copy_to("a.txt"), [READ, *copy_to("b.txt")]]
    settings = {"OKSO_HOME": str(home), "PLANNER_SAMPLE_COUNT": 2}
    with Session(settings, model=ScriptedModel(samples), root=tmp_path) as session:
        rows = session.plan(REQUEST, seed=1).compare(1, 2).to_dict("records")
    assert [(r["change"], r["argument"], r["value"], r["value_other"]) for r in rows] == [
        ("only there", "path", None, "notes.txt"),
        ("changed", "args", ["notes.txt", "a.txt"], ["notes.txt", "b.txt"]),
    ]


@pytest.mark.model
def test_the_likelihood_of_each_candidate_is_recorded(tmp_path: Path, home: Path) -> None:
    """The bundled model's own figures are read back from the journal; scripted ones have none."""
    (tmp_path / "notes.txt").write_text("one\n")
    settings = {"OKSO_HOME": str(home), "PLANNER_SAMPLE_COUNT": 3}
    with Session(settings, root=tmp_path) as session:
        planning = session.plan("Read notes.txt and say what it is about", seed=1)
        table = session.load_run(planning.run_id).likelihoods
    assert table["candidate"].tolist() == [one.index for one in planning.sampled]
    assert (table["log_likelihood"] <= 0).all()
    assert table["chosen"].sum() == 1
    again = ScriptedModel([[READ, END]])
    with Session({**settings, "PLANNER_SAMPLE_COUNT": 1}, model=again, root=tmp_path) as session:
        scripted = session.plan("Read notes.txt and say what it is about", seed=1)
        assert session.load_run(scripted.run_id).likelihoods["log_likelihood"].isna().all()


def test_an_empty_journal_has_empty_tables(home: Path) -> None:
    """The tables keep their columns and say that there is nothing."""
    with Session({"OKSO_HOME": str(home)}) as session:
        audit = session.audit()
    for table in (audit.scores, audit.rules, audit.requests):
        assert table.empty
        assert len(table.columns) > 5
    assert repr(audit).startswith("0 plans of 0 runs")


def test_old_journals_are_read(tmp_path: Path) -> None:
    """The runs of older versions that chose among candidates are counted, none is left out."""
    journal = opened(tmp_path / "home")
    outcomes, unread = planning_outcomes(journal, lambda _: 72.0)
    journal.close()
    assert unread == []
    assert {one.run_id for one in outcomes} >= {"sampled", "tree", "told", "replanned"}
    decisions = {one.run_id: one.decision for one in outcomes}
    assert decisions["told"] == "approved"


def test_a_damaged_run_is_left_out_and_named(tmp_path: Path) -> None:
    """The other runs are counted; so it is with a run of a newer version."""
    journal = opened(tmp_path / "home")
    before, _ = planning_outcomes(journal, lambda _: None)
    damage(journal, "sampled", "decision", json.dumps({"decision": 3}))
    damage(journal, "tree", "candidate", "no JSON")
    damage(journal, "told", "plan", "{}", version=99)
    found, unread = planning_outcomes(journal, lambda _: None)
    journal.close()
    assert {one.run_id for one in before} - {one.run_id for one in found} == {
        "sampled", "tree", "told"
    }  # fmt: skip
    assert len(unread) == 3
    assert sorted(said.split("run ")[1].split()[0] for said in unread) == [
        "sampled", "told", "tree"
    ]  # fmt: skip
    page = JournalAudit(outcomes=tuple(found), unread=tuple(unread))
    assert "Left out: record" in repr(page)


def test_the_interval_is_wilsons() -> None:
    """The figures of the textbook: 8 of 10, and nothing of nothing."""
    assert share_interval(8, 10) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    assert share_interval(0, 0) == (None, None, None)
    assert share_interval(0, 5)[1] == 0


def test_the_page_shows_both_tables(session: Session, runs: list[Run]) -> None:
    """As HTML and as text; nothing in it is interpreted as markup."""
    assert runs
    page = session.audit()._repr_mimebundle_()
    assert "Plans by their points" in page["text/plain"]
    assert "coverage" in page["text/html"]
    assert isinstance(session.audit().scores, pd.DataFrame)


def test_an_unusable_journal_is_an_error_of_one_sentence(home: Path) -> None:
    """A file that is no database is named."""
    home.mkdir()
    (home / "journal.sqlite3").write_text("no database at all, but a text")
    with pytest.raises(Exception, match="cannot be used as a journal"):
        Journal(home)
