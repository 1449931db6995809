"""OKSO_TRACE_DIR: a run as files, whole, private, and never through a link."""

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
    """Run a plan that is traced and return the run with the folder of its files."""
    base = bench.home.parent / "traces"
    run = bench.run(steps, OKSO_TRACE_DIR=str(base), **settings)
    return run, base / run.id


def read(file: Path) -> Any:
    """Return what a file holds."""
    return json.loads(file.read_text("utf-8"))


def test_a_run_is_told_in_files(bench: Bench) -> None:
    """Run, plan and every step have a file with what the journal knows."""
    run, folder = traced(bench, [WC, END])
    assert sorted(file.name for file in folder.iterdir()) == [
        "plan-v1.json", "run.json", "step-001.json", "step-002.json",
    ]  # fmt: skip
    told = read(folder / "run.json")
    assert (told["run"], told["state"], told["answer"]["text"]) == (run.id, run.state, run.answer)
    assert [decision["by"] for decision in told["decisions"]] == ["auto"]
    assert told["settings"]["OKSO_TRACE_DIR"] == str(folder.parent)
    assert read(folder / "plan-v1.json")["plan"]["steps"][0]["tool"] == "terminal"


def test_a_step_is_told_with_what_came_before(bench: Bench) -> None:
    """Output, error output and exit code of the step, and the transcript up to it."""
    _, folder = traced(bench, [WC, MISSING, END], ON_FAILURE="skip")
    first, second = (read(folder / f"step-00{number}.json") for number in (1, 2))
    assert (first["stdout"], first["stderr"], first["exit_code"]) == ("2 notes.txt\n", "", 0)
    assert (second["status"], second["exit_code"]) == ("failed", 1)
    assert "gone.txt" in second["stderr"]
    assert [(told["step_id"], told["status"]) for told in second["transcript"]] == [
        (1, "completed"), (2, "failed"),
    ]  # fmt: skip
    assert len(first["transcript"]) == 1


def test_a_planned_run_goes_on_in_the_same_folder(bench: Bench) -> None:
    """What was told while planning is still there after the run."""
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
    """Feedback leads to another version; both stay."""
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


def test_a_refused_run_is_told_too(bench: Bench) -> None:
    """The error that ended it stands in `run.json`."""
    with pytest.raises(ApprovalError):
        traced(bench, [WC, END], approve="ask", OKSO_RUN_ID="refused")
    told = read(bench.home.parent / "traces" / "refused" / "run.json")
    assert (told["state"], told["error"]["type"]) == ("cancelled", "ApprovalError")


def test_the_files_are_private_and_a_folder_that_was_there_is_left_alone(bench: Bench) -> None:
    """The run's folder and files are for the user alone; the named folder keeps its mode."""
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
def test_what_cannot_be_written_is_said_before_anything_runs(
    bench: Bench, spoil: Any, why: str
) -> None:
    """A folder that is none, or a link, is an error that names the setting; there is no run."""
    spoil(bench.home.parent / "traces")
    with pytest.raises(SettingError, match=rf"OKSO_TRACE_DIR .* cannot be written: {why}"):
        traced(bench, [WC, END], OKSO_RUN_ID="mine")
    with bench.session() as session:
        assert session.journal.records("mine") == []


def test_a_trace_that_breaks_off_is_a_warning(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """A link that somebody puts in place of a file is left alone; the run goes on and says so."""
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
