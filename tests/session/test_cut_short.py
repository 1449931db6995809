"""A journal cut off within its last write is read up to there and can be resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from okso_jupyter.journal.store import Journal, Record
from okso_jupyter.resume.rebuild import rebuilt
from tests.session.kill_lab import RUN, approver, session

pytestmark = pytest.mark.process

#: Writes a plan's run up to the call of its second adding step; all but the last write, which is of
#: two records, is moved from the write-ahead log into the file before.
_DIE = """
import os, signal, sys
from pathlib import Path
from okso_jupyter.journal.store import Journal
from okso_jupyter.session.resources import SessionResources
from tests.session import kill_lab

class Last(Journal):
    number = 0

    def append(self, run_id, event):
        Last.number += event.kind == "call_started"
        if Last.number == 3:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            super().append(run_id, event)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().append(run_id, event)

folder = Path(sys.argv[1])
with kill_lab.session(folder) as running:
    running._shared = SessionResources(Last(running.settings.home, running.redactor))
    running.execute(kill_lab.PLANS["sequential"], approve=kill_lab.approver(folder))
"""


def _read(home: Path, file: bytes, log: bytes) -> list[Record]:
    """Return the records that a new process reads from these two files.

    They are new files: to empty those of the last time would take the disk as long again.
    """
    for name in ("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "journal.sqlite3").write_bytes(file)
    (home / "journal.sqlite3-wal").write_bytes(log)
    journal = Journal(home)
    found = journal.records(RUN)
    journal.close()
    return found


def test_a_partial_last_write_is_dropped_and_nothing_else(tmp_path: Path) -> None:
    """If the log is cut at any byte, the run is as before its last step or includes it."""
    child = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _DIE, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )
    assert child.returncode == -signal.SIGKILL
    home = tmp_path / "home"
    file = (home / "journal.sqlite3").read_bytes()
    log = (home / "journal.sqlite3-wal").read_bytes()
    whole = _read(home, file, log)
    assert [record.kind for record in whole[-2:]] == ["step_state", "call_started"]

    for size_bytes in range(len(log)):
        assert _read(home, file, log[:size_bytes]) == whole[:-2]

    with session(tmp_path) as resuming:  # the step was not begun, as far as anybody knows
        assert rebuilt(resuming.load_run(RUN)).interrupted == ()
        run = resuming.resume(RUN, approve=approver(tmp_path))
    assert run.state == "completed"
    assert (tmp_path / "notebook" / "done.txt").read_text() == "a\nb\n"
    assert (tmp_path / "asked.txt").read_text() == "plan\n"
