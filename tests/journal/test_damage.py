"""A damaged record is told to those who read its kind, and to nobody else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Journal
from okso_jupyter.recording.entries import counted, head_of
from okso_jupyter.recording.export import export
from okso_jupyter.recording.writing import RecordingFile, Writer
from okso_jupyter.redaction import Redactor
from okso_jupyter.run import read_run
from okso_jupyter.session.tracing import TraceFolder
from tests.frozen.reading import everything_of, opened

#: Runs of before that are read in every way: sampled, replanned, resumed, recorded, undone.
RUNS = ("sampled", "replanned", "killed_and_resumed", "recorded", "undone")


def damage(journal: Journal, run_id: str, kind: str) -> None:
    """Add a record that lacks every key, as if it were written with the last one."""
    at = journal.last_times()[run_id]
    with sqlite3.connect(journal.path) as database:
        database.execute(
            "INSERT INTO record (run_id, kind, at, schema_version, body) VALUES (?, ?, ?, 1, '{}')",
            (run_id, kind, at),
        )
    database.close()


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Iterator[Journal]:
    """The journal of before, in a folder of this test."""
    journal = opened(tmp_path / "home")
    yield journal
    journal.close()


def run_started(recorder: RunRecorder) -> RunStarted:
    """Return how a run began."""
    return recorder.journal.events(recorder.run_id, RunStarted)[0]


@pytest.mark.parametrize("run_id", RUNS)
def test_a_damaged_record_that_is_not_wanted_is_not_read(journal: Journal, run_id: str) -> None:
    """Every table, text, drawing and state is as without it."""
    before = everything_of(journal, run_id)
    damage(journal, run_id, "left_out")

    after = everything_of(journal, run_id)

    assert after.pop("kinds") == [*before.pop("kinds"), "left_out"]
    assert after == before


def test_a_run_with_a_damaged_record_is_recorded_and_traced(
    journal: Journal, tmp_path: Path
) -> None:
    """What a recording or a trace needs is there."""
    file, recorder = (
        RecordingFile.open(str(tmp_path / "run.json"), tmp_path),
        RunRecorder(journal, "recorded"),
    )
    before = counted(read_run(journal, "recorded").records)
    damage(journal, "recorded", "left_out")
    records = read_run(journal, "recorded").records

    assert counted(records) == before
    assert export(records, file).entries
    assert Writer(file, recorder)._key == sha256_of(head_of(run_started(recorder)))
    trace = TraceFolder.open(str(tmp_path / "trace"), recorder, Redactor())
    assert trace._run["request"] == run_started(recorder).request
