"""Resuming in a real JupyterLab: three answers, the focus, and a failed run in red."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from okso_jupyter import Plan, Session, Tool
from okso_jupyter.views.graph_drawing import plan_drawing
from tests.axe import violations
from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

LOAD = "%load_ext okso_jupyter\n%config OksoMagics.home = 'home'"
FORM_CELL = f"%run {Path(__file__).with_name('form_cell.py')}"
FORM, NOT_OURS = ".okso-form", "heading-order"
FOCUSED = "() => document.activeElement.className"
WRITE = {"tool": "file_write", "args": {"path": "made.txt", "content": "new\n"}}


def lost(folder: Path) -> str:
    """Return the id of a run that *Stop* ended while its first step was writing."""

    def write(context: Any, path: str, content: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        context.cancelled.wait(60)
        return f"{path}: {content}"

    parameters = {"type": "object", "properties": {"path": {}, "content": {}}}
    slow = Tool.from_schema("file_write", "write", parameters, write, effect="writes")
    plan = [WRITE, {"tool": "final_answer", "args": {}, "depends_on": [1]}]
    settings = {"OKSO_RUN_ID": "mine", "OKSO_HOME": str(folder / "home")}
    session = Session(settings, tools=[slow], root=folder)
    with session, pytest.raises(KeyboardInterrupt):
        session.execute(plan, approve="auto")
    return "mine"


@pytest.mark.parametrize("answer", ["It was done", "Do it again", "Leave it out"])
def test_an_uncertain_step_is_answered_by_a_button(
    lab: BrowserLab, tmp_path: Path, answer: str
) -> None:
    """The form has three buttons and a field for the result.

    It does not say that nothing has run yet.
    """
    lab.begin([LOAD, f"%okso resume {lost(tmp_path)}"], folder=tmp_path)
    lab.run_all()
    form = lab.outputs().locator(FORM)
    form.wait_for(timeout=60_000)
    names = form.locator(".okso-decide button").all_inner_texts()
    assert names == ["It was done", "Do it again", "Leave it out"]
    expect(form).to_contain_text("whether it took effect is not known")
    expect(form).not_to_contain_text("Nothing has run yet")
    if answer == "It was done":
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            lab.set_theme(theme)
            faults = violations(lab.page, FORM)
            assert [fault for fault in faults if not fault.startswith(NOT_OURS)] == []
        form.get_by_label("Result, if it was done").fill("4 bytes, seen by me")
    lab.click(answer)
    card = {"It was done": "Done", "Do it again": "To run again", "Leave it out": "Left out"}
    status = lab.outputs().locator(".okso-card .okso-status")
    expect(status).to_contain_text(card[answer], timeout=60_000)
    lab.outputs().locator(".okso-run").wait_for(timeout=60_000)
    said = "4 bytes, seen by me" if answer == "It was done" else "made.txt"
    expect(lab.outputs().locator(".okso-run")).to_contain_text(said)
    assert (tmp_path / "made.txt").exists() == (answer == "Do it again")


def test_the_focus_moves_to_what_comes_next(lab: BrowserLab, tmp_path: Path) -> None:
    """It moves from the button to the next form's title and finally to the next cell."""
    cells = [FORM_CELL, "run = ask(times=2)\nrun", "'typed on'"]
    lab.begin(cells, folder=tmp_path)
    lab.run_all()
    box = lab.outputs().get_by_label("Feedback: what should be different?")
    box.focus(timeout=60_000)
    lab.page.keyboard.type("do not list the folder")
    _press(lab, "Send feedback")
    lab.wait_text("Changes since version 1")
    lab.page.wait_for_selector(".okso-title:focus", timeout=60_000)
    _press(lab, "Up to here: run to step 1, then ask again")
    _press(lab, "Approve up to step 1")
    lab.wait_text("does not run again")
    lab.page.wait_for_selector(".okso-title:focus", timeout=60_000)
    _press(lab, "Approve")
    lab.page.wait_for_selector(".jp-Cell:nth-of-type(3):focus", timeout=60_000)
    assert lab.outputs().locator(".okso-card").count() == 2
    lab.page.keyboard.press("Shift+Enter")
    lab.wait_text("'typed on'")


