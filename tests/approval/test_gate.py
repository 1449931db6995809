"""The gate at the dispatcher: only approved calls pass, and each only once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.approval.gate import ApprovalGate
from okso_jupyter.approval.policy import decide
from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.plan import Plan, attempts_of
from okso_jupyter.plan.records import Approval, Feedback, ToolCall
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.workspace import Workspace
from tests.bench import END, Bench, bodies

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
WRITE: dict[str, Any] = {
    "tool": "file_write", "args": {"path": "notes.txt", "content": "new\n", "mode": "replace"}
}  # fmt: skip


@dataclass(slots=True)
class Gate:
    """An approval gate over real tools and a real folder, with its request builder."""

    request_builder: RequestBuilder
    gate: ApprovalGate
    root: Path

    def show(self, *steps: Mapping[str, Any]) -> ApprovalRequest:
        """Return the proposal of a plan."""
        return self.request_builder.proposal(Plan.from_dict([*steps]), "")

    def approve(self, *steps: Mapping[str, Any]) -> ApprovalRequest:
        """Show a plan and approve all of it."""
        proposal = self.show(*steps)
        self.gate.grant(proposal, decide(proposal, lambda _plan: "approve"))
        return proposal

    def call(self, step: Mapping[str, Any], *, step_id: int = 1, attempt: int = 1) -> None:
        """Submit a call to the gate."""
        self.gate(ToolCall(step_id=step_id, tool=step["tool"], args=step["args"], attempt=attempt))

    def refuses(self, step: Mapping[str, Any], why: str, *, step_id: int = 1) -> None:
        """Check that a call is refused with this reason."""
        with pytest.raises(ApprovalError, match=why) as caught:
            self.call(step, step_id=step_id)
        assert f"step {step_id} ({step['tool']}) does not run" in caught.value.message


@pytest.fixture(name="gate")
def _gate(bench: Bench) -> Iterator[Gate]:
    resources = RunResources(workspace=Workspace(bench.root), scratch=bench.home / "scratch")
    request_builder = RequestBuilder(
        tools=Session(Settings()).tools,
        resources=resources,
        request="",
        settings=Settings(plan_default_step_timeout_s=5),
    )
    gate = ApprovalGate(
        effects_of=request_builder.effects_of,
        preview_of=request_builder.preview_of,
        rehearsal_of=request_builder.rehearsal_of,
        left_by_run=resources.made.left,
        folder=request_builder.folder,
    )
    yield Gate(request_builder=request_builder, gate=gate, root=bench.root)
    resources.close()


def with_args(step: Mapping[str, Any], **args: Any) -> dict[str, Any]:
    """Return the step with some arguments changed or added."""
    return {**step, "args": {**step["args"], **args}}


def test_an_approved_call_passes(gate: Gate) -> None:
    """The exact call of an approved step passes."""
    gate.approve(WRITE)
    gate.call(WRITE)


def test_nothing_passes_before_an_approval(gate: Gate) -> None:
    """Without an approval even a read-only call is refused."""
    gate.show(READ)
    gate.refuses(READ, "it was not approved")


def test_a_step_of_another_number_does_not_pass(gate: Gate) -> None:
    """An approval of step 1 does not cover step 2."""
    gate.approve(READ)
    gate.refuses(READ, "it was not approved", step_id=2)


@pytest.mark.parametrize(
    "call",
    [
        with_args(WRITE, path="other.txt"),
        with_args(WRITE, content="new\n "),
        with_args(WRITE, mode="append"),
        {**WRITE, "args": {"path": "notes.txt"}},
        {**WRITE, "tool": "file_edit"},
    ],
)
def test_a_changed_call_does_not_pass(gate: Gate, call: dict[str, Any]) -> None:
    """A call with a changed or missing argument or another tool is refused."""
    gate.approve(WRITE)
    gate.refuses(call, "not those that were approved")


def test_an_approval_of_a_write_is_used_once(gate: Gate) -> None:
    """The approval of a writing call is used up by its first attempt."""
    gate.approve({**WRITE, "max_retries": 5})
    gate.call(WRITE)
    gate.refuses(WRITE, "used up by an earlier attempt")


@pytest.mark.parametrize(("max_retries", "attempts"), [(None, 2), (0, 1), (3, 4)])
def test_an_approval_covers_the_attempts_that_were_shown(
    gate: Gate, max_retries: int | None, attempts: int
) -> None:
    """A read-only step passes once, plus once for each retry."""
    gate.approve({**READ, "max_retries": max_retries})
    for _ in range(attempts):
        gate.call(READ)
    gate.refuses(READ, "more attempts than were approved")


@pytest.mark.parametrize(("setting", "attempts"), [(None, 2), (0, 1), (4, 5)])
def test_default_number_of_attempts(setting: int | None, attempts: int) -> None:
    """PLAN_MAX_RETRIES counts retries; the default is one."""
    assert attempts_of(Plan.from_dict([READ]).steps[0], setting) == attempts


def test_a_write_to_a_file_changed_since_is_refused(gate: Gate) -> None:
    """A write is refused if its file changed after the diff was approved."""
    gate.approve(WRITE)
    (gate.root / "notes.txt").write_text("somebody else wrote this\n")
    gate.refuses(WRITE, "no longer what was shown")


def test_a_write_to_a_restored_file_passes(gate: Gate) -> None:
    """A write passes if its file was changed and then restored before the call."""
    before = (gate.root / "notes.txt").read_text()
    gate.approve(WRITE)
    (gate.root / "notes.txt").write_text("for a moment\n")
    (gate.root / "notes.txt").write_text(before)
    gate.call(WRITE)


def test_a_step_with_a_changed_effect_is_refused(gate: Gate) -> None:
    """A later step is refused if its effect is no longer the one that was shown."""
    edit = {
        "tool": "file_edit", "args": {"path": "notes.txt", "old_text": "new", "new_text": "old"}
    }  # fmt: skip
    gate.approve(WRITE, edit)
    gate.call(WRITE)
    (gate.root / "notes.txt").write_text("new\n")
    gate.refuses(edit, "no longer what was shown", step_id=2)


def test_only_open_arguments_may_change(gate: Gate) -> None:
    """An open argument accepts any value; closed arguments may not change."""
    gate.approve(with_args(WRITE, content=""))
    gate.refuses({**WRITE, "args": {"path": "x.txt", "content": "y"}}, "not those")
    gate.call(with_args(WRITE, content="whatever"))


def test_a_filled_argument_may_not_add_an_effect(gate: Gate) -> None:
    """A value for an open argument is refused if it adds an effect that was not shown."""
    step = {"tool": "terminal", "args": {"command": "", "args": ["notes.txt"]}}
    gate.approve(step)
    gate.refuses(with_args(step, command="rm"), "more than was shown: cannot be undone")
    gate.call(with_args(step, command="cat"))


@pytest.mark.parametrize("decision", ["reject", "feedback"])
def test_only_an_approval_grants(gate: Gate, decision: Any) -> None:
    """A rejection or feedback grants nothing, even with the right fingerprints."""
    proposal = gate.show(READ)
    approval = Approval(
        decision=decision, shown=proposal.fingerprint, by="user", steps=proposal.step_fingerprints
    )
    with pytest.raises(ApprovalError, match="not about the plan"):
        gate.gate.grant(proposal, approval)
    gate.refuses(READ, "it was not approved")


def test_an_approval_of_another_plan_grants_nothing(gate: Gate) -> None:
    """A late answer about plan A does not approve plan B."""
    first = gate.show(READ)
    second = gate.show(WRITE)
    late = decide(first, lambda _plan: "approve")
    with pytest.raises(ApprovalError, match="not about the plan"):
        gate.gate.grant(second, late)
    gate.refuses(WRITE, "it was not approved")


def test_unticked_steps_are_not_granted(gate: Gate) -> None:
    """An approval covers only the steps that it names."""
    proposal = gate.show(READ, WRITE)
    approval = decide(proposal, lambda _plan: "approve")
    only_first = replace(approval, steps={1: approval.steps[1]})
    gate.gate.grant(proposal, only_first)
    gate.call(READ)
    gate.refuses(WRITE, "it was not approved", step_id=2)


# --- through a session -------------------------------------------------------------------


def test_a_rejected_plan_never_runs(bench: Bench) -> None:
    """A rejected plan yields a cancelled run without an answer; no tool is called."""
    run = bench.run([WRITE, END], approve=lambda _plan: "reject")
    assert (run.state, run.answer) == ("cancelled", None)
    assert list(bodies(run, "call_started")) == []
    assert (bench.root / "notes.txt").read_text() == "buy milk\ncall Ann\n"


def _changing(bench: Bench, *answers: str) -> tuple[Callable[[Plan], str], list[Plan]]:
    """Return an approver and the plans it saw; the file changes during its first call."""
    shown: list[Plan] = []

    def approve(plan: Plan) -> str:
        shown.append(plan)
        if len(shown) == 1:
            (bench.root / "notes.txt").write_text("changed meanwhile\n")
        return answers[len(shown) - 1]

    return approve, shown


def test_a_file_changed_during_the_decision_is_shown_again(bench: Bench) -> None:
    """If a file changes during the decision, the affected step is shown again."""
    approve, shown = _changing(bench, "approve", "approve")
    run = bench.run([WRITE, END], approve=approve)
    assert run.state == "completed"
    assert [len(plan.steps) for plan in shown] == [2, 1]


def test_rejecting_a_changed_step_keeps_the_file(bench: Bench) -> None:
    """If the second request is rejected, nothing is written and the run is cancelled."""
    approve, _ = _changing(bench, "approve", "reject")
    run = bench.run([WRITE, END], approve=approve)
    assert run.state == "cancelled"
    assert "no longer what was shown" in run.shortfall
    assert (bench.root / "notes.txt").read_text() == "changed meanwhile\n"


def test_feedback_leads_to_a_new_plan(bench: Bench) -> None:
    """After feedback a new plan is made and shown; only the new plan runs."""
    answers: Iterator[object] = iter([Feedback("read the other file"), "approve"])
    shown: list[Plan] = []

    def approve(plan: Plan) -> object:
        shown.append(plan)
        return next(answers)

    other = {"tool": "file_read", "args": {"path": "sales.csv"}}
    plan = {"request": "Read notes.txt", "steps": [READ, END]}
    run = bench.run(plan, [other, END], approve=approve, PLANNER_SAMPLE_COUNT=1)
    assert [plan.version for plan in shown] == [1, 2]
    assert [body["args"]["path"] for body in bodies(run, "call_started")] == ["sales.csv"]
    assert [decision["decision"] for decision in run.decisions] == ["feedback", "approve"]
    assert run.plan is not None
    assert run.plan.version == 2


@pytest.mark.parametrize(
    ("settings", "approve", "state"),
    [
        ({"OKSO_APPROVE": "auto"}, None, "completed"),
        ({"APPROVE_ALL": True}, None, "completed"),
        ({"PLAN_REQUIRE_APPROVAL": False}, None, "completed"),
        ({"OKSO_APPROVE": "deny"}, None, "cancelled"),
        ({"OKSO_APPROVE": "deny"}, "auto", "completed"),
        ({"OKSO_APPROVE": "auto"}, "deny", "cancelled"),
        ({"APPROVE_ALL": True}, "deny", "cancelled"),
        ({"APPROVE_ALL": True, "FORCE_CONFIRM": True}, "deny", "cancelled"),
        ({"APPROVE_ALL": True}, lambda _plan: "reject", "cancelled"),
        ({"FORCE_CONFIRM": True}, lambda _plan: "approve", "completed"),
    ],
)
def test_precedence_of_argument_and_settings(
    bench: Bench, settings: dict[str, Any], approve: Any, state: str
) -> None:
    """An argument overrides the settings; without one APPROVE_ALL turns ask into auto."""
    run = bench.run([READ, END], approve=approve, **settings)
    assert run.state == state


@pytest.mark.parametrize(
    ("settings", "approve"),
    [
        ({}, "ask"),
        ({"OKSO_APPROVE": "auto"}, "ask"),
        ({"APPROVE_ALL": True}, "ask"),
        ({"FORCE_CONFIRM": True}, "auto"),
        ({"FORCE_CONFIRM": True, "APPROVE_ALL": True}, "ask"),
        ({"FORCE_CONFIRM": True, "OKSO_APPROVE": "auto"}, "ask"),
    ],
)
def test_force_confirm_without_a_person_is_refused(
    bench: Bench, settings: dict[str, Any], approve: Any
) -> None:
    """FORCE_CONFIRM overrides every approving setting; a headless run is cancelled."""
    with bench.session(OKSO_RUN_ID="asked", **settings) as session:
        with pytest.raises(ApprovalError, match="no person can approve"):
            session.execute([WRITE, END], approve=approve)
        run = session.load_run("asked")
    assert run.state == "cancelled"
    assert list(bodies(run, "call_started")) == []


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ({"command": "rm", "args": ["notes.txt"]}, "cannot be undone"),
        ({"command": "cp", "args": ["notes.txt", ".bashrc"]}, "protected"),
    ],
)
def test_auto_refuses_removals_and_protected_names(
    bench: Bench, call: dict[str, Any], why: str
) -> None:
    """Auto refuses removals and protected names and names the step; a person may approve."""
    with bench.session() as session, pytest.raises(ApprovalError, match=why) as caught:
        session.execute([READ, {"tool": "terminal", "args": call}, END], approve="auto")
    assert "step 2 (terminal)" in caught.value.message
    assert (bench.root / "notes.txt").exists()
    run = bench.run([{"tool": "terminal", "args": call}, END], approve=lambda _plan: "approve")
    assert run.state == "completed"


@pytest.mark.parametrize("answer", [True, None, "yes", "", 1])
def test_an_invalid_answer_of_an_approver_is_an_error(bench: Bench, answer: object) -> None:
    """Any other answer of an approver is an error, and the run is cancelled."""
    with bench.session(OKSO_RUN_ID="odd") as session:
        with pytest.raises(ApprovalError, match="the approver answered"):
            session.execute([WRITE, END], approve=lambda _plan: answer)
        assert session.load_run("odd").state == "cancelled"
    assert (bench.root / "notes.txt").read_text() == "buy milk\ncall Ann\n"
