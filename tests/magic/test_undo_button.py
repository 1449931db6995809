"""The Undo button below a run that changed files, clicked in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

WRITE = {"tool": "file_write", "args": {"path": "new.txt", "content": "<b>hello</b>\n"}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
END = {"tool": "final_answer", "args": {}}


def held(folder: Path, *steps: dict[str, Any]) -> str:
    """Return the id of a run that was approved and paused before its first step."""
    settings = {"OKSO_HOME": str(folder / "home")}
    with Session(settings, model=ScriptedModel([]), root=folder) as session:

        def approve(_plan: object) -> str:
            session.pause()
            return "approve"

        return session.execute([*steps, END], approve=approve).id


@pytest.fixture(name="wired")
def _wired(tmp_path: Path) -> Iterator[KernelOnWire]:
    """A kernel with the extension, in a folder with a file."""
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter\n%config OksoMagics.home = 'home'")
        yield kernel


def button_of(kernel: KernelOnWire, run_id: str) -> str:
    """Wait for the button of a run and return the id of its comm."""

    def is_button(message: Any) -> bool:
        content = message["content"]
        opened = message["msg_type"] == "comm_open" and content["data"].get("state", {})
        return bool(opened) and opened.get("run") == run_id

    return str(kernel.until(is_button)["content"]["comm_id"])


def click(kernel: KernelOnWire, comm: str, action: str) -> dict[str, Any]:
    """Click, and return the part of the widget's state that changed."""
    kernel.answer(comm, {"action": action})
    changed: dict[str, Any] = {}
    while True:
        message = kernel.until(lambda m: m["content"].get("comm_id") == comm)
        data = message["content"]["data"]
        changed |= data.get("state", {})
        if data["method"] == "custom":
            return changed


def page_of(messages: list[Any]) -> dict[str, str]:
    """Return the result of a cell in all its formats."""
    (page,) = [m["content"]["data"] for m in messages if m["msg_type"] == "execute_result"]
    return dict(page)


def test_a_click_shows_the_changes_and_another_undoes_them(
    wired: KernelOnWire, tmp_path: Path
) -> None:
    """One click shows what undo restores, a second one undoes it while the kernel is idle.

    The page names files and command, and contains no widget.
    """
    run_id = held(tmp_path, WRITE)
    wired.run(f"%okso resume {run_id}")
    comm = button_of(wired, run_id)
    page = page_of(wired.drain())
    assert "Files: created new.txt." in page["text/html"]
    assert f"class='okso-undo okso-undo-{run_id}'" in page["text/html"]
    assert f"%okso undo {run_id} takes this back." in page["text/plain"]
    assert not any("widget" in kind for kind in page)

    shown = click(wired, comm, "show")
    assert shown["stage"] == "shown"
    assert "&lt;b&gt;hello" in shown["html"]
    assert (tmp_path / "new.txt").exists()
    assert click(wired, comm, "keep")["stage"] == "offered"
    assert click(wired, comm, "undo") == {}
    click(wired, comm, "show")
    done = click(wired, comm, "undo")
    assert done["stage"] == "done"
    assert done["note"].startswith("Taken back: created new.txt.")
    assert not (tmp_path / "new.txt").exists()
    assert click(wired, comm, "undo") == {}
    assert wired.value("_okso.is_undoable") == "False"


def test_an_impossible_undo_is_reported_at_the_button(wired: KernelOnWire, tmp_path: Path) -> None:
    """A file that was changed since the run is kept, and the button's note names it."""
    run_id = held(tmp_path, WRITE)
    wired.run(f"%okso resume {run_id}")
    comm = button_of(wired, run_id)
    (tmp_path / "new.txt").write_text("mine")
    refused = click(wired, comm, "show")
    assert "new.txt has changed since" in refused["note"]
    assert (tmp_path / "new.txt").read_text() == "mine"
    for nonsense in ({"action": "rm"}, {"action": ["undo"]}, "undo", None):
        wired.answer(comm, nonsense)
    assert wired.value("1 + 1") == "2"


def test_a_run_that_changed_nothing_has_no_button(wired: KernelOnWire, tmp_path: Path) -> None:
    """Neither has a run that changes files under a client without a user."""
    read, write = held(tmp_path, READ), held(tmp_path, WRITE)
    wired.run(f"%okso resume {read}")
    wired.run(f"%okso resume {write}", allow_stdin=False)
    opened = [m for m in wired.drain() if m["msg_type"] == "comm_open"]
    assert [m for m in opened if "run" in m["content"]["data"].get("state", {})] == []
