"""The plan comes first: verdict, steps and buttons fit one screen, in a real JupyterLab."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.axe import violations
from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

SET_UP = f"%run {Path(__file__).with_name('three_steps_cell.py')}"
SCREEN = {"width": 1280, "height": 900}
#: JupyterLab's own cells have headings of any level.
NOT_OURS = "heading-order"


def test_a_plan_of_three_steps_and_its_buttons_fit_one_screen(tmp_path: Path) -> None:
    """From top to bottom: verdict, what is not taken up, steps, buttons; all in view.

    The candidates are folded; a click shows equal ones as one row. The static card that stays
    has the same order, and neither has an accessibility fault.
    """
    with BrowserLab(tmp_path, [SET_UP, "run = ask()", "print('then:', run.state)"]) as lab:
        lab.page.set_viewport_size(SCREEN)
        lab.run_all()
        form = lab.outputs().locator(".okso-form")
        form.wait_for(timeout=60_000)
        lab.screenshot(tmp_path / "plan-first.png")
        expect(form.locator(".okso-verdict")).to_have_text("3 of 3 agree, 59.83 of 72 points")
        sentences = form.locator(".okso-sentence")
        assert sentences.all_inner_texts() == [
            "Read notes.md", "Write “# Garden” to the new file copy.md",
            "Answer from what the steps gave",
        ]  # fmt: skip
        expect(form).to_contain_text("Not taken up: apples")
        parts = [
            form.locator(".okso-verdict"), form.get_by_text("Not taken up:"), *sentences.all(),
            lab.button("Approve"), lab.button("Send feedback"),
        ]  # fmt: skip
        _check_in_order(parts, SCREEN["height"])
        table = form.locator("table.okso-candidates")
        assert not table.is_visible()
        form.get_by_text("How it was chosen: 3 candidates, all alike").click()
        expect(table).to_contain_text("1 x3 (shown)")
        assert _faults(lab, ".okso-form") == []
        lab.click("Approve")
        lab.wait_text("then: completed")
        card = lab.outputs().locator(".okso-card")
        card.get_by_text("The plan as shown: 3 steps").click()
        assert card.locator(".okso-outline li").all_inner_texts() == [
            "Read notes.md", "Write “# Garden” to the new file copy.md",
            "Answer from what the steps gave",
        ]  # fmt: skip
        assert not card.locator("table.okso-candidates").is_visible()
        assert _faults(lab, ".okso-card") == []
        lab.screenshot(tmp_path / "plan-first-card.png")


def _check_in_order(parts: list[Locator], height: float) -> None:
    """Check that parts follow each other down the page, all of them in view."""
    boxes = [part.bounding_box() for part in parts]
    tops = [box["y"] for box in boxes if box]
    assert len(tops) == len(parts)
    assert tops == sorted(set(tops))
    assert tops[0] >= 0
    assert all(box["y"] + box["height"] <= height for box in boxes if box)


def _faults(lab: BrowserLab, part: str) -> list[str]:
    return [found for found in violations(lab.page, part) if not found.startswith(NOT_OURS)]
