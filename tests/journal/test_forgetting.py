"""Runs that are forgotten: their records, folders and undo images go, and nothing else does."""

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
from okso_jupyter.journal.limits import make_room
from okso_jupyter.journal.retention import expire, forget, left_behind
from okso_jupyter.results import Run
from okso_jupyter.workspace import Images
from tests.bench import END, Bench

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}


def write(content: str, path: str = "notes.txt") -> dict[str, Any]:
    """Return a step that replaces a file."""
    return {"tool": "file_write", "args": {"path": path, "content": content, "mode": "overwrite"}}


def do(bench: Bench, *steps: dict[str, Any], **settings: Any) -> Run:
    """Run steps that somebody approves."""
    return bench.run([*steps, END], approve=lambda _plan: "approve", **settings)


def images(bench: Bench) -> set[str]:
    """Return what the undo images hold."""
    folder = bench.home / "undo"
    return {file.read_text() for file in folder.iterdir()} if folder.exists() else set()


@pytest.fixture(name="days_ago")
def _days_ago(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the clock of the journal back."""

    def set_back(days: float) -> None:
        at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="microseconds")
        monkeypatch.setattr("okso_jupyter.journal.store.now", lambda: at)

    return set_back


def test_a_run_is_gone_with_all_that_was_its_own(bench: Bench) -> None:
    """Records, folder and images; what another run could put back stays, and so does that run."""
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


def test_nothing_of_it_is_left_in_the_files_of_the_journal(bench: Bench) -> None:
    """Its place is overwritten: a file that is copied away holds no word of it."""
    run = do(bench, write("a very telling word"))
    with bench.session() as session:
        forget(session.journal, run.id)
    held = b"".join(file.read_bytes() for file in bench.home.glob("journal.sqlite3*"))
    assert b"a very telling word" not in held


def test_the_journal_stays_append_only_for_everything_else(bench: Bench) -> None:
    """Before, while a run is forgotten and afterwards no record can be changed by hand."""
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


def test_what_has_not_ended_is_refused_in_a_sentence(bench: Bench) -> None:
    """A run that is paused or running; one that is not there; each says what to do."""
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
def test_what_ran_nothing_can_be_forgotten(bench: Bench, decided: str) -> None:
    """A rejected run, a rehearsal, and a plan that was never executed."""
    with bench.session([READ, END]) as session:
        planning = session.plan("read notes.txt", samples=1)
        if decided == "deny":
            session.execute(planning, approve="deny")
        elif decided == "dry run":
            session.execute(planning, approve="auto", dry_run=True)
        forget(session.journal, planning.run_id)
        assert session.journal.run_ids() == []


def test_what_it_wrote_elsewhere_stays_and_is_named(bench: Bench, tmp_path: Path) -> None:
    """Trace, plan and recording are files that somebody asked for."""
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


def test_old_runs_leave_when_a_new_one_begins(
    bench: Bench, days_ago: Callable[[float], None]
) -> None:
    """By their last record, ended ones only; 0 days keeps all of them."""
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


def test_images_that_no_run_is_left_of_go(bench: Bench) -> None:
    """Also those of runs that were dropped before, or that no record ever named."""
    kept = Images(bench.home / "undo")
    kept.keep(io.BytesIO(b"of nobody"))
    (bench.home / "undo" / "notes.md").write_text("not an image")
    (bench.root / "notes.txt").write_text("zero")
    run = do(bench, write("one"))
    with bench.session() as session:
        assert make_room(session.journal, max_runs=1) == (run.id,)
    assert images(bench) == {"not an image"}


def test_what_a_run_that_goes_on_has_just_kept_stays(bench: Bench) -> None:
    """A call keeps a content before any record names it; meanwhile another run is forgotten."""
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


def test_where_a_record_cannot_be_read_every_image_stays(bench: Bench) -> None:
    """It may name any of them."""
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
from okso_jupyter.journal import dropping
from okso_jupyter.journal.store import Journal
from okso_jupyter.journal.retention import forget
dropping.removal.remove = lambda _path: os._exit(9)
forget(Journal(Path(sys.argv[1])), sys.argv[2])
"""


@pytest.mark.process
def test_a_process_that_dies_in_between_leaves_what_the_next_one_removes(bench: Bench) -> None:
    """The records are gone at once; the images go when the next run is forgotten."""
    (bench.root / "notes.txt").write_text("zero")
    first, second = do(bench, write("one")), do(bench, READ)
    command = [sys.executable, "-c", _DIE, str(bench.home), first.id]
    assert subprocess.run(command, check=False, env={**os.environ}).returncode == 9  # noqa: S603  our own command line
    assert images(bench) == {"zero"}
    with bench.session() as session:
        assert session.journal.run_ids() == [second.id]
        forget(session.journal, second.id)
    assert images(bench) == set()


def test_expiring_in_an_empty_journal_is_nothing(bench: Bench) -> None:
    """No run, no image, no error."""
    with bench.session() as session:
        assert expire(session.journal, 30).runs == ()
