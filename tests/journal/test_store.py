"""The journal is append-only and private, and keeps every record after a crash."""

from __future__ import annotations

import base64
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from okso_jupyter.errors import JournalError
from okso_jupyter.journal.events import AnswerGiven, PauseRequested, RunStarted, read_event
from okso_jupyter.journal.store import Journal, now
from okso_jupyter.redaction.redactor import REDACTED, Redactor
from tests.blank import blank

SECRET = 'p/q+r "s"?ünder&cover'  # noqa: S105  it opens nothing


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An open journal in a new folder."""
    opened = Journal(tmp_path / "home")
    yield opened
    opened.close()


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_journal_waits_for_the_kernel_that_creates_it(tmp_path: Path) -> None:
    """Opening waits if another kernel is creating the journal, where SQLite would fail.

    SQLite itself does not wait while another connection switches to the write-ahead log.
    """
    other = sqlite3.connect(
        tmp_path / "journal.sqlite3", isolation_level=None, check_same_thread=False
    )
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.rollback)
    release.start()
    try:
        journal = Journal(tmp_path)
        journal.append("a", read_event("kind", {}))
        assert len(journal.records("a")) == 1
        journal.close()
    finally:
        release.join()
        other.close()


def test_records_are_returned_in_order(journal: Journal) -> None:
    """A run's records are returned in the order in which they were appended."""
    places = [
        journal.append("a", read_event(kind, {"n": n})) for n, kind in enumerate(["x", "y", "x"])
    ]
    journal.append("b", read_event("x", {"n": 9}))

    assert [(r.seq, r.run_id, r.kind, r.body["n"]) for r in journal.records("a")] == [
        (places[0], "a", "x", 0),
        (places[1], "a", "y", 1),
        (places[2], "a", "x", 2),
    ]
    assert journal.records("none") == []


def test_first_records_are_listed_newest_run_first(journal: Journal) -> None:
    """The first record of each run is returned, for the list of runs."""
    for run, request in (("a", "1"), ("b", "2"), ("a", "3"), ("c", "4")):
        journal.append(run, blank("run_started", request=request))

    found = journal.first_of_each(RunStarted)

    told = [(record.run_id, started.request) for record, started in found]
    assert told == [("c", "4"), ("b", "2"), ("a", "1")]


def test_records_are_filtered_by_kind(journal: Journal) -> None:
    """Records of a kind are returned in order, as records and as events."""
    for text in ("one", "two"):
        journal.append("a", AnswerGiven(text=text))
        journal.append("a", PauseRequested(process_id=1))

    assert [r.kind for r in journal.records("a", AnswerGiven)] == ["answer", "answer"]
    assert [given.text for given in journal.events("a", AnswerGiven)] == ["one", "two"]


@pytest.mark.parametrize(
    "statement", ["DELETE FROM record", "UPDATE record SET body = '{}'", "UPDATE record SET at = 0"]
)
def test_a_record_cannot_be_changed(journal: Journal, statement: str) -> None:
    """The database refuses to change or delete a record, whichever connection asks."""
    journal.append("a", read_event("x", {"n": 1}))
    other = sqlite3.connect(journal.path)

    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute(statement)

    other.close()
    assert [r.body for r in journal.records("a")] == [{"n": 1}]


def test_folder_and_files_are_private(journal: Journal) -> None:
    """The folder has mode 0700 and each of its files 0600, even the write-ahead log."""
    journal.append("a", read_event("x", {}))
    files = list(journal.path.parent.iterdir())

    assert _mode(journal.path.parent) == 0o700
    assert journal.path in files
    assert {_mode(file) for file in files} == {0o600}


def test_loose_permissions_are_repaired(tmp_path: Path) -> None:
    """Opening a journal restores the private modes of its folder and file."""
    home = tmp_path / "home"
    Journal(home).close()
    home.chmod(0o755)
    (home / "journal.sqlite3").chmod(0o644)

    Journal(home).close()

    assert (_mode(home), _mode(home / "journal.sqlite3")) == (0o700, 0o600)


