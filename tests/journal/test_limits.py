"""The journal is bounded: large records are cut, the oldest ended runs are dropped."""

from __future__ import annotations

import json
import logging
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import read_event
from okso_jupyter.journal.lease import lease
from okso_jupyter.journal.retention import make_room
from okso_jupyter.journal.size_limits import MAX_RECORD_BYTES, fitted
from okso_jupyter.journal.store import Journal
from tests.blank import blank
from tests.trees import nested


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "home")
    yield opened
    opened.close()


def runs(journal: Journal, **states: str) -> None:
    """Write a run per name in the given state; "" is a run that was only planned."""
    for run_id, state in states.items():
        journal.append(run_id, blank("run_started", request=run_id))
        if state:
            moved = {"before": "draft", "event": "planned", "after": state}
            journal.append(run_id, read_event("run_state", moved))


# --- records -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        {"raw": "x" * 5000, "status": "completed"},
        {"raw": "ü" * 5000, "status": "completed"},
        {"raw": ["line"] * 5000, "status": "completed"},
        {"raw": {str(n): n for n in range(5000)}, "status": "completed"},
        {"raw": [["x" * 50] * 50] * 50, "status": "completed"},
    ],
)
def test_a_body_that_is_too_large_is_cut(body: dict[str, Any]) -> None:
    """The longest parts are cut, whatever their type, and marked as cut; short ones stay."""
    text, is_cut = fitted(body, str, max_bytes=1000)
    assert is_cut
    assert len(text.encode()) <= 1000
    assert json.loads(text)["status"] == "completed"
    if isinstance(body["raw"], str):
        assert "(cut, 5,000 characters)" in json.loads(text)["raw"]


def test_a_body_that_fits_is_unchanged() -> None:
    """A body of exactly the maximum number of bytes is not cut."""
    body = {"raw": "ü" * 10}
    size_bytes = len(json.dumps(body, ensure_ascii=False).encode())
    assert fitted(body, str, max_bytes=size_bytes) == (json.dumps(body, ensure_ascii=False), False)
    assert fitted(body, str, max_bytes=size_bytes - 1)[1]


@pytest.mark.slow
def test_a_huge_record_is_stored_in_part(
    journal: Journal, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record with too large an output is stored in part, and a warning is logged."""
    monkeypatch.setattr(logging.getLogger("okso_jupyter"), "propagate", True)
    journal.append("a", blank("observation", raw="x" * (MAX_RECORD_BYTES + 1), status="completed"))
    body = journal.records("a")[0].body
    assert body["status"] == "completed"
    assert len(body["raw"]) < MAX_RECORD_BYTES
    assert body["raw"].endswith(f"(cut, {MAX_RECORD_BYTES + 1:,} characters)")
    assert "a record is too large and was cut" in caplog.messages


# --- runs --------------------------------------------------------------------------------


def test_the_oldest_ended_runs_are_dropped(journal: Journal) -> None:
    """Only runs that cannot be resumed are dropped, with their folders, oldest first."""
    runs(journal, a="paused", b="completed", c="", d="executing", e="failed", f="cancelled")
    for run_id in "bf":
        journal.folder_of(run_id).mkdir(parents=True)
    assert make_room(journal, max_runs=7) == ()
    assert make_room(journal, max_runs=5) == ("b", "c")
    assert journal.run_ids() == ["a", "d", "e", "f"]
    assert not journal.folder_of("b").exists()
    assert journal.folder_of("f").exists()
    assert make_room(journal, max_runs=2) == ("e", "f")
    assert journal.run_ids() == ["a", "d"]


@pytest.mark.slow
def test_a_folder_of_any_depth_is_dropped_with_its_run(journal: Journal) -> None:
    """A folder with 3,000 nested levels is dropped too and does not block a new run."""
    runs(journal, a="completed", b="completed")
    journal.folder_of("a").mkdir(parents=True)
    nested(journal.folder_of("a"), 3000)
    assert make_room(journal, max_runs=1) == ("a", "b")
    assert not journal.folder_of("a").exists()


def test_a_run_that_is_running_is_never_dropped(journal: Journal) -> None:
    """A running run is never dropped, whatever its last record says."""
    runs(journal, a="completed", b="completed")
    with lease(journal.folder_of("a")):
        assert make_room(journal, max_runs=1) == ("b",)


def test_a_large_journal_drops_runs(journal: Journal) -> None:
    """Runs are dropped until the size in bytes fits; the freed space is reused."""
    for n in range(4):
        journal.append(f"run{n}", blank("observation", raw="x" * 100_000))
    full = journal.size_bytes()
    assert make_room(journal, max_bytes=full - 50_000) == ("run0",)
    assert journal.size_bytes() < full - 50_000
    size_on_disk = journal.path.stat().st_size
    journal.append("run4", blank("observation", raw="x" * 50_000))
    assert journal.path.stat().st_size == size_on_disk


def test_the_journal_stays_append_only_after_dropping(journal: Journal) -> None:
    """After runs are dropped, no record can be changed or deleted by hand."""
    runs(journal, a="completed", b="paused")
    make_room(journal, max_runs=1)
    with sqlite3.connect(journal.path) as other:
        for statement in ("DELETE FROM record", "UPDATE record SET body = '{}'"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                other.execute(statement)
    other.close()
    assert journal.run_ids() == ["b"]


# --- files -------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_link_beside_the_journal_is_refused(tmp_path: Path, suffix: str) -> None:
    """A symbolic link at the path of SQLite's side files is refused; no file is created."""
    home = tmp_path / "home"
    Journal(home).close()
    (home / f"journal.sqlite3{suffix}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match=rf"{suffix} cannot be used: it is a symbolic link"):
        Journal(home)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_loose_permissions_of_an_open_journal_are_repaired(tmp_path: Path, suffix: str) -> None:
    """Opening a second journal makes the files private again; the first one keeps working."""
    first = Journal(tmp_path)
    first.append("a", read_event("x", {}))
    file = tmp_path / f"journal.sqlite3{suffix}"
    file.chmod(0o666)
    Journal(tmp_path).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first.append("a", read_event("x", {}))
    assert len(first.records("a")) == 2
    first.close()
