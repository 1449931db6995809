"""Output while a cell runs: a model's progress and a run's steps, in each front end."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from okso_jupyter import Session
from okso_jupyter.kernel.pump import Ticker
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.magic.display.cell_display import CellDisplay
from okso_jupyter.magic.display.controls import Controls
from okso_jupyter.widgets.live_panel import LivePanel

READING = Sampling(
    prompt_tokens=700, prompt_done=96, completions=8, completions_done=0, output_tokens=0,
    elapsed_s=1.0, tokens_per_s=0.0,
)  # fmt: skip
WRITING = Sampling(
    prompt_tokens=700, prompt_done=700, completions=8, completions_done=3, output_tokens=150,
    elapsed_s=3.0, tokens_per_s=80.4, left_s=1.2,
)  # fmt: skip
ASKING = Sampling(
    prompt_tokens=0, prompt_done=0, completions=3, completions_done=0, output_tokens=0,
    elapsed_s=4.2, tokens_per_s=0.0,
)  # fmt: skip
LINES = {
    "Reading the prompt: 96 of 700 tokens": READING,
    "Sampling: 3 of 8 done, 150 tokens, 80 tokens/s, about 1 s left": WRITING,
    "Asking the model … 4 s": ASKING,
}


class Screen:
    """A stand-in for IPython's display function that records what is shown."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def __call__(self, data: dict[str, str], **_how: Any) -> Screen:
        """Record new output and return this handle."""
        self.shown.append(data)
        return self

    def update(self, data: dict[str, str], **_how: Any) -> None:
        """Record changed output."""
        self.shown.append(data)


@pytest.mark.parametrize(("line", "sampling"), LINES.items())
def test_a_notebook_updates_one_output_in_place(line: str, sampling: Sampling) -> None:
    """One output is created, updated with every report, and emptied at the end."""
    screen = Screen()
    with CellDisplay(screen, "notebook", quiet=False, pause=str) as showing:
        showing.planning()
        showing.sampling(sampling)

    lines = [data["text/plain"].split("\n")[0] for data in screen.shown]
    assert lines == ["Planning …", line, ""]
    assert line in screen.shown[1]["text/html"]
    again = "restarted or ended since then, ask again, as by running the %%okso cell again: no step"
    for data in screen.shown[:2]:
        assert all(again in data[kind] for kind in ("text/plain", "text/html"))


def test_a_reloaded_page_shows_the_end_only_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the planning the page says that the cell continues, not that it has ended.

    The approval form may be waiting in another page.
    """
    panels: list[LivePanel] = []

    class Buttons(Controls):
        def panel(self) -> LivePanel:
            panels.append(super().panel())
            return panels[-1]

    buttons = nullcontext(Buttons(Ticker(), pause=str))
    monkeypatch.setattr("okso_jupyter.magic.display.cell_display.controls", lambda _pause: buttons)
    monkeypatch.setattr("okso_jupyter.magic.display.screens._BUTTONS_AFTER_S", -1.0)
    settings = {"OKSO_HOME": str(tmp_path / "home"), "PLANNER_FALLBACK": "keyword"}
    with Session(settings, root=tmp_path) as session:
        planning = session.plan("what can you do?")
    with CellDisplay(Screen(), "notebook", quiet=False, pause=str) as showing:
        showing.planning()
        showing.planned(planning)
        showing.planning()
        assert len(panels) == 2
    first, last = (panel._widget.html for panel in panels)

    assert "the cell continues" in first
    assert "This has ended" not in first
    assert "This has ended" in last


@pytest.mark.parametrize(("line", "sampling"), LINES.items())
def test_a_terminal_updates_its_last_line(
    line: str, sampling: Sampling, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line is overwritten and cleared at the end; IPython's display is not used."""
    screen = Screen()
    with CellDisplay(screen, "terminal", quiet=False, pause=str) as showing:
        showing.sampling(sampling)

    assert screen.shown == []
    assert [part.strip() for part in capsys.readouterr().err.split("\r")] == ["", line, "", ""]


def test_a_headless_front_end_shows_no_status() -> None:
    """Without a viewer a status leaves no output, not even an empty one."""
    screen = Screen()
    with CellDisplay(screen, "headless", quiet=False, pause=str) as showing:
        showing.planning()
        showing.sampling(WRITING)
    assert screen.shown == []


