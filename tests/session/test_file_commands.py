"""Requests that only say what to do with files, from the request to the changed folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from okso_jupyter import Session
from tests.bench import END, Bench, SmallModel

REQUEST = "Make a folder called old, copy notes.txt into it and replace 'one' with 'two' in it"
PLAN = (
    ("terminal", {"command": "mkdir", "args": ["old"]}),
    ("terminal", {"command": "cp", "args": ["notes.txt", "old"]}),
    (
        "file_edit",
        {"path": "old/notes.txt", "old_text": "one", "new_text": "two", "replace_all": True},
    ),
)
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def small(bench: Bench, **settings: Any) -> Session:
    """Return a session whose small model answers nothing."""
    bench.model = SmallModel([])
    chosen = {"OKSO_HOME": str(bench.home), **settings}
    return Session(chosen, model=bench.model, root=bench.root)


def test_the_steps_are_shown_and_run_without_the_model(bench: Bench) -> None:
    """Each clause is a step; "it" is the folder, then the copy in it."""
    (bench.root / "notes.txt").write_text("one and one", "utf-8")
    with small(bench) as session:
        planning = session.plan(REQUEST)
        run = session.execute(planning, approve="auto")

    assert "read as commands about files" in planning.note
    assert (
        tuple((step.tool, step.args) for step in planning.plan.steps if not step.is_final) == PLAN
    )
    assert [step.title for step in planning.plan.steps if not step.is_final] == [
        "Make the folder old",
        "Copy notes.txt to old",
        "Edit old/notes.txt",
    ]
    assert run.state == "completed"
    assert (bench.root / "notes.txt").read_text("utf-8") == "one and one"
    assert (bench.root / "old" / "notes.txt").read_text("utf-8") == "two and two"


def test_nothing_is_changed_before_the_approval(bench: Bench) -> None:
    """A rejected plan leaves the folder as it was."""
    (bench.root / "notes.txt").write_text("one", "utf-8")
    with small(bench) as session:
        run = session.run("Rename notes.txt to other.txt", approve=lambda _: "reject")

    assert run.state == "cancelled"
    assert (bench.root / "notes.txt").exists()


def test_a_larger_model_plans_them_itself(bench: Bench) -> None:
    """The request goes to the model, whose plan is shown."""
    (bench.root / "notes.txt").write_text("one", "utf-8")
    with bench.session([READ, END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("Copy notes.txt to other.txt")

    assert planning.plan.tools == ("file_read", "final_answer")


def test_a_replay_has_the_recorded_steps(bench: Bench, tmp_path: Path) -> None:
    """The folder of the replay does not decide: there the target is taken."""
    file = str(tmp_path / "run.jsonl")
    (bench.root / "notes.txt").write_text("one", "utf-8")
    with small(bench, OKSO_RECORD=file) as session:
        recorded = session.run("Copy notes.txt to copy.txt", approve="auto")
    with small(bench, OKSO_REPLAY=file) as session:
        replayed = session.run("Copy notes.txt to copy.txt", approve="auto")

    assert recorded.answer == replayed.answer == "copied notes.txt to copy.txt"
    assert (bench.root / "copy.txt").exists()
