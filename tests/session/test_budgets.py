"""A run that has spent a budget pauses and asks a person; nothing runs past it on another path."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from okso_jupyter.journal.store import Journal
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.spending import BUDGETS
from okso_jupyter.results import Run
from tests.approval.person import Person, approve, reject
from tests.bench import END, Bench, bodies, kinds

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
SEND: dict[str, Any] = {"tool": "send", "args": {}}
LOST: dict[str, Any] = {"tool": "file_read", "args": {"path": "nowhere.bin"}}


def write(path: str) -> dict[str, Any]:
    """Return a step that writes three bytes."""
    return {"tool": "file_write", "args": {"path": path, "content": "tea"}}


READS = [READ] * 5 + [END]
STEPS = [READ, write("a.txt"), SEND, write("b.txt"), SEND, END]


@pytest.fixture(name="bench")
def _bench(bench: Bench) -> Bench:
    """A bench with a tool that sends."""
    bench.offer("send", lambda: "sent", effect="network")
    return bench


def called(run: Run) -> list[str]:
    """Return the tools that were called."""
    return [body["tool"] for body in bodies(run, "call_started")]


def yes(_plan: Plan) -> str:
    """Approve whatever is shown."""
    return "approve"


def first_times(bench: Bench) -> dict[str, str]:
    """Return when each run began."""
    with bench.session() as session:
        return session.journal.first_times()


def damage(bench: Bench, run_id: str) -> None:
    """Write a record into a run that cannot be read."""
    with closing(sqlite3.connect(bench.home / "journal.sqlite3")) as database, database:
        database.execute(
            "INSERT INTO record (run_id, kind, at, schema_version, body) "
            "SELECT run_id, 'run_state', at, schema_version, '{}' FROM record "
            "WHERE run_id = ? LIMIT 1",
            (run_id,),
        )


LIMITS = [
    ({"BUDGET_STEPS": 2}, ["file_read", "file_write"]),
    ({"BUDGET_TIME_S": 1e-6}, []),
    ({"BUDGET_WRITTEN_BYTES": 3}, ["file_read", "file_write", "send"]),
    ({"BUDGET_REQUESTS": 1}, ["file_read", "file_write", "send", "file_write"]),
]


@pytest.mark.parametrize(("limit", "before"), LIMITS)
def test_a_limit_pauses_a_run_that_nobody_watches(
    bench: Bench, limit: dict[str, Any], before: list[str]
) -> None:
    """It says why in one sentence, and goes on in a session with no limit."""
    run = bench.run(STEPS, approve="auto", PLAN_MAX_PARALLEL=1, **limit)
    (name,) = limit
    assert (run.state, called(run)) == ("paused", before)
    (said,) = bodies(run, "declined")
    assert name in said["reason"]
    assert "\n" not in said["reason"]
    with bench.session() as session:
        resumed = session.resume(run.id, approve="auto")
    assert resumed.state == "completed"
    assert called(resumed) == ["file_read", "file_write", "send", "file_write", "send"]


def test_runs_of_a_day_share_a_budget(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the runs before have spent counts; each run is asked about on its own."""
    day: dict[str, Any] = {"BUDGET_DAY_STEPS": 6, "PLAN_MAX_PARALLEL": 1}
    first = bench.run(READS, approve="auto", **day)
    assert (first.state, len(called(first))) == ("completed", 5)
    second = bench.run(READS, approve="auto", **day)
    assert (second.state, len(called(second))) == ("paused", 1)
    assert second.failure == "BUDGET_DAY_STEPS is used up: 6 of 6 calls"
    Person(monkeypatch, [approve])
    third = bench.run(READS, approve=yes, **day)
    assert (third.state, len(called(third))) == ("completed", 5)
    assert [body["limit"] for body in bodies(third, "budget_raised")] == [12]


@pytest.mark.parametrize("allowed", [2, 7])
def test_runs_of_the_same_moment_share_a_budget(bench: Bench, allowed: int) -> None:
    """Two runs that have both begun to execute make no more calls together than the day has."""
    day: dict[str, Any] = {"BUDGET_DAY_STEPS": allowed, "PLAN_MAX_PARALLEL": 2}
    both = Barrier(2)
    bench.offer("meet", lambda: str(both.wait(60)), effect="reads")
    steps = [{"tool": "meet", "args": {}}, *[{**READ, "depends_on": [1]}] * 5, END]

    def run() -> Run:
        with bench.session(**day) as session:
            return session.execute(steps, approve="auto")

    with ThreadPoolExecutor(2) as pool:
        runs = [made.result() for made in [pool.submit(run), pool.submit(run)]]
    assert sum(len(called(run)) for run in runs) == allowed


