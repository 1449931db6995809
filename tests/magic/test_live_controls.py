"""Pause and Stop while a cell runs: in a real kernel, clicked as a browser does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

SLOW = "import time\nfor number in range(600):\n    print('line', number)\n    time.sleep(0.1)"
STEPS = [
    {"tool": "python_repl", "args": {"input": SLOW}, "title": "Count slowly"},
    {"tool": "file_read", "args": {"path": "notes.txt"}},
    {"tool": "final_answer", "args": {}},
]


def held(folder: Path, steps: list[dict[str, Any]]) -> str:
    """Return the id of a run that was approved and paused before its first step."""
    settings = {"OKSO_HOME": str(folder / "home")}
    with Session(settings, model=ScriptedModel([]), root=folder) as session:

        def approve(_plan: object) -> str:
            session.pause()
            return "approve"

        run = session.execute({"request": "count", "steps": steps}, approve=approve)
    assert run.state == "paused"
    return run.id


def state_of(run_id: str, folder: Path) -> str:
    """Return the state of a run according to the journal."""
    with Session({"OKSO_HOME": str(folder / "home")}, root=folder) as session:
        return session.load_run(run_id).state


@pytest.fixture(name="wired")
def _wired(tmp_path: Path) -> Iterator[KernelOnWire]:
    """A kernel with the extension, in a folder with a file."""
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter\n%config OksoMagics.home = 'home'")
        yield kernel


def panel_of(kernel: KernelOnWire) -> str:
    """Wait for the buttons and return the id of their comm."""

    def is_panel(message: Any) -> bool:
        content = message["content"]
        return message["msg_type"] == "comm_open" and "can_pause" in content["data"].get(
            "state", {}
        )

    return str(kernel.until(is_panel)["content"]["comm_id"])


def shown_after(messages: list[Any]) -> list[Any]:
    """Return the data of every output that was displayed or updated, in order."""
    kinds = {"display_data", "update_display_data"}
    return [m["content"]["data"] for m in messages if m["msg_type"] in kinds]


def views(kernel: KernelOnWire) -> bool:
    """Wait until an output changes, and return whether it displays a widget."""
    changed = kernel.until(lambda message: message["msg_type"] == "update_display_data")
    data = changed["content"]["data"]
    assert {"text/html", "text/plain"} <= set(data)
    return "application/vnd.jupyter.widget-view+json" in data


def widgets_left(messages: list[Any]) -> set[str]:
    """Return the comms that were opened and not closed, without those of a Resume button."""
    opened = [m["content"] for m in messages if m["msg_type"] == "comm_open"]
    closed = {m["content"]["comm_id"] for m in messages if m["msg_type"] == "comm_close"}
    states = {content["comm_id"]: content["data"]["state"] for content in opened}
    buttons = [state for state in states.values() if "is_offered" in state]
    offered = {state["layout"].removeprefix("IPY_MODEL_") for state in buttons}
    offered |= {comm for comm, state in states.items() if state in buttons}
    return states.keys() - closed - offered


def test_stop_ends_the_run_and_the_following_cells(wired: KernelOnWire, tmp_path: Path) -> None:
    """Stop works like the notebook's own: one line, and queued cells are aborted.

    The steps remain visible.
    """
    run_id = held(tmp_path, STEPS)
    requests = [wired.send(f"%okso resume {run_id}"), *(wired.send("ran = 1") for _ in range(3))]
    panel = panel_of(wired)
    wired.until(lambda m: "line 1" in str(m["content"]))
    wired.answer(panel, {"action": "stop"})

    assert [wired.reply(r)["status"] for r in requests] == ["error"] + ["aborted"] * 3
    assert wired.reply(requests[0])["traceback"] == [
        "KeyboardInterrupt: the cell was stopped, and nothing of it runs any more"
    ]
    messages = wired.drain()
    assert "ran" in wired.value("ran")
    assert widgets_left(messages) == set()
    left, page = shown_after(messages)[-2:]
    assert "widget-view" not in str([left, page])
    assert f"okso-resume-{run_id}" in page["text/html"]
    assert "stopped" in left["text/html"]
    assert "Paused: 0 of 3 steps done" in left["text/html"]
    assert state_of(run_id, tmp_path) == "paused"


def test_pause_finishes_the_running_step_only(wired: KernelOnWire, tmp_path: Path) -> None:
    """The click is confirmed at once, queued cells are aborted, the run can be resumed."""
    steps = [
        {"tool": "python_repl", "args": {"input": SLOW.replace("600", "30")}},
        *STEPS[1:],
    ]
    run_id = held(tmp_path, steps)
    paused, behind = wired.send(f"%okso resume {run_id}"), wired.send("ran = 1")
    wired.answer(panel_of(wired), {"action": "pause"})
    wired.until(lambda m: "no other is started" in str(m["content"]))

    replies = [wired.reply(request) for request in (paused, behind)]
    assert [reply["status"] for reply in replies] == ["error", "aborted"]
    assert replies[0]["ename"] == "RunFailedError"
    assert widgets_left(wired.drain()) == set()
    assert wired.value("(_okso.state, len(_okso.observations))") == "('paused', 1)"
    assert wired.value("'ran' in globals()") == "False"
    wired.run(f"%okso resume {run_id}")
    assert wired.value("_okso.state") == "'completed'"


def test_an_invalid_click_changes_nothing(wired: KernelOnWire, tmp_path: Path) -> None:
    """Messages of any other form are ignored, and the run completes."""
    steps = [{"tool": "python_repl", "args": {"input": SLOW.replace("600", "20")}}, *STEPS[1:]]
    run_id = held(tmp_path, steps)
    request = wired.send(f"%okso resume {run_id}")
    panel = panel_of(wired)
    for message in ({"action": "explode"}, {"action": ["stop"]}, {}, "stop", None):
        wired.answer(panel, message)

    assert wired.reply(request)["status"] == "ok"
    assert wired.value("_okso.state") == "'completed'"


def test_a_front_end_without_own_drawing_gets_the_widget(
    wired: KernelOnWire, tmp_path: Path
) -> None:
    """The widget is a view with the same HTML and text, removed once a page has drawn it."""
    request = wired.send(f"%okso resume {held(tmp_path, STEPS)}")
    panel = panel_of(wired)
    while not views(wired):
        pass
    wired.answer(panel, {"action": "drawn"})
    assert not views(wired)
    wired.answer(panel, {"action": "stop"})
    assert wired.reply(request)["status"] == "error"


def test_the_notebook_s_own_stop_works_beside_the_buttons(
    wired: KernelOnWire, tmp_path: Path
) -> None:
    """SIGINT while steps run ends the run and aborts the cells queued meanwhile."""
    run_id = held(tmp_path, STEPS)
    first = wired.send(f"%okso resume {run_id}")
    panel_of(wired)
    queued = [wired.send("ran = 1") for _ in range(3)]
    completion = wired.request("complete_request", {"code": "%ok", "cursor_pos": 3})
    assert wired.reply(completion)["status"] == "ok"
    wired.interrupt()

    assert [wired.reply(r)["status"] for r in (first, *queued)] == ["error"] + ["aborted"] * 3
    assert state_of(run_id, tmp_path) == "paused"
