"""Undo and redo restore files exactly, and restore either all files or none."""

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
from okso_jupyter.toolkit.context import ToolContext
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
    """Run steps with automatic approval, check that the run completes, and return it."""
    run = bench.run(list(steps), approve=lambda _proposal: "approve", **settings)
    assert run.state == "completed", run.report()
    return run


def picture(folder: Path) -> dict[str, object]:
    """Return the kind, mode and content of everything beneath a folder."""
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
    """A folder with file modes, links, nested folders and binary content."""
    (bench.root / "notes.txt").chmod(0o640)
    (bench.root / "deep" / "er").mkdir(parents=True)
    (bench.root / "deep" / "er" / "bytes.bin").write_bytes(bytes(range(256)))
    (bench.root / "deep" / "run").write_text("#!/bin/sh\n")
    (bench.root / "deep" / "run").chmod(0o755)
    (bench.root / "deep").chmod(0o750)
    (bench.root / "hollow").mkdir(mode=0o711)
    (bench.root / "link").symlink_to("notes.txt")
    return bench


@pytest.mark.slow
@pytest.mark.parametrize("steps", CASES.values(), ids=CASES)
def test_undo_and_redo_restore_files_exactly(rich: Bench, steps: list[dict[str, Any]]) -> None:
    """Undo and redo restore content, modes, links and folders exactly, repeatedly."""
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


def test_an_undo_is_recorded(bench: Bench) -> None:
    """An undo is recorded, both in the run object at hand and in the loaded run."""
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
def test_undo_refuses_if_a_path_has_changed_since(bench: Bench, spoil: Any, named: str) -> None:
    """Undo is refused as a whole if one path has changed; the error names it.

    The change may be to its content, mode or kind, or to what a folder contains.
    """
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


def test_undo_does_not_follow_a_folder_replaced_by_a_link(bench: Bench, tmp_path: Path) -> None:
    """Undo is refused if a folder on the path is now a link; its target is not changed."""
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


def test_a_write_through_a_link_is_undone_in_the_target(bench: Bench) -> None:
    """Files written through a linked folder are removed from the real folder."""
    (bench.root / "real").mkdir()
    (bench.root / "way").symlink_to("real")
    before = picture(bench.root)
    run = do(bench, write("way/x.txt", "1"), command("mkdir", "way/sub"), END)
    assert (bench.root / "real" / "x.txt").exists()
    assert run.undo()["change"].tolist() == ["deleted", "deleted"]
    assert picture(bench.root) == before


def test_undo_twice_or_redo_before_undo_is_refused(bench: Bench) -> None:
    """A second undo, and a redo without an undo, are each refused with a clear message."""
    run = do(bench, write("new.txt", "x"), END)
    with pytest.raises(UndoError, match="is not undone, so there is nothing to redo"):
        run.redo()
    run.undo()
    with pytest.raises(UndoError, match="is undone already"):
        run.undo()
    run.redo()
    with pytest.raises(UndoError, match="is not undone"):
        run.redo()


def test_undo_of_a_run_without_changes_is_refused(bench: Bench) -> None:
    """Undo of a run that changed no file is refused with a message that says so."""
    run = do(bench, {"tool": "file_read", "args": {"path": "notes.txt"}}, END)
    with pytest.raises(UndoError, match="changed no file that can be put back"):
        run.undo()


def test_a_running_run_cannot_be_undone(bench: Bench) -> None:
    """A run that is still executing cannot be undone, even by one of its steps."""
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
def test_undo_cancels_an_interrupted_run(bench: Bench) -> None:
    """Undo of an interrupted run reverts its known changes and cancels the run.

    The result reports the step that was cut off, since its changes are not known.
    """
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


def test_undo_reports_tools_without_known_changes(bench: Bench) -> None:
    """Undo reverts known files and reports a tool whose changes are not known."""
    bench.offer("scribble", lambda: (bench.root / "own.txt").write_text("x"), effect="writes")
    run = do(bench, write("new.txt", "x"), {"tool": "scribble", "args": {}}, END)
    rows = run.undo()
    assert rows["change"].tolist() == ["deleted", "none"]
    assert rows["in_words"].iloc[1] == (
        "step 2 (scribble): what it did beside the file tools is not known, and stays"
    )
    assert (bench.root / "own.txt").exists()
    assert not (bench.root / "new.txt").exists()


@pytest.mark.parametrize(
    "step",
    [
        {"tool": "file_write", "args": {"path": "notes.txt", "content": "x"}},
        {"tool": "file_edit", "args": {"path": "notes.txt", "old_text": "tea", "new_text": "x"}},
        command("mv", "missing.txt", "x.txt"),
        command("cp", "notes.txt", "notes.txt"),
    ],
)
def test_undo_says_nothing_of_a_step_that_was_refused(bench: Bench, step: dict[str, Any]) -> None:
    """It changed nothing, so there is nothing to undo, and nothing of it stays."""
    run = bench.run([step, END], approve=lambda _proposal: "approve")
    assert run.state == "failed"
    with pytest.raises(UndoError) as refused:
        run.undo()
    assert refused.value.message == f"run {run.id} changed no file that can be put back"
    both = bench.run([write("new.txt", "x"), step, END], approve=lambda _proposal: "approve")
    assert both.undo()["change"].tolist() == ["deleted"]


