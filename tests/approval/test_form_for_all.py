"""Accessibility of the form: keyboard, screen reader, themes, narrow and zoomed pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from okso_jupyter.effects.file_effects import Extent, FileEffect, Rehearsal
from okso_jupyter.plan.records import Approval
from okso_jupyter.views import plan_html
from tests.approval.demo_cell import proposal
from tests.approval.stage import Stage, State, heeding, state_of
from tests.axe import violations
from tests.shared_browser import CHROMIUM, browser_context, new_page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    """Where the pages of this file are opened."""
    with browser_context(viewport={"width": 900, "height": 900}) as opened:
        yield opened


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """An empty page."""
    page = new_page(context)
    yield page
    page.close()


@pytest.fixture
def state() -> State:
    """A form with every kind of content: errors, omitted steps, long texts."""
    state = state_of(proposal)
    state["steps"][0].update(ended="completed", can_edit=False, html="")
    state["steps"][1]["args"][1]["error"] = "21 is more than 20"
    state["steps"][1]["error"] = "it waits for itself"
    state["steps"][2]["ticked"] = False
    state["steps"][2]["args"][2].update(text="line\n" * 50, open=False)
    state["steps"][3]["off_reason"] = "needs step 3, which is not ticked"
    state["up_to"] = 4
    state["problem"] = "no step is left to run"
    state["score_before"] = 70.0
    state["steps"][3]["was"] = "Run the command ls"
    state["steps"][2]["args"][0]["was"] = "in.txt"
    state["readings"] = [
        {"candidate": number, "words": [[f"Reading {number}", True], ["of", False]]}
        for number in (1, 2)
    ]
    return state


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_form(page: Page, state: State, theme: str) -> None:
    """Axe finds no violation in any part of the form, in the light and the dark theme."""
    stage = Stage(page, state, heeding(state), theme=theme)
    page.get_by_text("before your changes").first.click()
    assert violations(page, "#form") == []
    stage.button("Approve up to step 4").focus()
    assert violations(page, "#form") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation_where_content_is_lost(page: Page, theme: str) -> None:
    """Axe finds no violation in a form that warns of lost content.

    The warning is text in both themes, and the button says what it does.
    """
    lost = FileEffect(
        kind="replace",
        path="shop.log",
        before=Extent(size_bytes=8100, lines=160),
        after=Extent(size_bytes=2, lines=1),
    )
    steps = tuple(
        replace(shown, rehearsal=Rehearsal(effects=(lost,)), preview="-line\n" * 160)
        if shown.step.tool == "file_write"
        else shown
        for shown in proposal.steps
    )
    state = state_of(replace(proposal, steps=steps))
    stage = Stage(page, state, heeding(state), theme=theme)
    assert stage.button("Approve: replace shop.log").is_visible()
    assert page.get_by_text("this replaces 160 lines (8.1 kB) of shop.log by 1 line").is_visible()
    assert page.get_by_text("What would be lost").is_visible()
    assert violations(page, "#form") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_static_card(page: Page, state: State, theme: str) -> None:
    """Axe finds no violation in the static card with its folds open."""
    Stage(page, state, heeding(state), theme=theme)
    approval = Approval(decision="approve", shown="", by="user")
    card = plan_html.decided_card(proposal, approval, decided_at="2026-01-01 12:00:00 UTC")
    page.locator("#form").evaluate("(form, card) => { form.innerHTML = card }", card)
    for fold in page.locator("details").all():
        fold.evaluate("e => { e.open = true }")
    assert violations(page, "#form") == []


def test_tab_goes_through_the_form_in_reading_order(page: Page) -> None:
    """Tab reaches every control and scrollable area once, from top to bottom."""
    state = state_of(proposal)
    Stage(page, state, heeding(state))
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    controls = "button, input, select, textarea, summary, pre[tabindex]"
    for number, node in enumerate(page.locator(f"#form :is({controls})").all()):
        node.evaluate("(e, number) => { e.dataset.number = number }", number)
    page.locator("body").press("Tab")
    reached = []
    while (number := page.evaluate("document.activeElement.dataset.number")) is not None:
        reached.append(int(number))
        page.keyboard.press("Tab")
    assert reached == list(range(page.locator(f"#form :is({controls})").count()))


def test_the_form_works_by_keyboard_alone(page: Page) -> None:
    """Choosing a candidate, unticking, editing and approving work without a mouse."""
    state = state_of(proposal)
    stage = Stage(page, state, heeding(state))
    _tab_to(stage, "run step 1, file_read")
    page.keyboard.press("Space")
    _tab_to(stage, "Change arguments of step 2")
    page.keyboard.press("Enter")
    _tab_to(stage, "query")
    page.keyboard.press("Control+a")
    page.keyboard.type("plain words")
    _tab_to(stage, "Up to here: run to step 3, then ask again")
    page.keyboard.press("Space")
    _tab_to(stage, "Request")
    page.keyboard.press("Enter")
    _tab_to(stage, "Candidate")
    page.keyboard.press("ArrowDown")
    _tab_to(stage, "Approve up to step 3", key="Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.okso-notice').textContent !== ''")
    draft = stage.messages[-1]["draft"]
    assert stage.messages[-1]["action"] == "approve"
    assert (draft["candidate"], draft["up_to"]) == (2, 3)
    assert draft["steps"][0]["ticked"] is False
    assert draft["steps"][1]["args"]["query"] == "plain words"


def test_forced_colours_and_reduced_motion(page: Page, state: State) -> None:
    """With forced colours the main button has a wider border; nothing is animated."""
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    stage = Stage(page, state, heeding(state))
    widths = "e => parseFloat(getComputedStyle(e).borderTopWidth)"
    assert stage.button("Approve up to step 4").evaluate(widths) > (
        stage.button("Reject").evaluate(widths)
    )
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("width", [400, 640])
def test_narrow_pages_need_no_horizontal_scrolling(page: Page, state: State, width: int) -> None:
    """No horizontal scrolling is needed at 400 px, nor at 1280 px zoomed to 200 %."""
    page.set_viewport_size({"width": width, "height": 800})
    Stage(page, state, heeding(state))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_revised_plan_takes_the_focus(page: Page, state: State) -> None:
    """The title has the focus if the form shows changes since an earlier version."""
    diff = '<p>Changes since version 1</p><pre class="okso-value okso-diff">+ added: 3</pre></div>'
    state["head"] = state["head"].removesuffix("</div>") + diff
    stage = Stage(page, state, heeding(state))
    page.wait_for_selector(".okso-title:focus")
    assert stage.focused() == "Copy the notes"


def test_a_first_plan_does_not_take_the_focus(page: Page, state: State) -> None:
    """A form that shows a first plan does not take the focus."""
    Stage(page, state, heeding(state))
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.locator(":focus").count() == 0


def _tab_to(stage: Stage, name: str, *, key: str = "Tab") -> None:
    """Press Tab, or another key, until the control with this name has the focus."""
    for _ in range(80):
        stage.page.keyboard.press(key)
        if stage.focused() == name:
            return
    pytest.fail(f"Tab does not reach {name}")
