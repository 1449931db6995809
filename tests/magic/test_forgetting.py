"""`%okso forget`: what is reported as removed, what remains, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.errors import JournalError, UsageError

WRITE = {"tool": "file_write", "args": {"path": "notes.txt", "content": "x", "mode": "overwrite"}}
END = {"tool": "final_answer", "args": {}}


def okso(shell: Any, line: str) -> Any:
    """Run a subcommand."""
    return shell.run_line_magic("okso", line)


def test_a_forgotten_run_reports_its_files_elsewhere(shell: Any, folder: Path) -> None:
    """The message counts records and images and lists files written elsewhere.

    It contains the size of the images. Afterwards the run is unknown.
    """
    out = folder.parent / "plan.json"
    with Session({"OKSO_PLAN_OUTPUT": str(out)}, root=folder) as session:
        run = session.execute([WRITE, END], approve=lambda _plan: "approve")
    said = okso(shell, f"forget {run.id}")
    assert said.startswith(f"run {run.id} forgotten: {len(run.records)} records, 1 undo image (")
    assert said.endswith(f"; what it wrote elsewhere stays: {out}")
    with pytest.raises(JournalError, match="there is no run"):
        okso(shell, f"forget {run.id}")
    assert len(okso(shell, "runs")) == 0


def test_runs_are_forgotten_by_age(shell: Any, folder: Path) -> None:
    """Runs of today are not older than a day and are kept."""
    with Session(root=folder) as session:
        session.execute([END], approve="auto")
    assert (
        okso(shell, "forget --older-than 1")
        == "0 runs forgotten: 0 records, 0 undo images (0.0 kB)"
    )
    assert okso(shell, "forget --older-than 99999999").startswith("0 runs")
    assert len(okso(shell, "runs")) == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("forget", "which run"),
        ("forget a b", "takes one run"),
        ("forget --older-than", "whole number of days"),
        ("forget --older-than 0", "whole number of days"),
        ("forget --older-than ten", "whole number of days"),
        ("forget --older-than 1 2", "whole number of days"),
    ],
)
def test_invalid_arguments_are_refused_with_the_usage(shell: Any, line: str, problem: str) -> None:
    """A typo does not forget a run."""
    with pytest.raises(UsageError, match=problem) as caught:
        okso(shell, line)
    assert "%okso forget RUN" in caught.value.hint
