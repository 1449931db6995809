"""Steps without approval never run: no retry, sibling, new plan or fallback runs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter.approval.form.model import FormEditor
from okso_jupyter.approval.form.widget import Form
from okso_jupyter.plan.plan import Plan
from tests.approval import person as person_module
from tests.approval.person import Person, approve, reject
from tests.approval.wire import message
from tests.bench import END, Bench, bodies
from tests.session.test_resuming import copy_of

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOST: dict[str, Any] = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": "tea"}}
EVIL: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": "evil"}}


def called(run: Any) -> list[str]:
    """Return the tools that were called."""
    return [body["tool"] for body in bodies(run, "call_started")]


def test_a_step_with_an_effect_is_not_retried(bench: Bench) -> None:
    """A tool that wrote and then failed transiently is not called again, despite retries."""

    def append() -> None:
        with (bench.root / "log.txt").open("a") as file:
            file.write("line\n")
        msg = "too busy"
        raise TimeoutError(msg)

    bench.offer("append", append, effect="writes")
    run = bench.run([{"tool": "append", "max_retries": 5}, END], ON_FAILURE="skip")
    assert (bench.root / "log.txt").read_text() == "line\n"
    assert called(run) == ["append"]


def test_a_retry_uses_the_approved_arguments(bench: Bench) -> None:
    """A retry passes the approved arguments, even if the handler modified them."""
    tries: list[list[str]] = []

    def look(items: list[str]) -> None:
        tries.append(list(items))
        items.append("more")
        msg = "too busy"
        raise TimeoutError(msg)

    bench.offer("look", look, effect="reads")
    bench.run([{"tool": "look", "args": {"items": ["a"]}}, END], ON_FAILURE="skip")
    assert tries == [["a"], ["a"]]


def test_a_dropped_step_does_not_run_after_a_new_plan(bench: Bench) -> None:
    """A write that was approved in version 1 and dropped from version 2 does not run."""
    run = bench.run(
        {"request": "x", "steps": [LOST, WRITE, END]}, [READ, END], PLANNER_SAMPLE_COUNT=1
    )
    assert called(run) == ["file_read", "file_read"]
    assert not (bench.root / "out.txt").exists()


def test_a_new_plan_does_not_run_under_the_old_approval(bench: Bench) -> None:
    """The same tool with other content is a new step; if rejected, it does not write."""
    answers = iter(["approve", "reject"])
    run = bench.run(
        {"request": "x", "steps": [LOST, WRITE, END]}, [EVIL, END],
        approve=lambda _plan: next(answers), PLANNER_SAMPLE_COUNT=1,
    )  # fmt: skip
    assert (run.state, called(run)) == ("cancelled", ["file_read"])
    assert not (bench.root / "out.txt").exists()


def test_a_new_plan_does_not_repeat_a_completed_effect(bench: Bench) -> None:
    """A new plan that begins with a completed write refers to that write."""

    def append() -> str:
        with (bench.root / "log.txt").open("a") as file:
            file.write("line\n")
        return "done"

    bench.offer("append", append, effect="writes")
    first = {"tool": "append", "args": {}}
    plan = {"request": "x", "steps": [first, LOST, END]}
    run = bench.run(plan, [first, READ, END], PLANNER_SAMPLE_COUNT=1)
    assert (bench.root / "log.txt").read_text() == "line\n"
    assert run.state == "completed"


def test_parallel_steps_on_one_file_run_in_the_shown_order(bench: Bench) -> None:
    """Parallel steps on one file run one after another, with a single approval."""
    edit = {"tool": "file_edit", "args": {"path": "notes.txt", "old_text": "milk",
                                          "new_text": "tea"}}  # fmt: skip
    write = {"tool": "file_write",
             "args": {"path": "notes.txt", "content": "hot milk", "mode": "replace"}}  # fmt: skip
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    steps = [{**write, "parallel": True}, {**edit, "parallel": True}, END]
    with bench.session() as session:
        run = session.execute(steps, approve=approve)
    assert run.state == "completed"
    assert [len(plan.steps) for plan in shown] == [3]
    assert (bench.root / "notes.txt").read_text() == "hot tea"


def test_a_file_changed_by_others_is_shown_again(bench: Bench) -> None:
    """Others' change to the file of a later step is shown; a rejection leaves the file."""
    edit = {"tool": "file_edit", "args": {"path": "notes.txt", "old_text": "milk",
                                          "new_text": "tea"}}  # fmt: skip
    write = {"tool": "file_write", "args": {"path": "other.txt", "content": "x"}}
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve" if len(shown) == 1 else "reject"

    def meddle(event: Any) -> None:
        if (event["step"], event["status"]) == (1, "completed"):
            (bench.root / "notes.txt").write_text("their milk")

    run = bench.run([write, edit, END], approve=approve, on_event=meddle)
    assert run.state == "cancelled"
    assert [len(plan.steps) for plan in shown] == [3, 1]
    assert (bench.root / "notes.txt").read_text() == "their milk"


