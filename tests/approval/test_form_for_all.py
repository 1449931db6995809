"""The form for everybody: without a mouse, read aloud, in the dark, narrow, enlarged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from okso_jupyter.effects.file_effects import Extent, FileEffect, Rehearsal
from okso_jupyter.plan.records import Approval
from okso_jupyter.views import plan_html
from tests.approval.demo_cell import proposal
from tests.approval.stage import Stage, State, browser, heeding, state_of
from tests.axe import violations
from tests.browser_lab import CHROMIUM

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for the tests of this file."""
    with browser() as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """An empty page."""
    page = chromium.new_page(viewport={"width": 900, "height": 900})
    yield page
    page.close()


@pytest.fixture
def state() -> State:
    """A form with everything that there may be on it: errors, left out steps, long texts."""
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
    return state


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, state: State, theme: str) -> None:
    """Names, roles, descriptions and contrast hold for every part of the form, light and dark."""
    stage = Stage(page, state, heeding(state), theme=theme)
    page.get_by_text("before your changes").first.click()
    assert violations(page, "#form") == []
    stage.button("Approve up to step 4").focus()
    assert violations(page, "#form") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_where_content_is_lost(page: Page, theme: str) -> None:
    """What is lost is told in words that hold in every theme, and the button says what it does."""
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
def test_axe_finds_nothing_in_the_card_that_stays(page: Page, state: State, theme: str) -> None:
    """The static card is as good as the form, with its fold open."""
    Stage(page, state, heeding(state), theme=theme)
    approval = Approval(decision="approve", shown="", by="user")
    card = plan_html.decided_card(proposal, approval, decided_at="2026-01-01 12:00:00 UTC")
    page.locator("#form").evaluate("(form, card) => { form.innerHTML = card }", card)
    for fold in page.locator("details").all():
        fold.evaluate("e => { e.open = true }")
    assert violations(page, "#form") == []


def test_tab_goes_through_the_form_in_reading_order(page: Page) -> None:
    """Every control, and what is scrolled, is reached by Tab, from top to bottom, none twice."""
    state = state_of(proposal)
    Stage(page, state, heeding(state))
    controls = "button, input, select, textarea, summary, pre[tabindex]"
    for number, node in enumerate(page.locator(f"#form :is({controls})").all()):
        node.evaluate("(e, number) => { e.dataset.number = number }", number)
    page.locator("body").press("Tab")
    reached = []
    while (number := page.evaluate("document.activeElement.dataset.number")) is not None:
        reached.append(int(number))
        page.keyboard.press("Tab")
    assert reached == list(range(page.locator(f"#form :is({controls})").count()))


def test_everything_is_done_by_keyboard_alone(page: Page) -> None:
    """Edit, untick, choose, send: no step of it needs a mouse."""
    state = state_of(proposal)
    stage = Stage(page, state, heeding(state))
    _tab_to(stage, "Candidate")
    page.keyboard.press("ArrowDown")
    _tab_to(stage, "run step 1, file_read")
    page.keyboard.press("Space")
    _tab_to(stage, "query")
    page.keyboard.press("Control+a")
    page.keyboard.type("plain words")
    _tab_to(stage, "Up to here: run to step 3, then ask again")
    page.keyboard.press("Space")
    _tab_to(stage, "Approve up to step 3")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.okso-notice').textContent !== ''")
    draft = stage.messages[-1]["draft"]
    assert stage.messages[-1]["action"] == "approve"
    assert (draft["candidate"], draft["up_to"]) == (2, 3)
    assert draft["steps"][0]["ticked"] is False
    assert draft["steps"][1]["args"]["query"] == "plain words"


def test_forced_colours_and_reduced_motion(page: Page, state: State) -> None:
    """Where colours are the system's, borders tell what is first; nothing ever moves by itself."""
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    stage = Stage(page, state, heeding(state))
    widths = "e => parseFloat(getComputedStyle(e).borderTopWidth)"
    assert stage.button("Approve up to step 4").evaluate(widths) > (
        stage.button("Reject").evaluate(widths)
    )
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("width", [400, 640])
def test_nothing_is_cut_off_where_it_is_narrow(page: Page, state: State, width: int) -> None:
    """At 400 px, and at 1280 px enlarged to 200 %, nothing has to be scrolled sideways."""
    page.set_viewport_size({"width": width, "height": 800})
    Stage(page, state, heeding(state))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_plan_that_replaces_another_gets_the_focus(page: Page, state: State) -> None:
    """The title is read first where the form shows what is different from the version before."""
    diff = '<p>Changes since version 1</p><pre class="okso-value okso-diff">+ added: 3</pre></div>'
    state["head"] = state["head"].removesuffix("</div>") + diff
    stage = Stage(page, state, heeding(state))
    page.wait_for_selector(".okso-title:focus")
    assert stage.focused() == "Copy the notes"


def test_a_first_plan_takes_the_focus_from_nothing(page: Page, state: State) -> None:
    """Where a form is shown unasked, whatever had the focus keeps it."""
    Stage(page, state, heeding(state))
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.locator(":focus").count() == 0


def _tab_to(stage: Stage, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(80):
        stage.page.keyboard.press("Tab")
        if stage.focused() == name:
            return
    pytest.fail(f"Tab does not reach {name}")
