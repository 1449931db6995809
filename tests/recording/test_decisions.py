"""Recorded decisions approve what was shown identically, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ApprovalError, ReplayMissError, SettingError, UsageError
from okso_jupyter.plan.records import Feedback
from okso_jupyter.run import Run
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from tests.approval.person import Person, approve, does
from tests.bench import END, Bench, statuses

READ = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]
WRITE = [{"tool": "file_write", "args": {"path": "new.txt", "content": "hello"}}, END]
REMOVE = [{"tool": "terminal", "args": {"command": "rm", "args": ["notes.txt"]}}, END]


def record(bench: Bench, plan: Any, approve: Any = "auto") -> Path:
    """Record a decision about a plan; the world is put back afterwards."""
    file = bench.home.parent / "demo.json"
    before = bench.home.parent / "before"
    shutil.copytree(bench.root, before, dirs_exist_ok=True)
    with bench.session(OKSO_RECORD=str(file)) as session:
        session.execute(plan, approve=approve)
    shutil.rmtree(bench.root)
    shutil.copytree(before, bench.root)
    return file


def as_person(file: Path) -> None:
    """Let the recorded decisions be a person's, as the form records them."""
    document = json.loads(file.read_text())
    for run in document["runs"]:
        for entry in run["entries"]:
            if entry["kind"] == "decision":
                entry["gave"]["by"] = "user"
    file.write_text(json.dumps(document))


def decide(bench: Bench, plan: Any, file: Path, root: Path | None = None, **settings: Any) -> Any:
    """Run a plan live with recorded decisions."""
    chosen = {"OKSO_HOME": str(bench.home), "OKSO_APPROVE": f"replay={file}", **settings}
    with Session(chosen, root=root or bench.root) as session:
        return session.execute(plan)


def test_a_decision_is_replayed_and_the_rest_is_live(bench: Bench) -> None:
    """The plan is approved as it was, and the tool really runs."""
    run = decide(bench, WRITE, record(bench, WRITE))

    assert run.state == "completed"
    assert (bench.root / "new.txt").read_text() == "hello"
    assert run.decisions[0]["by"] == "replay"
    assert run.decisions[0]["reason"] == "decided by auto when demo.json was recorded"


def test_a_rejection_is_replayed_too(bench: Bench) -> None:
    """Whoever said no then says no now."""
    file = record(bench, WRITE, approve="deny")

    assert decide(bench, WRITE, file).state == "cancelled"
    assert not (bench.root / "new.txt").exists()


@pytest.mark.parametrize(
    "other",
    [
        [{"tool": "file_write", "args": {"path": "new.txt", "content": "HELLO"}}, END],
        [{"tool": "file_write", "args": {"path": "newer.txt", "content": "hello"}}, END],
        [{**WRITE[0], "max_retries": 3}, END],
        [WRITE[0], WRITE[0], END],
        READ,
    ],
)
def test_another_plan_is_a_miss(bench: Bench, other: Any) -> None:
    """Whatever differs from what was shown is refused, and nothing runs."""
    file = record(bench, WRITE)

    with pytest.raises(ReplayMissError, match="holds no decision about this plan"):
        decide(bench, other, file)

    assert sorted(path.name for path in bench.root.iterdir()) == ["notes.txt", "sales.csv"]


def test_a_preview_that_differs_is_a_miss(bench: Bench) -> None:
    """What would change is part of what was shown: another file there is another diff."""
    file = record(bench, [{"tool": "file_write", "args": {
        "path": "notes.txt", "content": "x", "mode": "overwrite"}}, END])  # fmt: skip
    (bench.root / "notes.txt").write_text("something else")

    with pytest.raises(ReplayMissError):
        decide(bench, [{"tool": "file_write", "args": {
            "path": "notes.txt", "content": "x", "mode": "overwrite"}}, END], file)  # fmt: skip


def test_in_another_folder_it_covers_what_a_policy_may_approve(
    bench: Bench, tmp_path: Path
) -> None:
    """The same plan over the same files is approved in a copy of the project."""
    file = record(bench, WRITE)
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)

    assert decide(bench, WRITE, file, copy).state == "completed"
    assert (copy / "new.txt").read_text() == "hello"


