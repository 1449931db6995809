"""OKSO_TRACE_DIR: a run is written completely to private files, never through a link."""

from __future__ import annotations

import json
import logging
import stat
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ApprovalError, SettingError
from okso_jupyter.results import Run
from tests.bench import END, Bench, kinds

WC: dict[str, Any] = {"tool": "terminal", "args": {"command": "wc", "args": ["-l", "notes.txt"]}}
MISSING: dict[str, Any] = {"tool": "terminal", "args": {"command": "cat", "args": ["gone.txt"]}}


def traced(bench: Bench, steps: list[Any], **settings: Any) -> tuple[Run, Path]:
    """Run a plan with tracing; return the run and the folder of its files."""
    base = bench.home.parent / "traces"
    run = bench.run(steps, OKSO_TRACE_DIR=str(base), **settings)
    return run, base / run.id


def read(file: Path) -> Any:
    """Return the JSON content of a file."""
    return json.loads(file.read_text("utf-8"))


def test_a_run_is_written_to_files(bench: Bench) -> None:
    """The run, the plan and every step have a file with the data of the journal."""
    run, folder = traced(bench, [WC, END])
    assert sorted(file.name for file in folder.iterdir()) == [
        "plan-v1.json", "run.json", "step-001.json", "step-002.json",
    ]  # fmt: skip
    told = read(folder / "run.json")
    assert (told["run"], told["state"], told["answer"]["text"]) == (run.id, run.state, run.answer)
    assert [decision["by"] for decision in told["decisions"]] == ["auto"]
    assert told["settings"]["OKSO_TRACE_DIR"] == str(folder.parent)
    assert read(folder / "plan-v1.json")["plan"]["steps"][0]["tool"] == "terminal"


def test_a_step_file_holds_its_result_and_the_transcript(bench: Bench) -> None:
    """It has stdout, stderr and exit code of the step, and the transcript up to it."""
    _, folder = traced(bench, [WC, MISSING, END], ON_FAILURE="skip")
    first, second = (read(folder / f"step-00{number}.json") for number in (1, 2))
    assert (first["stdout"], first["stderr"], first["exit_code"]) == ("2 notes.txt\n", "", 0)
    assert (second["status"], second["exit_code"]) == ("failed", 1)
    assert "gone.txt" in second["stderr"]
    assert [(told["step_id"], told["status"]) for told in second["transcript"]] == [
        (1, "completed"), (2, "failed"),
    ]  # fmt: skip
    assert len(first["transcript"]) == 1


def test_a_planned_run_continues_in_the_same_folder(bench: Bench) -> None:
    """Data that was written while planning is still in the files after the run."""
    base = bench.home.parent / "traces"
    with bench.session([WC, END], PLANNER_SAMPLE_COUNT=1, OKSO_TRACE_DIR=str(base)) as session:
        planning = session.plan("How many lines has notes.txt?")
        before = read(base / planning.run_id / "run.json")
        session.execute(planning, approve="auto")
    after = read(base / planning.run_id / "run.json")
    assert (before.get("state"), after["state"]) == (None, "completed")
    assert before["request"] == after["request"] == "How many lines has notes.txt?"
    assert after["models"]["planner"]


def test_every_version_of_the_plan_has_a_file(bench: Bench) -> None:
    """Feedback leads to another plan version; both versions have a file."""
    from okso_jupyter import Feedback  # noqa: PLC0415  as a user would

    answers: list[Any] = [Feedback("count words"), "approve"]
    run = bench.run(
        {"request": "count", "steps": [WC, END]}, [WC, END],
        approve=lambda _proposal: answers.pop(0), PLANNER_SAMPLE_COUNT=1,
        OKSO_TRACE_DIR=str(bench.home / "t"),
    )  # fmt: skip
    assert {file.name for file in (bench.home / "t" / run.id).glob("plan-*")} == {
        "plan-v1.json", "plan-v2.json",
    }  # fmt: skip


def test_a_refused_run_is_written_too(bench: Bench) -> None:
    """The error that ended the run is in `run.json`."""
    with pytest.raises(ApprovalError):
        traced(bench, [WC, END], approve="ask", OKSO_RUN_ID="refused")
    told = read(bench.home.parent / "traces" / "refused" / "run.json")
    assert (told["state"], told["error"]["type"]) == ("cancelled", "ApprovalError")


def test_trace_files_are_private_and_an_existing_folder_is_not(bench: Bench) -> None:
    """The run's folder is 0700 and its files are 0600; the set folder keeps its mode."""
    base = bench.home.parent / "traces"
    base.mkdir(mode=0o755)
    _, folder = traced(bench, [WC, END])
    assert stat.S_IMODE(base.stat().st_mode) == 0o755
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def _a_link(base: Path) -> None:
    (base.parent / "real").mkdir()
    base.symlink_to("real")


def _a_linked_run(base: Path) -> None:
    base.mkdir()
    (base / "mine").symlink_to(base.parent)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda base: base.write_text(""), "Not a directory"),
        (_a_link, "it is a symbolic link"),
        (_a_linked_run, "it is a symbolic link"),
    ],
)
def test_an_unwritable_folder_is_reported_before_anything_runs(
    bench: Bench, spoil: Any, why: str
) -> None:
    """A path that is a file or a link is an error naming the setting; no run is recorded."""
    spoil(bench.home.parent / "traces")
    with pytest.raises(SettingError, match=rf"OKSO_TRACE_DIR .* cannot be written: {why}"):
        traced(bench, [WC, END], OKSO_RUN_ID="mine")
    with bench.session() as session:
        assert session.journal.records("mine") == []


def test_an_interrupted_trace_is_a_warning(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """A link put in place of a file is not followed; the run continues and logs a warning."""
    target = bench.home.parent / "target.json"
    target.write_text("mine")
    folder = bench.home.parent / "traces" / "mine"

    def plant() -> str:
        (folder / "step-002.json").symlink_to(target)
        return "done"

    bench.offer("plant", plant, effect="none")
    logger = logging.getLogger("okso_jupyter")
    logger.addHandler(caplog.handler)
    try:
        run, _ = traced(bench, [{"tool": "plant", "args": {}}, END], OKSO_RUN_ID="mine")
    finally:
        logger.removeHandler(caplog.handler)
    assert run.state == "completed"
    assert target.read_text() == "mine"
    assert [one.message for one in caplog.records] == ["the trace is not complete"]
    assert kinds(run, "answer") == ["answer"]