def test_undo_reports_a_failed_step_that_changed_something(bench: Bench) -> None:
    """What a file tool did before it failed, and did not tell, is reported as not known."""

    def half(context: ToolContext) -> str:
        context.workspace.mkdir("half")
        msg = "it stopped in its middle"
        raise ToolFailedError(msg)

    bench.offer("half", half, effect="writes", rehearses=True)
    run = bench.run([{"tool": "half", "args": {}}, END], approve=lambda _proposal: "approve")
    with pytest.raises(UndoError, match=r"step 1 \(half\): what it did .* is not known, and stays"):
        run.undo()


def test_images_are_private_unencoded_and_deduplicated(bench: Bench) -> None:
    """Old content is stored once, under its hash, readable by its owner only."""
    do(bench, write("notes.txt", "x"), write("notes.txt", "buy milk\ncall Ann\n"),
       write("notes.txt", "y"), END)  # fmt: skip
    folder = bench.home / "undo"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    kept = sorted(folder.iterdir())
    assert sorted(one.read_text() for one in kept) == ["buy milk\ncall Ann\n", "x"]
    assert {stat.S_IMODE(one.stat().st_mode) for one in kept} == {0o600}


@pytest.mark.parametrize("harm", [Path.unlink, lambda one: one.write_text("forged")])
def test_undo_refuses_if_an_image_is_missing_or_changed(bench: Bench, harm: Any) -> None:
    """Undo is refused if an image is missing or was changed; no file is changed."""
    run = do(bench, write("a.txt", "1"), write("notes.txt", "x"), write("b.txt", "2"), END)
    (image,) = (bench.home / "undo").iterdir()
    harm(image)
    before = picture(bench.root)
    with pytest.raises(UndoError):
        run.undo()
    assert picture(bench.root) == before


def test_concurrent_undos_are_refused(bench: Bench) -> None:
    """An undo is refused while another process performs an undo or redo."""
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


def test_a_file_too_large_to_keep_is_reported(bench: Bench) -> None:
    """A file above the size limit is still changed; the report says it cannot be undone."""
    with (bench.root / "large.bin").open("wb") as large:
        large.truncate(MAX_KEPT_BYTES + 1)
    run = do(bench, write("new.txt", "x"), command("rm", "large.bin"), END)
    assert "Cannot be undone: the content of large.bin was too large to be kept" in run.report()
    with pytest.raises(UndoError, match=r"large\.bin"):
        run.undo()
    assert (bench.root / "new.txt").exists()


def test_the_report_shows_that_a_run_is_undone(bench: Bench) -> None:
    """The report says that a run is undone until it is redone."""
    run = do(bench, write("new.txt", "x"), END)
    run.undo()
    assert "Undone: its changes of files are taken back." in run.report()
    run.redo()
    assert "Undone" not in run.report()


def test_the_oldest_images_are_removed_above_the_bound(tmp_path: Path) -> None:
    """The image store stays within its bound, but always keeps the newest image."""
    images = Images(tmp_path / "undo", max_bytes=10)
    kept = [images.keep(io.BytesIO(bytes([number]) * 4)) for number in range(4)]
    assert [images.has(sha256) for sha256 in kept] == [False, False, True, True]
    huge = images.keep(io.BytesIO(bytes(100)))
    assert [path.name for path in (tmp_path / "undo").iterdir()] == [huge]


@pytest.mark.slow
def test_kernels_can_keep_images_concurrently(tmp_path: Path) -> None:
    """Images renamed or removed by one kernel cause no error in another.

    Each kernel scans the whole folder when it keeps its first image.
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


def test_an_unusable_image_folder_prevents_changes(bench: Bench, tmp_path: Path) -> None:
    """A file whose content cannot be kept is not changed, and the report says why."""
    (tmp_path / "elsewhere").mkdir()
    bench.home.mkdir()
    (bench.home / "undo").symlink_to(tmp_path / "elsewhere")
    run = bench.run([write("notes.txt", "x"), END], approve=lambda _plan: "approve")
    assert run.state == "failed"
    assert "cannot be kept for undo" in run.report()
    assert (bench.root / "notes.txt").read_text() == "buy milk\ncall Ann\n"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_undo_reports_a_file_reported_without_content(bench: Bench) -> None:
    """Undo reports an existing file that was touched, since its time is not restored."""
    run = do(bench, write("new.txt", "x"), command("touch", "notes.txt"), END)
    rows = run.undo()
    assert rows["in_words"].iloc[-1] == "step 2 (terminal): notes.txt cannot be put back"


def test_parallel_steps_are_recorded_and_undone_separately(bench: Bench) -> None:
    """Each parallel step has its own files in the ledger, and all of them are undone."""
    before = picture(bench.root)
    steps = [{**write(f"{n}.txt", str(n)), "parallel": True} for n in range(1, 5)]
    run = do(bench, *steps, END)
    # the ledger has them in the order in which they ended
    assert sorted(run.ledger["created"].tolist()) == [[f"{n}.txt"] for n in range(1, 5)]
    assert run.ledger["tool_calls"].tolist() == [1, 1, 1, 1]
    run.undo()
    assert picture(bench.root) == before


@pytest.mark.process
def test_undo_reports_python_repl_steps(bench: Bench) -> None:
    """Undo reports a python_repl step as unknown, even if the run changed no file."""
    code = {"tool": "python_repl", "args": {"input": "1 + 1"}}
    run = bench.run([code, END], approve=lambda _plan: "approve")
    with pytest.raises(UndoError, match=r"changed no file .* step 1 \(python_repl\)"):
        run.undo()
