"""Editing over the wire: a real kernel, browser messages, real tools and files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.approval.person import does
from tests.approval.wire import KernelOnWire, message

pytestmark = pytest.mark.kernel

SESSION = """
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
session = Session({"OKSO_HOME": "home", "ENABLE_ANSWER_VALIDATION": False}, model=ScriptedModel([]))
plan = [
    {"tool": "file_write", "args": {"path": "out.txt", "content": "tea"}},
    {"tool": "terminal", "args": {"command": "cp", "args": ["out.txt", "copy.txt"]},
     "depends_on": [1]},
    {"tool": "final_answer", "args": {}},
]
"""
RUN = "run = session.execute(plan, approve='ask')"


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[KernelOnWire]:
    """A kernel with a session and a plan."""
    with KernelOnWire(tmp_path) as running:
        running.run(SESSION)
        yield running


def sent(state: dict[str, Any], action: str, **changes: Any) -> object:
    """Return an answer to a state, with changes."""
    return does(action, **changes)(state)


def test_an_approved_edit_is_written_to_the_file(kernel: KernelOnWire, tmp_path: Path) -> None:
    """An invalid text, its error, a valid one, its diff, approval: the next cell reads it."""
    kernel.send(RUN)
    following = kernel.send("text = open('out.txt').read()")
    comm, state = kernel.form()
    kernel.answer(comm, sent(state, "check", args={1: {"path": ""}}))
    state = kernel.next_state(comm)
    field = next(one for one in state["steps"][0]["args"] if one["name"] == "path")
    assert field["error"] == "it needs path or input"
    kernel.answer(comm, sent(state, "check", args={1: {"path": "out.txt", "content": "cake"}}))
    state = kernel.next_state(comm)
    assert "+cake" in state["steps"][0]["html"]
    assert not (tmp_path / "out.txt").exists()
    kernel.act(comm, state, "approve")
    assert kernel.reply(following)["status"] == "ok"
    assert kernel.value("(text, run.state)") == "('cake', 'completed')"


def test_approval_up_to_a_step_asks_again_in_the_same_cell(
    kernel: KernelOnWire, tmp_path: Path
) -> None:
    """A second form shows the first step as done; the cell ends with its answer."""
    kernel.send(RUN)
    comm, state = kernel.form()
    kernel.answer(comm, sent(state, "approve", up_to=1))
    comm, state = kernel.form()
    assert [step["ended"] for step in state["steps"]] == ["completed", "", ""]
    assert not (tmp_path / "copy.txt").exists()
    kernel.act(comm, state, "approve")
    assert kernel.value("run.state") == "'completed'"
    assert (tmp_path / "copy.txt").read_text() == "tea"


def test_a_forged_state_approves_nothing(kernel: KernelOnWire, tmp_path: Path) -> None:
    """The kernel ignores what a browser writes into the synced state."""
    kernel.send(RUN)
    comm, state = kernel.form()
    forged = {**state, "steps": []}
    update = {"method": "update", "state": {"state": forged}, "buffer_paths": []}
    kernel.request("comm_msg", {"comm_id": comm, "data": update})
    evil = sent(state, "approve", args={1: {"content": "evil"}})
    kernel.answer(comm, evil)
    kernel.until(lambda m: "Approve it as it is now" in str(m["content"]))
    assert not (tmp_path / "out.txt").exists()
    kernel.act(comm, state, "reject")
    assert kernel.value("(run.state, run.decisions[-1]['decision'])") == "('cancelled', 'reject')"


def test_an_answer_to_a_closed_form_changes_nothing(kernel: KernelOnWire, tmp_path: Path) -> None:
    """A late approval of a plan whose decision timed out has no effect."""
    kernel.run("from dataclasses import replace")
    kernel.run("session.settings = replace(session.settings, okso_approve_timeout_s=0.5)")
    request = kernel.send(RUN)
    comm, state = kernel.form()
    assert kernel.reply(request)["status"] == "ok"
    kernel.answer(comm, message(state, "approve"))
    assert kernel.value("(run.state, run.decisions[-1]['by'])") == "('cancelled', 'timeout')"
    assert not (tmp_path / "out.txt").exists()
