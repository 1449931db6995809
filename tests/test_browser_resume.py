"""The Resume button in a real JupyterLab and Notebook."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.axe import violations
from tests.browser_lab import CHROMIUM, BrowserLab, FrontEnd
from tests.magic.test_undo_button import READ, held

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

LOAD = "%load_ext okso_jupyter\n%config OksoMagics.home = 'home'"
NOT_OURS = "heading-order"


@pytest.mark.parametrize("front_end", ["lab", "notebook"])
def test_a_paused_run_goes_on_below_by_keyboard(tmp_path: Path, front_end: FrontEnd) -> None:
    """The answer takes the place of the page, the next cell is selected, no widget is saved."""
    (tmp_path / "notes.txt").write_text("one\ntwo\n", "utf-8")
    cells = [LOAD, f"%okso show {held(tmp_path, READ)}", "'typed on'"]
    with BrowserLab(tmp_path, cells, front_end=front_end) as lab:
        lab.run_cell()
        lab.run_cell()
        button = lab.button("Resume")
        button.wait_for(timeout=60_000)
        faults = violations(lab.page, ".okso-run")
        assert [fault for fault in faults if not fault.startswith(NOT_OURS)] == []
        button.focus()
        lab.page.keyboard.press("Enter")
        lab.wait_text("This run was paused here, and resumed: it goes on below.")
        expect(lab.outputs().locator(".okso-run")).to_contain_text("two", timeout=60_000)
        lab.page.wait_for_selector(".jp-Cell:nth-of-type(3):focus", timeout=60_000)
        lab.page.keyboard.press("Shift+Enter")
        lab.wait_text("'typed on'")
        assert "widgets" not in lab.save().metadata
