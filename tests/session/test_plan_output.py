"""OKSO_PLAN_OUTPUT: the file holds the proposed plan, then the decision on it."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Plan
from okso_jupyter.errors import SettingError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.runs.run_files import PlanOutput
from tests.bench import END, Bench
from tests.blank import blank

LOOK: list[Any] = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]


def read(file: Path) -> Any:
    """Return the JSON content of a file."""
    return json.loads(file.read_text("utf-8"))


def test_the_proposal_is_written_and_then_the_approved_plan(bench: Bench) -> None:
    """The file holds the proposal until the decision, then who approved it and when."""
    file, seen = bench.home / "plan.json", []

    def approver(_plan: Plan) -> str:
        seen.append(read(file))
        return "approve"

    run = bench.run(LOOK, approve=approver, OKSO_PLAN_OUTPUT=str(file))
    (proposed,) = seen
    assert (proposed["status"], proposed["run"]) == ("proposed", run.id)
    assert proposed["fingerprint"] == run.decisions[0]["shown"]
    approved = read(file)
    assert (approved["status"], approved["by"]) == ("approved", "callable")
    assert approved["at"] > proposed["shown_at"]
    assert approved["approved_steps"] == [1, 2]
    assert Plan.from_dict(approved["plan"]) == run.plan
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("answer", "status"), [("reject", "rejected"), (Feedback("no"), "proposed")]
)
def test_a_plan_that_is_not_approved_is_marked_in_the_file(
    bench: Bench, answer: Any, status: str
) -> None:
    """A rejected plan is marked; feedback puts another proposal into the same file."""
    file, said = bench.home / "plan.json", []

    def approver(_plan: Plan) -> Any:
        said.append(read(file)["status"])
        return answer if len(said) == 1 else "reject"

    bench.run(
        {"request": "read", "steps": LOOK}, *([LOOK] if status == "proposed" else []),
        approve=approver, PLANNER_SAMPLE_COUNT=1, OKSO_PLAN_OUTPUT=str(file),
    )  # fmt: skip
    assert said == ["proposed"] * len(said)
    assert read(file)["status"] == "rejected"


def test_a_question_about_one_step_changes_nothing(bench: Bench) -> None:
    """The file keeps the approved plan while a separate question about one step is asked."""
    file = bench.home / "plan.json"
    remove = {"tool": "terminal", "args": {"command": "rm", "args": ["notes.txt", "sales.csv"]}}
    run = bench.run([remove, END], approve=lambda _plan: "approve", OKSO_PLAN_OUTPUT=str(file))
    assert len(run.decisions) > 1
    assert len(read(file)["plan"]["steps"]) == 2


@pytest.mark.parametrize("spoil", ["link", "folder", "no folder"])
def test_an_unwritable_file_is_reported_before_anything_runs(bench: Bench, spoil: str) -> None:
    """A link, a folder, or a parent that is not a folder is an error naming the setting."""
    file = bench.home.parent / "out" / "plan.json"
    target = bench.home.parent / "target.json"
    target.write_text("mine")
    if spoil == "no folder":
        file.parent.write_text("")
    else:
        file.parent.mkdir()
        file.mkdir() if spoil == "folder" else file.symlink_to(target)
    with pytest.raises(SettingError, match=r"OKSO_PLAN_OUTPUT .* cannot be written: \w"):
        bench.run(LOOK, OKSO_PLAN_OUTPUT=str(file), OKSO_RUN_ID="mine")
    assert target.read_text() == "mine"
    with bench.session() as session:
        assert session.journal.records("mine") == []


def test_a_resumed_run_writes_the_plan_it_had(bench: Bench) -> None:
    """A plan made by an earlier process is written when it is shown again."""
    file = bench.home / "plan.json"
    run = bench.run(LOOK)
    with bench.session() as session:
        output = PlanOutput.open(str(file), RunRecorder(session.journal, run.id), Redactor())
    output(blank("shown", fingerprint="f"))
    assert Plan.from_dict(read(file)["plan"]) == run.plan
