"""Asking at a real pseudo-terminal: what is typed is the decision."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_CODE = """
import runpy
demo = runpy.run_path({demo!r})
answer = demo["ask"](demo["proposal"], timeout_s={timeout_s})
print("DECIDED", answer.decision, answer.by, repr(answer.feedback), len(answer.steps))
"""


def _talk(typed: str, *, timeout_s: float = 20.0) -> str:
    """Run the question in a process of its own, type, and return all that it wrote."""
    code = _CODE.format(demo=str(_HERE / "demo_cell.py"), timeout_s=timeout_s)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(  # noqa: S603  our own command line
        [sys.executable, "-c", code],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(_HERE.parents[1])},
    )
    os.close(theirs)
    try:
        return _read_and_type(ours, typed)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _read_and_type(terminal: int, typed: str) -> str:
    """Type once the question stands there, and read on to the decision or the end."""
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
def test_what_is_typed_is_the_decision(typed: str, decided: str) -> None:
    """Yes approves, no rejects, blank lines ask again, anything else is feedback."""
    assert f"DECIDED {decided}" in _talk(typed)


def test_no_answer_in_time_is_a_rejection() -> None:
    """A terminal that stays silent rejects the plan."""
    assert "DECIDED reject timeout '' 0" in _talk("", timeout_s=0.3)


def test_the_plan_is_shown_in_full_and_harmless() -> None:
    """Every argument stands there; a character that turns text around is written out."""
    shown = _talk("n\n")
    assert all(text in shown for text in ("older.txt", "cannot be undone", "-old line"))
    assert "⟨U+202E⟩" in shown
    assert "\u202e" not in shown


def test_the_end_of_input_is_no_answer() -> None:
    """Ctrl-D decides nothing: it is an error."""
    assert "the input ended before anybody decided" in _talk("\x04")
