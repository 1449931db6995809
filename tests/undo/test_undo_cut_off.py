"""The next undo or redo completes an undo that was interrupted, or reverts it."""

from __future__ import annotations

import os
import signal
from typing import Final, NoReturn

import pytest

from okso_jupyter.effects.file_changes import FileChange
from okso_jupyter.errors import JournalError, UndoError
from okso_jupyter.journal.events import Event
from okso_jupyter.journal.store import Journal
from okso_jupyter.results import Run
from okso_jupyter.workspace import Workspace
from tests.bench import END, Bench, bodies
from tests.undo.test_undo import command, do, picture, write

STEPS: Final = (
    write("notes.txt", "x"), command("mkdir", "d"), command("mv", "sales.csv", "d/s.csv"),
    command("rm", "notes.txt"), END,
)  # fmt: skip
CHANGES: Final = 4

# a child that ends at once may be forked whatever threads there are
pytestmark = [
    pytest.mark.process,
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]


def dies(run: Run, place: int, when: str) -> int:
    """Undo a run in a child process that kills itself before or after writing a record.

    Args:
        run: The run.
        place: Which record, from 1.
        when: "before" or "after".

    Returns:
        The exit code of the process, as `os.waitstatus_to_exitcode` returns it.
    """
    child = os.fork()
    if child == 0:
        _undo_and_die(run, place, when)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _undo_and_die(run: Run, place: int, when: str) -> NoReturn:
    written, append = 0, Journal.append

    def dying(journal: Journal, run_id: str, event: Event) -> int:
        nonlocal written
        written += 1
        if (written, when) == (place, "before"):
            os.kill(os.getpid(), signal.SIGKILL)
        seq = append(journal, run_id, event)
        if (written, when) == (place, "after"):
            os.kill(os.getpid(), signal.SIGKILL)
        return seq

    try:
        setattr(Journal, "append", dying)  # noqa: B010  in the child alone
        run.undo()
    finally:
        os._exit(1)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("place", range(1, CHANGES + 3))
def test_a_killed_undo_is_completed_by_the_next_one(bench: Bench, place: int, when: str) -> None:
    """After a kill at any record, undo restores the original files and redo still works."""
    first = picture(bench.root)
    run = do(bench, *STEPS)
    last = picture(bench.root)
    assert dies(run, place, when) == -signal.SIGKILL
    finished = place == CHANGES + 2 and when == "after"
    if finished:
        with pytest.raises(UndoError, match="is undone already"):
            run.undo()
    else:
        run.undo()
    assert picture(bench.root) == first
    run.redo()
    assert picture(bench.root) == last


@pytest.mark.parametrize("place", range(2, CHANGES + 3))
def test_a_killed_undo_is_completed_before_a_redo(bench: Bench, place: int) -> None:
    """A redo after an interrupted undo first completes that undo."""
    run = do(bench, *STEPS)
    last = picture(bench.root)
    dies(run, place, "before")
    run.redo()
    assert picture(bench.root) == last
    assert [body["direction"] for body in bodies(run, "reversal_ended")] == ["undo", "redo"]


def test_a_killed_undo_that_cannot_continue_is_reverted(bench: Bench) -> None:
    """If a file has changed since a killed undo, that undo is reverted.

    The changed file is left alone; all other files are as the run left them.
    """
    run = do(bench, write("a.txt", "1"), write("b.txt", "2"), END)
    dies(run, 3, "before")
    assert not (bench.root / "b.txt").exists()
    (bench.root / "a.txt").write_text("mine")
    with pytest.raises(UndoError, match=r"a\.txt has changed since"):
        run.undo()
    assert (bench.root / "a.txt").read_text() == "mine"
    assert (bench.root / "b.txt").read_text() == "2"


def test_a_killed_undo_that_cannot_be_settled_is_refused(bench: Bench) -> None:
    """No file is changed if an interrupted undo can be neither completed nor reverted.

    Here a file that the undo had removed exists again, with other content.
    """
    run = do(bench, write("a.txt", "1"), write("b.txt", "2"), END)
    dies(run, 3, "before")
    (bench.root / "a.txt").write_text("mine")
    (bench.root / "b.txt").write_text("mine")
    before = picture(bench.root)
    with pytest.raises(UndoError, match=r"\.txt"):
        run.undo()
    assert picture(bench.root) == before


def stop_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Simulate a press of Stop just before the `number`-th removal of a file."""
    calls, remove = 0, Workspace.remove_file

    def stopped(workspace: Workspace, path: str) -> FileChange:
        nonlocal calls
        calls += 1
        if calls == number:
            raise KeyboardInterrupt
        return remove(workspace, path)

    monkeypatch.setattr(Workspace, "remove_file", stopped)


@pytest.mark.parametrize("at", [1, 2])
def test_a_stopped_undo_is_reverted(bench: Bench, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Stop during an undo restores the files of the run, and a later undo works."""
    first = picture(bench.root)
    run = do(bench, write("a.txt", "1"), write("b.txt", "2"), END)
    last = picture(bench.root)
    with monkeypatch.context() as patch:
        stop_at(patch, at)
        with pytest.raises(KeyboardInterrupt):
            run.undo()
    assert picture(bench.root) == last
    run.undo()
    assert picture(bench.root) == first


def test_an_undo_is_reverted_if_the_journal_is_full(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undo is reverted if the journal cannot be written; a later undo works."""
    first = picture(bench.root)
    run = do(bench, *STEPS)
    last = picture(bench.root)
    append, left = Journal.append, iter(range(3))

    def full(journal: Journal, run_id: str, event: Event) -> int:
        if next(left, None) is None:
            raise JournalError("the disk is full")
        return append(journal, run_id, event)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        with pytest.raises(JournalError, match="the disk is full"):
            run.undo()
    assert picture(bench.root) == last
    run.undo()
    assert picture(bench.root) == first