@pytest.mark.parametrize("by", ["deny", "reject"])
def test_a_fallback_plan_needs_approval(
    bench: Bench, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a model the keyword plan is shown, and it does not run if rejected."""
    monkeypatch.chdir(bench.root)
    approve: Any = "deny" if by == "deny" else lambda _plan: "reject"
    with bench.session(TESTING_PASSTHROUGH=True) as session:
        run = session.run("Remove notes.txt", approve=approve)
    assert (run.state, called(run)) == ("cancelled", [])
    assert (bench.root / "notes.txt").exists()


def test_a_timeout_is_not_an_approval(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision by timeout is a rejection: nothing runs, and a late answer has no effect."""
    from okso_jupyter.approval import policy  # noqa: PLC0415  the door that a person comes by
    from okso_jupyter.approval.unanswered import timed_out  # noqa: PLC0415  see above

    monkeypatch.setattr(policy, "ask", lambda proposal, **_rest: timed_out(proposal, 1))
    with bench.session() as session:
        run = session.execute([WRITE, END], approve="ask")
    assert (run.state, called(run)) == ("cancelled", [])
    assert [d["by"] for d in run.decisions] == ["timeout"]


def test_a_listener_cannot_change_what_runs(bench: Bench) -> None:
    """An event that a listener receives gives it no access to the plan."""

    def listen(event: Mapping[str, Any]) -> None:
        dict(event).clear()
        (bench.root / "out.txt").unlink(missing_ok=True)

    run = bench.run([WRITE, END], on_event=listen)
    assert [b["args"] for b in bodies(run, "call_started")] == [WRITE["args"]]


def test_an_approval_is_valid_for_its_own_run_only(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of the same content has the same fingerprint but needs its own approval.

    Neither the first run's approval in the journal nor a late click in the first run's form
    allows a call of the second run, also when that is resumed.
    """
    plan = {"request": "x", "steps": [WRITE, END]}
    forms: list[Form] = []

    class Kept(Form):
        def __init__(self, editor: FormEditor) -> None:
            super().__init__(editor)
            forms.append(self)

    monkeypatch.setattr(person_module, "Form", Kept)
    person = Person(monkeypatch, (approve,))
    first = bench.run(plan, approve="ask", OKSO_RUN_ID="first")
    (bench.root / "out.txt").unlink()

    def late(state: dict[str, Any]) -> object:
        forms[0].receive(message(person.states[0], "approve"))
        copy_of(bench.home, bench.home.with_name("left"))
        return reject(state)

    again = Person(monkeypatch, (late,))
    second = bench.run(plan, approve="ask", OKSO_RUN_ID="second")
    assert again.states[0]["shown"] == person.states[0]["shown"] != ""
    left = replace(bench, home=bench.home.with_name("left"))
    with left.session() as session:
        resumed = session.resume("second", approve="deny")
    assert [one.state for one in (first, second, resumed)] == [
        "completed", "cancelled", "cancelled",
    ]  # fmt: skip
    assert [called(one) for one in (second, resumed)] == [[], []]
    assert not (bench.root / "out.txt").exists()
