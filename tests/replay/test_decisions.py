"""Recorded decisions approve what was shown identically, and nothing else."""

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


def changed(file: Path, **parts: Any) -> None:
    """Change the recorded decisions, as whoever has the file can."""
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
        "path": "notes.txt", "content": "x", "mode": "append"}}, END])  # fmt: skip
    (bench.root / "notes.txt").write_text("something else")

    with pytest.raises(ReplayMissError):
        decide(bench, [{"tool": "file_write", "args": {
            "path": "notes.txt", "content": "x", "mode": "append"}}, END], file)  # fmt: skip


def test_in_another_folder_it_covers_what_a_policy_may_approve(
    bench: Bench, tmp_path: Path
) -> None:
    """The same plan over the same files is approved in a copy of the project."""
    file = record(bench, WRITE)
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)

    assert decide(bench, WRITE, file, copy).state == "completed"
    assert (copy / "new.txt").read_text() == "hello"


def test_a_step_that_needs_a_person_wants_that_person(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No function decides about what cannot be undone, and a person does so for one folder."""
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
def test_whoever_has_a_recording_is_no_person(bench: Bench) -> None:
    """A decision that claims to be a person's counts when the user trusts the file."""
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
    """Neither what it covers nor the run that it was made in."""
    file = record_person(bench, REMOVE, monkeypatch)
    changed(file, **parts)

    with pytest.raises(ReplayMissError, match="was not written by your okso"):
        decide(bench, REMOVE, file)


@pytest.mark.usefixtures("_own_config")
def test_a_decision_of_another_user_is_none_of_this_one(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key is the user's: where it is another one, or none, the seal is void."""
    file = record_person(bench, REMOVE, monkeypatch)
    key = tmp_path / "config" / "okso" / "seal.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    for content in (b"", b"x" * 32):
        key.write_bytes(content)
        with pytest.raises(ReplayMissError, match="was not written by your okso"):
            decide(bench, REMOVE, file)


def test_an_approval_of_nothing_is_an_error(bench: Bench) -> None:
    """It would be asked for again without end."""
    file = record(bench, WRITE)
    changed(file, steps={})

    with pytest.raises(ApprovalError, match="covers no step of the plan"):
        decide(bench, WRITE, file)
    refused = pytest.raises(ApprovalError, match="covers no step of the plan")
    with bench.session(OKSO_REPLAY=str(file)) as session, refused:
        session.execute(WRITE)
    assert not (bench.root / "new.txt").exists()


def test_a_recording_without_seals_is_played_back(bench: Bench) -> None:
    """One that an older version made has none: a replay touches nothing."""
    file = record(bench, REMOVE, approve=lambda _plan: "approve")
    document = json.loads(file.read_text())
    for entry in document["runs"][0]["entries"]:
        for name in ("seal", "run") if entry["kind"] == "decision" else ():
            entry["gave"].pop(name, None)
    file.write_text(json.dumps(document))

    with bench.session(OKSO_REPLAY=str(file)) as session:
        assert session.execute(REMOVE).state == "completed"
    assert (bench.root / "notes.txt").exists()


def test_confirming_beats_a_recording(bench: Bench) -> None:
    """FORCE_CONFIRM asks, whatever else is said; headless that is an error."""
    file = record(bench, WRITE)

    with pytest.raises(ApprovalError, match="no person can approve"):
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


def test_a_run_is_played_back_in_two_parts(bench: Bench) -> None:
    """Recorded at once and played back as planning and execution: each opens its models."""
    file = bench.home.parent / "demo.json"
    said: list[Any] = ["approve", Feedback("write it instead")]
    settings: dict[str, Any] = {"PLANNER_SAMPLE_COUNT": 1}
    with bench.session(READ, WRITE, OKSO_RECORD=str(file), **settings) as session:
        run = session.run("read notes.txt", approve=lambda _plan: said.pop())
    (bench.root / "new.txt").unlink()
    with bench.session(OKSO_REPLAY=str(file), **settings) as session:
        again = session.execute(session.plan("read notes.txt"))

    assert again.answer == run.answer


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


class _Recorded:
    """Knows one decision."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def decided(self, portable_fingerprint: str) -> dict[str, Any]:
        if portable_fingerprint != self.shown:
            msg = "never shown"
            raise ReplayMissError(msg)
        return {"decision": "approve", "by": "auto", "steps": {"1": "recorded"}}


@pytest.mark.parametrize("was", [False, True])
def test_what_is_for_a_person_now_is_played_back_as_it_was_decided(*, was: bool) -> None:
    """A recording of an older version left a step to a policy; one of this version does not."""
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
