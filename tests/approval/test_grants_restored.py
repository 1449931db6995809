"""An approval on its way through the journal: what was left of it is left of it, and no more."""

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
    """Return a clearance made of records, as another process would make it."""
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
    """Return the records up to the nth one of a kind, as if the process had died before it."""
    places = [place for place, record in enumerate(run.records) if record.kind == kind]
    return list(run.records[: places[nth - 1]])


def call(step: Mapping[str, Any], step_id: int = 1, version: int = 1) -> ToolCall:
    """Return the call of a step."""
    return ToolCall(step_id=step_id, tool=step["tool"], args=step["args"], plan_version=version)


def refuses(gate: ApprovalGate, wanted: ToolCall, why: str) -> None:
    """Check that a call does not pass, and why."""
    with pytest.raises(ApprovalError, match=why):
        gate(wanted)


def test_an_approval_survives_its_process(bench: Bench) -> None:
    """What was approved and not yet run passes, once, to the letter."""
    run = bench.run([WRITE, READ, END])
    (bench.root / "out.txt").unlink()
    gate = restored(bench, before(run, "call_started"))
    refuses(gate, call({**WRITE, "args": {"path": "out.txt", "content": "rum"}}), "not those")
    gate(call(WRITE))
    refuses(gate, call(WRITE), "used up")
    gate(call(READ, 2))


def test_what_was_used_stays_used(bench: Bench) -> None:
    """A call that was begun and may have had its effect, or that succeeded, does not pass again."""
    run = bench.run([WRITE, READ, END])
    refuses(restored(bench, before(run, "observation")), call(WRITE), "used up")
    refuses(restored(bench, before(run, "observation", 3)), call(READ, 2), "used up")


def test_attempts_are_counted_over_processes(bench: Bench) -> None:
    """A failed read used one of the attempts shown; one that was broken off is given back."""
    lost = {**READ, "args": {"path": "nowhere.bin"}, "max_retries": 0}
    run = bench.run([lost, END], ON_FAILURE="skip")
    restored(bench, before(run, "observation"))(call(lost))
    refuses(restored(bench, list(run.records)), call(lost), "more attempts")


def test_a_rejected_plan_is_not_restored(bench: Bench) -> None:
    """A resume is no way to an approval of what was rejected, or was only shown."""
    run = bench.run([WRITE, END], approve=lambda _plan: "reject")
    refuses(restored(bench, list(run.records)), call(WRITE), "it was not approved")
    run = bench.run([READ, END])
    refuses(restored(bench, before(run, "decision")), call(READ), "it was not approved")


def test_a_newer_version_ends_the_older_approval(bench: Bench) -> None:
    """After a new plan the steps that it dropped never run, in whatever version they are called."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
    plan = {"request": "x", "steps": [lost, WRITE, END]}
    run = bench.run(plan, [READ, END], PLANNER_SAMPLE_COUNT=1)
    gate = restored(bench, before(run, "call_started", 2))
    refuses(gate, call(WRITE, 2), "it was not approved")
    refuses(gate, call(READ, 4), "approved in version 2")
    gate(call(READ, 4, version=2))


def test_a_redacted_step_asks_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the journal cannot vouch for to the letter is not restored."""
    monkeypatch.setenv("MY_API_KEY", "k3y-0f-mine-12345")
    secret = {"tool": "file_write", "args": {"path": "a.txt", "content": "k3y-0f-mine-12345"}}
    run = bench.run([secret, END])
    (bench.root / "a.txt").unlink()
    gate = restored(bench, before(run, "call_started"))
    refuses(gate, call(secret), "it was not approved")


def test_another_folder_is_another_place(bench: Bench) -> None:
    """An approval given for one folder does not hold in another."""
    run = bench.run([READ, END])
    gate = restored(bench, before(run, "call_started"), folder="/elsewhere")
    refuses(gate, call(READ), "another folder")


def test_a_part_of_a_step_is_not_the_step(bench: Bench) -> None:
    """What was said about one path of several is no approval of the call."""
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


def test_what_is_left_of_approvals_belongs_to_the_gate(bench: Bench) -> None:
    """What a gate uses up or withdraws changes nothing in what was read from the journal."""
    run = bench.run([WRITE, READ, END])
    view = RunView(run.id, before(run, "call_started"))
    left = view.approvals.left
    left.count(1, is_repeatable=False)
    left.withdraw([2])

    known = view.approvals.left.of_step
    assert known[1].is_good
    assert known[2].is_good


def test_what_was_shown_to_another_run_grants_nothing(bench: Bench) -> None:
    """Such as records that were copied."""
    run = bench.run([WRITE, READ, END])
    records = before(run, "call_started")

    assert {1, 2} <= set(RunView(run.id, records).approvals.left.of_step)
    assert not RunView("other", records).approvals.left.of_step


def test_terms_come_back_from_json_as_they_were(bench: Bench) -> None:
    """What the journal keeps of an approval has the fingerprint that was approved."""
    run = bench.run([{**WRITE, "max_retries": 2, "timeout_s": 7}, READ, END])
    (shown,) = bodies(run, "shown")
    for body in shown["terms"]:
        terms = ApprovalScope.from_dict(body)
        assert terms.fingerprint == shown["steps"][str(terms.step.id)]
        assert terms.to_dict() == body
    assert Plan.from_dict([body["step"] for body in shown["terms"]]).tools
