"""A kernel that ends during a cell: what its page shows, reloaded or opened anew."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.axe import violations
from tests.browser_lab import CHROMIUM, RESTART, BrowserLab
from tests.magic.test_live_controls import SLOW, STEPS, held, state_of
from tests.test_browser_waiting import ASK, ESSAY, FIRST, SAMPLE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

WAIT_MS: Final = 60_000
LOAD: Final = (
    "import os, pathlib\npathlib.Path('pid').write_text(str(os.getpid()))\n"
    "%load_ext okso_jupyter\n%config OksoMagics.home = 'home'"
)
#: What ipywidgets shows in place of a widget: while it looks for it, and for good.
MISSING: Final = re.compile("Error displaying widget|model not found|Loading widget")
SINCE: Final = "If the kernel was restarted or ended since then, "
AGAIN: Final = "ask again, as by running the %%okso cell again: no step of this run had run."
NOT_OURS: Final = "heading-order"
#: The first step ends while the buttons are there, the second one does not.
RUNNING: Final[list[dict[str, Any]]] = [
    {"tool": "python_repl", "args": {"input": SLOW.replace("600", "30")}},
    STEPS[0],
    STEPS[2],
]


@pytest.fixture(scope="module", params=["lab", "notebook"])
def started(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserLab]:
    """A browser for each front end, started once for all tests."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "notes.txt").write_text("rain on Monday\n", "utf-8")
    with BrowserLab(folder, [LOAD], front_end=request.param) as running:
        yield running


@pytest.fixture
def lab(started: BrowserLab, tmp_path: Path) -> Iterator[BrowserLab]:
    """A notebook with a restarted kernel."""
    started.page.evaluate(RESTART)
    yield started
    started.screenshot(tmp_path / "last.png")


def resuming(lab: BrowserLab) -> str:
    """Write cells that resume a run with buttons, start them, and return the run's id."""
    run_id = held(lab.notebook.parent, RUNNING)
    lab.write([LOAD, f"%okso resume {run_id}"])
    lab.run_all()
    lab.button("Stop").wait_for(timeout=WAIT_MS)
    return run_id


def check_static(lab: BrowserLab, *texts: str) -> None:
    """Save and restart; check the texts in the reloaded page and in another tab."""
    lab.page.locator("[class^=okso-slot-] button").first.wait_for(timeout=WAIT_MS)
    saved = lab.save()
    shown = [output.data for cell in saved.cells for output in cell.outputs if "data" in output]
    assert {kind for data in shown for kind in data} == {"text/html", "text/plain"}
    assert "widgets" not in saved.metadata
    assert all(text in shown[-1]["text/plain"] for text in texts)
    lab.page.evaluate(RESTART)
    lab.reload()
    check_page(lab, *texts)
    with lab.second_tab():
        check_page(lab, *texts)


def check_page(lab: BrowserLab, *texts: str) -> None:
    """Check that the texts are shown accessibly and that no widget is missing."""
    for text in texts:
        expect(lab.outputs().last).to_contain_text(text, timeout=WAIT_MS)
    words = lab.outputs().locator(".okso-way-on")
    expect(words).to_be_visible(timeout=WAIT_MS)
    faults = violations(lab.page, ".jp-Cell-outputArea:has(.okso-way-on)")
    assert [fault for fault in faults if not fault.startswith(NOT_OURS)] == []
    assert not MISSING.search(" ".join(lab.outputs().all_inner_texts()))


def test_the_page_of_a_running_run_names_its_step(lab: BrowserLab) -> None:
    """It names the step that ran, although the step began after the buttons were shown."""
    run_id = resuming(lab)
    lab.wait_text("1 of 3 steps done")
    lab.outputs().get_by_text("line 3").first.wait_for(timeout=WAIT_MS)
    command = f"resume the run with %load_ext okso_jupyter and %okso resume {run_id}."
    check_static(lab, "this run was at step 2.", f"{SINCE}{command}")


