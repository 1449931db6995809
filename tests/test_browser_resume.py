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
        expect(lab.outputs().get_by_text("RunFailedError")).to_have_count(0)
        expect(lab.outputs().locator(".okso-run")).to_contain_text("two", timeout=60_000)
        lab.page.wait_for_selector(".jp-Cell:nth-of-type(3):focus", timeout=60_000)
        lab.page.keyboard.press("Shift+Enter")
        lab.wait_text("'typed on'")
        assert "widgets" not in lab.save().metadata


def test_after_a_reload_the_page_shows_form_and_end_beside_the_button(tmp_path: Path) -> None:
    """A page that gets no outputs of the cell any more shows them; a decision there counts."""
    code = "import time\nprint('begun', flush=True)\ntime.sleep(60)"
    run_id = held(tmp_path, {"tool": "python_repl", "args": {"input": code}})
    with BrowserLab(tmp_path, [LOAD, f"%okso resume {run_id}", "_okso.state"]) as lab:
        lab.run_cell()
        lab.run_cell()
        lab.wait_text("begun")
        lab.stop()
        lab.button("Resume").wait_for(timeout=60_000)
        lab.save()
        lab.reload()
        lab.click("Resume")
        here = lab.outputs().locator(".okso-resume-outputs")
        here.get_by_role("button", name="Leave it out").click(timeout=60_000)
        lab.wait_text("Resumed, and over")
        expect(here.locator(".okso-run")).to_be_visible()
        assert "widgets" not in lab.save().metadata
