"""Creates the home beside this file with the code of commit feeb67b.

    git worktree add ../older feeb67b
    PYTHONPATH=../older python tests/session/older/make.py FOLDER

FOLDER is an absolute path without machine-specific parts; the tests substitute their own.
At that commit, a call of file_write without a mode replaced the existing content.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from okso_jupyter import Session

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
WRITE: dict[str, Any] = {
    "tool": "file_write",
    "args": {"path": "notes.txt", "content": "short\n"},
    "depends_on": [1],
}
END: dict[str, Any] = {"tool": "final_answer", "args": {}}


def make(folder: Path) -> None:
    """Create one run paused before it writes, and one completed run."""
    root = folder / "notebook"
    root.mkdir(parents=True)
    (root / "notes.txt").write_text("one\ntwo\nthree\n")
    plan = {"request": "shorten notes.txt", "steps": [READ, WRITE, END]}
    settings = {"OKSO_HOME": str(folder / "home"), "FINAL_ANSWER": "digest"}
    with Session({**settings, "OKSO_RUN_ID": "older-paused"}, root=root) as session:

        def pause(event: Any) -> None:
            if (event["step"], event["status"]) == (1, "in_progress"):
                session.pause()

        session.execute(plan, approve="auto", on_event=pause)
    with Session({**settings, "OKSO_RUN_ID": "older-completed"}, root=root) as session:
        session.execute({"request": "read", "steps": [READ, END]}, approve="auto")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
