"""Forgotten runs: only their records, folders and undo images are removed."""

from __future__ import annotations

import io
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.journal.lease import lease
from okso_jupyter.journal.retention import expire, forget, left_behind, make_room
from okso_jupyter.results import Run
from okso_jupyter.workspace import Images
from tests.bench import END, Bench

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}


def write(content: str, path: str = "notes.txt") -> dict[str, Any]:
    """Return a step that overwrites a file."""
    return {"tool": "file_write", "args": {"path": path, "content": content, "mode": "overwrite"}}


def do(bench: Bench, *steps: dict[str, Any], **settings: Any) -> Run:
    """Run steps with every approval given."""
    return bench.run([*steps, END], approve=lambda _plan: "approve", **settings)


def images(bench: Bench) -> set[str]:
    """Return the contents of the undo images."""
    folder = bench.home / "undo"
    return {file.read_text() for file in folder.iterdir()} if folder.exists() else set()


@pytest.fixture(name="days_ago")
def _days_ago(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that sets the journal's clock back."""

    def set_back(days: float) -> None:
        at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="microseconds")
        monkeypatch.setattr("okso_jupyter.journal.store.now", lambda: at)

    return set_back


def test_a_forgotten_run_is_removed_with_all_its_data(bench: Bench) -> None:
    """Its records, folder and images are removed, but no image that another run needs."""
    (bench.root / "notes.txt").write_text("zero")
    first = do(bench, write("one"), write("two"))
    second = do(bench, write("three"))
    assert images(bench) == {"zero", "one", "two"}
    with bench.session() as session:
        dropped = forget(session.journal, first.id)
        assert session.journal.run_ids() == [second.id]
        assert not session.journal.folder_of(first.id).exists()
    assert (dropped.runs, dropped.records) == ((first.id,), len(first.records))
    assert (dropped.images, dropped.images_bytes) == (2, len("zero" + "one"))
    assert images(bench) == {"two"}
    second.undo()
    assert (bench.root / "notes.txt").read_text() == "two"


def test_a_forgotten_run_is_overwritten_on_disk(bench: Bench) -> None:
    """A copy of the journal's files contains no text of a forgotten run."""
    run = do(bench, write("a very telling word"))
    with bench.session() as session:
        forget(session.journal, run.id)
    held = b"".join(file.read_bytes() for file in bench.home.glob("journal.sqlite3*"))
    assert b"a very telling word" not in held


