"""Recorded decisions approve exactly what was shown, and nothing else."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ApprovalError, ReplayMissError, SettingError, UsageError
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Feedback
from okso_jupyter.replay.recorded_decisions import ReplayedDecisions, portable_fingerprint
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from tests.approval.person import Person, approve, does
from tests.bench import END, Bench, statuses

pytestmark = pytest.mark.slow

READ = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]
WRITE = [{"tool": "file_write", "args": {"path": "new.txt", "content": "hello"}}, END]
REMOVE = [{"tool": "terminal", "args": {"command": "rm", "args": ["notes.txt"]}}, END]


def record(bench: Bench, plan: Any, approve: Any = "auto") -> Path:
    """Record a decision about a plan, then restore the folder."""
    file = bench.home.parent / "demo.json"
    before = bench.home.parent / "before"
    shutil.copytree(bench.root, before, dirs_exist_ok=True)
    with bench.session(OKSO_RECORD=str(file)) as session:
        session.execute(plan, approve=approve)
    shutil.rmtree(bench.root)
    shutil.copytree(before, bench.root)
    return file


def changed(file: Path, **parts: Any) -> None:
    """Modify the recorded decisions, as anyone with access to the file can."""
    document = json.loads(file.read_text())
    for run in document["runs"]:
        for entry in run["entries"]:
            if entry["kind"] == "decision":
                entry["gave"] |= parts
    file.write_text(json.dumps(document))


def record_person(bench: Bench, plan: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Record that a person approved a plan at the form."""
    with monkeypatch.context() as patch:
        Person(patch, [approve] * 2)
        return record(bench, plan, approve="ask")


def decide(bench: Bench, plan: Any, file: Path, root: Path | None = None, **settings: Any) -> Any:
    """Run a plan live with recorded decisions."""
    chosen = {"OKSO_HOME": str(bench.home), "OKSO_APPROVE": f"replay={file}", **settings}
    with Session(chosen, root=root or bench.root) as session:
        return session.execute(plan)


def test_a_decision_is_replayed_while_tools_run_live(bench: Bench) -> None:
    """The plan is approved as recorded, and the tool really runs."""
    run = decide(bench, WRITE, record(bench, WRITE))

    assert run.state == "completed"
    assert (bench.root / "new.txt").read_text() == "hello"
    assert run.decisions[0]["by"] == "replay"
    assert run.decisions[0]["reason"] == "decided by auto when demo.json was recorded"


def test_a_rejection_is_replayed_too(bench: Bench) -> None:
    """A recorded rejection rejects the plan again."""
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
def test_a_different_plan_is_a_miss(bench: Bench, other: Any) -> None:
    """A plan that differs in any part from the one shown is refused, and no step runs."""
    file = record(bench, WRITE)

    with pytest.raises(ReplayMissError, match="holds no decision about this plan"):
        decide(bench, other, file)

    assert sorted(path.name for path in bench.root.iterdir()) == ["notes.txt", "sales.csv"]


def test_a_different_preview_is_a_miss(bench: Bench) -> None:
    """The preview is part of what was shown: a changed file gives another diff."""
    file = record(bench, [{"tool": "file_write", "args": {
        "path": "notes.txt", "content": "x", "mode": "append"}}, END])  # fmt: skip
    (bench.root / "notes.txt").write_text("something else")

    with pytest.raises(ReplayMissError):
        decide(bench, [{"tool": "file_write", "args": {
            "path": "notes.txt", "content": "x", "mode": "append"}}, END], file)  # fmt: skip


def test_a_policys_decision_is_valid_in_a_copy_of_the_folder(bench: Bench, tmp_path: Path) -> None:
    """The same plan over the same files is approved in a copy of the project."""
    file = record(bench, WRITE)
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)

    assert decide(bench, WRITE, file, copy).state == "completed"
    assert (copy / "new.txt").read_text() == "hello"


