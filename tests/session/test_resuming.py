"""Resuming: what is done stays done, what was approved is not asked, what nobody knows is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Run
from okso_jupyter.errors import ApprovalError, JournalError, PlanError, UsageError
from okso_jupyter.journal.events import read_event
from okso_jupyter.plan.plan import Plan
from tests.bench import END, Bench, bodies, statuses
from tests.blank import blank


def add(line: str, **more: Any) -> dict[str, Any]:
    """Return a step that adds a line to done.txt."""
    return {"tool": "add", "args": {"line": line}, **more}


@pytest.fixture(name="bench")
def _bench(bench: Bench) -> Bench:
    """A bench with a tool that has a real effect."""
    done = bench.root / "done.txt"

    def add(line: str) -> str:
        with done.open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    bench.offer("add", add, effect="writes")
    return bench


def lines(bench: Bench) -> list[str]:
    """Return what was added."""
    done = bench.root / "done.txt"
    return done.read_text().split() if done.exists() else []


def paused(bench: Bench, plan: list[Any], *, after: int = 1, **settings: Any) -> Run:
    """Return a run that was paused while a step ran."""
    with bench.session(**settings) as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (after, "in_progress"):
                session.pause()

        run = session.execute(plan, approve="auto", on_event=on_event)
    assert run.state == "paused"
    return run


def copy_of(home: Path, target: Path) -> None:
    """Copy a home as it is at this moment: what a process leaves that is killed now."""
    target.mkdir()
    with (
        closing(sqlite3.connect(home / "journal.sqlite3")) as source,
        closing(sqlite3.connect(target / "journal.sqlite3")) as copy,
    ):
        source.backup(copy)


def died(bench: Bench, plan: list[Any], *, effect: str = "writes", **settings: Any) -> Bench:
    """Return a bench with what is left where the process dies while the tool `die` runs."""
    left = replace(bench, home=bench.home.with_name("left"))

    def die(**_args: object) -> str:
        if not left.home.exists():
            copy_of(bench.home, left.home)
        return "died"

    bench.offer("die", die, effect=effect)
    bench.run(plan, OKSO_RUN_ID="mine", **settings)
    return left


def deciding(*answers: object) -> tuple[Callable[[Plan], object], list[list[int]]]:
    """Return who answers one after the other, and a list of the steps that were asked about."""
    asked: list[list[int]] = []

    def approve(plan: Plan) -> object:
        asked.append([step.id for step in plan.steps])
        return answers[len(asked) - 1]

    return approve, asked


DIE: dict[str, Any] = {"tool": "die", "args": {}}


def never(plan: Plan) -> str:
    """Fail where anybody is asked."""
    raise AssertionError(plan)


def test_a_paused_run_goes_on_where_it_was(bench: Bench) -> None:
    """Nothing is done twice, nobody is asked again, and the answer tells of all of it."""
    before = paused(bench, [add("a"), add("b"), END])
    with bench.session() as session:
        run = session.resume(before.id, approve=never)
    assert lines(bench) == ["a", "b"]
    assert (run.id, run.state) == (before.id, "completed")
    assert run.answer == "added a\nadded b"
    assert statuses(run) == {1: "completed", 2: "completed", 3: "completed"}
    assert [body["after"] for body in bodies(run, "run_state")] == [
        "awaiting_approval", "approved", "executing", "paused", "executing", "completed"
    ]  # fmt: skip
    assert len(list(bodies(run, "decision"))) == 1


# --- what died ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "status", "state"),
    [("approve", "completed", "completed"), ("reject", "uncertain", "completed")],
)
def test_a_step_that_died_in_an_effect_asks(
    bench: Bench, answer: str, status: str, state: str
) -> None:
    """Approved it runs again, rejected it is left out; nothing else is asked or done twice."""
    left = died(bench, [add("a"), DIE, END])
    with left.session() as session:
        approve, asked = deciding(answer)
        run = session.resume("mine", approve=approve)
    assert asked == [[2]]
    assert statuses(run)[2] == status
    assert run.state == state
    assert lines(bench) == ["a"]


def test_nobody_to_ask_leaves_it_paused(bench: Bench) -> None:
    """No policy decides about an uncertain step; the run stays, and can be gone on with later."""
    left = died(bench, [DIE, add("a"), END])
    (bench.root / "done.txt").unlink()
    with left.session() as session:
        for _ in range(2):
            with pytest.raises(ApprovalError, match="step 1"):
                session.resume("mine", approve="auto")
            assert session.load_run("mine").state == "paused"
        assert lines(bench) == []
        approve, _ = deciding("approve")
        assert session.resume("mine", approve=approve).state == "completed"
    assert lines(bench) == ["a"]


def test_a_step_that_only_read_runs_again(bench: Bench) -> None:
    """Even with its one attempt begun: what was interrupted counts for nothing."""
    left = died(bench, [add("a"), {**DIE, "max_retries": 0}, END], effect="reads")
    with left.session() as session:
        run = session.resume("mine", approve=never)
    assert run.state == "completed"
    assert [seen.call.attempt for seen in run.steps_seen if seen.call.step_id == 2] == [1]
    assert lines(bench) == ["a"]


def test_retries_that_were_used_up_stay_used_up(bench: Bench) -> None:
    """The attempts of a step are counted over both processes."""
    calls: list[int] = []

    def flaky() -> str:
        calls.append(1)
        if len(calls) == 2 and not left.home.exists():
            copy_of(bench.home, left.home)
        raise TimeoutError

    left = replace(bench, home=bench.home.with_name("left"))
    bench.offer("flaky", flaky, effect="reads")
    bench.run([{"tool": "flaky", "args": {}, "max_retries": 2}, END], OKSO_RUN_ID="mine",
              ON_FAILURE="stop")  # fmt: skip
    assert len(calls) == 3
    with left.session() as session:
        run = session.resume("mine", approve=never)
    assert [seen.call.attempt for seen in run.steps_seen if seen.exit_code is not None] == [1, 2, 3]
    assert len(calls) == 5  # the second, which was interrupted, and the third


def test_the_terminal_is_where_it_was_left(bench: Bench) -> None:
    """A `cd` before the pause holds after it."""
    (bench.root / "sub").mkdir()
    (bench.root / "sub" / "inner.txt").write_text("x\n")
    go = {"tool": "terminal", "args": {"command": "cd", "args": ["sub"]}}
    look = {"tool": "terminal", "args": {"command": "ls", "args": []}}
    before = paused(bench, [go, look, END])
    with bench.session() as session:
        run = session.resume(before.id, approve=never)
    assert run.steps_seen[1].text.strip().endswith("inner.txt")


def test_a_secret_that_the_journal_does_not_keep_asks(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step whose arguments were redacted does not run as written, unless a person says so."""
    monkeypatch.setenv("SOME_TOKEN", "hunter2-hunter2")
    before = paused(bench, [add("a"), add("hunter2-hunter2"), END])
    with bench.session() as session:
        with pytest.raises(ApprovalError, match="step 2"):
            session.resume(before.id, approve="auto")
        approve, asked = deciding("reject")
        run = session.resume(before.id, approve=approve)
    assert (asked, run.state) == ([[2]], "cancelled")
    assert lines(bench) == ["a"]