def test_the_journal_stays_append_only_for_other_records(bench: Bench) -> None:
    """After a run is forgotten, no record can be changed or deleted by hand."""
    kept, gone = do(bench, READ), do(bench, READ)
    with bench.session() as session:
        forget(session.journal, gone.id)
        path = session.journal.path
    with sqlite3.connect(path) as other:
        for statement in ("DELETE FROM record", "UPDATE record SET body = '{}'"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                other.execute(statement)
    other.close()
    with bench.session() as session:
        assert len(session.load_run(kept.id).records) == len(kept.records)


def test_forgetting_a_run_that_has_not_ended_is_refused(bench: Bench) -> None:
    """A paused, running or unknown run is refused; the error says what to do."""
    with bench.session() as session:

        def pause(_plan: object) -> str:
            session.pause()
            return "approve"

        paused = session.execute([READ, END], approve=pause)
        with pytest.raises(UsageError, match="has not ended: it is paused") as caught:
            forget(session.journal, paused.id)
        assert f"%okso resume {paused.id}" in caught.value.hint
        ended = session.execute([READ, END], approve="auto")
        with (
            lease(session.journal.folder_of(ended.id)),
            pytest.raises(UsageError, match="is running already"),
        ):
            forget(session.journal, ended.id)
        with pytest.raises(JournalError, match="there is no run 'nobody'"):
            forget(session.journal, "nobody")
        assert set(session.journal.run_ids()) == {paused.id, ended.id}


@pytest.mark.parametrize("decided", ["deny", "dry run", "planned"])
def test_a_run_without_executed_steps_can_be_forgotten(bench: Bench, decided: str) -> None:
    """A rejected run, a dry run and a plan that was never executed can be forgotten."""
    with bench.session([READ, END]) as session:
        planning = session.plan("read notes.txt", samples=1)
        if decided == "deny":
            session.execute(planning, approve="deny")
        elif decided == "dry run":
            session.execute(planning, approve="auto", dry_run=True)
        forget(session.journal, planning.run_id)
        assert session.journal.run_ids() == []


def test_files_written_elsewhere_are_kept_and_listed(bench: Bench, tmp_path: Path) -> None:
    """Trace, plan and recording are kept, since a user asked for them, and are listed."""
    out = tmp_path / "out"
    files = {
        "OKSO_TRACE_DIR": str(out / "traces"),
        "OKSO_PLAN_OUTPUT": str(out / "plan.json"),
        "OKSO_RECORD": str(out / "runs.jsonl"),
    }
    run = do(bench, READ, **files)
    with bench.session() as session:
        forget(session.journal, run.id)
    assert run.beginning is not None
    stays = left_behind(run.id, run.beginning)
    assert stays == [out / "traces" / run.id, out / "plan.json", out / "runs.jsonl"]
    (out / "plan.json").unlink()
    assert left_behind(run.id, run.beginning) == [out / "traces" / run.id, out / "runs.jsonl"]


def test_old_runs_expire_when_a_new_one_starts(
    bench: Bench, days_ago: Callable[[float], None]
) -> None:
    """Only ended runs expire, by the time of their last record; KEEP_DAYS=0 keeps all."""
    (bench.root / "notes.txt").write_text("zero")
    days_ago(10)
    old = do(bench, write("one"))
    with bench.session() as session:

        def pause(_plan: object) -> str:
            session.pause()
            return "approve"

        waiting = session.execute([READ, END], approve=pause)
    days_ago(3)
    young = do(bench, READ)
    days_ago(0)
    all_kept = do(bench, READ, KEEP_DAYS=0)
    newest = do(bench, READ, KEEP_DAYS=5)
    assert next(b.body for b in newest.records if b.kind == "run_started")["dropped_runs"] == [
        old.id
    ]
    with bench.session() as session:
        left = session.journal.run_ids()
    assert left == [waiting.id, young.id, all_kept.id, newest.id]


def test_unreferenced_images_are_removed(bench: Bench) -> None:
    """Images of runs dropped earlier or in no record are removed; other files stay."""
    kept = Images(bench.home / "undo")
    kept.keep(io.BytesIO(b"of nobody"))
    (bench.home / "undo" / "notes.md").write_text("not an image")
    (bench.root / "notes.txt").write_text("zero")
    run = do(bench, write("one"))
    with bench.session() as session:
        assert make_room(session.journal, max_runs=1) == (run.id,)
    assert images(bench) == {"not an image"}


def test_an_image_just_stored_by_a_running_run_is_kept(bench: Bench) -> None:
    """An image stored by a running call is kept, even if another run is forgotten.

    At that time, no record refers to the image.
    """
    gone = do(bench, write("one"))
    before: list[set[str]] = []

    def meddle() -> str:
        (bench.root / "other.txt").write_text("kept just now")
        Images(bench.home / "undo").keep(io.BytesIO(b"kept just now"))
        with bench.session() as session:
            forget(session.journal, gone.id)
        before.append(images(bench))
        return "done"

    bench.offer("meddle", meddle, effect="none")
    assert do(bench, {"tool": "meddle", "args": {}}).state == "completed"
    assert before == [{"kept just now"}]


def test_a_damaged_record_keeps_all_images(bench: Bench) -> None:
    """No image is removed if a record is unreadable, since it may refer to any."""
    (bench.root / "notes.txt").write_text("zero")
    first = do(bench, write("one"))
    with bench.session() as session:
        database = sqlite3.connect(session.journal.path)
        with database:
            database.execute(
                "INSERT INTO record (run_id, kind, at, schema_version, body) "
                "VALUES ('damaged', 'observation', '2026', 1, '{\"chan')"
            )
        database.close()
        assert forget(session.journal, first.id).images == 0
    assert images(bench) == {"zero"}


_DIE = """
import os, sys
from pathlib import Path
from okso_jupyter import removal
from okso_jupyter.journal.store import Journal
from okso_jupyter.journal.retention import forget
removal.remove = lambda _path: os._exit(9)
forget(Journal(Path(sys.argv[1])), sys.argv[2])
"""


@pytest.mark.process
def test_an_interrupted_removal_is_completed_by_the_next(bench: Bench) -> None:
    """If the process dies while forgetting, the records are gone; the images go later.

    They are removed when the next run is forgotten.
    """
    (bench.root / "notes.txt").write_text("zero")
    first, second = do(bench, write("one")), do(bench, READ)
    command = [sys.executable, "-c", _DIE, str(bench.home), first.id]
    assert subprocess.run(command, check=False, env={**os.environ}).returncode == 9  # noqa: S603  our own command line
    assert images(bench) == {"zero"}
    with bench.session() as session:
        assert session.journal.run_ids() == [second.id]
        forget(session.journal, second.id)
    assert images(bench) == set()


def test_expiring_in_an_empty_journal_does_nothing(bench: Bench) -> None:
    """No run expires in an empty journal, and no error is raised."""
    with bench.session() as session:
        assert expire(session.journal, 30).runs == ()
