"""A damaged record causes an error only where records of its kind are needed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.overview import overview
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.retention import expire, forget, make_room
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.journal.store import Journal
from okso_jupyter.magic.forget_command import _forgotten
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.recorded_entries import counted, head_of
from okso_jupyter.replay.recording_writer import RecordingFile, RecordingWriter, export
from okso_jupyter.results import read_run
from okso_jupyter.resume.listing import resumable_runs
from okso_jupyter.runs.run_files import TraceFolder
from okso_jupyter.undo.change_history import latest_to_reverse, read_change_history
from tests.bench import END, Bench
from tests.frozen.reading import everything_of, opened

#: Runs of before that are read in every way: sampled, replanned, resumed, recorded, undone.
RUNS = ("sampled", "replanned", "killed_and_resumed", "recorded", "undone")


def damage(journal: Journal, run_id: str, kind: str, body: str = "{}", version: int = 1) -> None:
    """Add an unreadable record with the time of the run's last record."""
    at = journal.last_times().get(run_id, "2026-01-01T00:00:00+00:00")
    with sqlite3.connect(journal.path) as database:
        database.execute(
            "INSERT INTO record (run_id, kind, at, schema_version, body) VALUES (?, ?, ?, ?, ?)",
            (run_id, kind, at, version, body),
        )
    database.close()


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Iterator[Journal]:
    """The journal of an older version, in a folder of this test."""
    journal = opened(tmp_path / "home")
    yield journal
    journal.close()


def run_started(recorder: RunRecorder) -> RunStarted:
    """Return the event that started the run."""
    return recorder.journal.events(recorder.run_id, RunStarted)[0]


@pytest.mark.slow
@pytest.mark.parametrize("run_id", RUNS)
def test_a_damaged_record_that_is_not_needed_is_not_read(journal: Journal, run_id: str) -> None:
    """Every table, text, drawing and state equals that without the damaged record."""
    before = everything_of(journal, run_id)
    damage(journal, run_id, "left_out")

    after = everything_of(journal, run_id)

    assert after.pop("kinds") == [*before.pop("kinds"), "left_out"]
    assert after == before


def test_a_run_with_a_damaged_record_is_recorded_and_traced(
    journal: Journal, tmp_path: Path
) -> None:
    """A recording and a trace get all records they need, despite a damaged one."""
    file, recorder = (
        RecordingFile.open(str(tmp_path / "run.json"), tmp_path),
        RunRecorder(journal, "recorded"),
    )
    before = counted(read_run(journal, "recorded").records)
    damage(journal, "recorded", "left_out")
    records = read_run(journal, "recorded").records

    assert counted(records) == before
    assert export(records, file).entries
    assert RecordingWriter(file, recorder)._key == sha256_of(head_of(run_started(recorder)))
    trace = TraceFolder.open(str(tmp_path / "trace"), recorder, Redactor())
    assert trace._run["request"] == run_started(recorder).request


def expired(journal: Journal) -> tuple[str, ...]:
    """Expire the runs that are older than a day; return their ids."""
    in_a_year = datetime.now(UTC) + timedelta(days=365)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("okso_jupyter.journal.retention.datetime", Mock(now=lambda _: in_a_year))
        return expire(journal, 1).runs


def room_made(journal: Journal) -> tuple[str, ...]:
    """Drop all runs that may be dropped; return their ids."""
    return make_room(journal, max_runs=1)


#: What lies where a record of a run's state, or of its beginning, should be.
DAMAGED: list[tuple[str, str]] = [
    ("run_state", "{}"),
    ("run_state", '{"before": "draft", "event": "dream", "after": "dreaming"}'),
    ("run_state", '{"before'),
    ("run_started", "[]"),
]


@pytest.mark.parametrize(("kind", "body"), DAMAGED)
def test_a_damaged_run_is_listed_and_forgotten(journal: Journal, kind: str, body: str) -> None:
    """A damaged run is listed as damaged, and a person can forget it by its id."""
    others = {run.id: run for run in overview(journal) if run.id != "sampled"}
    if kind == "run_started":
        journal.drop(["sampled"])
    damage(journal, "sampled", kind, body)

    listed = {run.id: run for run in overview(journal)}

    assert listed.pop("sampled").state == "damaged"
    assert listed == others
    assert forget(journal, "sampled").runs == ("sampled",)
    assert {run.id for run in overview(journal)} == others.keys()


@pytest.mark.parametrize(("kind", "body"), DAMAGED[:3])
@pytest.mark.parametrize("make", [expired, room_made])
def test_a_damaged_run_does_not_keep_other_runs(
    journal: Journal, make: Callable[[Journal], tuple[str, ...]], kind: str, body: str
) -> None:
    """Other ended runs are dropped as usual; the damaged one is kept.

    Whether the damaged run has ended is unknown.
    """
    damage(journal, "sampled", kind, body)

    dropped = make(journal)

    assert "sampled" not in dropped
    assert len(dropped) > 10
    assert "sampled" in journal.run_ids()


