"""Progress: every step has a start and an end event; listener errors change nothing."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from tests.bench import END, Bench, statuses

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
MISSING: dict[str, Any] = {"tool": "file_read", "args": {"path": "gone.txt"}}
KEYS = {"plan", "step", "title", "total", "completed", "progress", "status", "reason"}


def test_every_step_has_a_start_and_an_end_event(bench: Bench) -> None:
    """A step has a start event and an end event; a skipped step has no start event."""
    told: list[Mapping[str, Any]] = []
    steps = [
        READ,
        MISSING,
        {**READ, "depends_on": [2]},
        {**READ, "condition": "step_2_failed"},
        END,
    ]
    bench.run(steps, on_event=told.append, ON_FAILURE="skip")
    assert all(set(event) == KEYS for event in told)
    assert [(event["step"], event["status"]) for event in told] == [
        (1, "in_progress"), (1, "completed"), (2, "in_progress"), (2, "failed"),
        (3, "skipped"), (4, "in_progress"), (4, "completed"),
        (5, "in_progress"), (5, "completed"),
    ]  # fmt: skip
    shares = [event["progress"] for event in told]
    assert shares == sorted(shares)
    assert (told[-1]["completed"], told[-1]["total"], told[-1]["progress"]) == (3, 5, 1.0)
    assert "gone.txt" in told[3]["reason"]
    assert told[4]["reason"] == "dependency failed: step 2"


def test_an_unrecovered_failure_does_not_count_as_progress(bench: Bench) -> None:
    """A step that failed for good keeps the progress below one."""
    told: list[Mapping[str, Any]] = []
    run = bench.run([READ, MISSING, END], on_event=told.append, ON_FAILURE="skip")
    assert run.state == "failed"
    assert round(told[-1]["progress"], 2) == 0.67


def test_a_stopped_step_has_an_end_event(bench: Bench) -> None:
    """Stop during a step leaves no step that has a start event but no end event."""
    told: list[tuple[int, str, str]] = []
    heard = threading.Event()

    def stop() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return str(heard.wait(60))

    bench.offer("stop", stop, effect="none")
    with pytest.raises(KeyboardInterrupt):
        bench.run(
            [{"tool": "stop", "args": {}}, END],
            on_event=lambda e: told.append((e["step"], e["status"], e["reason"])),
        )
    heard.set()
    assert told == [(1, "in_progress", ""), (1, "uncertain", "stopped by the user")]


def test_a_step_that_is_not_approved_has_an_end_event(bench: Bench) -> None:
    """A rejected second question about a step cancels the step and the run."""
    told: list[tuple[int, str]] = []
    (bench.root / "new.txt").write_text("old\n")
    args = {"path": "new.txt", "content": "x", "mode": "replace"}
    plan = [{"tool": "file_write", "args": args}, END]
    answers = ["approve", "reject"]

    def approver(_plan: object) -> str:
        (bench.root / "new.txt").write_text("changed meanwhile\n")
        return answers.pop(0)

    run = bench.run(
        plan, approve=approver, on_event=lambda e: told.append((e["step"], e["status"]))
    )
    assert run.state == "cancelled"
    assert told == [(1, "in_progress"), (1, "cancelled")]


def test_a_failing_listener_does_not_affect_the_run(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """Its error is logged in one line; it gets later events, and the run continues."""
    told: list[str] = []

    def listener(event: Mapping[str, Any]) -> None:
        told.append(event["status"])
        raise ValueError("the bar broke")

    logger = logging.getLogger("okso_jupyter")
    logger.addHandler(caplog.handler)
    try:
        run = bench.run([READ, END], on_event=listener)
    finally:
        logger.removeHandler(caplog.handler)
    assert (run.state, statuses(run)) == ("completed", {1: "completed", 2: "completed"})
    assert len(told) == 4
    assert [(one.message, one.detail) for one in caplog.records] == [  # type: ignore[attr-defined]  # of our logger
        ("on_event failed; the run continues", "ValueError: the bar broke"),
    ]


def test_a_listener_may_stop_the_run(bench: Bench) -> None:
    """A KeyboardInterrupt raised by the listener is Stop, not a failure of the listener."""

    def listener(_event: Mapping[str, Any]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.run([READ, END], on_event=listener, OKSO_RUN_ID="mine")
    with bench.session() as session:
        assert session.load_run("mine").state == "paused"


def test_the_tokens_of_the_answer_belong_to_its_step(bench: Bench) -> None:
    """The tokens of the answer are in the ledger and report of the step that gives it."""
    (bench.root / "notes.txt").write_text("milk and bread\n" * 100)
    run = bench.run(
        {"request": "What is in notes.txt?", "steps": [READ, END]}, "milk and bread",
        ENABLE_ANSWER_VALIDATION=False,
    )  # fmt: skip
    ledger = run.ledger.set_index("step_id")
    assert run.answer == "milk and bread"
    assert ledger["tokens"].tolist() == [0, run.tokens[2]]
    assert run.tokens[2] > 0
    assert ledger["tool_calls"].tolist() == [1, 0]
    assert all(ledger["duration_s"] > 0)
    assert f"{run.tokens[2]} tokens" in run.report()
