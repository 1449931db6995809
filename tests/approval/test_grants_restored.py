"""Approvals restored from the journal grant exactly what had not been used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter.approval.gate import ApprovalGate
from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.errors import ApprovalError
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.store import Record
from okso_jupyter.plan.approval_scope import ApprovalScope
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import ToolCall
from okso_jupyter.results import Run
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.workspace import Workspace
from tests.bench import END, Bench, bodies

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": "tea"}}


def restored(bench: Bench, records: list[Record], folder: str | None = None) -> ApprovalGate:
    """Return a gate restored from records, as another process would build it."""
    resources = RunResources(workspace=Workspace(bench.root), scratch=bench.home / "scratch")
    request_builder = RequestBuilder(
        tools=bench.session().tools,
        resources=resources,
        request="",
        settings=Settings(plan_default_step_timeout_s=5),
    )
    return ApprovalGate(
        effects_of=request_builder.effects_of,
        preview_of=request_builder.preview_of,
        rehearsal_of=request_builder.rehearsal_of,
        left_by_run=resources.made.left,
        folder=folder or request_builder.folder,
        grants=RunView(records[0].run_id, records).approvals.left,
    )


def before(run: Run, kind: str, nth: int = 1) -> list[Record]:
    """Return the records before the nth one of a kind, as if the process died there."""
    places = [place for place, record in enumerate(run.records) if record.kind == kind]
    return list(run.records[: places[nth - 1]])


def call(step: Mapping[str, Any], step_id: int = 1, version: int = 1) -> ToolCall:
    """Return the call of a step."""
    return ToolCall(step_id=step_id, tool=step["tool"], args=step["args"], plan_version=version)


def refuses(gate: ApprovalGate, wanted: ToolCall, why: str) -> None:
    """Check that a call is refused with this reason."""
    with pytest.raises(ApprovalError, match=why):
        gate(wanted)


def test_an_approval_survives_its_process(bench: Bench) -> None:
    """An approved call that has not run passes once, and only unchanged."""
    run = bench.run([WRITE, READ, END])
    (bench.root / "out.txt").unlink()
    gate = restored(bench, before(run, "call_started"))
    refuses(gate, call({**WRITE, "args": {"path": "out.txt", "content": "rum"}}), "not those")
    gate(call(WRITE))
    refuses(gate, call(WRITE), "used up")
    gate(call(READ, 2))


def test_a_used_approval_stays_used(bench: Bench) -> None:
    """A call that succeeded, or started and may have had an effect, does not pass again."""
    run = bench.run([WRITE, READ, END])
    refuses(restored(bench, before(run, "observation")), call(WRITE), "used up")
    refuses(restored(bench, before(run, "observation", 3)), call(READ, 2), "used up")


def test_attempts_are_counted_across_processes(bench: Bench) -> None:
    """A failed read counts as an attempt; an interrupted one does not."""
    lost = {**READ, "args": {"path": "nowhere.bin"}, "max_retries": 0}
    run = bench.run([lost, END], ON_FAILURE="skip")
    restored(bench, before(run, "observation"))(call(lost))
    refuses(restored(bench, list(run.records)), call(lost), "more attempts")


def test_a_rejected_plan_is_not_restored(bench: Bench) -> None:
    """A plan that was rejected, or only shown, is not approved after a resume."""
    run = bench.run([WRITE, END], approve=lambda _plan: "reject")
    refuses(restored(bench, list(run.records)), call(WRITE), "it was not approved")
    run = bench.run([READ, END])
    refuses(restored(bench, before(run, "decision")), call(READ), "it was not approved")


def test_a_newer_version_revokes_the_older_approval(bench: Bench) -> None:
    """Steps dropped from a newer plan never run; a step passes only in its own version."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
    plan = {"request": "x", "steps": [lost, WRITE, END]}
    run = bench.run(plan, [READ, END], PLANNER_SAMPLE_COUNT=1)
    gate = restored(bench, before(run, "call_started", 2))
    refuses(gate, call(WRITE, 2), "it was not approved")
    refuses(gate, call(READ, 4), "approved in version 2")
    gate(call(READ, 4, version=2))


def test_the_approval_of_a_redacted_step_is_not_restored(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The approval of a step with redacted arguments is not restored."""
    monkeypatch.setenv("MY_API_KEY", "k3y-0f-mine-12345")
    secret = {"tool": "file_write", "args": {"path": "a.txt", "content": "k3y-0f-mine-12345"}}
    run = bench.run([secret, END])
    (bench.root / "a.txt").unlink()
    gate = restored(bench, before(run, "call_started"))
    refuses(gate, call(secret), "it was not approved")


def test_an_approval_is_not_valid_in_another_folder(bench: Bench) -> None:
    """An approval given for one folder is not valid in another."""
    run = bench.run([READ, END])
    gate = restored(bench, before(run, "call_started"), folder="/elsewhere")
    refuses(gate, call(READ), "another folder")


def test_a_part_of_a_step_is_not_approved(bench: Bench) -> None:
    """The record of one path of a call with several paths does not approve that part.

    Only the whole call passes.
    """
    remove = {"tool": "terminal", "args": {"command": "rm", "args": ["notes.txt", "sales.csv"]}}
    run = bench.run([remove, END], approve=lambda _plan: "approve")
    parts = [dict(body["terms"][0]["step"]["args"]) for body in bodies(run, "shown")
             if body["about"] == "part"]  # fmt: skip
    assert len(parts) == 2
    (bench.root / "notes.txt").write_text("buy milk\ncall Ann\n")
    (bench.root / "sales.csv").write_text("product,price\npen,1\ncup,2\n")
    gate = restored(bench, before(run, "call_started"))
    refuses(gate, call({"tool": "terminal", "args": parts[0]}), "not those")
    gate(call(remove))


def test_a_gate_does_not_change_the_journal_view(bench: Bench) -> None:
    """Using or withdrawing approvals in a gate does not change the view of the journal."""
    run = bench.run([WRITE, READ, END])
    view = RunView(run.id, before(run, "call_started"))
    left = view.approvals.left
    left.count(1, is_repeatable=False)
    left.withdraw([2])

    known = view.approvals.left.of_step
    assert known[1].is_good
    assert known[2].is_good


def test_records_of_another_run_grant_nothing(bench: Bench) -> None:
    """Records of one run, copied into another run, grant nothing."""
    run = bench.run([WRITE, READ, END])
    records = before(run, "call_started")

    assert {1, 2} <= set(RunView(run.id, records).approvals.left.of_step)
    assert not RunView("other", records).approvals.left.of_step


def test_approval_terms_survive_the_json_round_trip(bench: Bench) -> None:
    """The terms read back from the journal have the fingerprint that was approved."""
    run = bench.run([{**WRITE, "max_retries": 2, "timeout_s": 7}, READ, END])
    (shown,) = bodies(run, "shown")
    for body in shown["terms"]:
        terms = ApprovalScope.from_dict(body)
        assert terms.fingerprint == shown["steps"][str(terms.step.id)]
        assert terms.to_dict() == body
    assert Plan.from_dict([body["step"] for body in shown["terms"]]).tools
