"""Repeated Stop in a real kernel of each version: no later cell runs."""

from __future__ import annotations

import os
import random
import time
from typing import Final

import pytest

from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

#: How often each is stopped; 50 is what a release is tried with.
STOPS: Final = int(os.environ.get("OKSO_TEST_STOPS", "10"))
ASK = "answer = ask(proposal, timeout_s=30)"
#: Runs what is approved at once: a loop in the sandbox, or a tool of the notebook that waits.
RUN = """
import time
from okso_jupyter import Session, Tool

def nap(seconds):
    time.sleep(seconds)
    return "slept"

NAP = Tool.from_schema("nap", "Wait.", {"type": "object"}, nap, effect="none")
AFTER = {"tool": "file_write", "args": {"path": "after.txt", "content": "x"}}
LOOP = [{"tool": "python_repl", "args": {"input": "while True:\\n    pass"}}, AFTER]
NAPPING = [{"tool": "nap", "args": {"seconds": 20}}, AFTER]
session = Session(tools=[*Session().tools.values(), NAP])

def start(steps):
    session.execute(
        [*steps, {"tool": "final_answer", "args": {}}],
        approve="auto",
        # one write: several may be published one by one
        on_event=lambda event: print(f"step {event['step']} {event['status']}\\n", end=""),
    )
"""


def _stop_and_check(kernel: KernelOnWire, requests: list[str]) -> None:
    """Stop the first of these cells and check that the later ones are aborted."""
    kernel.interrupt()
    statuses = [kernel.reply(request)["status"] for request in requests]
    assert statuses == ["error"] + ["aborted"] * (len(requests) - 1)


def test_stop_during_the_wait(kernel: KernelOnWire) -> None:
    """Stop at any moment of the wait: no queued cell runs, and the kernel stays alive."""
    moments = random.Random(1)  # noqa: S311  no secret
    for _ in range(STOPS):
        requests = [kernel.send(ASK), *(kernel.send("ran = True") for _ in range(3))]
        kernel.form()
        time.sleep(moments.choice([0, 0.01, 0.1]))
        _stop_and_check(kernel, requests)
    assert "NameError" in kernel.value("ran")


@pytest.mark.parametrize("steps", ["LOOP", "NAPPING"])
def test_stop_during_the_run(kernel: KernelOnWire, steps: str) -> None:
    """Stop ends the running step; no later step or queued cell runs; the run is paused."""
    kernel.run(RUN)
    for _ in range(STOPS):
        requests = [kernel.send(f"start({steps})"), *(kernel.send("ran = True") for _ in range(3))]
        kernel.until(lambda message: "step 1 in_progress" in str(message["content"]))
        _stop_and_check(kernel, requests)
    assert "NameError" in kernel.value("ran")
    assert kernel.value("__import__('os').path.exists('after.txt')") == "False"
    assert kernel.value("{session.load_run(id).state for id in session.journal.run_ids()}") == (
        "{'paused'}"
    )
