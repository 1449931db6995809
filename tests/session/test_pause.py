"""Pausing a run from a callback, a thread or another process.

Running steps finish; the others wait.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import JournalError, UsageError
from tests.bench import END, Bench, bodies, statuses


def add(line: str) -> dict[str, Any]:
    """Return a step that adds a line to done.txt."""
    return {"tool": "add", "args": {"line": line}}


@pytest.fixture(name="bench")
def _bench(bench: Bench) -> Bench:
    """A bench with a tool that has a real side effect."""
    done = bench.root / "done.txt"

    def add(line: str) -> str:
        with done.open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    bench.offer("add", add, effect="writes")
    return bench


def lines(bench: Bench) -> list[str]:
    """Return the lines that were added."""
    return (bench.root / "done.txt").read_text().split()


def test_a_callback_pauses_its_own_run(bench: Bench) -> None:
    """The running step finishes; later steps wait, and the run has no answer yet."""
    with bench.session(OKSO_RUN_ID="mine") as session:

        def on_event(event: Mapping[str, Any]) -> None:
            if (event["step"], event["status"]) == (2, "in_progress"):
                assert session.pause("mine") == "mine"

        run = session.execute(
            [add("a"), add("b"), add("c"), END], approve="auto", on_event=on_event
        )
    assert (run.state, run.answer) == ("paused", None)
    assert lines(bench) == ["a", "b"]
    assert statuses(run) == {1: "completed", 2: "completed"}


_PAUSE = """
import sys
from okso_jupyter import Session
with Session({"OKSO_HOME": sys.argv[1]}) as session:
    print(session.pause())
"""


@pytest.mark.process
def test_another_process_pauses_the_run(bench: Bench) -> None:
    """Without an id, `pause` pauses the only running run."""

    def ask_elsewhere() -> str:
        child = subprocess.run(  # noqa: S603  our own command line
            [sys.executable, "-c", _PAUSE, str(bench.home)],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            check=True,
            capture_output=True,
            text=True,
        )
        return child.stdout.strip()

    bench.offer("ask", ask_elsewhere, effect="none")
    run = bench.run([{"tool": "ask", "args": {}}, add("b"), END])
    assert run.state == "paused"
    assert run.steps_seen[0].text == run.id
    assert not (bench.root / "done.txt").exists()


def test_a_thread_pauses_while_the_form_is_open(bench: Bench) -> None:
    """A pause requested before the approval holds after it: no step starts."""

    def approve(_plan: object) -> str:
        with bench.session() as other:
            thread = threading.Thread(target=other.pause)
            thread.start()
            thread.join()
        return "approve"

    run = bench.run([add("a"), END], approve=approve)
    assert [body["after"] for body in bodies(run, "run_state")] == [
        "awaiting_approval", "approved", "executing", "paused"
    ]  # fmt: skip
    assert not (bench.root / "done.txt").exists()


def test_only_a_running_run_can_be_paused(bench: Bench) -> None:
    """Pausing an ended or unknown run, or with no run at all, is an error.

    Each error is one sentence, and nothing is recorded.
    """
    with bench.session() as session:
        with pytest.raises(UsageError, match="no run is running"):
            session.pause()
        run = session.execute([add("a"), END], approve="auto")
        with pytest.raises(UsageError, match=f"run {run.id} is completed and not running"):
            session.pause(run.id)
        with pytest.raises(JournalError, match="'nope'"):
            session.pause("nope")
        assert session.load_run(run.id).records == run.records
