"""A recorded run is replayed: the same tables, from the recording alone."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter.errors import RecordingError, ReplayMissError, UndoError, UsageError
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel
from tests.bench import END, Bench

pytestmark = pytest.mark.slow

READ = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]
WRITE = [{"tool": "file_write", "args": {"path": "new.txt", "content": "hello"}}, END]
TABLES = ("candidates", "observations", "ledger", "ranking")


def record(bench: Bench, file: Path, *plans: object, request: str = "read notes.txt") -> Run:
    """Record a run of a request whose plan a model writes, with the tools of `replay`."""
    chosen = {"OKSO_HOME": str(bench.home), "OKSO_RECORD": str(file), "PLAN_CHECKS": False,
              "PLANNER_SAMPLE_COUNT": len(plans)}  # fmt: skip
    with Session(chosen, model=ScriptedModel(plans), root=bench.root) as session:
        return session.run(request, approve="auto")


def replay(
    root: Path, home: Path, file: Path, request: str = "read notes.txt", samples: int = 1
) -> Run:
    """Replay a request from a recording alone."""
    chosen = {"OKSO_HOME": str(home), "OKSO_REPLAY": str(file), "PLANNER_SAMPLE_COUNT": samples}
    with Session(chosen, model=ScriptedModel([]), root=root) as session:
        return session.run(request)


def assert_same_tables(one: Run, other: Run) -> None:
    """Fail unless two runs have the same tables, times included."""
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the recording."""
    return tmp_path / "demo.json"


def test_a_replay_gives_the_same_tables_in_an_empty_folder(
    bench: Bench, file: Path, tmp_path: Path
) -> None:
    """A replay needs only the recording: no model, no files and no approval."""
    run = record(bench, file, READ, READ)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    again = replay(elsewhere, tmp_path / "other", file, samples=2)

    assert (again.state, again.answer) == (run.state, run.answer)
    assert_same_tables(run, again)


def test_a_replay_writes_no_file(bench: Bench, file: Path, tmp_path: Path) -> None:
    """A replay reports a recorded file write and does not repeat it."""
    run = record(bench, file, WRITE, request="write hello to new.txt")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    again = replay(elsewhere, tmp_path / "other", file, "write hello to new.txt")

    assert_same_tables(run, again)
    assert list(again.ledger["created"][0]) == ["new.txt"]
    assert list(elsewhere.iterdir()) == []
    with pytest.raises(UndoError, match="played back"):
        again.undo()


def test_a_recording_is_private(bench: Bench, file: Path) -> None:
    """A recording has mode 0600, since it is raw, and a note in it says that it is raw."""
    record(bench, file, READ)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["note"].startswith("Exact and raw")


def test_a_request_that_was_not_recorded_is_an_error(
    bench: Bench, file: Path, tmp_path: Path
) -> None:
    """The error names the request, the most similar recorded one, and how to record it."""
    record(bench, file, READ)

    with pytest.raises(ReplayMissError) as caught:
        replay(bench.root, tmp_path / "other", file, "read notes.md")

    assert "holds no run of 'read notes.md'" in caught.value.message
    assert "recorded 'read notes.txt'" in caught.value.message
    assert "--record" in caught.value.hint


def test_recording_a_replay_is_an_error(bench: Bench, file: Path) -> None:
    """A session that records and replays at once is an error."""
    record(bench, file, READ)

    with (
        bench.session(OKSO_RECORD=str(file), OKSO_REPLAY=str(file)) as session,
        pytest.raises(UsageError, match="contradict each other"),
    ):
        session.run("read notes.txt", approve="auto")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is damaged: it is not a JSON document"),
        ("[]", "is not a recording"),
        ('{"okso_recording": 1, "runs": [{}]}', "at runs/0"),
        ('{"okso_recording": 2, "runs": []}', "is of version 2"),
        (None, "there is no recording"),
        ('{"okso_recording": "1", "runs": []}', "at okso_recording"),
        ("\x00\x01", "not a JSON document"),
    ],
)
def test_a_file_that_is_not_a_recording_is_an_error(
    bench: Bench, file: Path, text: str | None, reason: str
) -> None:
    """A damaged, foreign, newer or missing file raises an error with a specific message."""
    if text is not None:
        file.write_text(text)

    with pytest.raises(RecordingError, match=reason):
        replay(bench.root, bench.home, file)