@pytest.mark.parametrize("link", ["home", "home/journal.sqlite3"])
def test_a_link_in_place_of_folder_or_file_is_refused(tmp_path: Path, link: str) -> None:
    """No data are written through a symbolic link."""
    target = tmp_path / "elsewhere"
    (tmp_path / link).parent.mkdir(exist_ok=True)
    if link == "home":
        target.mkdir()
    (tmp_path / link).symlink_to(target)

    with pytest.raises(JournalError, match="is a symbolic link") as caught:
        Journal(tmp_path / "home")

    assert "OKSO_HOME" in caught.value.hint
    assert not target.exists() or not list(target.iterdir())


def test_a_home_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    """If a file is in the way, the error says so and its hint names OKSO_HOME."""
    (tmp_path / "file").write_text("")

    with pytest.raises(JournalError, match="cannot be used") as caught:
        Journal(tmp_path / "file" / "home")

    assert "OKSO_HOME" in caught.value.hint


def test_a_file_that_is_not_a_journal_is_an_error(tmp_path: Path) -> None:
    """A file that is not a database is refused and left unchanged."""
    file = tmp_path / "journal.sqlite3"
    file.write_text("not a database, but long enough to look like one\n" * 30)
    before = file.read_bytes()

    with pytest.raises(JournalError, match="cannot be used as a journal"):
        Journal(tmp_path)

    assert file.read_bytes() == before


def test_records_of_a_newer_version_are_refused(journal: Journal) -> None:
    """A run written by a newer okso_jupyter is refused; other runs can still be read."""
    journal.append("old", read_event("x", {}))
    other = sqlite3.connect(journal.path)
    with other:
        other.execute(
            "INSERT INTO record (run_id, kind, at, schema_version, body) "
            "VALUES ('new', 'x', '', 999, '{}')"
        )
    other.close()

    with pytest.raises(JournalError, match="newer okso_jupyter") as caught:
        journal.records("new")

    assert "upgrade" in caught.value.hint
    assert len(journal.records("old")) == 1


def test_writing_to_a_closed_journal_is_an_error(tmp_path: Path) -> None:
    """Writing to a closed journal raises a JournalError that names the file."""
    journal = Journal(tmp_path)
    journal.close()

    with pytest.raises(JournalError, match=str(journal.path)):
        journal.append("a", read_event("x", {}))


_WRITE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from okso_jupyter.journal.events import read_event
from okso_jupyter.journal.store import Journal

journal = Journal(Path(sys.argv[1]))
for n in range(50):
    journal.append("a", read_event("x", {"n": n}))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
def test_a_record_survives_the_death_of_its_writer(tmp_path: Path) -> None:
    """If the process is killed right after `append` returned, no record is lost."""
    child = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _WRITE_AND_DIE, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )

    assert child.returncode == -signal.SIGKILL
    journal = Journal(tmp_path)
    assert [record.body["n"] for record in journal.records("a")] == list(range(50))
    journal.close()


