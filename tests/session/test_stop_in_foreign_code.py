"""Stop by real signals while a session waits for foreign code that ignores Stop."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel
from tests.bench import END, Bench

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
#: Far longer than Stop may take, and shorter than a test may.
LONG_S = 20.0
SOON_S = 5.0


def press_and_hang(*_args: object) -> None:
    """Schedule a press of Stop, then block."""
    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
    time.sleep(LONG_S)


def stops_soon(act: Callable[[], object]) -> None:
    """Check that one press of Stop ends the call soon."""
    began_s = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        act()
    assert time.monotonic() - began_s < SOON_S


def state_of(bench: Bench) -> str:
    """Return the state of the run."""
    with bench.session() as session:
        return str(session.load_run("mine").state)


def test_a_hanging_event_listener_is_stopped(bench: Bench) -> None:
    """The run is paused after one press of Stop."""

    def on_event(event: Mapping[str, Any]) -> None:
        if event["status"] == "in_progress":
            press_and_hang()

    stops_soon(lambda: bench.run([READ, END], on_event=on_event, OKSO_RUN_ID="mine"))
    assert state_of(bench) == "paused"


def test_a_hanging_live_state_listener_is_stopped(bench: Bench) -> None:
    """One press of Stop ends a hanging `on_live` listener, and the run is paused."""

    def on_live(live: Any) -> None:
        if live.running:
            press_and_hang()

    def run() -> None:
        with bench.session(OKSO_RUN_ID="mine") as session:
            session.execute([READ, END], approve="auto", on_live=on_live)

    stops_soon(run)
    assert state_of(bench) == "paused"


class _HangingModel(ScriptedModel):
    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        press_and_hang()
        return super().complete(request)


def test_a_hanging_model_of_the_user_is_stopped(bench: Bench) -> None:
    """Stop also works in the middle of a run, where the model proposes the calls."""

    def run() -> None:
        settings = {
            "OKSO_HOME": str(bench.home), "OKSO_RUN_ID": "mine", "EXECUTOR_MODE": "react",
        }  # fmt: skip
        with Session(settings, model=_HangingModel([]), root=bench.root) as session:
            session.execute({"request": "What is it?", "steps": [READ, END]}, approve="auto")

    stops_soon(run)
    assert state_of(bench) == "paused"


def test_a_hanging_preview_is_stopped_while_stop_is_deferred(bench: Bench) -> None:
    """A preview for the form respects Stop although the form defers it."""
    bench.offer("foreign", lambda: "done", effect="none", preview=press_and_hang)

    def show() -> None:
        with interrupt.deferred():
            bench.run([{"tool": "foreign"}, END], OKSO_RUN_ID="mine")

    stops_soon(show)
    assert state_of(bench) == "cancelled"
