"""A request whose only plans lose a file unasked: the plans are withheld."""

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
from tests.each_row import each_row

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
    """A file with content."""
    file = bench.root / "shop.log"
    file.write_text("one\ntwo\n333\n")
    return file


@pytest.mark.parametrize("approve_as", ["auto", "ask", lambda _plan: "approve"])
def test_a_withheld_plan_is_reported_in_one_sentence(
    bench: Bench, log: Path, approve_as: Any
) -> None:
    """The run completes like every refusal, no one is asked, and the file is unchanged."""
    with bench.session([WRITE, END], **ONE) as session:
        run = session.execute(session.plan("Describe shop.log"), approve=approve_as)
    assert (run.state, run.answer) == ("completed", SAID)
    assert log.read_text() == "one\ntwo\n333\n"
    assert kinds(run, "call_started", "validation") == []
    assert list(run.candidates["chosen"]) == [True]


def test_a_withheld_plan_is_recorded(bench: Bench) -> None:
    """Planning and journal contain the withheld plan and why it is not a candidate."""
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


def test_a_plan_without_loss_is_chosen(bench: Bench) -> None:
    """If one candidate loses nothing, it is chosen, and lossy ones are left out."""
    with bench.session([WRITE, END], [READ, END], PLANNER_SAMPLE_COUNT=2) as session:
        planning = session.plan("Describe shop.log")
    assert (planning.reply, planning.plan.tools) == ("", ("file_read", "final_answer"))


@pytest.mark.parametrize("algorithm", ["beam", "astar", "mcts"])
def test_a_tree_search_withholds_lossy_plans_too(bench: Bench, algorithm: str) -> None:
    """Plans that are built step by step are withheld, too."""
    drawn = [[WRITE, END]] * 40
    session = bench.session(*drawn, PLAN_ALGORITHM=algorithm, **ONE)
    planning = session.plan("Describe shop.log")
    assert planning.reply.startswith("I cannot do that: the plan that I found replaces 3 lines")


@pytest.mark.parametrize(
    "settings", [{"PLAN_ENABLED": False}, {"EXECUTOR_MODE": "react"}, {"SCORE_PRESET": "okso"}]
)
def test_every_mode_withholds_a_lossy_plan(bench: Bench, settings: dict[str, Any]) -> None:
    """One call without planning, react mode and the preset okso give the same refusal."""
    with bench.session([WRITE, END], **ONE, **settings) as session:
        run = session.run("Describe shop.log", approve="auto")
    assert (run.state, run.answer) == ("completed", SAID)


def test_feedback_may_allow_the_loss(bench: Bench, log: Path) -> None:
    """If the feedback says to overwrite the file, the plan replaces it."""
    answers: list[object] = [Feedback("overwrite shop.log"), "approve"]
    with bench.session([WRITE, END], [WRITE, END], **ONE) as session:
        planning = session.plan("Describe shop.log")
        run = session.execute(planning, approve=lambda _plan: answers.pop(0))
    assert (run.state, log.read_text()) == ("completed", "shop.log")


def test_a_lossy_plan_after_feedback_is_a_refusal(bench: Bench, log: Path) -> None:
    """The run completes with the refusal in place of the plan; it is not an error."""
    answers: list[object] = [Feedback("shorter"), "approve"]
    with bench.session([READ, END], [WRITE, END], **ONE) as session:
        planning = session.plan("Describe shop.log")
        run = session.execute(planning, approve=lambda _plan: answers.pop(0))
    assert (run.state, run.answer) == ("completed", SAID)
    assert log.read_text() == "one\ntwo\n333\n"


def test_a_lossy_new_plan_for_a_failed_run_is_not_a_refusal(bench: Bench, log: Path) -> None:
    """The run fails because of its failed step, not with a refusal; the file is unchanged."""
    gone = {"tool": "file_read", "args": {"path": "gone.txt"}}
    chosen = {"ON_FAILURE": "replan", "PLAN_MAX_REPLANS": 1, **ONE}
    with bench.session([gone, END], [WRITE, END], **chosen) as session:
        run = session.run("Describe gone.txt", approve="auto")
    assert run.state == "failed"
    assert log.read_text() == "one\ntwo\n333\n"


def test_a_replay_gives_the_same_refusal(bench: Bench, tmp_path: Path) -> None:
    """A replay needs only the recording: it works without the file."""
    boundary = str(tmp_path / "tape.json")
    with bench.session([WRITE, END], OKSO_RECORD=boundary, **ONE) as session:
        session.run("Describe shop.log", approve="auto")
    (bench.root / "shop.log").unlink()
    with bench.session(OKSO_REPLAY=boundary, **ONE) as session:
        assert session.run("Describe shop.log", approve="auto").answer == SAID


def test_unusable_samples_are_still_an_error(bench: Bench) -> None:
    """If no sample is a plan, the error is NoCandidateError: no plan was withheld."""
    with bench.session("no plan", **ONE) as session, pytest.raises(NoCandidateError):
        session.plan("Describe shop.log")


@each_row("path", ["shop.log", "logs/shop 2.log", "notes", "a'b.txt"])
@each_row("kind", ["replace", "remove"])
def test_the_suggested_request_permits_the_change(path: str, kind: Any) -> None:
    """The example request in the refusal is accepted by the check of permissions."""
    held = Extent(size_bytes=12, lines=3)
    lost = FileEffect(kind=kind, path=path, before=held, after=None if kind == "remove" else held)
    example = refusal_of([lost]).partition("“")[2].partition("”")[0]
    assert Permission(example).allows(lost)
    assert not Permission(f"Show {path}").allows(lost)


def test_a_withheld_removal_is_reported_as_one(bench: Bench, log: Path) -> None:
    """The refusal says what would be removed and how to request that."""
    with bench.session([REMOVE, END], **ONE) as session:
        run = session.run("Describe shop.log", approve="auto")
    assert run.answer is not None
    assert "removes shop.log, which holds 3 lines (12 bytes)" in run.answer
    assert "“Delete shop.log”" in run.answer
    assert log.exists()


@pytest.mark.process
def test_a_plan_that_breaks_a_data_file_is_withheld(bench: Bench) -> None:
    """Text behind the end of a JSON file is a loss that no request asks for."""
    file = bench.root / "shop.json"
    file.write_text('{"owners": []}', "utf-8")
    step: dict[str, Any] = {"path": "shop.json", "content": "Al", "mode": "append"}
    plan = [{"tool": "file_write", "args": step}, {"tool": "final_answer", "args": {}}]
    with bench.session(plan, PLANNER_SAMPLE_COUNT=1) as session:
        run = session.execute(session.plan("Put the owner Al into shop.json"), approve="auto")
    assert run.answer is not None
    assert "so that it is no longer valid JSON, which the request does not ask" in run.answer
    assert file.read_text("utf-8") == '{"owners": []}'