def test_the_page_of_an_open_form_shows_the_plan(lab: BrowserLab) -> None:
    """It says to ask again, since no step has run that could be resumed."""
    lab.write([f"{FIRST}\n{ASK}"])
    lab.run_all()
    lab.button("Approve").wait_for(timeout=WAIT_MS)
    check_static(lab, "this was waiting for a decision.", "Write out.txt", f"{SINCE}{AGAIN}")
    lab.run_all()
    lab.click("Approve")
    lab.wait_text("✓ Approved")


def test_a_form_in_the_middle_of_a_run(lab: BrowserLab) -> None:
    """The command that the page names asks about the remaining steps again."""
    lab.notebook.with_name("out.txt").unlink(missing_ok=True)
    read = {"tool": "file_read", "args": {"path": "out.txt"}}
    lab.write([f"{FIRST}\nrun = ask([write('first plan'), {read}])"])
    lab.run_all()
    lab.click("Up to here: run to step 1, then ask again")
    lab.click("Approve up to step 1")
    lab.wait_text("does not run again")
    lab.wait_text("Waiting for your decision.")
    check_static(lab, "this was waiting for a decision.", SINCE)
    words = lab.outputs().locator(".okso-way-on").inner_text()
    commands = re.findall("%load_ext okso_jupyter|%okso resume [^ ]+(?=[.]$)", words)
    lab.write(["\n".join(commands)])
    lab.run_all()
    lab.click("Approve")
    lab.outputs().locator(".okso-run").wait_for(timeout=WAIT_MS)
    assert lab.notebook.with_name("out.txt").read_text("utf-8") == "first plan"


@pytest.mark.model
def test_the_page_of_a_planning_says_to_ask_again(lab: BrowserLab) -> None:
    """No step of the run has started, so the page says to ask again."""
    lab.write([LOAD, ESSAY, SAMPLE])
    lab.run_all()
    lab.button("Stop").wait_for(timeout=WAIT_MS)
    check_static(lab, "the plan was being made.", f"{SINCE}{AGAIN}")


def test_a_page_that_is_not_reloaded_names_the_command(lab: BrowserLab) -> None:
    """The view stays, its buttons are disabled, and it names the command to resume."""
    run_id = resuming(lab)
    os.kill(int(lab.notebook.with_name("pid").read_text()), signal.SIGKILL)
    lab.wait_text("The kernel has ended. Resume the run with %load_ext okso_jupyter and ")
    lab.wait_text(f"%okso resume {run_id}.")
    for name in ("Pause", "Stop"):
        expect(lab.button(name)).to_be_disabled()
    expect(lab.outputs().locator(".okso-live")).to_have_count(1)
    lab.forget_death()


def test_a_reloaded_page_of_a_live_kernel_continues(lab: BrowserLab) -> None:
    """The view is updated, its Stop works, and at last it shows the end."""
    run_id = resuming(lab)
    lab.save()
    lab.reload()
    lab.outputs().get_by_text("line 20").first.wait_for(timeout=WAIT_MS)
    assert lab.outputs().locator(".okso-way-on").count() == 0
    lab.click("Stop")
    lab.wait_text("Paused: ")
    expect(lab.button("Stop")).to_have_count(0)
    assert not MISSING.search(" ".join(lab.outputs().all_inner_texts()))
    assert state_of(run_id, lab.notebook.parent) == "paused"


def test_the_focus_stays_on_its_button(lab: BrowserLab) -> None:
    """The output is replaced when a step ends; the focused button keeps the focus."""
    resuming(lab)
    output = lab.page.locator("[class^=okso-slot-]").element_handle()
    lab.button("Pause").focus()
    lab.wait_text("1 of 3 steps done")
    lab.page.wait_for_function("slot => !slot.isConnected", arg=output, timeout=WAIT_MS)
    expect(lab.button("Pause")).to_be_focused()
    expect(lab.outputs().locator(".okso-live-bar")).to_have_count(1)
    lab.button("Stop").focus()
    lab.page.keyboard.press("Enter")
    lab.wait_text("Paused: ")
