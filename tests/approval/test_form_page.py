"""The form's front end in a real browser: edits, ticks, moves and the messages sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from okso_jupyter.views import plan_html
from tests.approval.demo_cell import proposal
from tests.approval.stage import Stage, State, heeding, state_of
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
    """An empty page; the test fails if a script raises an error on it."""
    failures: list[str] = []
    page = new_page(context)
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    page.close()
    assert failures == []


@pytest.fixture
def state() -> State:
    """The initial state of the form."""
    return state_of(proposal)


@pytest.fixture
def stage(page: Page, state: State) -> Stage:
    """A form whose kernel accepts every draft unchanged."""
    return Stage(page, state, heeding(state))


# --- fields ------------------------------------------------------------------------------------


def test_every_argument_is_a_labelled_field_of_its_kind(stage: Stage) -> None:
    """Text arguments are text areas, numbers numeric fields, choices select boxes.

    An open argument has a placeholder that says when it is filled in.
    """
    assert stage.field("path", step=1).evaluate("e => e.nodeName") == "TEXTAREA"
    assert stage.field("page", step=1).get_attribute("inputmode") == "decimal"
    assert stage.field("mode", step=3).evaluate("e => e.nodeName") == "SELECT"
    assert stage.field("content", step=3).get_attribute("placeholder") == (
        "filled in when the step is due"
    )
    assert stage.field("query", step=2).input_value().startswith("<script>")
    assert stage.page.evaluate("window.okso_hacked") is None


def test_a_field_is_checked_when_it_loses_the_focus(stage: Stage) -> None:
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


def test_a_new_state_keeps_the_field_being_edited(stage: Stage, state: State) -> None:
    """A new state keeps text, selection and focus of the field that is being edited."""
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


def test_an_error_is_shown_at_its_field(stage: Stage, state: State) -> None:
    """A field with an error is marked invalid and described by the error message."""
    state["steps"][1]["args"][1]["error"] = "21 is more than 20"
    state["shown"] = ""
    stage.put(state)
    field = stage.field("num", step=2)
    assert field.get_attribute("aria-invalid") == "true"
    expect(field).to_have_accessible_description("Error: 21 is more than 20 what num is for")
    assert stage.card(2).get_by_text("21 is more than 20").is_visible()


def test_a_long_text_is_folded_and_complete(page: Page, state: State) -> None:
    """A long text is folded with its length shown and can be expanded in full."""
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


def test_unset_arguments_are_folded(page: Page, state: State) -> None:
    """Optional arguments without a value are folded; the fold stays open once filled."""
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


def test_the_call_is_told_and_its_fields_are_one_click_away(stage: Stage) -> None:
    """A step is one sentence with its call below; a click opens the fields."""
    card = stage.card(1)
    assert card.inner_text().splitlines()[:1] == ["1 Read notes.txt, page 1"]
    expect(card).to_contain_text("file_read(notes.txt, page=1)")
    path = card.get_by_label("path", exact=True)
    assert not path.is_visible()
    card.get_by_text("Change arguments").click()
    assert path.is_visible()


def test_arguments_that_the_call_does_not_tell_are_open(page: Page, state: State) -> None:
    """A text of several lines is decided about in full: its field is visible at once."""
    state["steps"][2]["args"][2].update(text="one\ntwo", open=False)
    state["steps"][2]["is_whole"] = False
    stage = Stage(page, state, heeding(state))
    assert stage.card(3).get_by_label("content", exact=True).is_visible()


def test_the_fold_of_a_wrong_field_opens(stage: Stage, state: State) -> None:
    """An error in a folded field is shown, and Approve moves to it."""
    state["steps"][1]["args"][1]["error"] = "21 is more than 20"
    state["shown"] = ""
    stage.put(state)
    assert stage.card(2).get_by_text("21 is more than 20").is_visible()
    stage.button("Approve").click(force=True)
    assert stage.focused() == "num"


def test_an_edited_step_shows_what_it_was(stage: Stage, state: State) -> None:
    """The proposed sentence and the proposed text of a field stand beside the new ones."""
    state["steps"][0].update(sentence="Read other.txt, page 1", was="Read notes.txt, page 1")
    path, page_number = state["steps"][0]["args"]
    path.update(text="other.txt", was="notes.txt")
    page_number.update(text="1", was="")
    stage.put(state)
    assert stage.card(1).get_by_text("Changed by you, was: Read notes.txt, page 1").is_visible()
    stage.unfold(1)
    fields = stage.card(1).locator(".okso-field")
    assert fields.locator(".okso-was").all_inner_texts() == ["Was: notes.txt", "Was: (not set)"]
    assert stage.card(2).locator(".okso-was").count() == 0


def test_feedback_that_changed_nothing_has_the_cursor(page: Page, state: State) -> None:
    """The words are kept in the box, which has the focus, to be said in another way."""
    diff = '<p>Nothing changed</p><pre class="okso-value okso-diff">kept: 1</pre></div>'
    state.update(feedback="no web", head=state["head"].removesuffix("</div>") + diff)
    Stage(page, state, heeding(state))
    box = page.get_by_label("Feedback: what should be different?")
    expect(box).to_be_focused()
    assert box.input_value() == "no web"


# --- ticks, order, up to here, candidates ------------------------------------------------------


def test_unticked_steps_and_their_dependants_show_the_reason(stage: Stage, state: State) -> None:
    """An unticked step is sent to the kernel, and its dependants show the reason.

    The tick box of a dependant is indeterminate.
    """
    stage.page.get_by_label("run step 3, file_write").uncheck()
    assert stage.messages[-1]["draft"]["steps"][2]["ticked"] is False
    expect(stage.card(3)).to_contain_text("Left out: not ticked.")
    state["steps"][3]["off_reason"] = "needs step 3, which is not ticked"
    stage.put(state)
    expect(stage.card(4)).to_contain_text("Left out: needs step 3, which is not ticked.")
    assert stage.page.get_by_label("run step 4, terminal").evaluate("e => e.indeterminate")
    assert stage.messages[-1]["draft"]["steps"][3]["ticked"] is True


def test_steps_are_reordered_by_keyboard(stage: Stage) -> None:
    """Enter on the button moves the step and keeps the focus; it stops at the top."""
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
    """With "up to here" pressed, later steps are marked and Approve sends the limit."""
    stop = stage.button("Up to here: run to step 3, then ask again")
    stop.click()
    expect(stop).to_have_attribute("aria-pressed", "true")
    expect(stage.card(4)).to_contain_text("Later: you are asked again after step 3.")
    stage.button("Approve up to step 3").click()
    assert stage.messages[-1]["action"] == "approve"
    assert stage.messages[-1]["draft"]["up_to"] == 3


def test_another_candidate_is_chosen(stage: Stage) -> None:
    """The list shows each candidate's score and outline; a choice is sent at once."""
    stage.unfold_origin()
    choice = stage.page.get_by_label("Candidate", exact=True)
    assert "2: 66.5 points: 1. way 2 · 2. end" in choice.inner_text()
    choice.select_option("2")
    assert stage.messages[-1]["action"] == "check"
    assert stage.messages[-1]["draft"]["candidate"] == 2


