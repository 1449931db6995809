"""`%okso pause` and `%okso resume`: from one notebook for another, and after a kernel is gone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Run, Session, units
from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.testing import ScriptedModel

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
PLAN = [READ, {**READ, "thought": "once more"}, {"tool": "final_answer", "args": {}}]


def okso(shell: Any, line: str) -> Any:
    """Run one subcommand."""
    return shell.run_line_magic("okso", line)


@pytest.fixture(name="paused")
def _paused(shell: Any, folder: Path) -> Run:
    """A run that a line of another notebook paused while its first step ran."""
    with Session(model=ScriptedModel([]), root=folder) as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (1, "in_progress"):
                assert "pauses before its next step" in okso(shell, "pause")

        run = session.execute(
            {"request": "read twice", "steps": PLAN}, approve="auto", on_event=on_event
        )
    assert run.state == "paused"
    return run


def test_the_list_shows_what_can_be_gone_on_with(shell: Any, paused: Run) -> None:
    """One row per run: id, request, state, steps done of all, when and why."""
    for line in ("resume list", "resume"):
        found = okso(shell, line)
        assert isinstance(found, pd.DataFrame)
        assert list(found["id"]) == [paused.id]
        assert found[["request", "state", "done", "steps", "why"]].to_numpy().tolist()[0] == [
            "read twice", "paused", 1, 3, "it was paused"
        ]  # fmt: skip
        assert isinstance(found["when"].dtype, pd.DatetimeTZDtype)
        assert units(found)["done"] == "steps"


def test_a_run_is_gone_on_with_by_its_id(shell: Any, paused: Run) -> None:
    """It is bound as a cell would bind it, and leaves the list."""
    run = okso(shell, f"resume {paused.id}")
    assert (run.id, run.state) == (paused.id, "completed")
    assert shell.user_ns["_okso"] is run
    assert len(okso(shell, "resume list")) == 0
    assert list(okso(shell, "resume list"))[:2] == ["id", "request"]


def test_what_cannot_be_done_is_said(shell: Any, paused: Run) -> None:
    """A run that has ended, one that is not there, and nothing to pause."""
    okso(shell, f"resume {paused.id}")
    with pytest.raises(UsageError, match="is completed: there is nothing to go on with"):
        okso(shell, f"resume {paused.id}")
    with pytest.raises(JournalError, match="'nowhere'"):
        okso(shell, "resume nowhere")
    with pytest.raises(UsageError, match="no run is running"):
        okso(shell, "pause")
