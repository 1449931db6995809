"""No path spends more than a budget allows unless a person agrees; a function is no person."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ReplayMissError
from okso_jupyter.plan.records import Feedback
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from tests.approval.person import Person, approve
from tests.bench import END, Bench, bodies, kinds
from tests.session.test_file_trust import write_workflow

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
READS = [READ] * 4 + [END]
RULES = '[[rule]]\ndecision = "allow"\ntool = ["file_read", "send"]\n'


@pytest.fixture(name="bench")
def _bench(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench with a tool that sends, and rules that allow all that the tests call."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = tmp_path / "config" / "okso" / "okso-policy.toml"
    file.parent.mkdir(parents=True)
    file.write_text(RULES)
    bench.offer("send", lambda: "sent", effect="network")
    return bench


def called(run: Run) -> int:
    """Return the number of calls that were made."""
    return kinds(run).count("call_started")


def yes(_plan: object) -> str:
    """Approve whatever is shown."""
    return "approve"


WAYS: list[tuple[Any, dict[str, Any]]] = [
    ("ask", {}), ("auto", {}), (None, {"APPROVE_ALL": True}), (yes, {})
]  # fmt: skip


@pytest.mark.parametrize("name", ["BUDGET_STEPS", "BUDGET_DAY_STEPS"])
@pytest.mark.parametrize(("way", "settings"), WAYS)
def test_nobody_but_a_person_allows_more(
    bench: Bench, name: str, way: Any, settings: dict[str, Any]
) -> None:
    """Neither a rule, --yes, APPROVE_ALL nor a function; the run pauses and can be resumed."""
    limit: dict[str, Any] = {name: 2}
    run = bench.run(READS, approve=way, **limit, **settings)
    assert (run.state, called(run)) == ("paused", 2)
    assert not kinds(run, "budget_raised")
    with bench.session(**limit, **settings) as session:
        again = session.resume(run.id, approve=way or "auto")
    assert (again.state, called(again)) == ("paused", 2)


def test_a_function_that_turns_to_feedback_allows_no_more(bench: Bench) -> None:
    """It is asked about the plan, and not about the budget: no other plan is made."""
    answers: list[object] = ["approve", Feedback("go on")]
    run = bench.run(READS, approve=lambda _plan: answers.pop(0), BUDGET_STEPS=2)
    assert (run.state, called(run), len(answers)) == ("paused", 2, 1)


def test_a_person_is_asked_in_place_of_a_function(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a person can be asked, the form shows which budget is used up."""
    person = Person(monkeypatch, [approve])
    run = bench.run(READS, approve=yes, BUDGET_STEPS=2)
    assert (run.state, called(run), person.left) == ("completed", 4, 0)
    assert "BUDGET_STEPS is used up: 2 of 2 calls" in person.states[0]["head"]
    assert [made["by"] for made in bodies(run, "decision")] == ["callable", "user"]


def test_a_recorded_approval_of_the_plan_allows_no_more(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same person approved the same plan here: that was not about the budget."""
    Person(monkeypatch, [approve])
    file = str(bench.home / "run.json")
    with bench.session(OKSO_RECORD=file, FORCE_CONFIRM=True) as session:
        session.execute(READS, approve="ask")
    with pytest.raises(ReplayMissError, match="holds no decision about this plan as it is shown"):
        bench.run(READS, approve=f"replay={file}", BUDGET_TIME_S=1e-6)
    with bench.session() as session:
        runs = [session.journal.records(run_id) for run_id in session.journal.run_ids()]
    calls = [sum(record.kind == "call_started" for record in records) for records in runs]
    assert sorted(calls) == [0, 4]


@pytest.mark.parametrize("parallel", [1, 4])
def test_parallel_requests_keep_to_a_limit(bench: Bench, parallel: int) -> None:
    """Steps that may run side by side are counted one by one."""
    steps = [{"tool": "send", "args": {}, "parallel": True}] * 6
    run = bench.run([*steps, END], approve="ask", BUDGET_REQUESTS=3, PLAN_MAX_PARALLEL=parallel)
    assert (run.state, called(run)) == ("paused", 3)


def test_a_retry_is_a_call(bench: Bench) -> None:
    """A tool that fails again and again does not go on past the limit."""

    def busy() -> None:
        msg = "too busy"
        raise TimeoutError(msg)

    bench.offer("busy", busy, effect="reads")
    run = bench.run([{"tool": "busy", "max_retries": 5}, END], BUDGET_STEPS=2)
    assert (run.state, called(run)) == ("paused", 2)


def test_the_steps_of_a_workflow_are_counted(bench: Bench) -> None:
    """A workflow is one step of the plan, and as many calls as it makes."""
    file = write_workflow(bench.root / "mine" / "count.json", steps=[READ, READ, READ])
    call = {"tool": "workflow_count", "args": {"file": "notes.txt"}}
    settings = {
        "OKSO_HOME": str(bench.home), "WORKFLOWS_DIR": str(file.parent), "BUDGET_STEPS": 2,
    }  # fmt: skip
    with Session(settings, root=bench.root) as session:
        run = session.execute([call, END], approve="auto")
    assert (run.state, called(run)) == ("paused", 2)


#: Runs a plan whose first call waits until the other process makes its first call, too.
_CHILD = """
import sys, time
from pathlib import Path
from tests.bench import END, Bench

root, home, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

def meet():
    (home / f"{name}.met").touch()
    while len(list(home.glob("*.met"))) < 2:
        time.sleep(0.01)
    return "met"

bench = Bench(root, home)
bench.offer("meet", meet, effect="reads")
read = {"tool": "file_read", "args": {"path": "notes.txt"}, "depends_on": [1]}
run = bench.run([{"tool": "meet", "args": {}}, *[read] * 6, END], BUDGET_DAY_STEPS=7)
print(run.state)
"""


@pytest.mark.process
def test_two_processes_share_the_budget_of_a_day(bench: Bench) -> None:
    """Both are in the middle of their plans; together they make no more calls than the day has."""
    children = [
        subprocess.Popen(  # noqa: S603  our own command line
            [sys.executable, "-c", _CHILD, str(bench.root), str(bench.home), name],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    said = [child.communicate(timeout=120)[0].strip() for child in children]
    with bench.session() as session:
        runs = [session.journal.records(run_id) for run_id in session.journal.run_ids()]
    calls = [sum(record.kind == "call_started" for record in records) for records in runs]
    assert "paused" in said
    assert (len(calls), sum(calls), min(calls) >= 1) == (2, 7, True)