def test_the_focus_moves_on_after_a_rejected_plan(lab: BrowserLab, tmp_path: Path) -> None:
    """After a rejection in the last cell that cell is selected."""
    lab.begin([FORM_CELL, "run = ask(times=1)"], folder=tmp_path)
    lab.run_all()
    _press(lab, "Reject")
    lab.page.wait_for_selector(".jp-Cell:last-of-type:focus", timeout=60_000)


BREAKS = """() => [...new Set([...document.querySelectorAll('.okso-run pre')].map(
    part => getComputedStyle(part).wordBreak))]"""


def test_a_failed_run_is_red_in_every_theme(lab: BrowserLab, tmp_path: Path) -> None:
    """The text says that the run failed and what to do next, and is legible."""
    plan = [{"tool": "file_read", "args": {"path": "gone.txt"}}, {"tool": "final_answer"}]
    cell = (
        "from okso_jupyter import Session\n"
        "with Session({'ON_FAILURE': 'stop', 'PLAN_CHECKS': False}) as session:\n"
        f"    run = session.execute({plan!r}, approve='auto')\nrun"
    )
    lab.begin([cell], folder=tmp_path)
    lab.run_all()
    head = lab.outputs().locator(".okso-run strong")
    expect(head).to_have_text("✗ The run failed: there is no answer", timeout=60_000)
    expect(lab.outputs()).to_contain_text("What to do next: %okso resume")
    # JupyterLab breaks words of <pre> anywhere
    assert lab.page.evaluate(BREAKS) == ["normal"]
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.set_theme(theme)
        red, green, blue = _colour(head)
        assert red > 180 > max(green, blue)
        faults = violations(lab.page, ".okso-run")
        assert [fault for fault in faults if not fault.startswith(NOT_OURS)] == []


def _colour(place: Locator) -> list[int]:
    """Return the colour of a text as red, green and blue, 0 to 255."""
    colour = place.evaluate("node => getComputedStyle(node).color")
    return [int(part) for part in re.findall("[0-9]+", colour)[:3]]


def test_a_drawing_is_text_in_an_untrusted_notebook(lab: BrowserLab, tmp_path: Path) -> None:
    """Style and SVG are removed there; the plan is shown as one line per step."""
    steps = [{"tool": "file_read", "args": {"path": "a.txt"}}, {"tool": "final_answer"}]
    drawing = plan_drawing(Plan.from_dict({"steps": steps}))
    output = nbformat.v4.new_output("display_data", {"text/html": drawing.html})
    cell = nbformat.v4.new_code_cell("1", outputs=[output])
    # without a kernel's name JupyterLab would ask for one, in another dialog
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata=kernel)
    nbformat.write(notebook, tmp_path / "saved.ipynb")
    with lab.second_tab(tmp_path / "saved.ipynb"):
        shown = lab.outputs().locator(".okso-undrawn")
        shown.wait_for(timeout=120_000)
        assert lab.page.locator(".jp-RenderedHTMLCommon svg").count() == 0
        assert lab.page.locator(".jp-RenderedHTMLCommon").inner_text().strip() == drawing.text
        lab.command("notebook:trust")
        asked = lab.page.locator(".jp-Dialog", has_text="Trust this notebook?")
        asked.locator(".jp-mod-accept").click(timeout=60_000)
        lab.page.locator(".jp-RenderedHTMLCommon svg").wait_for(timeout=60_000)
        expect(shown).to_be_hidden()


def _press(lab: BrowserLab, name: str) -> None:
    """Press a button by keyboard."""
    button = lab.outputs().get_by_role("button", name=name, exact=True)
    button.wait_for(timeout=60_000)
    button.focus()
    lab.page.keyboard.press("Enter")