def test_a_close_reading_is_chosen_by_one_click(page: Page, state: State) -> None:
    """Close readings are buttons; the words that tell them apart are marked, not by colour."""
    state["readings"] = [
        {"candidate": number, "words": [[name, True], ["of", False], ["<b>price</b>", False]]}
        for number, name in ((1, "Mean"), (2, "Sum"))
    ]
    stage = Stage(page, state, heeding(state))
    shown = page.get_by_role("group", name="Which of these is meant?")
    assert shown.locator("b").all_inner_texts() == ["Mean", "Sum"]
    first, second = shown.get_by_role("button").all()
    assert second.inner_text().strip() == "Sum of <b>price</b>"
    assert first.get_attribute("aria-pressed") == "true"
    second.click()
    assert stage.messages[-1]["draft"]["candidate"] == 2
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("aria-pressed", "false")


# --- decisions ---------------------------------------------------------------------------------


def test_an_edit_is_checked_before_it_is_approved(stage: Stage) -> None:
    """Approve clicked from an edited field sends the check first, then the approval."""
    stage.field("query", step=2).fill("weather")
    stage.button("Approve").click()
    expect(stage.page.locator(".okso-notice")).to_have_text("Checked. Score: 67 points")
    assert [message["action"] for message in stage.messages] == ["check", "approve"]
    assert stage.messages[1]["round"] == 2
    assert stage.messages[1]["draft"]["steps"][1]["args"]["query"] == "weather"


