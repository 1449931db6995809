"""The what-if panel in a real JupyterLab: keys, saving, reloading, accessibility."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import axe
from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]
CELL = """
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel

END = {"tool": "final_answer", "args": {}}
COPY = {"tool": "terminal", "args": {"command": "cp", "args": ["notes.txt", "copy.txt"]}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
model = ScriptedModel([[READ, END], [COPY, END], [END]])
with Session({"PLANNER_SAMPLE_COUNT": 3, "OKSO_HOME": "home"}, model=model) as session:
    planning = session.plan("Copy notes.txt to copy.txt", seed=1)
planning.what_if()
"""


def test_the_panel_needs_only_the_saved_output(lab: BrowserLab) -> None:
    """Keys move a slider and not the cell selection; after a reload the panel still works.

    The saved notebook contains only HTML and plain text.
    """
    lab.notebook.with_name("notes.txt").write_text("one\n")
    lab.begin([CELL, "print('next')"])
    lab.run_cell()
    slider = lab.page.get_by_role("slider", name="Weight of coverage")
    slider.wait_for(timeout=120_000)
    slider.focus()
    for _ in range(20):
        lab.page.keyboard.press("ArrowDown")
    assert slider.input_value() == "0"
    lab.wait_text("Candidate 3 would win")
    saved = lab.save()
    lab.reload()
    slider.wait_for(timeout=60_000)
    slider.focus()
    lab.page.keyboard.press("Home")
    lab.wait_text("Candidate 3 would win")
    assert "widgets" not in saved.metadata
    (output,) = saved.cells[0].outputs
    assert set(output.data) == {"text/html", "text/plain"}
    assert "Candidate 2 wins with" in output.data["text/plain"]


def test_the_panel_is_accessible(lab: BrowserLab, tmp_path: Path) -> None:
    """Axe finds no violation in either theme, before and after a slider is moved."""
    lab.notebook.with_name("notes.txt").write_text("one\n")
    lab.begin([CELL])
    lab.run_cell()
    slider = lab.page.get_by_role("slider", name="Weight of coverage")
    slider.wait_for(timeout=120_000)
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.set_theme(theme)
        slider.fill("1")
        assert axe.violations(lab.page, ".okso-what-if") == []
        slider.fill("0")
        lab.screenshot(tmp_path / f"what-if {theme}.png")
        assert axe.violations(lab.page, ".okso-what-if") == []