def test_an_irreversible_step_needs_a_persons_decision(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function's decision does not count, and a person's counts in its folder only."""
    with pytest.raises(ReplayMissError, match=r"step 1 \(terminal\) needs a person"):
        decide(bench, REMOVE, record(bench, REMOVE, approve=lambda _plan: "approve"))
    (tmp_path / "demo.json").unlink()
    file = record_person(bench, REMOVE, monkeypatch)
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)
    with pytest.raises(ReplayMissError, match="in this folder"):
        decide(bench, REMOVE, file, copy)

    assert (copy / "notes.txt").exists()
    assert decide(bench, REMOVE, file).state == "completed"
    assert not (bench.root / "notes.txt").exists()


@pytest.fixture
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.mark.usefixtures("_own_config")
def test_a_forged_decision_of_a_person_is_refused(bench: Bench) -> None:
    """A decision claimed to be a person's counts only after the user trusts the file."""
    file = record(bench, REMOVE, approve=lambda _plan: "approve")
    changed(file, by="user")
    for seal in (None, "", "0" * 64, 3):
        changed(file, seal=seal)
        with pytest.raises(ReplayMissError, match=r"was not written by your okso.*okso trust"):
            decide(bench, REMOVE, file)
    assert (bench.root / "notes.txt").exists()

    with bench.session() as session:
        session.trust(file)
    assert decide(bench, REMOVE, file).state == "completed"
    assert not (bench.root / "notes.txt").exists()


@pytest.mark.usefixtures("_own_config")
@pytest.mark.parametrize("parts", [{"run": "other"}, {"up_to": 1}, {"steps": {"1": "", "2": ""}}])
def test_a_sealed_decision_cannot_be_changed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, parts: dict[str, Any]
) -> None:
    """A change of its run or of the steps that it covers voids the decision."""
    file = record_person(bench, REMOVE, monkeypatch)
    changed(file, **parts)

    with pytest.raises(ReplayMissError, match="was not written by your okso"):
        decide(bench, REMOVE, file)


