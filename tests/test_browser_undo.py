"""The Undo button in a real JupyterLab, and widgets whose kernel has ended."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.axe import violations
from tests.browser_lab import CHROMIUM, BrowserLab
from tests.magic.test_undo_button import WRITE, held

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

LOAD = "%load_ext okso_jupyter\n%config OksoMagics.home = 'home'"
FORM = (
    "import os, pathlib\npathlib.Path('pid').write_text(str(os.getpid()))\n"
    f"%run {Path(__file__).with_name('form_cell.py')}\nrun = ask(times=1)"
)
NOT_OURS = "heading-order"


def test_undo_is_a_click_and_is_not_saved(tmp_path: Path) -> None:
    """The button works, also after a reload; the notebook holds only static HTML."""
    run_id = held(tmp_path, WRITE)
    with BrowserLab(tmp_path, [LOAD, f"%okso resume {run_id}"]) as lab:
        lab.run_all()
        lab.button("Undo").wait_for(timeout=60_000)
        saved = lab.save()
        lab.reload()
        lab.click("Undo")
        expect(lab.outputs()).to_contain_text(["", "-<b>hello</b>"])
        faults = violations(lab.page, ".okso-undo-bar")
        assert [fault for fault in faults if not fault.startswith(NOT_OURS)] == []
        assert (tmp_path / "new.txt").exists()
        lab.click("Take back")
        lab.wait_text("Taken back: created new.txt.")
        assert not (tmp_path / "new.txt").exists()
        expect(lab.button("Undo")).to_have_count(0)
        after = lab.save()
    for notebook in (saved, after):
        text = json.dumps(notebook)
        assert "widgets" not in notebook.metadata
        assert "widget-view" not in text
        assert f"%okso undo {run_id} takes this back." in text
        assert "okso-undo-bar" not in text


def test_a_button_whose_kernel_has_ended_names_the_command(tmp_path: Path) -> None:
    """After a restart clicks have no effect, and the page names the command instead."""
    run_id = held(tmp_path, WRITE)
    with BrowserLab(tmp_path, [LOAD, f"%okso resume {run_id}"]) as lab:
        lab.run_all()
        lab.button("Undo").wait_for(timeout=60_000)
        _restart(lab)
        lab.wait_text("The kernel has ended: type the command in a cell.")
        expect(lab.button("Undo")).to_have_count(0)


@pytest.mark.parametrize("end", ["restarted", "killed"])
def test_a_form_whose_kernel_has_ended_decides_nothing(tmp_path: Path, end: str) -> None:
    """The form says so and its buttons are disabled, since a click would be lost."""
    with BrowserLab(tmp_path, [FORM]) as lab:
        lab.run_all()
        lab.button("Approve").wait_for(timeout=60_000)
        if end == "restarted":
            _restart(lab)
        else:
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
        lab.wait_text("The kernel has ended: nothing can be decided here any more.")
        expect(lab.button("Approve")).to_have_attribute("aria-disabled", "true")


def _restart(lab: BrowserLab) -> None:
    """Restart the kernel without the confirmation dialog."""
    restart = "() => { window.jupyterapp.shell.currentWidget.sessionContext.restartKernel() }"
    lab.page.evaluate(restart)
