"""A request in a real JupyterLab, from the cell to the answer, with the bundled model.

OKSO_FIGURES names a folder for the pictures that the test takes, such as docs/figures.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from tests.browser_lab import CHROMIUM, BrowserLab
from tests.moving_picture import COLOURS, MovingPicture

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
    "_okso.observations",
]
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


def test_a_request_is_planned_approved_and_answered(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A click on Approve runs the plan; the next cell sees the answer; no widget is saved."""
    folder = tmp_path_factory.mktemp("garden")
    (folder / "harvest.csv").write_text("apple,weight\nalma,120\nbrae,150\ncox,96\n", "utf-8")
    with BrowserLab(folder, CELLS) as lab:
        lab.command("application:toggle-left-area")
        moving = MovingPicture(lab.page.locator(".jp-Notebook"))
        moving.take(2)
        lab.run_all()
        lab.button("Approve").wait_for(timeout=120_000)
        _pictures(lab, tmp_path, "form", cell=1)
        lab.set_theme(THEMES["light"])
        moving.take(4)
        moving.take(1.5, pointer=lab.button("Approve"))
        lab.click("Approve")
        lab.wait_text("then: completed mean of weight: 122 (3 rows)")
        moving.take(5)
        moving.save(_folder(tmp_path) / "cell.gif")
        lab.outputs().get_by_text("How it was done").last.click()
        for part in ("Plan as a graph", "Timeline"):
            lab.outputs().get_by_text(part, exact=True).last.click()
        _pictures(lab, tmp_path, "run", cell=1)
        _pictures(lab, tmp_path, "tables", cell=3)
        saved = lab.save()
    assert "widgets" not in saved.metadata
    shown = [output.data for output in saved.cells[1].outputs if "data" in output]
    assert any("Approved" in data.get("text/html", "") for data in shown)
    assert "122" in shown[-1]["text/html"]


def _pictures(lab: BrowserLab, folder: Path, name: str, *, cell: int) -> None:
    """Write a picture of a cell as PNG in every theme."""
    for theme, full_name in THEMES.items():
        lab.set_theme(full_name)
        data = lab.page.locator(".jp-Notebook .jp-Cell").nth(cell).screenshot()
        picture = Image.open(io.BytesIO(data)).convert("RGB").quantize(COLOURS)
        picture.save(_folder(folder) / f"{name}-{theme}.png", optimize=True)
        assert min(picture.size) > 100


def _folder(otherwise: Path) -> Path:
    """Return the folder for pictures."""
    return Path(os.environ.get("OKSO_FIGURES", otherwise))
