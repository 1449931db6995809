"""`%okso undo` and `redo`: which run they choose, and the preview they show first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Run, Session
from okso_jupyter.errors import UndoError, UsageError

END = {"tool": "final_answer", "args": {}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}


def okso(shell: Any, line: str) -> Any:
    """Run a subcommand."""
    return shell.run_line_magic("okso", line)


def do(folder: Path, *steps: dict[str, Any]) -> Run:
    """Run steps in a folder."""
    with Session(root=folder) as session:
        return session.execute([*steps, END], approve="auto")


def write(path: str, content: str = "x\n") -> dict[str, Any]:
    """Return a step that writes a file."""
    args = {"path": path, "content": content, "mode": "replace"}
    return {"tool": "file_write", "args": args}


def test_undo_takes_the_last_run_with_changes(shell: Any, folder: Path) -> None:
    """Runs that only read are skipped, even if the kernel's newest run is one of them."""
    do(folder, write("one.txt"))
    do(folder, write("two.txt"))
    shell.user_ns["_okso"] = do(folder, READ)
    assert okso(shell, "undo")["path"].tolist() == ["two.txt"]
    assert okso(shell, "undo")["path"].tolist() == ["one.txt"]
    with pytest.raises(UndoError, match="no run of this folder changed a file") as caught:
        okso(shell, "undo")
    assert caught.value.hint == "%okso runs tells what each run changed"
    assert okso(shell, "redo")["path"].tolist() == ["one.txt"]
    assert okso(shell, "redo")["path"].tolist() == ["two.txt"]
    with pytest.raises(UndoError, match="no run of this folder is undone"):
        okso(shell, "redo")
    assert {path.name for path in folder.iterdir()} >= {"one.txt", "two.txt"}


def test_undo_ignores_runs_of_other_folders(shell: Any, folder: Path) -> None:
    """The journal is shared by all folders, but undo takes only runs of this folder."""
    other = folder.parent / "other"
    other.mkdir()
    do(other, write("new.txt"))
    with pytest.raises(UndoError, match="no run of this folder"):
        okso(shell, "undo")
    assert (other / "new.txt").exists()


def test_a_dry_run_only_shows(shell: Any, folder: Path) -> None:
    """The preview works with and without an id, before or after the option."""
    run = do(folder, write("new.txt", "hello\n"))
    for line in ("undo --dry-run", f"undo {run.id} --dry-run", f"undo --dry-run {run.id}"):
        rows = okso(shell, line)
        assert rows[["path", "comes_back"]].to_numpy().tolist() == [["new.txt", "nothing"]]
        assert "-hello" in rows["difference"].iloc[0]
    assert (folder / "new.txt").exists()
    with pytest.raises(UsageError, match="takes one run at most"):
        okso(shell, "undo a b")


def test_undo_shows_its_preview_first(
    shell: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preview is shown before the file is removed."""
    do(folder, write("new.txt", "hello\n"))
    shown: list[tuple[pd.DataFrame, bool]] = []
    monkeypatch.setattr(
        "okso_jupyter.magic.magics.display",
        lambda table: shown.append((table, (folder / "new.txt").exists())),
    )
    okso(shell, "undo")
    ((table, was_there),) = shown
    assert was_there
    assert "-hello" in table["difference"].iloc[0]