@pytest.mark.process
def test_variables_of_python_do_not_survive(bench: Bench) -> None:
    """A later step of Python asks; one that is approved then runs."""
    python = {"tool": "python_repl", "args": {"input": "print(6 * 7)"}}
    before = paused(bench, [python, python, END])
    with bench.session() as session:
        approve, asked = deciding("approve")
        run = session.resume(before.id, approve=approve)
    assert asked == [[2]]
    assert run.state == "completed"


# --- what waits for a decision -----------------------------------------------------------


def test_a_form_that_was_open_is_shown_again(bench: Bench) -> None:
    """A run that died before anybody decided takes its plan up again; feedback is heeded."""
    left = replace(bench, home=bench.home.with_name("left"))

    def approve(_plan: Plan) -> str:
        copy_of(bench.home, left.home)
        return "reject"

    few: dict[str, Any] = {"OKSO_RUN_ID": "mine", "PLANNER_SAMPLE_COUNT": 1}
    plan = {"request": "write it", "steps": [add("a"), END]}
    assert bench.run(plan, approve=approve, **few).state == "cancelled"
    with left.session([add("b"), END]) as session:
        assert [run.state for run in session.resumable()] == ["awaiting_approval"]
        again, asked = deciding(Feedback("write b"), "approve")
        run = session.resume("mine", approve=again)
    assert asked == [[1, 2], [1, 2]]
    assert (run.state, lines(bench)) == ("completed", ["b"])
    assert run.plan is not None
    assert run.plan.version == 2


