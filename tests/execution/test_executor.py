"""The execution of an approved plan: order, conditions, skips and outcome."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import pytest

from okso_jupyter.errors import ToolFailedError
from okso_jupyter.journal.store import Journal
from tests.bench import END, Bench, bodies, kinds, statuses

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
#: Fails for good: the file is not there.
LOST: dict[str, Any] = {"tool": "file_read", "args": {"path": "nowhere.txt"}}


@pytest.fixture(name="calls")
def _calls(bench: Bench) -> list[str]:
    """The texts given to the tool `note`, in order; it fails on a text with "fail"."""
    told: list[str] = []

    def note(text: str) -> str:
        told.append(text)
        if text.startswith("fail"):
            msg = f"told to {text}"
            raise ToolFailedError(msg)
        return f"noted {text}"

    bench.offer("note", note, effect="none")
    return told


def note(text: str, **more: Any) -> dict[str, Any]:
    """Return a step that calls `note` with a text."""
    return {"tool": "note", "args": {"text": text}, **more}


def test_steps_run_in_plan_order(bench: Bench, calls: list[str]) -> None:
    """Steps without dependencies run in the order of the plan."""
    run = bench.run([note("a"), note("b"), note("c"), END])
    assert calls == ["a", "b", "c"]
    assert run.state == "completed"
    assert statuses(run) == dict.fromkeys((1, 2, 3, 4), "completed")


def test_a_step_waits_for_its_dependencies(bench: Bench, calls: list[str]) -> None:
    """A step that depends on a later step runs after it."""
    bench.run([note("a", depends_on=[3]), note("b"), note("c"), END])
    assert calls == ["b", "c", "a"]


def test_real_tools_work_together(bench: Bench) -> None:
    """A file that one step writes is edited by the next step and read by the last."""
    run = bench.run(
        [
            {"tool": "file_write", "args": {"path": "out.txt", "content": "tea and cake"}},
            {"tool": "file_edit", "args": {"path": "out.txt", "old_text": "tea",
                                           "new_text": "coffee"}},
            {"tool": "terminal", "args": {"command": "cat", "args": ["out.txt"]}},
            END,
        ]
    )  # fmt: skip
    assert (bench.root / "out.txt").read_text() == "coffee and cake"
    assert run.answer is not None
    assert run.answer.endswith("coffee and cake")


# --- conditions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "condition", "ran"),
    [
        ("ok", "step_1_succeeded", True),
        ("ok", "step_1_failed", False),
        ("fail", "step_1_succeeded", False),
        ("fail", "step_1_failed", True),
    ],
)
def test_a_condition_decides_whether_a_step_runs(
    bench: Bench, calls: list[str], first: str, condition: str, *, ran: bool
) -> None:
    """Conditions step_N_failed and step_N_succeeded depend on how step N ended."""
    run = bench.run([note(first), note("b", condition=condition), END], ON_FAILURE="skip")
    assert calls == [first, "b"] if ran else [first]
    assert statuses(run)[2] == ("completed" if ran else "skipped")
    if not ran:
        assert run.steps_seen[1].error == f"condition not met: {condition}"


def test_a_handled_failure_does_not_fail_the_run(bench: Bench, calls: list[str]) -> None:
    """A failure whose step_N_failed branch completes does not fail the run.

    The following steps run.
    """
    run = bench.run([note("fail"), note("b", condition="step_1_failed"), note("c"), END])
    assert calls == ["fail", "b", "c"]
    assert run.state == "completed"
    assert run.answer == "noted b\nnoted c"


def test_a_failed_branch_does_not_handle_a_failure(bench: Bench, calls: list[str]) -> None:
    """If the step_N_failed branch fails too, the run fails."""
    run = bench.run([note("fail"), note("fail too", condition="step_1_failed"), END])
    assert calls == ["fail", "fail too"]
    assert run.state == "failed"


def test_a_completed_replacement_handles_a_failure(bench: Bench, calls: list[str]) -> None:
    """If a step that replaces a failed one completes, the run is completed."""
    run = bench.run([note("fail"), note("b", replaces=1), END], ON_FAILURE="skip")
    assert calls == ["fail", "b"]
    assert run.state == "completed"


def test_a_skip_by_condition_lets_dependants_run(bench: Bench, calls: list[str]) -> None:
    """Dependants of a step that its condition skipped still run."""
    run = bench.run(
        [note("a"), note("b", condition="step_1_failed"), note("c", depends_on=[2]), END]
    )
    assert calls == ["a", "c"]
    assert run.state == "completed"


# --- failures ----------------------------------------------------------------------------


def test_skip_applies_to_all_dependants(bench: Bench, calls: list[str]) -> None:
    """With ON_FAILURE=skip, direct and indirect dependants of a failed step are skipped.

    Each has a reason; the other steps run.
    """
    run = bench.run(
        [LOST, note("b", depends_on=[1]), note("c", depends_on=[2]), note("d"), END],
        ON_FAILURE="skip",
    )
    assert calls == ["d"]
    assert run.state == "failed"
    assert statuses(run) == {
        1: "failed", 2: "skipped", 3: "skipped", 4: "completed", 5: "completed"
    }  # fmt: skip
    reasons = {seen.call.step_id: seen.error for seen in run.steps_seen}
    assert (reasons[2], reasons[3]) == ("dependency failed: step 1", "dependency failed: step 2")


def test_stop_skips_all_following_steps(bench: Bench, calls: list[str]) -> None:
    """With ON_FAILURE=stop, nothing runs after a failure, and the reason is recorded."""
    run = bench.run([LOST, note("b"), END], ON_FAILURE="stop")
    assert calls == []
    assert run.state == "failed"
    assert run.steps_seen[1].error == "stopped after step 1 failed"


def test_a_failed_run_has_a_digest_with_the_error(bench: Bench, calls: list[str]) -> None:
    """A failed run has no answer, but a digest of the results and the error."""
    run = bench.run([note("a"), LOST, END])
    assert calls == ["a"]
    assert run.answer is None
    assert "noted a" in run.failure
    assert "Step 2 (file_read) failed" in run.failure
    assert "nowhere.txt" in run.failure


def test_a_failing_exit_code_is_a_failure(bench: Bench) -> None:
    """A nonzero exit code fails the step, and the output is in the error."""
    run = bench.run([{"tool": "terminal", "args": {"command": "cat", "args": ["nowhere"]}}, END])
    assert run.state == "failed"
    seen = run.steps_seen[0]
    assert seen.status == "failed"
    assert "nowhere" in seen.error


def test_wrong_arguments_fail_their_step(bench: Bench, calls: list[str]) -> None:
    """Arguments that a handler does not accept are a logic failure of the step."""
    run = bench.run([{"tool": "note", "args": {"colour": "red"}}, END])
    assert calls == []
    assert (run.state, run.steps_seen[0].error_class) == ("failed", "logic")


def test_a_plan_without_an_answer_step_is_answered(bench: Bench) -> None:
    """If the plan has no answer step, the answer is composed from the trace."""
    run = bench.run([READ])
    assert (run.state, run.answer) == ("completed", "buy milk\ncall Ann")


# --- what is told and written ------------------------------------------------------------


def test_progress_is_reported_before_and_after_each_step(bench: Bench, calls: list[str]) -> None:
    """Events have step, status, reason and a progress from 0 to 1 that never decreases."""
    events: list[Mapping[str, Any]] = []
    bench.run(
        [note("a", title="Not shown"), LOST, note("c", depends_on=[2]), END],
        on_event=events.append,
        ON_FAILURE="skip",
    )
    assert calls == ["a"]
    assert [(event["step"], event["status"]) for event in events] == [
        (1, "in_progress"), (1, "completed"), (2, "in_progress"), (2, "failed"), (3, "skipped"),
        (4, "in_progress"), (4, "completed"),
    ]  # fmt: skip
    shares = [event["progress"] for event in events]
    assert shares == sorted(shares)
    assert (events[0]["title"], events[0]["total"]) == ("Use note with text a", 4)
    assert events[4]["reason"] == "dependency failed: step 2"


def test_a_call_is_recorded_before_it_has_an_effect(bench: Bench) -> None:
    """Plan, approval and call are recorded before the handler runs."""
    seen: list[str] = []

    def look() -> str:
        with closing(Journal(bench.home)) as journal:
            seen.extend(record.kind for record in journal.records("watched"))
        return "looked"

    bench.offer("look", look, effect="writes")
    run = bench.run([{"tool": "look"}, END], OKSO_RUN_ID="watched")
    needed = ["plan", "shown", "decision", "step_state", "call_started"]
    assert [kind for kind in seen if kind in needed] == needed
    assert "observation" not in seen
    assert "observation" in kinds(run)


def test_a_result_is_recorded_before_the_next_call(bench: Bench) -> None:
    """The observation of a step is recorded before the next step starts."""
    run = bench.run([READ, READ, END])
    order = [
        (record.kind, record.body.get("step_id") or record.body["call"]["step_id"])
        for record in run.records
        if record.kind in {"call_started", "observation"}
    ]
    assert order[:4] == [
        ("call_started", 1), ("observation", 1), ("call_started", 2), ("observation", 2)
    ]  # fmt: skip


def test_a_call_record_holds_arguments_and_effects(bench: Bench) -> None:
    """The record of a call's start holds its arguments, effects, attempt and version."""
    run = bench.run([{"tool": "file_write", "args": {"path": "a", "content": "b"}}, END])
    started = next(iter(bodies(run, "call_started")))
    assert started["args"] == {"path": "a", "content": "b"}
    assert started["effects"] == ["writes"]
    assert (started["attempt"], started["plan_version"]) == (1, 1)


def test_a_handled_fatal_failure_does_not_end_the_run(bench: Bench) -> None:
    """A fatal failure with a step_N_failed branch does not end the run.

    The steps after the branch run, or are skipped by their condition.
    """
    search = {"tool": "file_search", "args": {"query": "milk", "paths": ["notes.txt"]}}
    branches = [
        {**search, "condition": "step_1_failed"},
        {**READ, "condition": "step_1_succeeded"},
        READ,
    ]
    run = bench.run([LOST, *branches, END])
    assert run.state == "completed"
    assert list(statuses(run).values()) == [
        "failed", "completed", "skipped", "completed", "completed"
    ]  # fmt: skip
