"""What a user sees at each station, in both front ends, light and dark, wide and narrow.

If OKSO_FIGURES names a folder, such as docs/figures, the test takes pictures for it.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.browser_lab import CHROMIUM, BrowserLab, FrontEnd
from tests.moving_picture import COLOURS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.model,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

FIGURES: Final = os.environ.get("OKSO_FIGURES")
CELLS: Final = [
    "%load_ext okso_jupyter",
    "%%okso\nWhat is the mean of weight in harvest.csv by apple?",
    "%%okso --yes\nWrite 'pick the alma' into todo.txt",
    "%%okso --yes\nPlot the mean weight by apple in harvest.csv",
    "%%okso --yes --keep-going --set PLAN_CHECKS=false\nRun broken.py",
    "%okso runs",
    "%okso audit",
    "_okso.trace",
    "_okso.observations",
]
#: The stations after the form and its answer, in the order of their cells.
STATIONS: Final = ("undo", "chart", "failed", "runs", "audit", "trace", "observations")
THEMES: Final = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
SIZES: Final = {"1280": (1280, 900), "600": (600, 900)}
#: Whether a part of the page can be scrolled sideways.
_SIDEWAYS: Final = "part => part.scrollWidth > part.clientWidth + 1"


@pytest.mark.parametrize("front_end", ["lab", "notebook"])
def test_every_station_fits_its_page(front_end: FrontEnd, tmp_path: Path) -> None:
    """Plan and buttons stand on one screen, and no page of a run is scrolled sideways."""
    (tmp_path / "harvest.csv").write_text("apple,weight\nalma,120\nbrae,150\nalma,96\n", "utf-8")
    (tmp_path / "broken.py").write_text("apples = []\nprint(apples[0])\n", "utf-8")
    with BrowserLab(tmp_path, CELLS, front_end=front_end) as lab:
        if front_end == "lab":
            lab.command("application:toggle-left-area")
        lab.page.set_viewport_size({"width": 1280, "height": 900})
        lab.run_cell()
        lab.wait_done()
        lab.run_cell()
        lab.button("Approve").wait_for(timeout=120_000)
        expect(lab.button("Approve")).to_be_in_viewport()
        expect(lab.outputs().get_by_text("Waiting for your decision.").first).to_be_in_viewport()
        _look(lab, f"form-{front_end}", lab.button("Approve"))
        lab.click("Approve")
        lab.wait_done()
        _look(lab, f"answer-{front_end}", _shown_in(lab, 1))
        for place, name in enumerate(STATIONS, start=2):
            lab.run_cell()
            shown = _shown_in(lab, place)
            shown.wait_for(timeout=60_000)
            # all that is known of a step is wider than any page
            fits = name != "observations"
            _look(lab, f"{name}-{front_end}", shown, fits=fits)


def _shown_in(lab: BrowserLab, place: int) -> Locator:
    """Return the page of a run, or the first table, in the outputs of a cell."""
    cell = f".jp-Cell[data-windowed-list-index='{place}']"
    return lab.page.locator(f"{cell} :is(.okso-run, .okso-table)").first


def _look(lab: BrowserLab, name: str, shown: Locator, *, fits: bool = False) -> None:
    """Look at the page in every theme and size, and write pictures as PNG where they are wanted."""
    for theme, full_name in THEMES.items():
        lab.set_theme(full_name)
        for size, (width, height) in SIZES.items():
            lab.page.set_viewport_size({"width": width, "height": height})
            lab.page.wait_for_timeout(500)
            shown.scroll_into_view_if_needed()
            if FIGURES:
                picture = Image.open(io.BytesIO(lab.page.screenshot())).convert("RGB")
                path = Path(FIGURES) / "screens" / f"{name}-{theme}-{size}.png"
                path.parent.mkdir(exist_ok=True)
                picture.quantize(COLOURS).save(path, optimize=True)
            assert not (fits and shown.evaluate(_SIDEWAYS)), f"{name} at {size} px"
    lab.set_theme(THEMES["light"])
    lab.page.set_viewport_size({"width": 1280, "height": 900})