def test_a_draft_cannot_be_resumed(bench: Bench) -> None:
    """What was planned, and shown to nobody for approval, is executed or left."""
    with bench.session([add("a"), END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("write a")
    with bench.session() as session:
        assert session.resumable() == []
        with pytest.raises(UsageError, match="is draft and cannot be resumed"):
            session.resume(planning.run_id, approve=never)
    assert lines(bench) == []


# --- what is refused ---------------------------------------------------------------------


def test_a_run_that_has_ended_is_refused(bench: Bench) -> None:
    """Completed, cancelled, and a rehearsal: one sentence each, and nothing is written."""
    ended = {
        "completed": bench.run([add("a"), END]),
        "cancelled": bench.run([add("a"), END], approve="deny"),
    }  # fmt: skip
    with bench.session() as session:
        rehearsed = session.execute([add("a"), END], approve="auto", dry_run=True)
        for state, run in ended.items():
            with pytest.raises(UsageError, match=f"is {state} and cannot be resumed"):
                session.resume(run.id, approve=never)
            assert session.load_run(run.id).records == run.records
        with pytest.raises(UsageError, match="was a dry run"):
            session.resume(rehearsed.id, approve=never)
        assert session.resumable() == []
    assert lines(bench) == ["a"]


@pytest.mark.parametrize("run_id", ["nope", "../mine", ""])
def test_a_run_that_is_not_there_is_refused(bench: Bench, run_id: str) -> None:
    """An id that the journal does not know makes no folder."""
    with bench.session() as session, pytest.raises(JournalError, match="there is no run"):
        session.resume(run_id)
    assert not (bench.home / "runs").exists()


def test_a_run_of_another_folder_is_refused(bench: Bench, tmp_path: Path) -> None:
    """The sentence names both folders; the list does not show it, and nothing is done."""
    before = paused(bench, [add("a"), add("b"), END])
    elsewhere = replace(bench, root=tmp_path / "elsewhere")
    elsewhere.root.mkdir()
    with elsewhere.session() as session:
        assert session.resumable() == []
        with pytest.raises(UsageError, match=f"belongs to the folder {bench.root}"):
            session.resume(before.id, approve=never)
    assert lines(bench) == ["a"]


def test_a_plan_whose_tool_is_gone_is_refused(bench: Bench) -> None:
    """Step and tool are named, and the run stays as it was."""
    before = paused(bench, [add("a"), add("b"), END])
    bare = Bench(root=bench.root, home=bench.home)
    with (
        bare.session() as session,
        pytest.raises(PlanError, match="step 1: there is no tool 'add'"),
    ):
        session.resume(before.id, approve=never)
    with bench.session() as session:
        assert session.resume(before.id, approve=never).state == "completed"


def test_two_kernels_cannot_run_one_plan(bench: Bench) -> None:
    """While a run is being gone on with, a second one is refused, and the list is without it."""
    before = paused(bench, [add("a"), add("b"), END])
    refused: list[str] = []

    def also(event: Mapping[str, Any]) -> None:
        if event["status"] != "in_progress":
            return
        with bench.session() as other:
            assert other.resumable() == []
            with pytest.raises(UsageError) as caught:
                other.resume(before.id, approve=never)
        refused.append(caught.value.message)

    with bench.session() as session:
        run = session.resume(before.id, approve=never, on_event=also)
    assert run.state == "completed"
    assert set(refused) == {f"run {before.id} is running already, in this kernel or another one"}
    assert lines(bench) == ["a", "b"]


def test_a_run_keeps_its_settings(bench: Bench) -> None:
    """What the run was begun with holds, whatever the session that resumes it says."""
    lost = {"tool": "file_read", "args": {"path": "no"}}
    before = paused(bench, [add("a"), lost, add("c"), END], ON_FAILURE="skip")
    with bench.session(ON_FAILURE="stop") as session:
        run = session.resume(before.id, approve=never)
    assert statuses(run)[3] == "completed"
    assert lines(bench) == ["a", "c"]


def test_a_broken_run_hides_no_other(bench: Bench) -> None:
    """One whose plan cannot be read is left out of the list, and refused by its id."""
    before = paused(bench, [add("a"), add("b"), END])
    with bench.session() as session:
        session.journal.append("bent", blank("run_started", request="x", root=str(bench.root)))
        session.journal.append("bent", read_event("plan", {"plan": {"steps": "none"}}))
        session.journal.append(
            "bent",
            read_event("run_state", {"before": "executing", "event": "pause", "after": "paused"}),
        )
        assert [run.id for run in session.resumable()] == [before.id]
        with pytest.raises(PlanError):
            session.resume("bent", approve=never)
