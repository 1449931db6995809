"""The Resume button of a paused run, clicked in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.approval.wire import KernelOnWire
from tests.magic.test_undo_button import READ, WRITE, button_of, click, held

pytestmark = pytest.mark.kernel

SHOW = "%okso show {run}"


@pytest.fixture(name="wired")
def _wired(tmp_path: Path) -> Iterator[KernelOnWire]:
    """A kernel with the extension, in a folder with a file."""
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter\n%config OksoMagics.home = 'home'")
        yield kernel


def shown(kernel: KernelOnWire, run_id: str) -> tuple[str, str]:
    """Show a paused run in a cell; return the ids of the cell's request and the button's comm."""
    request = kernel.send(SHOW.format(run=run_id))
    assert kernel.reply(request)["ename"] == "RunFailedError"
    return request, button_of(kernel, run_id)


def test_a_click_resumes_the_run_in_the_outputs_of_its_cell(
    wired: KernelOnWire, tmp_path: Path
) -> None:
    """The page says that it goes on, the answer follows, and `_okso` is the resumed run."""
    run_id = held(tmp_path, READ)
    request, comm = shown(wired, run_id)
    *_, page = [m for m in wired.iopub if m["msg_type"] == "display_data"]
    assert f"okso-resume-{run_id}" in page["content"]["data"]["text/html"]
    changed = click(wired, comm, "resume")
    assert changed["note"] == f"Resumed, and over: %okso show {run_id} shows it."
    assert changed["is_offered"] is False
    assert "two" in changed["outputs"][-1]  # for a page that was loaded since
    after = [m for m in wired.iopub if m["parent_header"].get("msg_id") == request]
    gone = next(place for place, m in enumerate(after) if m["msg_type"] == "clear_output")
    assert "goes on below" in after[gone + 1]["content"]["data"]["text/plain"]
    assert [m["msg_type"] for m in after[gone:] if m["msg_type"] == "error"] == []
    result = [m for m in after if m["msg_type"] == "display_data"][-1]
    assert "two" in result["content"]["data"]["text/plain"]
    assert wired.value("_okso.state") == "'completed'"
    click(wired, comm, "resume")
    assert wired.value("_okso.state") == "'completed'"


def test_a_run_that_cannot_be_resumed_says_why_at_the_button(
    wired: KernelOnWire, tmp_path: Path
) -> None:
    """The page is shown again, and nonsense is ignored."""
    run_id = held(tmp_path, WRITE)
    _, comm = shown(wired, run_id)
    wired.run("from okso_jupyter import Session\nSession({'OKSO_HOME': 'home'}).resume("
              f"{run_id!r}, approve='auto')")  # fmt: skip
    refused = click(wired, comm, "resume")
    assert run_id in refused["note"]
    assert refused["is_offered"] is True
    for nonsense in ({"action": "rm"}, {"action": ["resume"]}, "resume", None):
        wired.answer(comm, nonsense)
    assert wired.value("1 + 1") == "2"


def test_a_client_without_a_user_has_no_button(wired: KernelOnWire, tmp_path: Path) -> None:
    """Nor is one made where nobody could click it."""
    run_id = held(tmp_path, READ)
    wired.reply(wired.send(SHOW.format(run=run_id), allow_stdin=False))
    opened = [m for m in wired.drain() if m["msg_type"] == "comm_open"]
    assert [m for m in opened if "run" in m["content"]["data"].get("state", {})] == []


def test_stop_shows_the_button_and_a_click_asks_about_the_lost_step(
    wired: KernelOnWire, tmp_path: Path
) -> None:
    """The run that Stop has paused is shown briefly; resumed, it asks as the command does."""
    code = "import time\nprint('begun')\ntime.sleep(60)"
    run_id = held(tmp_path, {"tool": "python_repl", "args": {"input": code}})
    request = wired.send(f"%okso resume {run_id}")
    wired.until(lambda m: "begun" in str(m["content"].get("data", "")))
    wired.interrupt()
    assert wired.reply(request)["ename"] == "KeyboardInterrupt"
    comm = button_of(wired, run_id)
    page = [m for m in wired.iopub if m["msg_type"] == "display_data"][-1]["content"]["data"]
    assert f"okso-resume-{run_id}" in page["text/html"]
    assert f"%okso resume {run_id} resumes it" in page["text/plain"]
    wired.answer(comm, {"action": "resume"})
    form, state = wired.displayed_form()
    assert state["is_uncertain"] is True
    wired.act(form, state, "reject")
    wired.until(
        lambda m: m["content"].get("comm_id") == comm and m["content"]["data"]["method"] == "custom"
    )
    assert wired.value("_okso.id") == repr(run_id)
