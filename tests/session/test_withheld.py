"""A request of which every plan would lose a file that it does not ask to change: an honest end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback
from okso_jupyter.effects.file_effects import Extent, FileEffect
from okso_jupyter.errors import NoCandidateError, UsageError
from okso_jupyter.journal.events import CandidateChosen, SampleUnusable
from okso_jupyter.planning.request.permission import Permission
from okso_jupyter.planning.scoring.withheld import refusal_of
from tests.bench import END, Bench, kinds

ONE = {"PLANNER_SAMPLE_COUNT": 1}
OVER = {"path": "shop.log", "content": "shop.log", "mode": "replace"}
WRITE: dict[str, Any] = {"tool": "file_write", "args": OVER}
REMOVE: dict[str, Any] = {"tool": "terminal", "args": {"command": "rm", "args": ["shop.log"]}}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "shop.log"}}
SAID = (
    "I cannot do that: the plan that I found replaces 3 lines (12 bytes) of shop.log by 1 line "
    "(8 bytes), which the request does not ask for, so it was withheld; say that shop.log is to be "
    "written over, for example “Overwrite shop.log with 'the new text'”, or ask for what leaves "
    "it as it is, such as “Show shop.log”."
)


@pytest.fixture(autouse=True)
def log(bench: Bench) -> Path:
    """A file that holds something."""
    file = bench.root / "shop.log"
    file.write_text("one\ntwo\n333\n")
    return file


@pytest.mark.parametrize("approve_as", ["auto", "ask", lambda _plan: "approve"])
def test_what_was_withheld_is_said_in_one_sentence(
    bench: Bench, log: Path, approve_as: Any
) -> None:
    """The run is completed like every refusal, nobody is asked, and the file is as it was."""
    with bench.session([WRITE, END], **ONE) as session:
        run = session.execute(session.plan("Describe shop.log"), approve=approve_as)
    assert (run.state, run.answer) == ("completed", SAID)
    assert log.read_text() == "one\ntwo\n333\n"
    assert kinds(run, "call_started", "validation") == []
    assert list(run.candidates["chosen"]) == [True]


def test_the_plan_that_was_withheld_is_kept(bench: Bench) -> None:
    """Planning and journal tell which plan it was, and why it is no candidate."""
    with bench.session([WRITE, END], **ONE) as session:
        planning = session.plan("Describe shop.log")
        (selected,) = session.journal.records(planning.run_id, CandidateChosen)
        (unusable,) = session.journal.records(planning.run_id, SampleUnusable)
    assert planning.reply == selected.body["reply"] == SAID
    assert "withheld: no plan loses a file unasked" in planning.note
    assert unusable.body["reason"].startswith(
        "the request does not ask for it: it replaces 3 lines"
    )
    assert planning.chosen.index == 2
    with pytest.raises(UsageError, match="sample 1 is neither a plan nor a candidate: the request"):
        planning.why_not(1)


def test_a_plan_that_can_be_had_is_taken(bench: Bench) -> None:
    """Beside one that loses nothing, those that do are left out as ever."""
    with bench.session([WRITE, END], [READ, END], PLANNER_SAMPLE_COUNT=2) as session:
        planning = session.plan("Describe shop.log")
    assert (planning.reply, planning.plan.tools) == ("", ("file_read", "final_answer"))


@pytest.mark.parametrize("algorithm", ["beam", "astar", "mcts"])
def test_a_tree_of_such_plans_ends_the_same(bench: Bench, algorithm: str) -> None:
    """Plans that are grown step by step are withheld, too."""
    drawn = [[WRITE, END]] * 40
    session = bench.session(*drawn, PLAN_ALGORITHM=algorithm, **ONE)
    planning = session.plan("Describe shop.log")
    assert planning.reply.startswith("I cannot do that: the plan that I found replaces 3 lines")


@pytest.mark.parametrize(
    "settings", [{"PLAN_ENABLED": False}, {"EXECUTOR_MODE": "react"}, {"SCORE_PRESET": "okso"}]
)
def test_every_mode_ends_the_same(bench: Bench, settings: dict[str, Any]) -> None:
    """One call without planning, react and the other preset refuse as plans do."""
    with bench.session([WRITE, END], **ONE, **settings) as session:
        run = session.run("Describe shop.log", approve="auto")
    assert (run.state, run.answer) == ("completed", SAID)


def test_feedback_may_ask_for_it(bench: Bench, log: Path) -> None:
    """Who then says that the file may be replaced has it replaced."""
    answers: list[object] = [Feedback("overwrite shop.log"), "approve"]
    with bench.session([WRITE, END], [WRITE, END], **ONE) as session:
        planning = session.plan("Describe shop.log")
        run = session.execute(planning, approve=lambda _plan: answers.pop(0))
    assert (run.state, log.read_text()) == ("completed", "shop.log")


def test_feedback_that_leads_to_a_loss_is_refused_and_not_an_error(bench: Bench, log: Path) -> None:
    """The sentence is shown in place of the plan."""
    answers: list[object] = [Feedback("shorter"), "approve"]
    with bench.session([READ, END], [WRITE, END], **ONE) as session:
        planning = session.plan("Describe shop.log")
        run = session.execute(planning, approve=lambda _plan: answers.pop(0))
    assert (run.state, run.answer) == ("completed", SAID)
    assert log.read_text() == "one\ntwo\n333\n"


def test_a_plan_for_the_rest_of_a_run_is_no_refusal(bench: Bench, log: Path) -> None:
    """Where a step failed, its failure is told, and not a sentence about another plan."""
    gone = {"tool": "file_read", "args": {"path": "gone.txt"}}
    chosen = {"ON_FAILURE": "replan", "PLAN_MAX_REPLANS": 1, **ONE}
    with bench.session([gone, END], [WRITE, END], **chosen) as session:
        run = session.run("Describe gone.txt", approve="auto")
    assert run.state == "failed"
    assert log.read_text() == "one\ntwo\n333\n"


def test_a_replay_ends_the_same(bench: Bench, tmp_path: Path) -> None:
    """What a recording holds is enough, whatever lies in the folder by then."""
    boundary = str(tmp_path / "tape.json")
    with bench.session([WRITE, END], OKSO_RECORD=boundary, **ONE) as session:
        session.run("Describe shop.log", approve="auto")
    (bench.root / "shop.log").unlink()
    with bench.session(OKSO_REPLAY=boundary, **ONE) as session:
        assert session.run("Describe shop.log", approve="auto").answer == SAID


def test_samples_that_are_no_plans_are_still_an_error(bench: Bench) -> None:
    """Nothing was withheld there."""
    with bench.session("no plan", **ONE) as session, pytest.raises(NoCandidateError):
        session.plan("Describe shop.log")


@pytest.mark.parametrize("path", ["shop.log", "logs/shop 2.log", "notes", "a'b.txt"])
@pytest.mark.parametrize("kind", ["replace", "remove"])
def test_what_could_be_asked_instead_asks_for_it(path: str, kind: Any) -> None:
    """The example in the sentence is one that the permission of requests knows."""
    held = Extent(size_bytes=12, lines=3)
    lost = FileEffect(kind=kind, path=path, before=held, after=None if kind == "remove" else held)
    example = refusal_of([lost]).partition("“")[2].partition("”")[0]
    assert Permission(example).allows(lost)
    assert not Permission(f"Show {path}").allows(lost)


def test_a_removal_is_told_as_one(bench: Bench, log: Path) -> None:
    """The sentence says what would be gone, and how to ask for that."""
    with bench.session([REMOVE, END], **ONE) as session:
        run = session.run("Describe shop.log", approve="auto")
    assert run.answer is not None
    assert "removes shop.log, which holds 3 lines (12 bytes)" in run.answer
    assert "“Delete shop.log”" in run.answer
    assert log.exists()
