"""What runs is what was shown: no holder of the plan can change it in between."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter.errors import ApprovalError, PlanError, UsageError
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Feedback
from tests.bench import Bench

END = {"tool": "final_answer", "args": {}}
WC = {"tool": "terminal", "args": {"command": "wc", "args": ["-l", "notes.txt"]}}
CAT = {"tool": "terminal", "args": {"command": "cat", "args": ["notes.txt"]}}


def test_an_approver_that_edits_the_plan_edits_a_copy(bench: Bench) -> None:
    """The approver gets a copy of the plan; changes to it have no effect."""

    def approve(plan: Plan) -> str:
        plan.steps[0].args["args"][:] = ["-l", "sales.csv"]
        return "approve"

    run = bench.run([WC, END], approve=approve)
    assert run.answer == "2 notes.txt"


def test_a_caller_that_edits_its_plan_does_not_change_the_run(bench: Bench) -> None:
    """The plan is copied at the call, so a change between two steps has no effect either."""
    plan = Plan.from_dict([WC, CAT, END])

    def change(_event: Mapping[str, Any]) -> None:
        plan.steps[1].args["args"][:] = ["sales.csv"]

    run = bench.run(plan, approve=lambda _plan: "approve", on_event=change)
    assert "buy milk" in run.steps_seen[1].text


def test_a_handler_that_edits_its_arguments_edits_a_copy(bench: Bench) -> None:
    """The record of a call contains the arguments of the call, despite later changes."""
    bench.offer("grow", lambda items: items.append("more") or "done", effect="none")
    run = bench.run([{"tool": "grow", "args": {"items": ["a"]}}, END])
    assert run.steps_seen[0].call.args == {"items": ["a"]}


def test_no_policy_approves_an_undeclared_effect(bench: Bench) -> None:
    """A tool without a declared effect counts as the worst case: a person must approve."""
    ran: list[int] = []
    bench.offer("wipe", lambda: ran.append(1))
    with pytest.raises(ApprovalError, match="not declared"):
        bench.run([{"tool": "wipe", "args": {}}, END], approve="auto")
    assert bench.run([{"tool": "wipe", "args": {}}, END], approve=lambda _plan: "approve").state
    assert ran == [1]


def test_a_failing_effect_declaration_counts_as_undeclared(bench: Bench) -> None:
    """An effect function that raises on the arguments is not a declaration, and no crash."""
    bench.offer("odd", lambda **_args: "ok", effect=lambda args: args["missing"])
    with pytest.raises(ApprovalError, match="not declared"):
        bench.run([{"tool": "odd", "args": {}}, END], approve="auto")


def test_a_failing_preview_does_not_end_the_run(bench: Bench) -> None:
    """An exception in a tool's own preview does not end the run."""
    bench.offer("show", lambda: "ok", effect="none", preview=lambda: 1 // 0)
    assert bench.run([{"tool": "show", "args": {}}, END]).state == "completed"


def test_a_step_after_a_folder_change_is_shown_again(bench: Bench) -> None:
    """After `cd` a change affects another place than shown: it is shown again, and works."""
    (bench.root / "sub").mkdir()
    steps = [
        {"tool": "terminal", "args": {"command": "cd", "args": ["sub"]}},
        {"tool": "terminal", "args": {"command": "cp", "args": ["../notes.txt", "copy.txt"]}},
    ]
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        return "approve"

    run = bench.run([*steps, END], approve=approve)
    assert run.state == "completed"
    assert len(shown) == 2
    assert (bench.root / "sub" / "copy.txt").exists()


@pytest.mark.parametrize("args", [["notes.txt", "copy.txt"], ["-r", "folder", "copy"]])
def test_a_copy_whose_source_changed_is_shown_again(bench: Bench, args: list[str]) -> None:
    """A source that changes after the approval is shown again with its new content."""
    (bench.root / "folder" / "inner").mkdir(parents=True)
    inner = bench.root / "folder" / "inner" / "a.txt"
    inner.write_text("harmless")
    contents = iter(["evil thing", "evil thing"])
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        for file in (inner, bench.root / "notes.txt"):
            file.write_text(next(contents, file.read_text()))
        return "approve" if len(shown) == 1 else "reject"

    run = bench.run(
        [{"tool": "terminal", "args": {"command": "cp", "args": args}}, END], approve=approve
    )
    assert run.state == "cancelled"
    assert "what it would change is no longer what was shown" in run.shortfall

    assert len(shown) == 2
    assert not (bench.root / args[-1]).exists()


def test_endless_feedback_ends_as_a_rejection(bench: Bench) -> None:
    """After feedback on ten plans the run is cancelled, and nothing has run."""
    completions = [[WC, END]] * 10
    run = bench.run(
        {"request": "count", "steps": [WC, END]},
        *completions[:9],
        approve=lambda _plan: Feedback("another one"),
        PLANNER_SAMPLE_COUNT=1,
    )
    assert (run.state, run.answer) == ("cancelled", None)


def test_the_final_answer_must_be_the_last_step(bench: Bench) -> None:
    """A plan with steps after the final answer is refused; the error names the step."""
    with pytest.raises(PlanError, match="step 1: final_answer must be the last step"):
        bench.run([END, WC])


def test_a_file_name_that_is_not_text_is_ignored(bench: Bench) -> None:
    """Planning and running ignore it, and the journal stores its record."""
    name = os.fsencode(bench.root) + b"/caf\xe9.txt"
    with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123  bytes are no Path
        file.write("milk")
    with bench.session([WC, END], PLANNER_SAMPLE_COUNT=1) as session:
        run = session.run("How many lines does notes.txt have?", approve="auto")
    assert run.answer == "2 notes.txt"
    search = {"tool": "file_search", "args": {"query": "milk"}}
    assert bench.run([search, END]).state == "completed"


def test_a_request_that_is_not_text_is_refused(bench: Bench) -> None:
    """A request with a lone surrogate is refused."""
    with bench.session() as session, pytest.raises(UsageError, match="not text"):
        session.plan("show \udcff")
