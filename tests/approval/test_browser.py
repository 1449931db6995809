"""The form in a real JupyterLab: what is shown, clicked, left behind and saved."""

from __future__ import annotations

from collections.abc import Iterator
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
def lab(tmp_path: Path) -> Iterator[BrowserLab]:
    """A notebook that asks in its second cell and prints the decision in its third."""
    with BrowserLab(tmp_path, [DEMO, ASK, NEXT]) as running:
        yield running


def test_approve_in_light_and_dark(lab: BrowserLab, tmp_path: Path) -> None:
    """Text is readable, one click decides, and a static card without script is what is saved."""
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
    """Tab walks from the field over the buttons; typed letters stay text; blanks are refused."""
    lab.run_all()
    field = lab.outputs().get_by_label("Feedback: what should be different?")
    field.focus(timeout=30_000)
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Enter")
    lab.wait_text("first write what should be different")
    field.focus()
    lab.page.keyboard.type("abba, use b.txt")
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Enter")
    lab.wait_text("decided: feedback abba, use b.txt")
    assert lab.page.locator(".jp-Notebook .jp-Cell").count() == 3


def test_stop_leaves_the_next_cell_unrun(lab: BrowserLab) -> None:
    """Stop ends the wait, the card says so, and the queued cell does not run."""
    lab.run_all()
    lab.button("Approve").wait_for(timeout=30_000)
    lab.stop()
    lab.wait_text("■ Stopped")
    saved = lab.save()
    assert saved.cells[2].outputs == []


def test_the_form_outlives_a_reload(lab: BrowserLab) -> None:
    """After a reload the form stands there again and its answer still counts."""
    lab.run_all()
    lab.button("Approve").wait_for(timeout=30_000)
    lab.save()
    lab.reload()
    lab.click("Approve")
    lab.button("Approve").wait_for(state="detached", timeout=30_000)
