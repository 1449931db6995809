"""`%okso pause` and `%okso resume`: from another notebook, and after a kernel ended."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.utils.capture import capture_output

from okso_jupyter import Run, Session, Tool, units
from okso_jupyter.errors import ApprovalError, JournalError, UsageError
from okso_jupyter.testing import ScriptedModel

READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
PLAN = [READ, {**READ, "thought": "once more"}, {"tool": "final_answer", "args": {}}]


def okso(shell: Any, line: str) -> Any:
    """Run one subcommand."""
    return shell.run_line_magic("okso", line)


@pytest.fixture(name="paused")
def _paused(shell: Any, folder: Path) -> Run:
    """A run that a line in another notebook paused while its first step ran."""
    with Session(model=ScriptedModel([]), root=folder) as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (1, "in_progress"):
                assert "pauses before its next step" in okso(shell, "pause")

        run = session.execute(
            {"request": "read twice", "steps": PLAN}, approve="auto", on_event=on_event
        )
    assert run.state == "paused"
    return run


def test_the_list_shows_runs_that_can_be_resumed(shell: Any, paused: Run) -> None:
    """One row per run: id, request, state, steps done and in total, when and why."""
    for line in ("resume list", "resume"):
        found = okso(shell, line)
        assert isinstance(found, pd.DataFrame)
        assert list(found["id"]) == [paused.id]
        assert found[["request", "state", "done", "steps", "why"]].to_numpy().tolist()[0] == [
            "read twice", "paused", 1, 3, "it was paused"
        ]  # fmt: skip
        assert isinstance(found["when"].dtype, pd.DatetimeTZDtype)
        assert units(found)["done"] == "steps"


def test_a_run_is_resumed_by_its_id(shell: Any, paused: Run) -> None:
    """The run is bound as a cell would bind it, and is no longer listed."""
    run = okso(shell, f"resume {paused.id}")
    assert (run.id, run.state) == (paused.id, "completed")
    assert shell.user_ns["_okso"] is run
    assert len(okso(shell, "resume list")) == 0
    assert list(okso(shell, "resume list"))[:2] == ["id", "request"]


def test_an_impossible_resume_or_pause_is_refused(shell: Any, paused: Run) -> None:
    """A completed run, an unknown run, and a pause without a running run are errors."""
    okso(shell, f"resume {paused.id}")
    with pytest.raises(UsageError, match="is completed and cannot be resumed"):
        okso(shell, f"resume {paused.id}")
    with pytest.raises(JournalError, match="'nowhere'"):
        okso(shell, "resume nowhere")
    with pytest.raises(UsageError, match="no run is running"):
        okso(shell, "pause")


# --- a step of which nobody knows whether it took effect -----------------------------------------

WRITE = {"tool": "file_write", "args": {"path": "made.txt", "content": "new\n"}}


@pytest.fixture(name="lost")
def _lost(folder: Path) -> Run:
    """A run that *Stop* ended while its first step was writing."""

    def write(context: Any, path: str, content: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        context.cancelled.wait(60)
        return f"{path}: {content}"

    parameters = {"type": "object", "properties": {"path": {}, "content": {}}}
    slow = Tool.from_schema("file_write", "write", parameters, write, effect="writes")
    plan = [WRITE, {"tool": "final_answer", "args": {}, "depends_on": [1]}]
    with Session({"OKSO_RUN_ID": "mine"}, tools=[slow], root=folder) as session:
        with pytest.raises(KeyboardInterrupt):
            session.execute(plan, approve="auto")
        return session.load_run("mine")


def test_an_uncertain_step_is_answered_on_the_line(shell: Any, lost: Run, folder: Path) -> None:
    """A step answered as done is not run again, and the given text is its result."""
    run = okso(shell, f'resume {lost.id} "1=done: 4 bytes"')
    assert (run.state, run.answer) == ("completed", "4 bytes")
    assert not (folder / "made.txt").exists()


def test_an_uncertain_step_can_be_run_again(shell: Any, lost: Run, folder: Path) -> None:
    """The earlier approval holds for a step that a person lets run again."""
    run = okso(shell, f"resume {lost.id} 1=again")
    assert run.state == "completed"
    assert (folder / "made.txt").read_text() == "new\n"


def test_an_uncertain_step_can_be_left_out(shell: Any, lost: Run, folder: Path) -> None:
    """The run completes without the step."""
    assert okso(shell, f'resume {lost.id} 1="leave out"').state == "completed"
    assert not (folder / "made.txt").exists()


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("mine 2=again", "step 2 is not uncertain", "of this run uncertain: 1"),
        ("mine 1=perhaps", "'perhaps' is not an answer", "'leave out'"),
        ("mine again", "'again' is not of the form", "2=again"),
        ("mine 1=leave out", "'out' is not of the form", '"2=leave out"'),
        ("mine one=again", "'one=again' is not of the form", "2=again"),
        ("mine 1=again 1=done", "step 1 is answered twice", "one answer"),
        ("1=again", "the id of its run is missing", "%okso resume list"),
        ("list 1=again", "resume list takes nothing", "%okso resume RUN"),
    ],
)
def test_an_invalid_answer_is_refused(
    shell: Any, lost: Run, words: str, message: str, hint: str
) -> None:
    """The run remains paused, and the hint names the correct form."""
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        okso(shell, f"resume {words}")
    assert hint in caught.value.hint
    assert okso(shell, "resume list")["state"].tolist() == ["paused"]
    assert lost.state == "paused"


def test_without_an_answer_the_hint_names_the_answers(shell: Any, lost: Run) -> None:
    """Without a person to ask, the error and later the loaded run name the answers."""
    with pytest.raises(ApprovalError) as caught:
        okso(shell, f"resume {lost.id}")
    assert f"%okso resume {lost.id} 1=again" in caught.value.hint
    with Session() as session:
        assert f"%okso resume {lost.id} 1=again" in session.load_run(lost.id).way_on
    assert "STEP=ANSWER" in explained_resume(shell)


def explained_resume(shell: Any) -> str:
    """Return what `%okso help resume` shows."""
    with capture_output() as captured:
        okso(shell, "help resume")
    return str(captured.outputs[-1].data["text/plain"])
