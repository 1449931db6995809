"""The form in a real JupyterLab: edited, unticked, with feedback, and in two parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.axe import violations
from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

SET_UP = f"%run {Path(__file__).with_name('form_cell.py')}"
ONCE = [SET_UP, "run = ask(times=1)", "print('then:', run.state)"]
#: JupyterLab's own cells have headings of any level, and toolbars; the form is what is judged.
FORM, CARD = ".okso-form", ".okso-card"
NOT_OURS = "heading-order"


@pytest.fixture
def lab(lab: BrowserLab) -> BrowserLab:
    """The page in a folder without the note that plans write."""
    _note(lab).unlink(missing_ok=True)
    return lab


def _note(lab: BrowserLab) -> Path:
    return lab.notebook.with_name("note.txt")


def test_an_edited_plan_is_shown_executed_and_kept_on_the_card(lab: BrowserLab) -> None:
    """An edit is shown with its diff before approval, and the edited content is written.

    The form and its card have no accessibility faults in the light and the dark theme.
    """
    lab.begin(ONCE)
    lab.run_all()
    lab.outputs().locator(FORM).wait_for(timeout=60_000)
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.set_theme(theme)
        assert _faults(lab, FORM) == []
    form = lab.outputs().locator(FORM)
    form.get_by_text("How it was chosen: 2 candidates").click()
    form.get_by_label("Candidate", exact=True).select_option("2")
    form.get_by_label("run step 3, terminal").wait_for()
    form.get_by_label("content", exact=True).fill("Sun on Friday.\n")
    form.get_by_label("run step 3, terminal").uncheck()
    expect(form).to_contain_text("+Sun on Friday.")
    expect(form).to_contain_text("Left out: not ticked.")
    lab.click("Approve")
    lab.wait_text("then: completed")
    lab.page.locator("summary", has_text="The plan as shown").click()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.set_theme(theme)
        assert _faults(lab, CARD) == []
    card = lab.outputs().locator(CARD)
    expect(card).to_contain_text("Changed by you")
    expect(card).to_contain_text("Left out by you")
    saved = lab.save()
    assert _note(lab).read_text("utf-8") == "Sun on Friday.\n"
    assert "widgets" not in saved.metadata


def test_what_is_typed_is_checked_after_a_pause(lab: BrowserLab) -> None:
    """Sentence and preview follow without leaving the field; then one click approves."""
    lab.begin(ONCE)
    lab.run_all()
    form = lab.outputs().locator(FORM)
    field = form.get_by_label("content", exact=True)
    field.click(timeout=60_000)
    lab.page.keyboard.press("Control+a")
    lab.page.keyboard.type("Sun, ")
    expect(form.locator(".okso-sentence").first).to_contain_text("“Sun,”")
    lab.page.keyboard.type("not rain")
    expect(form).to_contain_text("+Sun, not rain")
    expect(field).to_be_focused()
    lab.button("Approve").click()
    lab.wait_text("then: completed")
    assert _note(lab).read_text("utf-8") == "Sun, not rain"


def test_what_is_pressed_does_not_move_before_it_is_released(lab: BrowserLab) -> None:
    """A longer preview that comes while the mouse is down is drawn after the click took effect."""
    lab.begin(ONCE)
    lab.run_all()
    form = lab.outputs().locator(FORM)
    form.get_by_text("How it was chosen: 2 candidates").click(timeout=60_000)
    form.get_by_label("Candidate", exact=True).select_option("2")
    box = form.get_by_label("run step 3, terminal")
    box.wait_for()
    form.get_by_label("content", exact=True).fill("Sun on Friday.\n" * 9)
    box.hover()
    lab.page.mouse.down()
    lab.page.wait_for_timeout(2000)  # the kernel has answered by now
    lab.page.mouse.up()
    expect(box).not_to_be_checked()
    expect(form).to_contain_text("Left out: not ticked.")
    expect(form).to_contain_text("+Sun on Friday.")


def test_feedback_and_up_to_a_step_by_keyboard(lab: BrowserLab) -> None:
    """The new plan has the focus and shows its diff; a run up to step 1 then asks again."""
    cells = [SET_UP, "run = ask(times=2)", "print('then:', run.state)"]
    lab.begin(cells)
    lab.run_all()
    box = lab.outputs().get_by_label("Feedback: what should be different?")
    box.focus(timeout=60_000)
    lab.page.keyboard.type("do not list the folder")
    _press(lab, "Send feedback")
    lab.wait_text("Changes since version 1")
    lab.page.wait_for_selector(".okso-title:focus")
    _press(lab, "Up to here: run to step 1, then ask again")
    _press(lab, "Approve up to step 1")
    lab.wait_text("does not run again")
    assert _note(lab).exists()
    _press(lab, "Approve")
    lab.wait_text("then: completed")


def _press(lab: BrowserLab, name: str) -> None:
    """Press a button by keyboard."""
    button = lab.outputs().get_by_role("button", name=name, exact=True)
    button.wait_for(timeout=60_000)
    button.focus()
    lab.page.keyboard.press("Enter")


QUERY = """
from okso_jupyter import Session

query = {
    "source": "trips.csv",
    "filters": [{"column": "region", "comparison": "=", "value": "North"}],
    "measures": [{"function": "mean", "column": "km"}],
}
plan = [{"tool": "table_query", "args": query}, {"tool": "final_answer", "args": {}}]
with Session({}) as session:
    run = session.execute(plan, approve="ask")
"""


def test_a_query_is_edited_with_lists_to_choose_from(lab: BrowserLab) -> None:
    """Conditions are added, changed and removed without JSON; what is chosen is what runs."""
    lab.notebook.with_name("trips.csv").write_text("region,km\nNorth,10\nSouth,20\nSouth,4\n")
    lab.begin([QUERY, "print('then:', run.answer)"])
    lab.run_all()
    form = lab.outputs().locator(FORM)
    form.get_by_text("Change arguments").first.click(timeout=60_000)
    assert _faults(lab, FORM) == []
    form.get_by_label("filters 1 value").fill("South")
    form.get_by_label("measures 1 function").select_option("sum")
    form.get_by_role("button", name="Add to filters of step 1").click()
    form.get_by_label("filters 2 column").select_option("km")
    form.get_by_label("filters 2 comparison").select_option("between")
    form.get_by_label("filters 2 value").fill("1, 10")
    said = "Sum of km in trips.csv where region is South and km is between 1 and 10"
    lab.page.keyboard.press("Tab")
    expect(form.locator(".okso-sentence").first).to_have_text(said)
    form.get_by_role("button", name="Remove 2 from filters of step 1").click()
    expect(form.locator(".okso-sentence").first).not_to_contain_text("between")
    lab.click("Approve")
    lab.wait_text("South: 24")


def _faults(lab: BrowserLab, part: str) -> list[str]:
    return [found for found in violations(lab.page, part) if not found.startswith(NOT_OURS)]
