"""What an undo would do, shown before it does it: each path once, and nothing is touched."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.effects.file_changes import Changes, NetChanges
from okso_jupyter.errors import JournalError, UndoError
from tests.bench import END, Bench, kinds
from tests.undo.test_undo import CASES, command, do, picture, rich, write

__all__ = ["rich"]


@pytest.mark.parametrize("steps", CASES.values(), ids=CASES)
def test_a_preview_changes_nothing_and_tells_what_comes(
    rich: Bench, steps: list[dict[str, Any]]
) -> None:
    """Every path that the undo changes stands there, and no other one."""
    before = picture(rich.root)
    run = do(rich, *steps, END)
    after = picture(rich.root)
    shown = run.undo(dry_run=True)
    assert picture(rich.root) == after
    assert kinds(run, "reversal_started") == []
    different = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    named = set(shown["path"])
    # what lies in a folder that is moved is told with the folder
    assert all(any(path == n or path.startswith(f"{n}/") for n in named) for path in different)
    assert len(shown) == len(named)
    run.undo()
    assert picture(rich.root) == before


def test_what_lies_there_and_what_comes_back_is_told(bench: Bench) -> None:
    """A file that is made again and again has one row, with the difference of both ends."""
    run = do(
        bench, write("notes.txt", "x\n", mode="overwrite"), write("notes.txt", "y\n"),
        write("new.txt", "n\n"), command("rm", "sales.csv"), command("mv", "new.txt", "n.txt"), END,
    )  # fmt: skip
    rows = run.undo(dry_run=True).set_index("path")
    assert rows["change"].to_dict() == {
        "n.txt": "deleted", "sales.csv": "created", "notes.txt": "overwritten",
    }  # fmt: skip
    assert rows["comes_back"].to_dict()["n.txt"] == "nothing"
    assert rows["there"].to_dict()["sales.csv"] == "nothing"
    difference = rows["difference"].to_dict()
    assert "-y\n+buy milk" in difference["notes.txt"]
    assert "+++ /dev/null" in difference["n.txt"]
    assert "--- /dev/null" in difference["sales.csv"]


def test_a_move_says_from_where(bench: Bench) -> None:
    """The content is the same, and is not shown."""
    rows = do(bench, command("mv", "notes.txt", "n.txt"), END).undo(dry_run=True)
    assert rows[["change", "path", "difference"]].to_numpy().tolist() == [
        ["deleted", "n.txt", "moved to notes.txt"], ["moved", "notes.txt", "moved from n.txt"],
    ]  # fmt: skip


def test_a_long_file_is_told_by_its_size(bench: Bench) -> None:
    """Nobody reads a difference of millions of lines."""
    (bench.root / "long.txt").write_text("line\n" * 400_000)
    rows = do(bench, command("rm", "long.txt"), END).undo(dry_run=True)
    assert rows["difference"].tolist() == ["too long to be shown"]
    assert "2000000 bytes" in rows["comes_back"].iloc[0]


def test_what_undo_would_refuse_is_refused_before(bench: Bench) -> None:
    """With the same sentence."""
    run = do(bench, write("new.txt", "x"), END)
    (bench.root / "new.txt").write_text("mine")
    with pytest.raises(UndoError, match=r"new\.txt has changed since"):
        run.undo(dry_run=True)
    with pytest.raises(UndoError, match="is not undone"):
        run.redo(dry_run=True)


def test_what_stays_has_a_row(bench: Bench) -> None:
    """Undo does not know what a tool did on its own."""
    bench.offer("scribble", lambda: "done", effect="writes")
    run = do(bench, write("new.txt", "x"), {"tool": "scribble", "args": {}}, END)
    rows = run.undo(dry_run=True)
    assert rows["change"].tolist() == ["deleted", "none"]
    assert rows["difference"].iloc[1].startswith("step 2 (scribble): what it did beside")


def test_a_run_that_the_journal_has_lost_is_said(bench: Bench) -> None:
    """Its records are in hand, and the journal knows of none."""
    run = do(bench, write("new.txt", "x"), END)
    with bench.session() as session:
        session.journal.drop([run.id])
    with pytest.raises(JournalError, match="is not in the journal any more"):
        run.undo()


def test_net_changes_leave_out_what_came_and_went() -> None:
    """A file that is made and removed is no change; one that is replaced by removing is."""
    net = NetChanges.of(
        [
            Changes(created=("a", "b")),
            Changes(updated=("b", "c")),
            Changes(deleted=("a", "d", "c")),
            Changes(created=("d",)),
        ]
    )
    assert net == NetChanges(created=("b",), changed=("d",), removed=("c",))
    assert net.words == "created b; changed d; removed c"
    assert not NetChanges()
