"""What is shown is escaped, complete, and hides nothing."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.effects.effect import Effect
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Approval
from okso_jupyter.plan.revision import Revision
from okso_jupyter.views import plan_html, plan_text
from okso_jupyter.views.text import escape, visible

TAGS = {
    *("b", "code", "dd", "details", "div", "dl", "dt", "em"),
    *("li", "p", "pre", "span", "style", "summary", "ul"),
}


class _Page(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def _with(step: Step, preview: str = "", safety: str = "") -> ApprovalRequest:
    shown = ShownStep(step=step, effects=frozenset(Effect), preview=preview, safety=safety)
    return ApprovalRequest(
        plan=Plan(steps=(step,)), steps=(shown,), folder=step.thought, request=preview
    )


@pytest.mark.parametrize(
    "character",
    ["\u202e", "\u200b", "\u2066", "\x1b", "\r", "\x7f", "\ufeff", "\u3164", "\U000e0041"],
)
def test_hidden_characters_are_written_out(character: str) -> None:
    """Controls, turns of direction and blanks without width show their code."""
    assert visible(f"a{character}b") == f"a⟨U+{ord(character):04X}⟩b"


@pytest.mark.parametrize("text", ["line\n\tindented", "Grüße, 東京, ٣", "⚠️ ✏️", "a\u00a0b"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Line feeds, tabs, any script and emoji are no hidden characters."""
    assert visible(text) == text


@given(st.text(st.characters()))
def test_shown_text_can_be_written_and_shown_again(text: str) -> None:
    """No text is left that UTF-8 cannot write, and showing twice changes nothing."""
    shown = visible(text)
    shown.encode("utf-8")
    assert visible(shown) == shown
    assert not set(escape(text)) & set("<>\"'")


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_text_of_a_plan_becomes_markup(value: str, name: str, said: str) -> None:
    """Whatever arguments, names, thoughts, notes and previews hold, only our tags are there."""
    hostile = f"<script>{value}</script><img src=x onerror=alert(1)>\" onclick='{said}'"
    step = Step(id=1, tool="t", args={name + hostile: hostile, "n": [hostile]}, thought=hostile)
    proposal = _with(step, preview=hostile, safety=hostile)
    approval = Approval(decision="feedback", shown="", by="user", feedback=hostile)
    page = _Page(plan_html.decided_card(proposal, approval, decided_at=hostile))
    assert set(page.tags) <= TAGS
    assert page.attributes <= {
        "class", "role", "aria-label", "aria-level", "aria-hidden", "open", "tabindex"
    }  # fmt: skip


def test_long_values_fold_and_are_not_cut() -> None:
    """A long argument is there to its last character, in a fold that says how long it is."""
    text = "\n".join(f"line {number}" for number in range(500))
    step = Step(id=1, tool="t", args={"content": text})
    page = _Page(plan_html.step_card(_with(step).steps[0]))
    assert text in page.text
    assert f"500 lines, {len(text):,} characters" in page.text


def test_the_card_says_everything_about_a_step(proposal: ApprovalRequest) -> None:
    """Number, tool, arguments, effects in words, dependencies, time-out and retries are shown."""
    page = _Page(plan_html.step_card(proposal.steps[1]))
    wanted = (
        "2", "file_write", "out.txt", "changes files", "filled in when the step is due",
        "after step 1", "time-out 20 s", "retries none", "+new",
    )  # fmt: skip
    assert [text for text in wanted if text not in page.text] == []


def test_the_text_says_what_the_card_says(proposal: ApprovalRequest) -> None:
    """A terminal shows the same facts as the form."""
    text = plan_text.as_text(proposal)
    wanted = ("copy my notes", "work", "notes.txt", "changes files", "step 1", "20 s", "+new")
    assert [part for part in wanted if part not in text] == []


@pytest.mark.parametrize(
    ("decision", "by", "words"),
    [
        ("approve", "user", "Approved by you"),
        ("approve", "auto", "Approved by the policy auto"),
        ("reject", "timeout", "Rejected because time ran out"),
        ("feedback", "callable", "Feedback by a function"),
    ],
)
def test_a_card_says_who_decided_and_when(
    proposal: ApprovalRequest, decision: str, by: str, words: str
) -> None:
    """The head of the card names decision, decider and time."""
    approval = replace(Approval(decision="reject", shown="", by=by), decision=decision)  # type: ignore[arg-type]  # a row of a table
    page = _Page(plan_html.decided_card(proposal, approval, decided_at="noon"))
    assert f"{words}, noon" in page.text


