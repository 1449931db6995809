"""Resuming: done steps stay done, approvals hold, and uncertain steps are asked about."""

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
    """A bench with a tool that has a real side effect."""
    done = bench.root / "done.txt"

    def add(line: str) -> str:
        with done.open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    bench.offer("add", add, effect="writes")
    return bench


def lines(bench: Bench) -> list[str]:
    """Return the lines that were added."""
    done = bench.root / "done.txt"
    return done.read_text().split() if done.exists() else []


def paused(bench: Bench, plan: list[Any], *, after: int = 1, **settings: Any) -> Run:
    """Return a run that was paused while a step was running."""
    with bench.session(**settings) as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (after, "in_progress"):
                session.pause()

        run = session.execute(plan, approve="auto", on_event=on_event)
    assert run.state == "paused"
    return run


def copy_of(home: Path, target: Path) -> None:
    """Copy a home in its current state, as a process killed now would leave it."""
    target.mkdir()
    with (
        closing(sqlite3.connect(home / "journal.sqlite3")) as source,
        closing(sqlite3.connect(target / "journal.sqlite3")) as copy,
    ):
        source.backup(copy)


def died(bench: Bench, plan: list[Any], *, effect: str = "writes", **settings: Any) -> Bench:
    """Return a bench whose home is that of a process which died during the tool `die`."""
    left = replace(bench, home=bench.home.with_name("left"))

    def die(**_args: object) -> str:
        if not left.home.exists():
            copy_of(bench.home, left.home)
        return "died"

    bench.offer("die", die, effect=effect)
    bench.run(plan, OKSO_RUN_ID="mine", **settings)
    return left


def deciding(*answers: object) -> tuple[Callable[[Plan], object], list[list[int]]]:
    """Return an approver with these answers, and a list of the step ids of each question."""
    asked: list[list[int]] = []

    def approve(plan: Plan) -> object:
        asked.append([step.id for step in plan.steps])
        return answers[len(asked) - 1]

    return approve, asked


DIE: dict[str, Any] = {"tool": "die", "args": {}}


def never(plan: Plan) -> str:
    """Raise an error if approval is requested."""
    raise AssertionError(plan)


def test_a_paused_run_resumes_where_it_stopped(bench: Bench) -> None:
    """No step is repeated, no question asked again, and the answer covers all steps."""
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
def test_a_step_interrupted_in_its_effect_asks(
    bench: Bench, answer: str, status: str, state: str
) -> None:
    """If approved it runs again, if rejected it is left out; no other step is affected."""
    left = died(bench, [add("a"), DIE, END])
    with left.session() as session:
        approve, asked = deciding(answer)
        run = session.resume("mine", approve=approve)
    assert asked == [[2]]
    assert statuses(run)[2] == status
    assert run.state == state
    assert lines(bench) == ["a"]


def test_an_uncertain_step_without_a_person_keeps_the_run_paused(bench: Bench) -> None:
    """No policy decides about an uncertain step; the run stays paused and resumable."""
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


def test_an_interrupted_step_that_only_reads_runs_again(bench: Bench) -> None:
    """It runs again even with no retries left: an interrupted attempt does not count."""
    left = died(bench, [add("a"), {**DIE, "max_retries": 0}, END], effect="reads")
    with left.session() as session:
        run = session.resume("mine", approve=never)
    assert run.state == "completed"
    assert [seen.call.attempt for seen in run.steps_seen if seen.call.step_id == 2] == [1]
    assert lines(bench) == ["a"]


def test_used_up_retries_stay_used_up(bench: Bench) -> None:
    """The attempts of a step are counted across both processes."""
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


def test_the_terminal_keeps_its_working_folder(bench: Bench) -> None:
    """A `cd` before the pause still holds after resuming."""
    (bench.root / "sub").mkdir()
    (bench.root / "sub" / "inner.txt").write_text("x\n")
    go = {"tool": "terminal", "args": {"command": "cd", "args": ["sub"]}}
    look = {"tool": "terminal", "args": {"command": "ls", "args": []}}
    before = paused(bench, [go, look, END])
    with bench.session() as session:
        run = session.resume(before.id, approve=never)
    assert run.steps_seen[1].text.strip().endswith("inner.txt")


def test_a_step_with_a_redacted_secret_asks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step whose arguments were redacted does not run unless a person approves it."""
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
def test_variables_of_python_do_not_survive_a_pause(bench: Bench) -> None:
    """A later Python step asks after resuming; if approved, it runs."""
    python = {"tool": "python_repl", "args": {"input": "print(6 * 7)"}}
    before = paused(bench, [python, python, END])
    with bench.session() as session:
        approve, asked = deciding("approve")
        run = session.resume(before.id, approve=approve)
    assert asked == [[2]]
    assert run.state == "completed"


# --- what waits for a decision -----------------------------------------------------------


def test_an_open_form_is_shown_again(bench: Bench) -> None:
    """A run that died before the decision shows its plan again; feedback is respected."""
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
    """A plan that was never submitted for approval can be executed but not resumed."""
    with bench.session([add("a"), END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("write a")
    with bench.session() as session:
        assert session.resumable() == []
        with pytest.raises(UsageError, match="is draft and cannot be resumed"):
            session.resume(planning.run_id, approve=never)
    assert lines(bench) == []


# --- what is refused ---------------------------------------------------------------------


def test_a_run_that_has_ended_is_refused(bench: Bench) -> None:
    """Resuming a completed, cancelled or dry run is an error, and nothing is recorded."""
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
def test_an_unknown_run_is_refused(bench: Bench, run_id: str) -> None:
    """Resuming an id that is not in the journal is an error and creates no folder."""
    with bench.session() as session, pytest.raises(JournalError, match="there is no run"):
        session.resume(run_id)
    assert not (bench.home / "runs").exists()


def test_a_run_of_another_folder_is_refused(bench: Bench, tmp_path: Path) -> None:
    """The error names the run's folder; the run is not listed, and no step runs."""
    before = paused(bench, [add("a"), add("b"), END])
    elsewhere = replace(bench, root=tmp_path / "elsewhere")
    elsewhere.root.mkdir()
    with elsewhere.session() as session:
        assert session.resumable() == []
        with pytest.raises(UsageError, match=f"belongs to the folder {bench.root}"):
            session.resume(before.id, approve=never)
    assert lines(bench) == ["a"]


def test_a_plan_whose_tool_is_missing_is_refused(bench: Bench) -> None:
    """The error names the step and the tool, and the run stays resumable."""
    before = paused(bench, [add("a"), add("b"), END])
    bare = Bench(root=bench.root, home=bench.home)
    with (
        bare.session() as session,
        pytest.raises(PlanError, match="step 1: there is no tool 'add'"),
    ):
        session.resume(before.id, approve=never)
    with bench.session() as session:
        assert session.resume(before.id, approve=never).state == "completed"


@pytest.mark.slow
def test_two_kernels_cannot_run_one_plan(bench: Bench) -> None:
    """While a run is being resumed it is not listed, and a second resume is refused."""
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
    """The settings the run started with hold, whatever the resuming session has."""
    lost = {"tool": "file_read", "args": {"path": "no"}}
    before = paused(bench, [add("a"), lost, add("c"), END], ON_FAILURE="skip")
    with bench.session(ON_FAILURE="stop") as session:
        run = session.resume(before.id, approve=never)
    assert statuses(run)[3] == "completed"
    assert lines(bench) == ["a", "c"]


def test_a_damaged_run_does_not_hide_others(bench: Bench) -> None:
    """A run whose plan cannot be read is not listed, and resuming it by id is refused."""
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
