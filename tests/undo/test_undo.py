"""Undo and redo: files as they were, all of them or none."""

from __future__ import annotations

import fcntl
import io
import os
import signal
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ToolFailedError, UndoError, UsageError
from okso_jupyter.results import Run
from okso_jupyter.workspace import MAX_KEPT_BYTES, Images
from tests.bench import END, Bench, bodies, kinds

# a child that ends at once may be forked whatever threads there are
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def write(path: str, content: str, **more: Any) -> dict[str, Any]:
    """Return a step that writes a file."""
    args = {"path": path, "content": content, "mode": "replace", **more}
    return {"tool": "file_write", "args": args}


def command(name: str, *args: str) -> dict[str, Any]:
    """Return a step that runs a file command."""
    return {"tool": "terminal", "args": {"command": name, "args": list(args)}}


def do(bench: Bench, *steps: dict[str, Any], **settings: Any) -> Run:
    """Run steps that somebody approves, and return the run."""
    run = bench.run(list(steps), approve=lambda _proposal: "approve", **settings)
    assert run.state == "completed", run.report()
    return run


def picture(folder: Path) -> dict[str, object]:
    """Return kind, mode and content of everything beneath a folder."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = ("link", str(path.readlink()))
        elif path.is_dir():
            found[name] = ("folder", mode)
        else:
            found[name] = ("file", mode, path.read_bytes())
    return found


CASES = {
    "write": [write("new.txt", "x")],
    "write with folders": [write("a/b/new.txt", "x", create_parents=True)],
    "overwrite": [write("notes.txt", "x")],
    "append": [write("notes.txt", "more\n", mode="append")],
    "edit": [{"tool": "file_edit", "args": {
        "path": "notes.txt", "old_text": "milk", "new_text": "tea"}}],
    "again and again": [write("n.txt", "1"), write("n.txt", "2"), write("n.txt", "3")],
    "make folders": [command("mkdir", "a/b/c")],
    "touch": [command("touch", "empty.txt")],
    "copy": [command("cp", "notes.txt", "copy.txt")],
    "copy over": [command("cp", "notes.txt", "sales.csv")],
    "copy a folder": [command("cp", "-r", "deep", "deeper")],
    "move": [command("mv", "notes.txt", "moved.txt")],
    "move over": [command("mv", "notes.txt", "sales.csv")],
    "move a folder": [command("mv", "deep", "elsewhere")],
    "remove": [command("rm", "notes.txt")],
    "remove a folder": [command("rm", "-r", "deep")],
    "remove a link": [command("rm", "link")],
    "remove an empty folder": [command("rmdir", "hollow")],
    "write, then move its folder": [
        write("d/x.txt", "1", create_parents=True), command("mv", "d", "e"),
        write("e/y.txt", "2"), command("mv", "e/x.txt", "z.txt"),
    ],
    "make and remove": [command("mkdir", "m"), write("m/x", "1"), command("rm", "-r", "m"),
                        write("new.txt", "x")],
    "swap": [
        command("mv", "notes.txt", "t"), command("mv", "sales.csv", "notes.txt"),
        command("mv", "t", "sales.csv"),
    ],
    "replace a folder": [command("rm", "-r", "deep"), write("deep", "now a file")],
}  # fmt: skip


@pytest.fixture
def rich(bench: Bench) -> Bench:
    """A folder with modes, links, folders in folders and bytes that are not text."""
    (bench.root / "notes.txt").chmod(0o640)
    (bench.root / "deep" / "er").mkdir(parents=True)
    (bench.root / "deep" / "er" / "bytes.bin").write_bytes(bytes(range(256)))
    (bench.root / "deep" / "run").write_text("#!/bin/sh\n")
    (bench.root / "deep" / "run").chmod(0o755)
    (bench.root / "deep").chmod(0o750)
    (bench.root / "hollow").mkdir(mode=0o711)
    (bench.root / "link").symlink_to("notes.txt")
    return bench


@pytest.mark.parametrize("steps", CASES.values(), ids=CASES)
def test_what_was_done_is_undone_and_redone_exactly(
    rich: Bench, steps: list[dict[str, Any]]
) -> None:
    """Content, modes, links and folders are as before, then as after, as often as one likes."""
    before = picture(rich.root)
    run = do(rich, *steps, END)
    after = picture(rich.root)
    assert before != after
    for _ in range(2):
        taken_back = run.undo()
        assert picture(rich.root) == before
        assert "none" not in set(taken_back["change"])
        run.redo()
        assert picture(rich.root) == after


def test_an_undo_is_written_down(bench: Bench) -> None:
    """It shows in the records of the run that was in hand, and of one that is loaded."""
    run = do(bench, write("new.txt", "x"), END)
    run.undo()
    with bench.session() as session:
        loaded = session.load_run(run.id)
    wanted = ["reversal_started", "reversal_at", "reversal_ended"]
    assert kinds(run, *wanted) == kinds(loaded, *wanted) == wanted
    (ended,) = bodies(run, "reversal_ended")
    assert ended == {"direction": "undo", "outcome": "done", "changes": 1}
    assert loaded.redo()["path"].tolist() == ["new.txt"]


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda root: (root / "b.txt").write_text("mine"), "b.txt has changed since"),
        (lambda root: (root / "b.txt").chmod(0o600), "permissions of b.txt have changed"),
        (lambda root: (root / "b.txt").unlink(), "b.txt is no longer there"),
        (lambda root: ((root / "b.txt").unlink(), (root / "b.txt").symlink_to("sales.csv")),
         "b.txt is a link now, not a file"),
        (lambda root: (root / "d" / "mine").touch(), "d holds d/mine, which is not of this run"),
        (lambda root: (root / "notes.txt").touch(), "notes.txt is there again"),
    ],
)  # fmt: skip
def test_what_has_changed_since_is_not_touched(bench: Bench, spoil: Any, named: str) -> None:
    """One changed file, mode, kind or folder refuses the whole undo, and is named."""
    (bench.root / "b.txt").write_text("first")
    run = do(
        bench, write("a.txt", "1"), write("b.txt", "2"), command("mkdir", "d"),
        command("mv", "notes.txt", "moved.txt"), END,
    )  # fmt: skip
    spoil(bench.root)
    before = picture(bench.root)
    with pytest.raises(UndoError, match=named):
        run.undo()
    assert picture(bench.root) == before
    assert kinds(run, "reversal_started") == []


def test_a_folder_that_became_a_link_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    """A link in place of a folder of the path refuses the undo: nothing behind it is touched."""
    run = do(bench, write("d/x.txt", "same", create_parents=True), END)
    elsewhere = bench.root / "elsewhere"
    (bench.root / "d").rename(elsewhere)
    (bench.root / "d").symlink_to("elsewhere")
    with pytest.raises(UndoError):
        run.undo()
    assert (elsewhere / "x.txt").read_text() == "same"
    outside = tmp_path / "outside"
    elsewhere.rename(outside)
    (bench.root / "d").unlink()
    (bench.root / "d").symlink_to(outside)
    with pytest.raises(UndoError):
        run.undo()
    assert (outside / "x.txt").read_text() == "same"


def test_a_path_through_a_link_is_undone_where_it_led(bench: Bench) -> None:
    """What was written through a linked folder is taken back in the real one."""
    (bench.root / "real").mkdir()
    (bench.root / "way").symlink_to("real")
    before = picture(bench.root)
    run = do(bench, write("way/x.txt", "1"), command("mkdir", "way/sub"), END)
    assert (bench.root / "real" / "x.txt").exists()
    assert run.undo()["change"].tolist() == ["deleted", "deleted"]
    assert picture(bench.root) == before


def test_it_is_undone_once_and_redone_once(bench: Bench) -> None:
    """Undo twice and redo before undo are refused in one sentence each."""
    run = do(bench, write("new.txt", "x"), END)
    with pytest.raises(UndoError, match="is not undone, so there is nothing to redo"):
        run.redo()
    run.undo()
    with pytest.raises(UndoError, match="is undone already"):
        run.undo()
    run.redo()
    with pytest.raises(UndoError, match="is not undone"):
        run.redo()


def test_a_run_that_changed_nothing_has_nothing_to_undo(bench: Bench) -> None:
    """It says so."""
    run = do(bench, {"tool": "file_read", "args": {"path": "notes.txt"}}, END)
    with pytest.raises(UndoError, match="changed no file that can be put back"):
        run.undo()


def test_a_run_that_goes_on_cannot_be_undone(bench: Bench) -> None:
    """Not from within one of its own steps, nor from anywhere else while it is running."""
    said: list[str] = []

    def meddle() -> str:
        with bench.session() as session:
            try:
                session.load_run("mine").undo()
            except UsageError as error:
                said.append(error.message)
        return "done"

    bench.offer("meddle", meddle, effect="none")
    do(bench, write("new.txt", "x"), {"tool": "meddle", "args": {}}, END, OKSO_RUN_ID="mine")
    assert said == ["run mine is running already, in this kernel or another one"]
    assert (bench.root / "new.txt").exists()


@pytest.mark.process
def test_a_run_that_was_cut_off_is_cancelled_by_its_undo(bench: Bench) -> None:
    """What it did is taken back, what it may have done is said, and nobody can go on with it."""
    run_id = "killed"
    bench.offer("die", lambda: os.kill(os.getpid(), signal.SIGKILL), effect="writes")
    child = os.fork()
    if child == 0:
        do(bench, write("new.txt", "x"), {"tool": "die", "args": {}}, END, OKSO_RUN_ID=run_id)
        os._exit(1)
    os.waitpid(child, 0)
    with bench.session() as session:
        run = session.load_run(run_id)
    assert (run.state, (bench.root / "new.txt").exists()) == ("executing", True)
    rows = run.undo()
    assert (run.state, (bench.root / "new.txt").exists()) == ("cancelled", False)
    assert rows["in_words"].iloc[-1] == (
        "step 2 (die) was cut off: what it changed by then is not known"
    )
    run.redo()
    assert (bench.root / "new.txt").exists()


def test_what_tools_do_on_their_own_is_said_to_stay(bench: Bench) -> None:
    """A writer that reports no changes has a row; the files that are known are taken back."""
    bench.offer("scribble", lambda: (bench.root / "own.txt").write_text("x"), effect="writes")
    run = do(bench, write("new.txt", "x"), {"tool": "scribble", "args": {}}, END)
    rows = run.undo()
    assert rows["change"].tolist() == ["deleted", "none"]
    assert rows["in_words"].iloc[1] == (
        "step 2 (scribble): what it did beside the file tools is not known, and stays"
    )
    assert (bench.root / "own.txt").exists()
    assert not (bench.root / "new.txt").exists()


def test_images_are_private_raw_and_kept_once(bench: Bench) -> None:
    """Old content lies under its hash, for its user alone, however often it was replaced."""
    do(bench, write("notes.txt", "x"), write("notes.txt", "buy milk\ncall Ann\n"),
       write("notes.txt", "y"), END)  # fmt: skip
    folder = bench.home / "undo"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    kept = sorted(folder.iterdir())
    assert sorted(one.read_text() for one in kept) == ["buy milk\ncall Ann\n", "x"]
    assert {stat.S_IMODE(one.stat().st_mode) for one in kept} == {0o600}


@pytest.mark.parametrize("harm", [Path.unlink, lambda one: one.write_text("forged")])
def test_without_its_image_a_file_is_not_put_back(bench: Bench, harm: Any) -> None:
    """An image that is gone or was changed refuses the undo, and every file stays."""
    run = do(bench, write("a.txt", "1"), write("notes.txt", "x"), write("b.txt", "2"), END)
    (image,) = (bench.home / "undo").iterdir()
    harm(image)
    before = picture(bench.root)
    with pytest.raises(UndoError):
        run.undo()
    assert picture(bench.root) == before


def test_two_undos_at_once_are_one_too_many(bench: Bench) -> None:
    """While one process undoes or redoes something, another one is told to wait."""
    run = do(bench, write("new.txt", "x"), END)
    (bench.home / "undo").mkdir()
    folder = os.open(bench.home / "undo", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        with pytest.raises(UndoError, match="another undo or redo is under way"):
            run.undo()
    finally:
        os.close(folder)
    run.undo()


def test_a_file_that_is_too_large_is_said_in_the_report(bench: Bench) -> None:
    """What is larger than images may be is changed all the same, and cannot be undone."""
    with (bench.root / "large.bin").open("wb") as large:
        large.truncate(MAX_KEPT_BYTES + 1)
    run = do(bench, write("new.txt", "x"), command("rm", "large.bin"), END)
    assert "Cannot be undone: the content of large.bin was too large to be kept" in run.report()
    with pytest.raises(UndoError, match=r"large\.bin"):
        run.undo()
    assert (bench.root / "new.txt").exists()


def test_an_undone_run_says_so_in_its_report(bench: Bench) -> None:
    """Until it is redone."""
    run = do(bench, write("new.txt", "x"), END)
    run.undo()
    assert "Undone: its changes of files are taken back." in run.report()
    run.redo()
    assert "Undone" not in run.report()


def test_the_oldest_images_go_when_all_are_too_large(tmp_path: Path) -> None:
    """The store stays within its bound; what was kept last is always there."""
    images = Images(tmp_path / "undo", max_bytes=10)
    kept = [images.keep(io.BytesIO(bytes([number]) * 4)) for number in range(4)]
    assert [images.has(sha256) for sha256 in kept] == [False, False, True, True]
    huge = images.keep(io.BytesIO(bytes(100)))
    assert [path.name for path in (tmp_path / "undo").iterdir()] == [huge]


def test_kernels_that_keep_images_at_once_do_not_fail_each_other(tmp_path: Path) -> None:
    """What one has just renamed or removed is no reason for another one not to keep its own.

    Each kernel looks at the whole folder when it keeps its first image.
    """
    failures: list[Exception] = []
    together = threading.Barrier(4)

    def kernel(number: int) -> None:
        together.wait()
        for turn in range(150):
            images = Images(tmp_path / "undo", max_bytes=400)
            try:
                images.keep(io.BytesIO(f"{number}-{turn}".encode()))
                images.kept()
            except (ToolFailedError, OSError) as error:
                failures.append(error)

    threads = [threading.Thread(target=kernel, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(Images(tmp_path / "undo").kept()) > 1


def test_a_home_that_is_full_or_a_link_changes_nothing(bench: Bench, tmp_path: Path) -> None:
    """A file whose content cannot be kept is not changed, and the step says why."""
    (tmp_path / "elsewhere").mkdir()
    bench.home.mkdir()
    (bench.home / "undo").symlink_to(tmp_path / "elsewhere")
    run = bench.run([write("notes.txt", "x"), END], approve=lambda _plan: "approve")
    assert run.state == "failed"
    assert "cannot be kept for undo" in run.report()
    assert (bench.root / "notes.txt").read_text() == "buy milk\ncall Ann\n"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_tool_that_reports_a_file_without_its_content_says_so(bench: Bench) -> None:
    """Touching a file that is there changes its time alone, which nobody puts back."""
    run = do(bench, write("new.txt", "x"), command("touch", "notes.txt"), END)
    rows = run.undo()
    assert rows["in_words"].iloc[-1] == "step 2 (terminal): notes.txt cannot be put back"


def test_steps_side_by_side_are_booked_and_undone_each_on_its_own(bench: Bench) -> None:
    """Each of several parallel steps has its own files in the ledger, and all are taken back."""
    before = picture(bench.root)
    steps = [{**write(f"{n}.txt", str(n)), "parallel": True} for n in range(1, 5)]
    run = do(bench, *steps, END)
    # the ledger has them in the order in which they ended
    assert sorted(run.ledger["created"].tolist()) == [[f"{n}.txt"] for n in range(1, 5)]
    assert run.ledger["tool_calls"].tolist() == [1, 1, 1, 1]
    run.undo()
    assert picture(bench.root) == before


@pytest.mark.process
def test_foreign_code_is_said_to_stay(bench: Bench) -> None:
    """What python_repl did is not known to undo; it says so even where there is nothing else."""
    code = {"tool": "python_repl", "args": {"input": "1 + 1"}}
    run = bench.run([code, END], approve=lambda _plan: "approve")
    with pytest.raises(UndoError, match=r"changed no file .* step 1 \(python_repl\)"):
        run.undo()