def test_a_card_marks_what_a_person_edited() -> None:
    """Changed arguments say what they were, steps left out are named, the rest is unmarked."""
    read = Step(id=1, tool="file_read", args={"path": "a.txt", "page": 2})
    write = Step(id=2, tool="file_write", args={"path": "b.txt"})
    mine = replace(read, args={"path": "<i>mine</i>"})
    older, newer = Plan(steps=(read, write)), Plan(steps=(mine,), version=2)
    shown = ShownStep(step=mine, effects=frozenset({Effect.READS}))
    edited = ApprovalRequest(plan=newer, steps=(shown,))
    approval = Approval(decision="approve", shown="", by="user", up_to=1)
    card = plan_html.decided_card(edited, approval, decided_at="noon", proposed=older)
    text = _Page(card).text
    assert "Approved up to step 1 by you, noon" in text
    assert "path<i>mine</i>Changed by you, was:a.txt" in text
    assert "page(not set)Changed by you, was:2" in text
    assert "2 file_writeLeft out by you: it does not run.pathb.txt" in text
    assert text.count("Changed by you") == 2


# --- a new version -------------------------------------------------------------------------


def _newer(label: str = "read it") -> ApprovalRequest:
    """Return the proposal of a second version: a step kept, one dropped, one added."""
    kept = Step(id=1, tool="file_write", args={"path": "a"})
    gone, new = Step(id=2, tool="rm"), Step(id=3, tool="file_read", title=label, replaces=1)
    older, newer = Plan(steps=(kept, gone)), Plan(steps=(kept, new), version=2)
    return ApprovalRequest(
        plan=newer,
        steps=(
            ShownStep(step=kept, effects=frozenset({Effect.IRREVERSIBLE}), ended="failed"),
            ShownStep(step=new, effects=frozenset({Effect.READS})),
        ),
        revision=Revision(older=older, newer=newer, cause="failure", reason="no such file"),
    )


def test_a_new_version_shows_what_is_different() -> None:
    """Text and HTML name each step that is kept, dropped and added, and why there is a version."""
    text, page = plan_text.as_text(_newer()), _Page(plan_html.header(_newer(), "x")).text
    for line in (
        "Changes since version 1 (after a failure: no such file):",
        "kept: 1. file_write (Use file_write)",
        "- dropped: 2. rm (Use rm)",
        "+ added: 3. file_read, in place of step 1 (read it)",
    ):
        assert line in text
        assert line in page


def test_a_step_that_has_ended_is_no_part_of_what_is_approved() -> None:
    """It is named with how it came out; its effects and fingerprint count no more."""
    proposal = _newer()
    assert set(proposal.step_fingerprints) == {3}
    assert "file_write: failed; ran already, and does not run again" in plan_text.as_text(proposal)
    assert "does not run again" in _Page(plan_html.step_card(proposal.steps[0])).text
    assert "cannot be undone" not in plan_html.header(proposal, "x")
    assert proposal.steps[0].person_reason == ""


def test_what_came_out_of_a_step_that_ran_is_in_view() -> None:
    """Text and HTML show it in full, and a long one folds."""
    ran = replace(_newer().steps[0], observed="<b>found</b>\n" * 20)
    text = plan_text.as_text(replace(_newer(), steps=(ran, _newer().steps[1])))
    assert text.count("   | <b>found</b>") == 20
    for html in (plan_html.step_card(ran), plan_html.step_parts(ran)["html"]):
        assert _Page(html).text.count("<b>found</b>") == 20
        assert "21 lines" in html


def test_a_label_cannot_forge_a_line_of_the_diff() -> None:
    """What a model calls a step stays on its own line."""
    lines = plan_text.as_text(_newer("x\n  + added: 9. rm")).splitlines()
    assert not any(line.startswith("  + added: 9") for line in lines)


def test_what_has_ended_is_in_the_fingerprint_of_the_whole() -> None:
    """A decision is about what still runs: with a step ended otherwise it is another question."""
    proposal = _newer()
    again = replace(proposal.steps[0], ended="")
    assert replace(proposal, steps=(again, *proposal.steps[1:])).fingerprint != proposal.fingerprint
