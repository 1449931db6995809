"""Kernel > Restart while a step runs: the run is kept and can be resumed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

from okso_jupyter import Session
from okso_jupyter.journal.events import CallStarted
from tests.bench import END

_SLOW = {"tool": "python_repl", "args": {"input": "import time; time.sleep(60)"}}
_WRITE = {"tool": "file_write", "args": {"path": "new.txt", "content": "x\n"}}
_CELL = """
from okso_jupyter import Session
Session({{"OKSO_RUN_ID": "mine"}}).execute({steps}, approve="auto")
"""


@pytest.mark.kernel
def test_a_restart_from_the_menu_leaves_a_resumable_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu interrupts, then ends the kernel; a finished write is kept, not repeated."""
    root = tmp_path / "notebook"
    root.mkdir()
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    manager = KernelManager()
    manager.start_kernel(cwd=str(root))
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=60)
        client.execute(_CELL.format(steps=[_WRITE, _SLOW, END]))
        _wait_for_step(tmp_path / "home", 2)
        manager.restart_kernel(now=False)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    with Session(root=root) as session:
        (left,) = session.resumable()
        assert (left.id, left.state, left.done) == ("mine", "paused", 1)
        calls = [r.body["step_id"] for r in session.load_run("mine").records
                 if r.kind == "call_started"]  # fmt: skip
    assert calls == [1, 2]
    assert (root / "new.txt").read_text() == "x\n"


def _wait_for_step(home: Path, step_id: int) -> None:
    """Wait until a call of the step has started."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if (home / "journal.sqlite3").exists():
            with Session({"OKSO_HOME": str(home)}) as session:
                begun = session.journal.records("mine", CallStarted)
            if any(record.body["step_id"] == step_id for record in begun):
                return
        time.sleep(0.2)
    msg = f"step {step_id} did not begin"
    raise AssertionError(msg)
