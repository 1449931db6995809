"""The live state of a run: folded from records, shown safely as HTML and text."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

import pytest
from bs4 import BeautifulSoup

from okso_jupyter.journal.events import ArgumentsFilled, Event, PlanMade, RunMoved, StepMoved
from okso_jupyter.journal.run_view.live_fold import LiveFold
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import ToolCall
from okso_jupyter.plan.states import RunEvent, RunState, StepState
from okso_jupyter.views import after_restart, live_html, live_text
from tests.blank import blank
from tests.each_row import each_row
from tests.hostile import STRINGS

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
PLAN = {
    "version": 1,
    "steps": [
        {"id": 1, "tool": "terminal", "args": {"command": "wc"}, "title": "Count the lines"},
        {"id": 2, "tool": "file_read", "args": {"path": "a.txt"}, "title": "Read it"},
        {"id": 3, "tool": "final_answer", "args": {}},
    ],
}


def at(seconds: float) -> str:
    """Return a time, in seconds after START, as the journal writes it."""
    return (START + timedelta(seconds=seconds)).isoformat()


def moved(step_id: int, before: str, after: str, reason: str = "") -> Event:
    """Return the event that moves a step to another state."""
    return StepMoved(
        step_id=step_id,
        plan_version=1,
        before=StepState(before),
        after=StepState(after),
        reason=reason,
    )


def called(step_id: int, attempt: int = 1) -> Event:
    """Return the event that starts a call."""
    args = {"command": "wc"}
    return blank("call_started", step_id=step_id, attempt=attempt, tool="terminal", args=args)


def in_state(state: str) -> Event:
    """Return the event that moves the run to another state."""
    before, after = RunState.APPROVED, RunState(state)
    return RunMoved(before=before, event=RunEvent.START, after=after)


def live_after(live: Live, event: Any, at: str) -> Live:
    """Return the live state after one more event."""
    fold = LiveFold(live=live)
    fold.apply(event, at)
    return fold.live


def told(*events: Event) -> Live:
    """Return the live state after these events, all at the same time."""
    return reduce(lambda live, event: live_after(live, event, at(0)), events, Live(run_id="r1"))


def run(*events: Event) -> Live:
    """Return the live state of a run that executes PLAN, with one event per second."""
    live = Live(run_id="r1")
    for second, event in enumerate((PlanMade(plan=PLAN), in_state("executing"), *events), start=-1):
        live = live_after(live, event, at(second))
    return live


def states(live: Live) -> dict[int, str]:
    """Return the state of every step."""
    return {step.id: str(step.state) for step in live.steps}


def test_a_step_is_pending_then_running_then_done() -> None:
    """The elapsed time of a step counts from its first record to its last, or to now."""
    fresh, begun = run(), run(moved(1, "pending", "in_progress"), called(1))
    ended = live_after(begun, moved(1, "in_progress", "completed"), at(6))
    now = START + timedelta(seconds=4)

    assert states(fresh) == {1: "pending", 2: "pending", 3: "pending"}
    assert [step.elapsed_s(now) for step in (fresh.steps[0], begun.steps[0], ended.steps[0])] == [
        None, 3.0, 5.0
    ]  # fmt: skip
    assert [step.id for step in begun.running] == [1]
    assert (ended.running, ended.done, round(ended.progress, 2)) == ((), 1, 0.33)


def test_a_retry_keeps_the_start_time_and_shows_its_reason() -> None:
    """A second attempt keeps the start time and is listed as a decision with its reason."""
    live = run(
        moved(1, "pending", "in_progress"),
        called(1),
        moved(1, "in_progress", "in_progress", "no answer"),
        called(1, attempt=2),
    )
    step = live.steps[0]

    assert (step.attempt, step.reason, step.elapsed_s(START + timedelta(seconds=9))) == (
        2, "no answer", 8.0
    )  # fmt: skip
    assert live.decisions == (
        'step 1: terminal(command="wc")',
        "step 1 is tried again: no answer",
        'step 1: terminal(command="wc")',
    )
    assert "running, attempt 2, for 8 s" in live_text.as_text(live, START + timedelta(seconds=9))


def test_a_new_plan_replaces_pending_steps() -> None:
    """A new plan keeps steps that have begun, drops pending ones, and appends new ones."""
    newer = {
        "version": 2,
        "steps": [
            {"id": 1, "tool": "terminal", "args": {"command": "wc"}},
            {"id": 4, "tool": "file_search", "args": {"query": "a"}},
            {"id": 5, "tool": "final_answer", "args": {}},
        ],
    }
    live = run(
        moved(1, "pending", "in_progress"),
        moved(1, "in_progress", "completed"),
        moved(2, "pending", "in_progress"),
        moved(2, "in_progress", "failed", "it is not there"),
        blank("replan", reason="step 2 failed"),
        PlanMade(plan=newer, cause="failure"),
    )

    assert states(live) == {
        1: "completed", 2: "failed", 4: "pending", 5: "pending"
    }  # fmt: skip
    assert live.plan_version == 2
    assert live.decisions == (
        "another plan is asked for: step 2 failed",
        "version 2 of the plan takes over",
    )


def test_the_position_of_a_run_is_a_step_id() -> None:
    """The position of a run is given by step id, which can exceed the number of steps."""
    newer = {"version": 2, "steps": [{"id": 5, "tool": "final_answer", "args": {}}]}
    live = run(PlanMade(plan=newer, cause="failure"), moved(5, "pending", "in_progress"))

    assert after_restart.where(live) == "this run was at step 5"


def test_filled_in_arguments_are_listed_as_decisions() -> None:
    """A filled-in argument is a decision with its value and source step.

    If nothing is filled in, no decision is listed.
    """
    live = run(
        ArgumentsFilled(step_id=2, filled={"path": "b.txt"}, sources=(1,)),
        ArgumentsFilled(step_id=2, filled={}, sources=()),
    )
    assert live.decisions == ('step 2: filled in path = "b.txt", from step 1',)


def test_only_a_running_step_has_a_tail() -> None:
    """The latest output is shown while a call runs, and is removed when it ends."""
    live = run(moved(1, "pending", "in_progress")).with_tails({1: "line 7", 2: "not mine"})
    ended = live_after(live, moved(1, "in_progress", "completed"), at(3))

    assert [step.tail for step in live.steps] == ["line 7", "", ""]
    assert ended.steps[0].tail == ""
    assert live.with_tails({1: "line 7"}) is live


def test_a_step_with_an_open_approval_form_is_waiting() -> None:
    """A step waits while its form is open; then it runs, timed from its start."""
    begun = run(moved(1, "pending", "in_progress"))
    shown = {"about": "step", "steps": {"1": "f" * 64}}
    asked = live_after(begun, blank("shown", **shown), at(1))
    decision = blank("decision", decision="approve")
    decided = live_after(asked, decision, at(5))
    now = START + timedelta(seconds=9)

    assert live_text.standing(asked.steps[0], now) == "waits for your decision"
    assert "waits for your decision" in live_text.one_line(asked, now)
    assert live_text.standing(decided.steps[0], now) == "running, for 8 s"
    assert live_after(begun, blank("shown", **{**shown, "about": "plan"}), at(1)) is begun
    assert not live_after(run(), blank("shown", **shown), at(1)).steps[0].is_asked


def test_a_resumed_step_is_pending() -> None:
    """A step that was cut off and will run again is pending, without a time."""
    live = run(moved(1, "pending", "in_progress"), moved(1, "in_progress", "pending", "cut off"))
    assert live_text.standing(live.steps[0], START + timedelta(seconds=9)) == "pending"


def test_a_record_of_an_unknown_step_is_ignored() -> None:
    """A record of a step that no plan has does not change the state or raise an error."""
    live = run()
    assert live_after(live, moved(9, "pending", "in_progress"), at(1)) is live


def test_times_are_formatted_as_in_the_report() -> None:
    """The time of a finished step is formatted as in the report."""
    begun = run(moved(1, "pending", "in_progress"))
    live = live_after(begun, moved(1, "in_progress", "completed"), at(12.7))
    assert live_text.standing(live.steps[0], START) == "done, after 11.7 s"


@each_row("text", STRINGS)
def test_hostile_text_is_escaped_and_made_visible(text: str) -> None:
    """Hostile titles, tools, reasons, output and decisions add no markup and hide nothing."""
    plan = {"steps": [{"id": 1, "tool": "t", "args": {"a": text}, "title": text}]}
    begun = (PlanMade(plan=plan), in_state("executing"))
    replanned = blank("replan", reason=text)
    live = told(*begun, moved(1, "pending", "in_progress", text), replanned).with_tails({1: text})
    page = BeautifulSoup(live_html.as_html(live, START, text), "html.parser")
    plain = BeautifulSoup(live_html.as_html(told(*begun), START, "note"), "html.parser")

    assert not {tag.name for tag in page.find_all()} - {
        "div", "style", "progress", "span", "p", "ol", "ul", "li", "code", "pre",
    }  # fmt: skip
    names = {name for tag in page.find_all() for name in tag.attrs}
    assert names == {"class", "role", "aria-label", "aria-hidden", "data-key", "value", "max"}
    assert page.style == plain.style
    for shown in (str(page), live_text.as_text(live, START), live_text.one_line(live, START)):
        assert not re.search("[\u202e\u2066\u200b\x1b\x07]", shown)
    status = BeautifulSoup(live_html.status_html(text, 0.5), "html.parser")
    assert {tag.name for tag in status.find_all()} == {"div", "style", "progress", "span"}


def test_every_state_has_an_icon_and_a_text() -> None:
    """Every state has a text and a distinct icon."""
    assert set(live_text.ICONS) == set(live_text.WORDS) == set(StepState)
    assert len(set(live_text.ICONS.values())) == len(StepState)


@pytest.mark.parametrize("end", ["paused", "failed", "cancelled", "completed"])
def test_no_step_is_running_in_a_run_that_has_stopped(end: str) -> None:
    """A step cut off by the end of the run is not shown as running until it is resumed."""
    live = run(moved(1, "pending", "in_progress"), in_state(end))
    later = START + timedelta(hours=1)
    for words in (live_text.as_text(live, later), live_html.as_html(live, later)):
        assert "begun, and not ended" in words
        assert "running, for" not in words
    again = live_after(live, in_state("executing"), at(9))
    assert "running, for" in live_text.as_text(again, later)


def test_a_failed_run_is_marked_by_colour_and_text() -> None:
    """A failed run is marked by the text "Failed" besides its colour."""
    lost = run(moved(1, "pending", "failed", "no network"), in_state("failed"))
    page = BeautifulSoup(live_html.as_html(lost, START), "html.parser")
    head = page.select_one(".okso-live-lost [role=status]")
    assert head is not None
    assert "Failed" in head.text
    assert not BeautifulSoup(live_html.as_html(run(), START), "html.parser").select(
        ".okso-live-lost"
    )


def test_a_step_is_told_by_its_call() -> None:
    """Text and HTML say what each call does, before and after its open arguments are filled."""
    plan = Plan.from_dict([
        {"tool": "calculator", "args": {"expression": "2 + 3"}, "thought": "{ add"},
        {"tool": "file_write", "args": {"path": "a.txt", "content": ""}, "title": "Save it"},
        {"tool": "final_answer"},
    ])  # fmt: skip
    live = Live(run_id="r").with_plan(plan, "")
    now = datetime.now(UTC)
    for shown in (live_text.as_text(live, now), html.unescape(live_html.as_html(live, now))):
        assert "Calculate 2 + 3" in shown
        assert "Write a text that is filled in later to the new file a.txt" in shown
        assert "Answer from what the steps gave" in shown
        assert "Save it" not in shown
        assert "{ add" not in shown
    args = {"path": "a.txt", "content": "5"}
    call = ToolCall(step_id=2, tool="file_write", args=args)
    assert "Write “5” to the new file a.txt" in live_text.as_text(live.called(call), now)