def test_runs_of_another_day_do_not_count(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget of a day is for the runs that began on it."""
    bench.run(READS, approve="auto")
    days_ago = dict.fromkeys(first_times(bench), "2020-01-01T00:00:00+00:00")
    monkeypatch.setattr(Journal, "first_times", lambda _self: days_ago)
    run = bench.run(READS, approve="auto", BUDGET_DAY_STEPS=5)
    assert run.state == "completed"


def test_a_damaged_run_of_today_stops_no_other(bench: Bench) -> None:
    """It counts as nothing."""
    damage(bench, bench.run(READS, approve="auto").id)
    run = bench.run(READS, approve="auto", BUDGET_DAY_STEPS=5)
    assert run.state == "completed"


def test_a_resumed_run_does_not_begin_anew(bench: Bench) -> None:
    """What was spent before counts after a resume."""
    run = bench.run(STEPS, approve="auto", BUDGET_STEPS=2)
    with bench.session(BUDGET_STEPS=2) as session:
        again = session.resume(run.id, approve="auto")
    assert (again.state, len(called(again))) == ("paused", 2)


def test_a_person_allows_as_much_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calls, then two more, then the last one."""
    Person(monkeypatch, [approve] * 3)
    run = bench.run(STEPS, approve="ask", BUDGET_STEPS=2)
    assert (run.state, len(called(run))) == ("completed", 5)
    assert [body["limit"] for body in bodies(run, "budget_raised")] == [4, 6]


def test_a_person_who_says_no_ends_the_run(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done stays, nothing more runs, and one sentence says why."""
    Person(monkeypatch, [approve, reject])
    run = bench.run(STEPS, approve="ask", BUDGET_STEPS=2)
    assert (run.state, len(called(run))) == ("cancelled", 2)
    said = "BUDGET_STEPS is used up: 2 of 2 calls, and a person did not allow more"
    assert run.failure == said
    assert not kinds(run, "budget_raised")


def test_no_new_plan_goes_past_a_limit(bench: Bench) -> None:
    """A plan made after a failure is not executed past it."""
    run = bench.run(
        [LOST, {**SEND, "depends_on": [1]}, END],
        [write("a.txt"), END],
        approve="auto",
        ON_FAILURE="replan",
        PLANNER_SAMPLE_COUNT=1,
        BUDGET_STEPS=1,
    )
    assert (run.state, called(run)) == ("paused", ["file_read"])
    assert not (bench.root / "a.txt").exists()


@pytest.mark.parametrize("parallel", [1, 4])
def test_steps_side_by_side_keep_to_a_limit(bench: Bench, parallel: int) -> None:
    """Calls that would start at the same time are counted one by one."""
    run = bench.run([READ] * 5 + [END], approve="auto", BUDGET_STEPS=3, PLAN_MAX_PARALLEL=parallel)
    assert (run.state, len(called(run))) == ("paused", 3)


def test_no_argument_is_filled_past_a_limit(bench: Bench) -> None:
    """No model is asked to fill a call that would not be made."""
    open_step = {**write(""), "depends_on": [1]}
    run = bench.run([READ, open_step, END], approve="auto", BUDGET_STEPS=1)
    assert (run.state, called(run)) == ("paused", ["file_read"])


def test_a_call_is_filled_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model that fills an argument may spend the last tokens; the answer is asked about."""
    open_step = {**write(""), "depends_on": [1]}
    Person(monkeypatch, [approve, approve, reject])
    run = bench.run([READ, open_step, END], {"path": "a.txt"}, approve="ask", BUDGET_TOKENS=1)
    assert (run.state, called(run)) == ("cancelled", ["file_read", "file_write"])


def test_no_workflow_runs_past_a_limit(bench: Bench) -> None:
    """A plan that was saved keeps to the limit of the session that runs it."""
    plan = bench.run([READ, SEND, END], approve="auto").plan
    assert plan is not None
    run = bench.run(plan, approve="auto", BUDGET_STEPS=1)
    assert (run.state, called(run)) == ("paused", ["file_read"])


def test_a_run_that_met_a_budget_is_replayed(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replay meets the budget and goes on where the recorded run did, and asks nobody."""
    person = Person(monkeypatch, [approve])
    file = tmp_path / "demo.json"
    with bench.session([READ, SEND, END], OKSO_RECORD=str(file), PLANNER_SAMPLE_COUNT=1,
                       BUDGET_STEPS=1) as session:  # fmt: skip
        run = session.run("read notes.txt", approve=yes)
    with bench.session(OKSO_REPLAY=str(file), PLANNER_SAMPLE_COUNT=1, BUDGET_STEPS=1) as session:
        again = session.run("read notes.txt")
    met = ("budget_reached", "budget_raised")
    assert person.left == 0
    assert (again.state, again.answer) == (run.state, run.answer)
    assert kinds(again, *met) == kinds(run, *met) == list(met)


def test_what_was_spent_is_read_from_the_journal(bench: Bench) -> None:
    """Calls, requests and bytes of a finished run."""
    with bench.session(STEPS, PLANNER_SAMPLE_COUNT=1) as session:
        run = session.run("read notes.txt and send it", approve=yes)
    spent = run.view.spending.spent
    assert (spent.steps, spent.requests, spent.written_bytes) == (5, 2, 6)
    assert spent.tokens > 0
    assert spent.work_s > 0
    assert len(BUDGETS) == 10