def test_a_damaged_run_is_shown_as_damaged_and_not_resumable(journal: Journal) -> None:
    """The run's state and repr are "damaged", and no way to resume it is offered."""
    damage(journal, "paused", "run_state")
    run = read_run(journal, "paused")

    assert run.state == "damaged"
    assert repr(run) == "<Run paused: damaged>"
    assert run.way_on == ""
    with pytest.raises(JournalError, match="record 774 of run paused is damaged"):
        assert run.is_open


def test_a_run_of_a_newer_version_is_not_forgotten(journal: Journal) -> None:
    """A run of a newer version is not damaged, since that version can resume it."""
    damage(journal, "sampled", "run_state", version=2)

    assert "sampled" not in {run.id for run in overview(journal)}
    assert "sampled" not in expired(journal)
    with pytest.raises(JournalError, match="newer okso_jupyter"):
        forget(journal, "sampled")


@pytest.mark.parametrize("kind", ["run_state", "run_started"])
def test_the_command_forgets_a_damaged_run(bench: Bench, kind: str) -> None:
    """The command that the hint of the error recommends forgets the run."""
    run = bench.run([END])
    with bench.session() as session:
        damage(session.journal, run.id, kind)
        if kind == "run_started":
            session.journal.drop([run.id])
            damage(session.journal, run.id, kind)
        assert "forgotten" in _forgotten(session, run.id)
        assert session.journal.run_ids() == []


@pytest.mark.parametrize(
    "changes", ['"all of it"', '{"created": 5, "details": "abc"}', '{"details": [{"kind": 1}]}']
)
def test_damaged_changes_keep_the_list_and_the_images(bench: Bench, changes: str) -> None:
    """Runs are still listed and forgotten; images that the record may refer to are kept."""
    (bench.root / "notes.txt").write_text("zero")
    step = {"path": "notes.txt", "content": "one", "mode": "overwrite"}
    first = bench.run([{"tool": "file_write", "args": step}, END], approve=lambda _: "approve")
    other = bench.run([END])
    with bench.session() as session:
        damage(session.journal, other.id, "observation", f'{{"changes": {changes}}}')

        assert [run.id for run in overview(session.journal)] == [other.id, first.id]
        assert forget(session.journal, first.id).images == 0
    assert [file.read_text() for file in (bench.home / "undo").iterdir()] == ["zero"]


@pytest.mark.parametrize("kind", ["plan", "step_state", "arguments_filled", "replan_requested"])
def test_undo_ignores_damaged_records_that_it_does_not_need(journal: Journal, kind: str) -> None:
    """The change history depends only on calls and their results."""
    run = RunView("undone", journal.records("undone"))
    before = read_change_history(run)
    damage(journal, "undone", kind)

    assert read_change_history(RunView("undone", journal.records("undone"))) == before


def test_a_span_of_no_step_is_none_of_damage(journal: Journal) -> None:
    """A call of the model for the answer is for no step."""
    journal_span = {
        "span_id": "0001", "parent_id": "", "name": "chat", "duration_s": 1.0,
        "started_at": "2026-01-01T00:00:00+00:00", "status": "ok", "attributes": {"step_id": None},
    }  # fmt: skip
    damage(journal, "sampled", "span", json.dumps(journal_span))
    with RunRecorder(journal, "sampled").span("chat"):
        pass
    assert journal.records("sampled")[-1].event.kind == "span"


@pytest.mark.parametrize(
    "changes", [{"parent_id": "zz"}, {"span_id": ""}, {"attributes": {"step_id": "two"}}]
)
def test_a_damaged_span_is_a_journal_error(journal: Journal, changes: dict[str, Any]) -> None:
    """A run with one is not resumed, and says where the journal is damaged."""
    span = {
        "span_id": "0001", "parent_id": "", "name": "execute_tool", "duration_s": 1.0,
        "started_at": "2026-01-01T00:00:00+00:00", "status": "ok", "attributes": {}, **changes,
    }  # fmt: skip
    damage(journal, "sampled", "span", json.dumps(span))
    with pytest.raises(JournalError, match=r"record \d+ of run sampled is damaged"):
        RunRecorder(journal, "sampled")


def test_an_invalid_plan_keeps_no_other_run_from_the_list(journal: Journal) -> None:
    """The run with the invalid plan cannot be resumed; other runs are still listed."""
    root = Path(read_run(journal, "paused").started["root"])
    before = {run.id for run in resumable_runs(journal, root)}
    damage(journal, "paused", "plan", '{"plan": {"version": "x", "steps": []}}')

    assert {run.id for run in resumable_runs(journal, root)} == before - {"paused"}
    assert len(before) > 1


def test_an_unreadable_run_does_not_block_undo_of_others(bench: Bench) -> None:
    """The last run that can be read is undone."""
    first, second = (
        bench.run([{"tool": "file_write", "args": {"path": name, "content": "x"}}, END])
        for name in ("a.txt", "b.txt")
    )
    with bench.session() as session:
        journal = session.journal
        assert latest_to_reverse(journal, bench.root, "undo") == second.id
        damage(journal, second.id, "observation")
        assert latest_to_reverse(journal, bench.root, "undo") == first.id