def test_a_symbolic_link_is_not_followed(bench: Bench, file: Path, tmp_path: Path) -> None:
    """A recording is never written through a symbolic link."""
    target = tmp_path / "target"
    target.write_text("mine")
    file.symlink_to(target)

    with pytest.raises(RecordingError, match="symbolic link"):
        record(bench, file)

    assert target.read_text() == "mine"


@pytest.mark.parametrize(
    "kind", ["completions", "call", "decision", "model", "facts", "time", "remark"]
)
def test_a_damaged_entry_is_named(bench: Bench, file: Path, kind: str) -> None:
    """An incomplete entry is detected when the file is read, not in the middle of a run."""
    record(bench, file, READ)
    document = json.loads(file.read_text())
    number = [entry["kind"] for entry in document["runs"][0]["entries"]].index(kind)
    document["runs"][0]["entries"][number]["gave"] = {"text": "?"}
    file.write_text(json.dumps(document))

    with pytest.raises(RecordingError, match=f"at runs/0/entries/{number}/gave"):
        replay(bench.root, bench.home, file)


@pytest.mark.parametrize(
    ("kind", "inside", "wrong"),
    [
        ("call", ("changes", "touched"), [["notes.txt"]]),
        ("call", ("changes", "made"), []),
        ("call", ("changes", "details"), [{"kind": "created", "path": 1}]),
        ("call", ("exit_code",), {}),
        ("call", ("started_at",), "yesterday"),
        ("call", ("call", "step"), 1),
        ("completions", (0, "output_tokens"), 1e308),
        ("completions", (0, "duration_s"), "long"),
    ],
)
def test_a_damaged_part_of_an_entry_is_named(
    bench: Bench, file: Path, kind: str, inside: tuple[Any, ...], wrong: object
) -> None:
    """A value that no table could hold is also detected when the file is read."""
    record(bench, file, READ)
    document = json.loads(file.read_text())
    entry = next(one for one in document["runs"][0]["entries"] if one["kind"] == kind)
    place = entry["gave"]
    for name in inside[:-1]:
        place = place[name]
    place[inside[-1]] = wrong
    file.write_text(json.dumps(document))

    with pytest.raises(RecordingError, match="or it is damaged, at runs/0/entries/"):
        replay(bench.root, bench.home, file)


def test_an_invalid_value_of_a_call_is_an_error(bench: Bench, file: Path) -> None:
    """A value that passes the schema but is invalid for a call is a clear error."""
    record(bench, file, READ)
    document = json.loads(file.read_text())
    entry = next(one for one in document["runs"][0]["entries"] if one["kind"] == "call")
    entry["gave"]["error_class"] = "dreamt"
    file.write_text(json.dumps(document))

    with pytest.raises(
        RecordingError, match=r"the output of file_read cannot be read in .*error_class"
    ):
        replay(bench.root, bench.home, file)


def test_unused_entries_of_a_recording_are_reported(
    bench: Bench, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A dry run of a full recording does not use the call: this is logged, not an error."""
    record(bench, file, READ)
    chosen = {"OKSO_HOME": str(bench.home), "OKSO_REPLAY": str(file), "PLANNER_SAMPLE_COUNT": 1}
    with Session(chosen, model=ScriptedModel([]), root=bench.root) as session:
        planning = session.plan("read notes.txt")
        session.execute(planning, dry_run=True)

    told = [vars(r)["detail"] for r in caplog.records if r.message == "recorded and not asked for"]
    assert told == [{"call": 1, "remark": 1}]


def test_a_question_that_was_not_recorded_names_the_nearest(bench: Bench, file: Path) -> None:
    """The error shows the question that differs beside the recorded one."""
    plan: list[Any] = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]
    with bench.session(OKSO_RECORD=str(file)) as session:
        session.execute(plan, approve="deny")
    document = json.loads(file.read_text())
    for entry in document["runs"][0]["entries"]:
        if entry["kind"] == "decision":
            entry["asked"]["shown"] = "0" * 64
    file.write_text(json.dumps(document))

    with (
        bench.session(OKSO_REPLAY=str(file)) as session,
        pytest.raises(ReplayMissError, match="a decision about a plan that is shown like this"),
    ):
        session.execute(plan)
