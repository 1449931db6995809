"""The form in a real JupyterLab: display, clicks, remaining output and saving."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

DEMO = f"%run {Path(__file__).parent / 'demo_cell.py'}"
ASK = "answer = ask(proposal, timeout_s=120)"
NEXT = "print('decided:', answer.decision, answer.feedback)"

BUTTONS = ("Approve", "Send feedback", "Reject")
#: WCAG 2 contrast of an element's text against its own background.
CONTRAST = """element => {
    const luminance = colour => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
            .map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = getComputedStyle(element);
    const both = [luminance(style.color), luminance(style.backgroundColor)];
    const [low, high] = both.sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
}"""


@pytest.fixture
def lab(lab: BrowserLab) -> BrowserLab:
    """A notebook that asks in its second cell and prints the decision in its third."""
    lab.begin([DEMO, ASK, NEXT])
    return lab


def test_approve_in_light_and_dark(lab: BrowserLab, tmp_path: Path) -> None:
    """Buttons have enough contrast, one click approves, and only a static card is saved.

    The contrast is at least 4.5 in the light and in the dark theme.
    """
    lab.run_all()
    lab.button("Approve").wait_for(timeout=30_000)
    lab.screenshot(tmp_path / "form-light.png")
    light = [lab.button(label).evaluate(CONTRAST) for label in BUTTONS]
    lab.set_theme("JupyterLab Dark")
    lab.screenshot(tmp_path / "form-dark.png")
    dark = [lab.button(label).evaluate(CONTRAST) for label in BUTTONS]
    assert min(*light, *dark) >= 4.5, (light, dark)
    assert lab.page.evaluate("window.okso_hacked") is None
    lab.click("Approve")
    lab.wait_text("decided: approve")
    lab.wait_text("✓ Approved")
    lab.screenshot(tmp_path / "card-dark.png")
    assert lab.button("Approve").count() == 0
    saved = lab.save()
    assert "widgets" not in saved.metadata
    assert "Approved" in saved.cells[1].outputs[0].data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" not in saved.cells[1].outputs[0].data


def test_feedback_by_keyboard_alone(lab: BrowserLab) -> None:
    """Feedback can be sent with the keyboard alone.

    Tab moves from the field to its button; typed letters trigger no notebook shortcuts;
    empty feedback is refused.
    """
    lab.run_all()
    field = lab.outputs().get_by_label("Feedback: what should be different?")
    field.focus(timeout=30_000)
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Enter")
    lab.wait_text("first write what should be different")
    field.focus()
    lab.page.keyboard.type("abba, use b.txt")
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Enter")
    lab.wait_text("decided: feedback abba, use b.txt")
    assert lab.page.locator(".jp-Notebook .jp-Cell").count() == 3


def test_stop_prevents_the_next_cell(lab: BrowserLab) -> None:
    """Stop ends the wait, the card reports it, and the queued cell does not run."""
    lab.run_all()
    lab.button("Approve").wait_for(timeout=30_000)
    lab.stop()
    lab.wait_text("■ Stopped")
    saved = lab.save()
    assert saved.cells[2].outputs == []


def test_the_form_survives_a_reload(lab: BrowserLab) -> None:
    """After a page reload the form is shown again and can be answered."""
    lab.run_all()
    lab.button("Approve").wait_for(timeout=30_000)
    lab.save()
    lab.reload()
    lab.click("Approve")
    lab.button("Approve").wait_for(state="detached", timeout=30_000)