_HOLD_AND_DIE = """
import os, signal, sys
from pathlib import Path
from okso_jupyter.journal.events import read_event
from okso_jupyter.journal.store import Journal

journal = Journal(Path(sys.argv[1]))
for n in range(5):
    journal.append_with_next("a", read_event("held", {"n": n}))
    journal.append("a", read_event("x", {"n": n}))
journal.append_with_next("a", read_event("held", {"n": 5}))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
def test_a_held_record_is_written_with_the_next_one(tmp_path: Path) -> None:
    """If the writer dies, only a held record that no other record followed is lost."""
    child = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _HOLD_AND_DIE, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )

    assert child.returncode == -signal.SIGKILL
    journal = Journal(tmp_path)
    told = [(record.kind, record.body["n"]) for record in journal.records("a")]
    assert told == [(kind, n) for n in range(5) for kind in ("held", "x")]
    journal.close()


def test_a_held_record_has_its_own_time(journal: Journal) -> None:
    """A held record has the time at which it was accepted, not that of the write."""
    before = now()
    journal.append_with_next("a", read_event("held", {}))
    after = now()
    journal.append("a", read_event("x", {}))

    assert before <= journal.records("a")[0].at <= after


@pytest.mark.parametrize("ending", [Journal.settle, Journal.count_runs, Journal.close])
def test_a_held_record_is_written_if_no_other_follows(
    journal: Journal, ending: Callable[[Journal], object]
) -> None:
    """Settling, reading or closing the journal writes the held record."""
    journal.append_with_next("a", read_event("held", {}))
    ending(journal)

    other = Journal(journal.path.parent)
    assert [record.kind for record in other.records("a")] == ["held"]
    other.close()


def test_two_threads_append_without_loss(journal: Journal) -> None:
    """The records of two threads are all kept, each thread's in its own order."""

    def write(run: str) -> None:
        for n in range(100):
            journal.append(run, read_event("x", {"n": n}))

    threads = [threading.Thread(target=write, args=(run,)) for run in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for run in "ab":
        assert [record.body["n"] for record in journal.records(run)] == list(range(100))


def test_two_open_journals_share_the_file(tmp_path: Path) -> None:
    """Two journals on one file read each other's records, so notebooks may share a home."""
    first, second = Journal(tmp_path), Journal(tmp_path)
    first.append("a", read_event("x", {"n": 1}))
    second.append("a", read_event("x", {"n": 2}))

    assert [r.body["n"] for r in first.records("a")] == [1, 2]
    first.close()
    second.close()


SPELLINGS = {
    "plain": SECRET,
    "url": quote(SECRET, safe=""),
    "form": quote_plus(SECRET),
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "base64_without_padding": base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
    "base64_of_a_line": base64.b64encode(f"{SECRET}\n".encode()).decode(),
    "base64_after_a_name": base64.b64encode(f"user:{SECRET}".encode()).decode(),
    "base64_after_another_name": base64.b64encode(f"user1:{SECRET}!".encode()).decode(),
    "json": json.dumps(SECRET),
    "json_utf8": json.dumps(SECRET, ensure_ascii=False),
    "hex": SECRET.encode().hex(),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_secret_of_the_environment_is_never_stored(tmp_path: Path, spelling: str) -> None:
    """A secret is redacted in plain text, encoded, as a key or inside an object."""
    redactor = Redactor.from_environment({"OKSO_API_KEY": SECRET})
    journal = Journal(tmp_path, redactor)
    journal.append(
        "a",
        read_event(
            "x",
            {
                "text": f"got {spelling} here",
                spelling: [{"deep": (spelling,)}],
                "path": Path(spelling),
            },
        ),
    )
    body = journal.records("a")[0].body
    journal.close()

    assert body["text"].startswith("got ")
    assert REDACTED in body["text"]
    assert REDACTED in body["path"]
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    middle = spelling[8:-8]  # what stands beside the secret shares its first and last characters
    assert middle.encode() not in stored
    assert json.dumps(middle)[1:-1].encode() not in stored


def test_a_secret_that_is_not_utf8_is_redacted() -> None:
    """A secret with bytes that are not UTF-8, read as lone surrogates, is redacted too."""
    redactor = Redactor.from_environment({"DB_PASSWORD": "abc\udcff\udcfedef"})

    assert redactor.text("x abc\udcff\udcfedef y") == f"x {REDACTED} y"


def test_only_variables_named_like_secrets_are_redacted() -> None:
    """Values of ordinary variables and very short values are not redacted."""
    redactor = Redactor.from_environment(
        {"HOME": "/home/anybody", "MY_TOKEN": "true", "MONKEY": "bananas-for-all"}
    )

    assert redactor.text("/home/anybody true bananas-for-all") == (
        "/home/anybody true bananas-for-all"
    )


@pytest.mark.parametrize(
    "key",
    ["sk-abcdefghijklmnop1234", "ghp_" + "a1" * 18, "AKIAABCDEFGHIJKLMNOP", "hf_" + "Zz" * 15],
)
def test_keys_of_known_formats_are_redacted(key: str) -> None:
    """Keys in well-known formats are redacted even if they are not in the environment."""
    assert Redactor().text(f"use {key}, please") == f"use {REDACTED}, please"
