"""The form's front end in a real browser: what is typed, ticked and moved, and what is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from okso_jupyter.views import plan_html
from tests.approval.demo_cell import proposal
from tests.approval.stage import Stage, State, browser, heeding, state_of
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
    """An empty page, on which no script may fail."""
    failures: list[str] = []
    page = chromium.new_page(viewport={"width": 900, "height": 900})
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    page.close()
    assert failures == []


@pytest.fixture
def state() -> State:
    """What the form shows at first."""
    return state_of(proposal)


@pytest.fixture
def stage(page: Page, state: State) -> Stage:
    """A form whose kernel takes every draft as it is."""
    return Stage(page, state, heeding(state))


# --- fields ------------------------------------------------------------------------------------


def test_every_argument_is_a_labelled_field_of_its_kind(stage: Stage) -> None:
    """Texts grow in text areas, numbers are numeric, choices are chosen; open ones say so."""
    assert stage.field("path", step=1).evaluate("e => e.nodeName") == "TEXTAREA"
    assert stage.field("page", step=1).get_attribute("inputmode") == "decimal"
    assert stage.field("mode", step=3).evaluate("e => e.nodeName") == "SELECT"
    assert stage.field("content", step=3).get_attribute("placeholder") == (
        "filled in when the step is due"
    )
    assert stage.field("query", step=2).input_value().startswith("<script>")
    assert stage.page.evaluate("window.okso_hacked") is None


def test_a_field_is_checked_when_it_is_left_and_not_at_each_key(stage: Stage) -> None:
    """Typing sends nothing; leaving the field sends one message with the whole form."""
    field = stage.field("path", step=1)
    field.press("End")
    field.press_sequentially(".bak")
    assert stage.messages == []
    stage.page.keyboard.press("Tab")
    expect(stage.page.locator(".okso-notice")).to_have_text("Checked. Score: 67 points")
    (message,) = stage.messages
    assert set(message) == {"action", "shown", "round", "text", "draft"}
    assert (message["action"], message["shown"], message["round"]) == (
        "check",
        proposal.fingerprint,
        1,
    )
    assert [step["id"] for step in message["draft"]["steps"]] == [1, 2, 3, 4, 5]
    assert message["draft"]["steps"][0]["args"] == {"path": "notes.txt.bak", "page": "1"}


def test_an_answer_of_the_kernel_leaves_what_is_being_typed(stage: Stage, state: State) -> None:
    """A new state keeps text, caret, selection and focus of the field that is written in."""
    field = stage.field("query", step=2)
    field.fill("what grows on sand")
    field.evaluate("e => e.setSelectionRange(5, 10)")
    state["steps"][0]["args"][0]["text"] = "other.txt"
    state["steps"][1]["args"][0]["error"] = "too short"
    state["steps"].reverse()
    stage.put(state)
    assert stage.field("path", step=1).input_value() == "other.txt"
    assert field.input_value() == "what grows on sand"
    assert field.evaluate("e => [e.selectionStart, e.selectionEnd]") == [5, 10]
    assert stage.focused() == "query"
    assert stage.order()[0] == "step 5, final_answer"


def test_an_error_stands_at_its_field(stage: Stage, state: State) -> None:
    """The field is marked as wrong, and the words are its description."""
    state["steps"][1]["args"][1]["error"] = "21 is more than 20"
    state["shown"] = ""
    stage.put(state)
    field = stage.field("num", step=2)
    assert field.get_attribute("aria-invalid") == "true"
    expect(field).to_have_accessible_description("Error: 21 is more than 20 what num is for")
    assert stage.card(2).get_by_text("21 is more than 20").is_visible()


def test_a_long_text_is_folded_and_whole(page: Page, state: State) -> None:
    """It says how long it is, scrolls, opens in full, and is sent in full."""
    text = "\n".join(f"line {number}" for number in range(1, 101))
    state["steps"][2]["args"][2].update(text=text, open=False)
    stage = Stage(page, state, heeding(state))
    field = stage.field("content", step=3)
    box = field.element_handle()
    page.wait_for_function("e => e.clientHeight < 400", arg=box)
    page.get_by_role("button", name="100 lines, 791 characters: show all").click()
    page.wait_for_function("e => e.clientHeight >= e.scrollHeight", arg=box)
    assert field.input_value() == text
    page.get_by_role("button", name="100 lines, 791 characters: show less").click()
    page.wait_for_function("e => e.clientHeight < 400", arg=box)


def test_what_the_plan_does_not_set_is_folded(page: Page, state: State) -> None:
    """Optional arguments without a value stand in a fold, and stay there once they are filled."""
    state["steps"][0]["args"][1]["text"] = ""
    stage = Stage(page, state, heeding(state))
    field = stage.field("page", step=1)
    assert not field.is_visible()
    page.get_by_text("Not set: page").click()
    field.fill("3")
    page.keyboard.press("Tab")
    expect(page.locator(".okso-notice")).to_contain_text("Checked.")
    assert field.is_visible()
    assert stage.messages[-1]["draft"]["steps"][0]["args"]["page"] == "3"


# --- ticks, order, up to here, candidates ------------------------------------------------------


def test_a_step_that_is_not_ticked_and_what_needs_it_say_so(stage: Stage, state: State) -> None:
    """The tick goes to the kernel; dependants are grey and name the reason in words."""
    stage.page.get_by_label("run step 3, file_write").uncheck()
    assert stage.messages[-1]["draft"]["steps"][2]["ticked"] is False
    expect(stage.card(3)).to_contain_text("Left out: not ticked.")
    state["steps"][3]["off_reason"] = "needs step 3, which is not ticked"
    stage.put(state)
    expect(stage.card(4)).to_contain_text("Left out: needs step 3, which is not ticked.")
    assert stage.page.get_by_label("run step 4, terminal").evaluate("e => e.indeterminate")
    assert stage.messages[-1]["draft"]["steps"][3]["ticked"] is True


def test_steps_are_reordered_by_keyboard(stage: Stage) -> None:
    """Enter on the button moves the step, the focus goes along, the ends are not passed."""
    stage.button("Move step 3 up").focus()
    for _ in range(3):
        stage.page.keyboard.press("Enter")
    expect(stage.page.locator("[data-key^='step-']").first).to_have_attribute(
        "aria-label", "step 3, file_write"
    )
    assert stage.focused() == "Move step 3 up"
    assert [step["id"] for step in stage.messages[-1]["draft"]["steps"]] == [3, 1, 2, 4, 5]
    assert len(stage.messages) == 2


def test_up_to_a_step_and_then_ask_again(stage: Stage) -> None:
    """The steps after it wait, the button that approves says so, and a second press takes back."""
    stop = stage.button("Up to here: run to step 3, then ask again")
    stop.click()
    expect(stop).to_have_attribute("aria-pressed", "true")
    expect(stage.card(4)).to_contain_text("Later: you are asked again after step 3.")
    stage.button("Approve up to step 3").click()
    assert stage.messages[-1]["action"] == "approve"
    assert stage.messages[-1]["draft"]["up_to"] == 3


def test_another_candidate_is_chosen(stage: Stage) -> None:
    """The list says score and outline of each; choosing one tells the kernel at once."""
    choice = stage.page.get_by_label("Candidate")
    assert "2: 66.5 points: 1. way 2 · 2. end" in choice.inner_text()
    choice.select_option("2")
    assert stage.messages[-1]["action"] == "check"
    assert stage.messages[-1]["draft"]["candidate"] == 2


# --- decisions ---------------------------------------------------------------------------------


def test_an_edit_is_checked_on_the_way_to_its_approval(stage: Stage) -> None:
    """A click on Approve right out of a field sends the check, waits, and then approves that."""
    stage.field("query", step=2).fill("weather")
    stage.button("Approve").click()
    expect(stage.page.locator(".okso-notice")).to_have_text("Checked. Score: 67 points")
    assert [message["action"] for message in stage.messages] == ["check", "approve"]
    assert stage.messages[1]["round"] == 2
    assert stage.messages[1]["draft"]["steps"][1]["args"]["query"] == "weather"


def test_a_click_right_out_of_a_long_text_is_not_lost(stage: Stage) -> None:
    """The text is folded when it has been left, but not from under the pointer."""
    stage.field("content", step=3).fill("one more line\n" * 40)
    stage.button("Approve").scroll_into_view_if_needed()
    place = stage.button("Approve").bounding_box()
    assert place is not None
    stage.page.mouse.move(place["x"] + 9, place["y"] + 9)
    stage.page.mouse.down()
    assert stage.button("Approve").bounding_box() == place
    stage.page.mouse.up()
    expect(stage.page.locator(".okso-notice")).to_have_text("Checked. Score: 67 points")
    assert [message["action"] for message in stage.messages] == ["check", "approve"]
    assert stage.page.get_by_role("button", name="41 lines, 560 characters: show all").is_visible()


def test_what_would_be_done_is_seen_before_it_is_approved(page: Page, state: State) -> None:
    """Where the check changes the preview, the click before it was not about that."""
    heed = heeding(state)

    def kernel(message: State) -> State | None:
        state["steps"][2]["html"] = "<pre>+another line</pre>"
        return heed(message)

    stage = Stage(page, state, kernel)
    stage.field("path", step=3).fill("elsewhere.txt")
    stage.button("Approve").click()
    expect(page.locator(".okso-notice")).to_contain_text("Look, then approve.")
    assert [message["action"] for message in stage.messages] == ["check"]
    stage.button("Approve").click()
    assert stage.messages[-1]["action"] == "approve"


def test_an_approval_with_an_error_goes_to_the_error(page: Page, state: State) -> None:
    """Nothing is approved, the status line says why, and the first wrong field has the focus."""
    heed = heeding(state)

    def kernel(message: State) -> State | None:
        state["steps"][1]["args"][1]["error"] = "no number"
        state["shown"] = ""
        return heed(message)

    stage = Stage(page, state, kernel)
    stage.field("num", step=2).fill("many")
    stage.button("Approve").click(force=True)
    expect(page.locator(".okso-notice")).to_have_text(
        "Nothing was approved. Correct this first: step 2, num: no number."
    )
    assert stage.focused() == "num"
    assert stage.field("num", step=2).input_value() == "many"
    assert [message["action"] for message in stage.messages] == ["check"]


def test_what_is_wrong_with_the_plan_as_a_whole_is_said(stage: Stage, state: State) -> None:
    """It stands before the buttons, the status line names it, and an approval goes to it."""
    state.update(shown="", problem="no step is left to run")
    stage.page.get_by_label("run step 5, final_answer").uncheck()
    expect(stage.page.locator(".okso-notice")).to_have_text(
        "Checked. Correct this first: no step is left to run."
    )
    waiting = stage.button("Approve")
    assert waiting.get_attribute("aria-disabled") == "true"
    assert waiting.get_attribute("title") == "Correct this first: no step is left to run."
    expect(stage.page.locator(".okso-waiting")).to_have_text(
        "Correct this first: no step is left to run."
    )
    waiting.click(force=True)
    assert stage.focused() == "✗ Error: no step is left to run"
    assert [message["action"] for message in stage.messages] == ["check"]


def test_feedback_and_rejection_carry_the_text(stage: Stage) -> None:
    """Feedback without words is refused at once; with words it is sent, as is a reason."""
    stage.button("Send feedback").click()
    assert stage.status() == "Nothing was sent: first write what should be different."
    assert stage.messages == []
    stage.page.get_by_label("Feedback: what should be different?").fill("no web")
    stage.button("Send feedback").click()
    stage.button("Reject").click()
    assert [(m["action"], m["text"]) for m in stage.messages] == [
        ("feedback", "no web"),
        ("reject", "no web"),
    ]


def test_words_that_changed_nothing_stay_and_hold_up_no_approval(page: Page, state: State) -> None:
    """They can be worded anew and sent; left as they are, the plan can be approved."""
    state["feedback"] = "no web"
    stage = Stage(page, state, heeding(state))
    box = stage.page.get_by_label("Feedback: what should be different?")
    assert box.input_value() == "no web"
    stage.button("Approve").click()
    box.fill("no web at all")
    stage.button("Approve").click()
    stage.button("Send feedback").click()
    assert [(m["action"], m["text"]) for m in stage.messages] == [
        ("approve", ""), ("approve", "no web at all"), ("feedback", "no web at all"),
    ]  # fmt: skip


def test_no_second_decision_while_one_is_on_its_way(page: Page, state: State) -> None:
    """Until the kernel answers, the buttons are off and keep the focus."""
    stage = Stage(page, state, lambda _message: None)
    stage.button("Approve").press("Enter")
    stage.button("Approve").press("Enter")
    stage.button("Reject").click(force=True)
    assert [message["action"] for message in stage.messages] == ["approve"]
    assert stage.button("Approve").get_attribute("aria-disabled") == "true"
    assert stage.status() == "Sent. Waiting for the kernel."


def test_what_cannot_be_edited_offers_nothing_to_edit(page: Page, state: State) -> None:
    """Steps that have ended are one line; a fixed step shows its arguments without buttons."""
    state["steps"][0].update(ended="completed", can_edit=False, html="")
    state["steps"][1].update(can_edit=False)
    stage = Stage(page, state, heeding(state))
    assert stage.card(1).inner_text() == (
        "1 file_read completed; ran already, and does not run again"
    )
    assert stage.card(2).get_by_role("button").count() == 0
    assert stage.card(2).get_by_role("checkbox").count() == 0
    expect(stage.field("query", step=2)).not_to_be_editable()
    assert stage.button("Move step 3 up").get_attribute("aria-disabled") == "true"


def test_a_closed_form_leaves_its_card(stage: Stage) -> None:
    """The card and a sentence stand there; nothing is left to click, and nothing typed is sent."""
    stage.field("path", step=1).fill("typed, and not left")
    stage.close(plan_html.stopped_card(proposal, decided_at="today"))
    expect(stage.page.locator(".okso-notice")).to_have_text(
        "This form is closed and changes nothing any more."
    )
    assert stage.page.get_by_text("■ Stopped").is_visible()
    assert stage.page.locator("#form :is(input, textarea, select, button)").count() == 0
    assert stage.messages == []


def test_the_head_stays_while_something_is_wrong(stage: Stage, state: State) -> None:
    """What is wrong stands for no plan, so the head goes on saying what the last sound one was."""
    head = state["head"]
    state.update(shown="", head=head.replace("Copy the notes", "Another plan"))
    stage.put(state)
    expect(stage.page.locator(".okso-title")).to_have_text("Copy the notes")
    state.update(shown="a" * 64)
    stage.put(state)
    expect(stage.page.locator(".okso-title")).to_have_text("Another plan")