@pytest.mark.parametrize("front_end", ["terminal", "notebook"])
def test_quiet_shows_nothing(front_end: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """With quiet neither a line nor an output is shown."""
    screen = Screen()
    with CellDisplay(screen, front_end, quiet=True, pause=str) as showing:
        showing.planning()
        showing.sampling(WRITING)

    assert (screen.shown, capsys.readouterr().err) == ([], "")


_REPOSITORY = Path(__file__).parents[2]
CODE = "import time; print('half of it'); time.sleep(2.5); print('all of it')"
TITLE = f"Run in Python: {CODE}"
#: What the magic does with a plan that was made already; `CODE`, `front_end`
#: and `keeps` stand before it.
CELL = """
from IPython.display import display
from okso_jupyter import Session
from okso_jupyter.magic.display.cell_display import CellDisplay
from okso_jupyter.testing import ScriptedModel
steps = [
    {"tool": "python_repl", "args": {"input": CODE}, "title": "Work slowly"},
    {"tool": "file_read", "args": {"path": "gone.txt"}, "title": "Look for it"},
    {"tool": "final_answer", "args": {}},
]
settings = {
    "OKSO_HOME": "home", "ON_FAILURE": "skip", "PLAN_MAX_REPLANS": 0, "VERBOSITY": 1,
    "PLAN_CHECKS": False,  # the second step is to fail
}
session = Session(settings, model=ScriptedModel([]))
with CellDisplay(display, front_end, quiet=False, pause=session.pause, keeps=keeps) as showing:
    session.execute({"request": "r", "steps": steps}, approve="auto", on_live=showing.live)
"""


def in_nbclient(folder: Path, *, keeps: bool) -> list[Any]:
    """Return the outputs of the cell in an executed notebook."""
    setting = f"CODE, front_end, keeps = {CODE!r}, 'headless', {keeps}"
    cell = nbformat.v4.new_code_cell(f"{setting}\n{CELL}")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    where = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=where).execute()
    assert "widgets" not in notebook.metadata
    return [output for output in notebook.cells[0].outputs if output.output_type != "stream"]


@pytest.mark.kernel
def test_an_executed_notebook_has_the_final_state_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One output has every step's final state and failure reason, without partial states."""
    monkeypatch.setenv("PYTHONPATH", str(_REPOSITORY))
    (only,) = in_nbclient(tmp_path, keeps=True)

    assert list(only.data) == ["text/plain", "text/html"]
    for face in only.data.values():
        assert "Failed: 2 of 3 steps done, 1 failed" in face
        assert "gone.txt" in face
        assert "running" not in face
        assert "<pre" not in face
        assert "| half of it" not in face
    assert f"✓ Step 1: {TITLE} - done, after" in only.data["text/plain"]
    assert "✗ Step 2: Read gone.txt - failed" in only.data["text/plain"]


@pytest.mark.kernel
def test_the_live_view_is_removed_if_the_result_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the run is shown below as the result, no output of the live view remains."""
    monkeypatch.setenv("PYTHONPATH", str(_REPOSITORY))
    assert in_nbclient(tmp_path, keeps=False) == []


@pytest.mark.process
def test_a_terminal_prints_each_finished_step_once(tmp_path: Path) -> None:
    """Each finished step has its own line; time and last output update the last line."""
    screen, terminal = pty.openpty()
    code = f"CODE, front_end, keeps = {CODE!r}, 'terminal', True\n{CELL}"
    with os.fdopen(screen, "rb", buffering=0) as output:
        child = subprocess.Popen(  # noqa: S603  our own command line
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(_REPOSITORY)},
            stdin=terminal, stdout=terminal, stderr=terminal,
        )  # fmt: skip
        os.close(terminal)
        written = bytearray()
        while True:
            try:
                part = output.read(4096)
            except OSError:  # the terminal is gone with the last process that has it
                break
            written += part
        assert child.wait(60) == 0
    text = written.decode()
    lines = [line.split("\r")[-1].strip() for line in text.split("\r\n")]

    assert sum(line.startswith(f"✓ Step 1: {TITLE} - done, after") for line in lines) == 1
    assert sum(line.startswith("✗ Step 2: Read gone.txt - failed") for line in lines) == 1
    assert "step 1 running, for 1 s: half of it" in text
    assert all(len(part) <= 79 for part in text.replace("\n", "\r").split("\r") if "; step" in part)
