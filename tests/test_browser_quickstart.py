"""A request in a real JupyterLab, from the cell to the answer, with the bundled model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.model,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

REQUEST = "What is the mean of the weight column in harvest.csv?"
CELLS = [
    "%load_ext okso_jupyter",
    f"%%okso --seed 1\n{REQUEST}",
    "print('then:', _okso.state, _okso.answer)",
]


def test_a_request_is_planned_approved_and_answered(tmp_path: Path) -> None:
    """One click on Approve runs the plan, the next cell sees the answer, no widget is saved."""
    (tmp_path / "harvest.csv").write_text("apple,weight\nalma,120\nbrae,150\ncox,96\n", "utf-8")
    with BrowserLab(tmp_path, CELLS) as lab:
        lab.run_all()
        lab.button("Approve").wait_for(timeout=120_000)
        lab.screenshot(tmp_path / "form-light.png")
        lab.set_theme("JupyterLab Dark")
        lab.screenshot(tmp_path / "form-dark.png")
        lab.click("Approve")
        lab.wait_text("then: completed 122.0")
        lab.screenshot(tmp_path / "answer-dark.png")
        lab.set_theme("JupyterLab Light")
        lab.screenshot(tmp_path / "answer-light.png")
        saved = lab.save()
    assert "widgets" not in saved.metadata
    shown = [output.data for output in saved.cells[1].outputs if "data" in output]
    assert any("Approved" in data.get("text/html", "") for data in shown)
    assert "122.0" in shown[-1]["text/html"]
