"""A replanned run is covered as a whole by the report, the files, the events and undo."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okso_jupyter.results import Run
from tests.bench import END, Bench

WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "new.txt", "content": "x"}}
GONE: dict[str, Any] = {"tool": "file_read", "args": {"path": "gone.txt"}, "title": "Read it"}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}, "title": "Read it"}
CLEAN: dict[str, Any] = {"tool": "file_read", "args": {"path": "sales.csv"}, "title": "Clean up"}


def replanned(bench: Bench, told: list[Mapping[str, Any]]) -> tuple[Run, Path]:
    """Return a run whose second step failed for good, and the folder of its output files."""
    out = bench.home.parent / "out"
    run = bench.run(
        {"title": "T", "request": "read notes.txt", "steps": [WRITE, GONE, CLEAN, END]},
        [READ, END],
        approve=lambda _plan: "approve", on_event=told.append, PLANNER_SAMPLE_COUNT=1,
        ENABLE_ANSWER_VALIDATION=False,
        OKSO_TRACE_DIR=str(out), OKSO_PLAN_OUTPUT=str(out / "plan.json"),
    )  # fmt: skip
    assert run.state == "completed", run.report()
    return run, out


def test_the_report_shows_which_step_replaces_which(bench: Bench) -> None:
    """The replacement is shown below the failed step; a dropped step is marked skipped."""
    run, _ = replanned(bench, [])
    lines = [line.partition(" (")[0].strip() for line in run.report().splitlines()]
    assert lines[0] == 'Plan v2: "T" [Completed]'
    assert lines[2:5] == [
        "✗ Step 2: Read gone.txt", "✓ Step 2': Read notes.txt", "⊘ Step 3: Read sales.csv",
    ]  # fmt: skip
    assert "(skipped: replaced by replan)" in run.report().splitlines()[4]
    assert "Step 2': Read notes.txt (replan) (" in run.report()


def test_the_files_hold_both_versions_and_every_step(bench: Bench) -> None:
    """Each plan version and each started step has a file; the plan file has the newest."""
    run, out = replanned(bench, [])
    assert {file.name for file in (out / run.id).glob("plan-*")} == {
        "plan-v1.json", "plan-v2.json",
    }  # fmt: skip
    begun = {f"step-{step_id:03d}.json" for step_id in run.observations["step_id"]}
    assert {file.name for file in (out / run.id).glob("step-*")} == begun
    written = json.loads((out / "plan.json").read_text())
    assert (written["status"], written["plan"]["version"]) == ("approved", 2)


def test_events_count_the_steps_of_the_version_that_runs(bench: Bench) -> None:
    """The total and the version change with the plan; the progress ends at one."""
    told: list[Mapping[str, Any]] = []
    run, _ = replanned(bench, told)
    assert run.plan is not None
    assert [event["plan"] for event in told] == sorted(event["plan"] for event in told)
    assert (told[0]["total"], told[-1]["total"]) == (4, len(run.plan.steps))
    assert all(0 <= event["progress"] <= 1 for event in told)
    assert told[-1]["completed"] == len(run.plan.steps) - 1
    assert told[-1]["progress"] == 1.0
    shares = [event["progress"] for event in told if event["plan"] == 2]
    assert shares == sorted(shares)


def test_the_live_view_of_a_completed_replanned_run_is_full(bench: Bench) -> None:
    """The progress of a run that recovered from its failure ends at one."""
    run, _ = replanned(bench, [])
    live = run.view.live
    assert (live.state, live.progress) == ("completed", 1.0)


def test_undo_reverts_the_changes_of_every_version(bench: Bench) -> None:
    """Undo also reverts changes that were made before the new plan."""
    run, _ = replanned(bench, [])
    assert run.undo()["path"].tolist() == ["new.txt"]
    assert not (bench.root / "new.txt").exists()