def test_a_click_straight_from_a_long_text_is_not_lost(stage: Stage) -> None:
    """Leaving a long text folds it only after the click, so the button does not move."""
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


def test_a_changed_preview_must_be_approved_again(page: Page, state: State) -> None:
    """If the check changes the preview, a second click on Approve is needed."""
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


def test_approving_with_an_error_focuses_the_error(page: Page, state: State) -> None:
    """Approve with an invalid field approves nothing and focuses the first such field.

    The status line gives the reason.
    """
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


def test_a_problem_of_the_whole_plan_is_shown(stage: Stage, state: State) -> None:
    """A problem of the whole plan is shown above the buttons and in the status line.

    Approve is disabled, and a click on it moves the focus to the problem.
    """
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
    """Empty feedback is refused at once; feedback and rejection are sent with the text."""
    stage.button("Send feedback").click()
    stage.expect_status("Nothing was sent: first write what should be different.")
    assert stage.messages == []
    stage.page.get_by_label("Feedback: what should be different?").fill("no web")
    stage.button("Send feedback").click()
    stage.button("Reject").click()
    assert [(m["action"], m["text"]) for m in stage.messages] == [
        ("feedback", "no web"),
        ("reject", "no web"),
    ]


def test_feedback_without_effect_does_not_prevent_an_approval(page: Page, state: State) -> None:
    """Feedback without effect stays in the box and does not prevent an approval.

    It can be edited and sent again.
    """
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


def test_a_pending_decision_blocks_another_one(page: Page, state: State) -> None:
    """After a decision the buttons are disabled until the kernel answers."""
    stage = Stage(page, state, lambda _message: None)
    stage.button("Approve").press("Enter")
    stage.button("Approve").press("Enter")
    stage.button("Reject").click(force=True)
    assert [message["action"] for message in stage.messages] == ["approve"]
    assert stage.button("Approve").get_attribute("aria-disabled") == "true"
    stage.expect_status("Sent. Waiting for the kernel.")


def test_fixed_and_completed_steps_have_no_controls(page: Page, state: State) -> None:
    """A completed step is one line; a fixed step shows its arguments without controls."""
    state["steps"][0].update(ended="completed", can_edit=False, html="")
    state["steps"][1].update(can_edit=False)
    stage = Stage(page, state, heeding(state))
    assert stage.card(1).inner_text() == (
        "1 Read notes.txt, page 1: completed; ran already, and does not run again"
    )
    assert stage.card(2).get_by_role("button").count() == 0
    assert stage.card(2).get_by_role("checkbox").count() == 0
    expect(stage.field("query", step=2)).not_to_be_editable()
    assert stage.button("Move step 3 up").get_attribute("aria-disabled") == "true"


def test_a_closed_form_leaves_its_card(stage: Stage) -> None:
    """A closed form shows its card and a notice, has no controls and sends no edits."""
    stage.field("path", step=1).fill("typed, and not left")
    stage.close(plan_html.stopped_card(proposal, decided_at="today"))
    expect(stage.page.locator(".okso-notice")).to_have_text(
        "This form is closed and changes nothing any more."
    )
    assert stage.page.get_by_text("■ Stopped").is_visible()
    assert stage.page.locator("#form :is(input, textarea, select, button)").count() == 0
    assert stage.messages == []


def test_the_head_shows_the_last_valid_plan(stage: Stage, state: State) -> None:
    """While the draft is invalid, the head shows the last valid plan."""
    head = state["head"]
    state.update(shown="", head=head.replace("Copy the notes", "Another plan"))
    stage.put(state)
    expect(stage.page.locator(".okso-title")).to_have_text("Copy the notes")
    state.update(shown="a" * 64)
    stage.put(state)
    expect(stage.page.locator(".okso-title")).to_have_text("Another plan")
