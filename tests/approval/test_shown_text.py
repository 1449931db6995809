"""Shown text is escaped and complete, and hidden characters are visible."""

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
from tests.each_row import each_row

TAGS = {
    *("b", "code", "dd", "del", "details", "div", "dl", "dt", "em"),
    *("li", "ol", "p", "pre", "span", "style", "summary", "ul"),
}


class _Page(HTMLParser):
    """A parser that collects the tags, attributes and text of a page."""

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


@each_row(
    "character",
    ["\u202e", "\u200b", "\u2066", "\x1b", "\r", "\x7f", "\ufeff", "\u3164", "\U000e0041"],
)
def test_hidden_characters_are_shown_as_codes(character: str) -> None:
    """Control, bidirectional and zero-width characters are shown as their code points."""
    assert visible(f"a{character}b") == f"a⟨U+{ord(character):04X}⟩b"


@pytest.mark.parametrize("text", ["line\n\tindented", "Grüße, 東京, ٣", "⚠️ ✏️", "a\u00a0b"])
def test_ordinary_text_is_unchanged(text: str) -> None:
    """Line feeds, tabs, letters of any script and emoji are not changed."""
    assert visible(text) == text


@given(st.text(st.characters()))
def test_shown_text_is_valid_utf8_and_idempotent(text: str) -> None:
    """Shown text can be encoded as UTF-8, and the conversion is idempotent.

    Escaped text contains no angle brackets or quotes.
    """
    shown = visible(text)
    shown.encode("utf-8")
    assert visible(shown) == shown
    assert not set(escape(text)) & set("<>\"'")


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_text_of_a_plan_never_becomes_markup(value: str, name: str, said: str) -> None:
    """Hostile arguments, names, thoughts, notes and previews add no tags or attributes."""
    hostile = f"<script>{value}</script><img src=x onerror=alert(1)>\" onclick='{said}'"
    step = Step(id=1, tool="t", args={name + hostile: hostile, "n": [hostile]}, thought=hostile)
    proposal = _with(step, preview=hostile, safety=hostile)
    approval = Approval(decision="feedback", shown="", by="user", feedback=hostile)
    page = _Page(plan_html.decided_card(proposal, approval, decided_at=hostile))
    assert set(page.tags) <= TAGS
    assert page.attributes <= {
        "class", "role", "aria-label", "aria-level", "aria-hidden", "open", "tabindex", "value"
    }  # fmt: skip


def test_long_values_are_folded_and_complete() -> None:
    """A long argument is complete, in a fold that states its length."""
    text = "\n".join(f"line {number}" for number in range(500))
    step = Step(id=1, tool="t", args={"content": text})
    page = _Page(plan_html.step_card(_with(step).steps[0]))
    assert text in page.text
    assert f"500 lines, {len(text):,} characters" in page.text


def test_the_card_shows_every_property_of_a_step(proposal: ApprovalRequest) -> None:
    """The card shows every property of a step.

    These are number, tool, arguments, effects, preview, dependencies, time-out and retries.
    """
    page = _Page(plan_html.step_card(proposal.steps[1]))
    wanted = (
        "2", "file_write", "out.txt", "changes files", "filled in when the step is due",
        "after step 1", "time-out 20 s", "retries none", "+new",
    )  # fmt: skip
    assert [text for text in wanted if text not in page.text] == []


def test_the_text_shows_the_same_facts_as_the_card(proposal: ApprovalRequest) -> None:
    """The text for a terminal shows the same facts as the form."""
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
    """The head of the card names the decision, who made it and the time."""
    approval = replace(Approval(decision="reject", shown="", by=by), decision=decision)  # type: ignore[arg-type]  # a row of a table
    page = _Page(plan_html.decided_card(proposal, approval, decided_at="noon"))
    assert f"{words}, noon" in page.text


def test_a_card_marks_edits() -> None:
    """The card shows former values of edited arguments and marks omitted steps.

    Unchanged arguments are not marked.
    """
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
    assert "the new file b.txtLeft out by you: it does not run.pathb.txt" in text
    assert "Changed by you, was: Read a.txt, page 2" in text
    assert text.count("Changed by you") == 3


# --- a new version -------------------------------------------------------------------------


def _newer(label: str = "read it") -> ApprovalRequest:
    """Return the proposal of a second version: one step kept, one dropped, one added."""
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


def test_a_new_version_shows_its_changes() -> None:
    """Text and HTML list the kept, dropped and added steps and the cause of the version."""
    text, page = plan_text.as_text(_newer()), _Page(plan_html.header(_newer(), "x")).text
    for line in (
        "Changes since version 1, made by the planner after a failure (no such file):",
        "kept: 1. Write a text that is filled in later to the new file a",
        "- dropped: 2. Use rm",
        "+ added: 3. Use file_read, in place of step 1",
    ):
        assert line in text
        assert line in page


def test_an_ended_step_is_not_part_of_the_approval() -> None:
    """An ended step is shown with its status; its effects and fingerprint do not count."""
    proposal = _newer()
    assert set(proposal.step_fingerprints) == {3}
    text = plan_text.as_text(proposal)
    assert "to the new file a: failed; ran already, and does not run again" in text
    assert "does not run again" in _Page(plan_html.step_card(proposal.steps[0])).text
    assert "cannot be undone" not in plan_html.header(proposal, "x")
    assert proposal.steps[0].person_reason == ""


def test_the_output_of_an_executed_step_is_shown() -> None:
    """Text and HTML show the output of an executed step in full; HTML folds a long one."""
    ran = replace(_newer().steps[0], observed="<b>found</b>\n" * 20)
    text = plan_text.as_text(replace(_newer(), steps=(ran, _newer().steps[1])))
    assert text.count("   | <b>found</b>") == 20
    for html in (plan_html.step_card(ran), plan_html.step_parts(ran)["html"]):
        assert _Page(html).text.count("<b>found</b>") == 20
        assert "21 lines" in html


def test_a_label_cannot_forge_a_line_of_the_diff() -> None:
    """A model's title for a step stays on the step's own line."""
    lines = plan_text.as_text(_newer("x\n  + added: 9. rm")).splitlines()
    assert not any(line.startswith("  + added: 9") for line in lines)


def test_ended_steps_are_in_the_plan_fingerprint() -> None:
    """The plan's fingerprint changes if a step's ended status changes."""
    proposal = _newer()
    again = replace(proposal.steps[0], ended="")
    assert replace(proposal, steps=(again, *proposal.steps[1:])).fingerprint != proposal.fingerprint