def test_a_step_that_needs_a_person_wants_that_person(bench: Bench, tmp_path: Path) -> None:
    """No function decides about what cannot be undone, and a person does so for one folder."""
    file = record(bench, REMOVE, approve=lambda _plan: "approve")
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)

    with pytest.raises(ReplayMissError, match=r"step 1 \(terminal\) needs a person"):
        decide(bench, REMOVE, file)
    as_person(file)
    with pytest.raises(ReplayMissError, match="in this folder"):
        decide(bench, REMOVE, file, copy)

    assert (copy / "notes.txt").exists()
    assert decide(bench, REMOVE, file).state == "completed"
    assert not (bench.root / "notes.txt").exists()


def test_confirming_beats_a_recording(bench: Bench) -> None:
    """FORCE_CONFIRM asks, whatever else is said; headless that is an error."""
    file = record(bench, WRITE)

    with pytest.raises(ApprovalError, match="nobody can approve"):
        decide(bench, WRITE, file, FORCE_CONFIRM=True)


def test_feedback_is_played_back(bench: Bench) -> None:
    """A plan that was sent back is sent back again, and the next one is decided about as it was."""
    file = bench.home.parent / "demo.json"
    said: list[Any] = ["approve", Feedback("write it instead")]
    settings: dict[str, Any] = {"PLANNER_SAMPLE_COUNT": 1}
    with bench.session(READ, WRITE, OKSO_RECORD=str(file), **settings) as session:
        run = session.run("read notes.txt", approve=lambda _plan: said.pop())
    (bench.root / "new.txt").unlink()
    with bench.session(OKSO_REPLAY=str(file), **settings) as session:
        again = session.run("read notes.txt")

    assert [d["decision"] for d in again.decisions] == ["feedback", "approve"]
    assert again.answer == run.answer
    assert not (bench.root / "new.txt").exists()


def test_deny_beats_a_replay(bench: Bench) -> None:
    """Who says no gets no, whatever was recorded."""
    file = record(bench, WRITE)
    with bench.session(OKSO_REPLAY=str(file)) as session:
        assert session.execute(WRITE, approve="deny").state == "cancelled"


@pytest.mark.parametrize("value", ["replay", "replay=", "play=x"])
def test_a_policy_that_is_none_is_an_error(value: str) -> None:
    """The words are named."""
    with pytest.raises(SettingError, match="ask or auto or deny or replay=FILE"):
        Settings.of({"OKSO_APPROVE": value})


def test_a_policy_as_an_argument_is_checked_too(bench: Bench) -> None:
    """What `approve=` gets is the same words."""
    with bench.session() as session, pytest.raises(UsageError, match="approve is one of"):
        session.execute(READ, approve="sometimes")


@pytest.fixture
def edited(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Run]:
    """A recording of a run whose plan a person edited before they approved it."""
    file = bench.home.parent / "demo.json"
    typed = {1: {"content": "coffee"}}
    person = Person(monkeypatch, [does("check", args=typed), approve])
    with bench.session(OKSO_RECORD=str(file)) as session:
        run = session.execute(WRITE, approve="ask")
    assert person.left == 0
    monkeypatch.undo()
    (bench.root / "new.txt").unlink()
    return file, run


def test_an_edited_plan_is_played_back(bench: Bench, edited: tuple[Path, Run]) -> None:
    """What a person made of the plan is made of it again."""
    file, run = edited
    with bench.session(OKSO_REPLAY=str(file)) as session:
        again = session.execute(WRITE)

    assert [r.cause for r in again.revisions] == [r.cause for r in run.revisions]
    assert again.answer == run.answer
    assert not (bench.root / "new.txt").exists()


def test_an_edited_plan_approves_itself_and_not_the_proposed_one(
    bench: Bench, edited: tuple[Path, Run]
) -> None:
    """Recorded decisions let the edited plan run, and refuse it where its diff is another."""
    decide(bench, WRITE, edited[0])
    assert (bench.root / "new.txt").read_text() == "coffee"

    (bench.root / "new.txt").write_text("tea")
    with pytest.raises(ReplayMissError):
        decide(bench, WRITE, edited[0])


def test_a_part_of_a_plan_is_approved_as_it_was(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unticked steps stay unticked, and what was to be asked about later is."""
    plan = [READ[0], WRITE[0], END]
    file = bench.home.parent / "demo.json"
    Person(monkeypatch, [does("check", off=[2]), approve])
    with bench.session(OKSO_RECORD=str(file)) as session:
        run = session.execute(plan, approve="ask")
    monkeypatch.undo()
    with bench.session(OKSO_REPLAY=str(file)) as session:
        again = session.execute(plan)

    assert statuses(again) == statuses(run)
    assert not (bench.root / "new.txt").exists()