@pytest.mark.usefixtures("_own_config")
def test_a_decision_of_another_user_is_refused(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key is the user's: with another key, or none, the seal is invalid."""
    file = record_person(bench, REMOVE, monkeypatch)
    key = tmp_path / "config" / "okso" / "seal.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    for content in (b"", b"x" * 32):
        key.write_bytes(content)
        with pytest.raises(ReplayMissError, match="was not written by your okso"):
            decide(bench, REMOVE, file)


def test_an_approval_of_nothing_is_an_error(bench: Bench) -> None:
    """Otherwise approval would be requested again without end."""
    file = record(bench, WRITE)
    changed(file, steps={})

    with pytest.raises(ApprovalError, match="covers no step of the plan"):
        decide(bench, WRITE, file)
    refused = pytest.raises(ApprovalError, match="covers no step of the plan")
    with bench.session(OKSO_REPLAY=str(file)) as session, refused:
        session.execute(WRITE)
    assert not (bench.root / "new.txt").exists()


def test_a_recording_without_seals_can_be_replayed(bench: Bench) -> None:
    """A recording of an older version has no seals, and a replay changes no files."""
    file = record(bench, REMOVE, approve=lambda _plan: "approve")
    document = json.loads(file.read_text())
    for entry in document["runs"][0]["entries"]:
        for name in ("seal", "run") if entry["kind"] == "decision" else ():
            entry["gave"].pop(name, None)
    file.write_text(json.dumps(document))

    with bench.session(OKSO_REPLAY=str(file)) as session:
        assert session.execute(REMOVE).state == "completed"
    assert (bench.root / "notes.txt").exists()


def test_force_confirm_overrides_a_recording(bench: Bench) -> None:
    """FORCE_CONFIRM asks a person whatever is recorded; without one it is an error."""
    file = record(bench, WRITE)

    with pytest.raises(ApprovalError, match="no person can approve"):
        decide(bench, WRITE, file, FORCE_CONFIRM=True)


def test_feedback_is_replayed(bench: Bench) -> None:
    """Recorded feedback is given again, and then the next plan is decided as recorded."""
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


def test_a_run_is_replayed_in_two_parts(bench: Bench) -> None:
    """A run recorded at once can be replayed as planning and execution.

    Each of the two opens its models.
    """
    file = bench.home.parent / "demo.json"
    said: list[Any] = ["approve", Feedback("write it instead")]
    settings: dict[str, Any] = {"PLANNER_SAMPLE_COUNT": 1}
    with bench.session(READ, WRITE, OKSO_RECORD=str(file), **settings) as session:
        run = session.run("read notes.txt", approve=lambda _plan: said.pop())
    (bench.root / "new.txt").unlink()
    with bench.session(OKSO_REPLAY=str(file), **settings) as session:
        again = session.execute(session.plan("read notes.txt"))

    assert again.answer == run.answer


def test_deny_overrides_a_replay(bench: Bench) -> None:
    """The policy deny rejects a plan whatever was recorded."""
    file = record(bench, WRITE)
    with bench.session(OKSO_REPLAY=str(file)) as session:
        assert session.execute(WRITE, approve="deny").state == "cancelled"


@pytest.mark.parametrize("value", ["replay", "replay=", "play=x"])
def test_an_unknown_policy_is_an_error(value: str) -> None:
    """The error lists the valid policies."""
    with pytest.raises(SettingError, match="ask or auto or deny or replay=FILE"):
        Settings.of({"OKSO_APPROVE": value})


def test_a_policy_as_an_argument_is_checked_too(bench: Bench) -> None:
    """The value of `approve=` is validated like the setting."""
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


def test_an_edited_plan_is_replayed(bench: Bench, edited: tuple[Path, Run]) -> None:
    """The person's edits are applied to the plan again."""
    file, run = edited
    with bench.session(OKSO_REPLAY=str(file)) as session:
        again = session.execute(WRITE)

    assert [r.cause for r in again.revisions] == [r.cause for r in run.revisions]
    assert again.answer == run.answer
    assert not (bench.root / "new.txt").exists()


def test_an_edited_plan_approves_itself_and_not_the_proposed_one(
    bench: Bench, edited: tuple[Path, Run]
) -> None:
    """Recorded decisions run the edited plan, and refuse it if its diff has changed."""
    decide(bench, WRITE, edited[0])
    assert (bench.root / "new.txt").read_text() == "coffee"

    (bench.root / "new.txt").write_text("tea")
    with pytest.raises(ReplayMissError):
        decide(bench, WRITE, edited[0])


def test_a_partial_approval_is_replayed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unticked steps stay unticked, and later questions are decided as recorded."""
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


class _Recorded:
    """A recording with a single decision."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def decided(self, portable_fingerprint: str) -> dict[str, Any]:
        if portable_fingerprint != self.shown:
            msg = "never shown"
            raise ReplayMissError(msg)
        return {"decision": "approve", "by": "auto", "steps": {"1": "recorded"}}


@pytest.mark.parametrize("was", [False, True])
def test_a_policys_older_decision_is_replayed_for_a_person(*, was: bool) -> None:
    """A policy's decision from an older version is replayed where a person is needed now.

    A decision about a step that needed a person is not replayed for one that needs none.
    """
    plan = Plan.from_dict(READ[:1])

    def proposal(*, needs_person: bool) -> ApprovalRequest:
        shown = ShownStep(step=plan.steps[0], effects=frozenset(), needs_person=needs_person)
        return ApprovalRequest(plan=plan, steps=(shown,))

    played = ReplayedDecisions(_Recorded(portable_fingerprint(proposal(needs_person=was))))
    approval = played.decide(proposal(needs_person=True), None)

    assert approval.steps == proposal(needs_person=True).step_fingerprints
    if was:
        with pytest.raises(ReplayMissError, match="never shown"):
            played.decide(proposal(needs_person=False), None)
