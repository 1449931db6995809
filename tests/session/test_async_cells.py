"""Runs in cells of a real kernel: with a form, stopped while waiting, and in a loop."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

#: Keywords plan: which model is loaded is not what is tested here.
SETUP = """\
from okso_jupyter import Session, arun
session = Session({"TESTING_PASSTHROUGH": True})
"""
REQUEST = "Read notes.txt"


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KernelOnWire]:
    """A kernel in a folder with two files, with a session that uses no model."""
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    (tmp_path / "more.txt").write_text("three\n")
    with KernelOnWire(tmp_path) as started:
        started.run(SETUP)
        yield started


def test_a_form_is_answered_while_a_cell_awaits(kernel: KernelOnWire) -> None:
    """The event loop runs while the form waits, and the next cell sees the run."""
    kernel.run("ticks = 0")
    kernel.send(
        "import asyncio\n"
        "async def tick():\n"
        "    global ticks\n"
        "    while True:\n"
        "        ticks += 1\n"
        "        await asyncio.sleep(0.01)\n"
        "ticking = asyncio.ensure_future(tick())\n"
        f"run = await arun({REQUEST!r}, session=session)\n"
        "ticking.cancel()"
    )
    following = kernel.send("seen = (run.state, run.answer, ticks > 3)")
    comm, state = kernel.displayed_form()
    kernel.act(comm, state, "approve")
    assert kernel.reply(following)["status"] == "ok"
    assert kernel.value("seen") == repr(("completed", "one\ntwo", True))


def test_stop_ends_an_awaited_run_and_its_form(kernel: KernelOnWire) -> None:
    """Nothing runs after Stop, the journal records this, and the form becomes a card."""
    asked = kernel.send(f"run = await arun({REQUEST!r}, session=session)")
    kernel.displayed_form()
    kernel.interrupt()
    assert kernel.reply(asked)["status"] == "error"
    last = "session.load_run(session.journal.run_ids()[-1])"
    assert kernel.value(f"({last}.state, len({last}.steps_seen))") == "('cancelled', 0)"
    assert kernel.value("'run' in globals()") == "False"


def test_runs_in_a_loop_are_plain_calls(kernel: KernelOnWire) -> None:
    """A cell may plan and run any number of times and collect the results."""
    kernel.run(
        "runs = []\n"
        "for file in ['notes.txt', 'more.txt']:\n"
        "    runs.append(session.run('Read {{file}}', approve='auto', variables=globals()))\n"
        "import pandas as pd\n"
        "table = pd.DataFrame([{'request': r.request, 'answer': r.answer} for r in runs])"
    )
    shown = json.loads(ast.literal_eval(kernel.value("table.to_json()")))
    assert list(shown["request"].values()) == ["Read notes.txt", "Read more.txt"]
    assert list(shown["answer"].values()) == ["one\ntwo", "three"]


def test_an_error_of_an_awaited_run_is_message_and_hint(kernel: KernelOnWire) -> None:
    """The error has no traceback of threads and loops."""
    kernel.send("await arun('Read {{nowhere}}', session=session, approve='auto', variables={})")
    error = kernel.until(lambda message: message["msg_type"] == "error")["content"]
    assert error["traceback"][0].startswith("UsageError: {{nowhere}} in the request")
    assert "Traceback" not in "".join(error["traceback"])


def test_a_form_that_cannot_be_answered_is_refused(kernel: KernelOnWire) -> None:
    """If a kernel forwards no clicks, no form is shown that would wait forever."""
    kernel.run("from okso_jupyter.session import aio; aio.hears_while_awaiting = bool")
    kernel.send(f"await arun({REQUEST!r}, session=session)")
    error = kernel.until(lambda message: message["msg_type"] == "error")["content"]
    assert "ApprovalError: this kernel receives no clicks" in error["traceback"][0]
    kernel.drain()  # what is sent before the kernel is done with an error is aborted
    kernel.run(f"run = await arun({REQUEST!r}, session=session, approve='auto')")
    assert kernel.value("run.state") == "'completed'"
