"""Approval at a real pseudo-terminal, where typed text is the decision."""

from __future__ import annotations

import os
import pty
import select
import time
from pathlib import Path

import pytest

from tests.approval.warm_kernel import start_at_terminal

pytestmark = pytest.mark.process

_HERE = Path(__file__).parent
_CODE = """
import runpy
demo = runpy.run_path({demo!r})
answer = demo["ask"](demo["proposal"], timeout_s={timeout_s})
print("DECIDED", answer.decision, answer.by, repr(answer.feedback), len(answer.steps))
"""


def _talk(typed: str, *, timeout_s: float = 20.0) -> str:
    """Ask about the demo plan, type an answer and return all output."""
    return _type_into(_CODE.format(demo=str(_HERE / "demo_cell.py"), timeout_s=timeout_s), typed)


def _type_into(code: str, typed: str) -> str:
    """Run code in a separate process, type into it and return all its output."""
    ours, theirs = pty.openpty()
    process = start_at_terminal(code, theirs)
    os.close(theirs)
    try:
        return _read_and_type(ours, typed)
    finally:
        process.kill()
        process.join()
        process.close()
        os.close(ours)


def _read_and_type(terminal: int, typed: str) -> str:
    """Type once the question is shown, then read up to the decision or the end."""
    shown = ""
    deadline_s = time.monotonic() + 30
    while "DECIDED" not in shown.rpartition("\n")[0]:
        assert time.monotonic() < deadline_s, shown
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            shown += os.read(terminal, 65536).decode()
        except OSError:  # Linux says so when the process has ended
            break
        if typed and "[y]es, [n]o" in shown:
            os.write(terminal, typed.encode())
            typed = ""
    return shown


@pytest.mark.parametrize(
    ("typed", "decided"),
    [
        ("y\n", "approve user '' 5"),
        ("No\n", "reject user '' 0"),
        ("only read\n", "feedback user 'only read' 0"),
        ("\n  \nYES\n", "approve user '' 5"),
    ],
)
def test_typed_text_is_the_decision(typed: str, decided: str) -> None:
    """Yes approves, no rejects, a blank line asks again, any other text is feedback."""
    assert f"DECIDED {decided}" in _talk(typed)


def test_a_timeout_is_a_rejection() -> None:
    """The plan is rejected if nothing is typed before the timeout."""
    assert "DECIDED reject timeout '' 0" in _talk("", timeout_s=0.3)


def test_the_plan_is_shown_in_full_and_escaped() -> None:
    """All arguments are shown; a bidirectional control character appears as its code."""
    shown = _talk("n\n")
    assert all(text in shown for text in ("older.txt", "cannot be undone", "-old line"))
    assert "⟨U+202E⟩" in shown
    assert "\u202e" not in shown


def test_end_of_input_is_an_error() -> None:
    """Ctrl-D is an error and not a decision."""
    assert "the input ended before anybody decided" in _talk("\x04")


_PLANNING = """
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
end = {{"tool": "final_answer", "args": {{}}}}
read = {{"tool": "file_read", "args": {{"path": "notes.txt"}}, "thought": "read the notes"}}
copy = {{"tool": "terminal", "args": {{"command": "cp", "args": ["notes.txt", "copy.txt"]}}}}
copy["thought"] = "copy the file"
settings = {{"OKSO_HOME": {home!r}, "PLANNER_SAMPLE_COUNT": 2, "ENABLE_ANSWER_VALIDATION": False}}
model = ScriptedModel([[read, copy, end], [copy, end]])
with Session(settings, model=model, root={root!r}) as session:
    planning = session.plan("Read notes.txt and keep a copy of it in copy.txt")
    run = session.execute(planning, approve="ask")
print("DECIDED", run.state, [r.cause for r in run.revisions], [d["up_to"] for d in run.decisions])
"""


@pytest.mark.parametrize(
    ("typed", "decided", "said"),
    [
        ("candidate 2\ny\n", "completed ['planned', 'candidate'] [None]", "chosen by you"),
        ("Candidate 9\ny\n", "completed ['planned'] [None]", "there is no candidate 9."),
        ("up to 1\nno\n", "cancelled ['planned'] [1, None]", "   | milk"),
        ("up to step 1\ny\n", "completed ['planned'] [1, None]", "ran already"),
        ("up to 7\nno\n", "cancelled ['planned'] [None]", "there is no step 7 to stop after."),
    ],
)
def test_candidates_and_partial_runs_at_a_terminal(
    tmp_path: Path, typed: str, decided: str, said: str
) -> None:
    """The answers `candidate N` and `up to N` work at a terminal.

    Another candidate is shown and asked about; `up to N` runs up to step N, then asks again.
    """
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "notes.txt").write_text("milk\nbread\n")
    code = _PLANNING.format(home=str(tmp_path / "home"), root=str(tmp_path / "root"))
    shown = _type_into(code, typed)
    assert f"DECIDED {decided}" in shown
    assert said in shown
    assert (tmp_path / "root" / "copy.txt").exists() == decided.startswith("completed")


def test_the_prompt_lists_the_possible_answers(tmp_path: Path) -> None:
    """The prompt lists the possible answers and the candidates; the shown one is marked."""
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "notes.txt").write_text("milk\n")
    code = _PLANNING.format(home=str(tmp_path / "home"), root=str(tmp_path / "root"))
    shown = _type_into(code, "no\n")
    assert "up to N (step N, then ask again), candidate N, or write" in shown
    assert "* candidate 1," in shown
    assert "  candidate 2," in shown
