"""The buttons that write a rule for an approved step, in a real JupyterLab."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.axe import violations
from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

LOAD = "%load_ext okso_jupyter\n%config OksoMagics.home = 'home'"
CELL = (
    "%%okso --set PLANNER_MODEL_SPEC=/no.gguf --set PLANNER_FALLBACK=keyword\n"
    "Write 'tea' into list.txt"
)
BAR = ".okso-rules-bar"
NOT_OURS = "heading-order"


def test_a_rule_is_shown_by_a_click_and_written_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By keyboard as well, without accessibility faults in both themes; nothing of it is saved."""
    policy = tmp_path / "config" / "okso" / "okso-policy.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "books").mkdir()
    with BrowserLab(tmp_path / "books", [LOAD, CELL]) as lab:
        lab.run_all()
        lab.click("Approve")
        lab.page.locator("summary", has_text="Always allow this").click()
        lab.click("Rule for step 1 (file_write)")
        bar = lab.outputs().locator(BAR)
        expect(bar).to_contain_text("it covers 1 earlier call: 1 approved")
        expect(bar).to_contain_text('tool = ["file_write"]')
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            lab.set_theme(theme)
            faults = violations(lab.page, BAR)
            assert [fault for fault in faults if not fault.startswith(NOT_OURS)] == []
        assert not policy.exists()
        lab.button("Allow from now on").focus()
        lab.page.keyboard.press("Enter")
        expect(bar).to_contain_text(f"written to {policy}, line 1")
        expect(bar.get_by_role("status")).to_be_focused()
        expect(bar.get_by_role("button")).to_have_count(0)
        saved = json.dumps(lab.save())
    assert 'path = ["list.txt"]' in policy.read_text()
    assert "okso-rules-bar" not in saved
    assert "%okso policy offer 1" in saved
