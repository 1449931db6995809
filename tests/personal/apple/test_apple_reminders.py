"""Reminders of the application Reminders: made, listed, completed and undone."""

from __future__ import annotations

import pytest

from tests.personal.apple.mac import Mac
from tests.personal.conftest import Desk, entries_of

pytestmark = pytest.mark.process


def test_reminders_are_made_and_listed(desk: Desk, mac: Mac) -> None:
    """A time rings, a day is one, and both are read back in the user's zone."""
    desk.call("reminders_create", title="call the lab", time="2030-06-05T09:00", notes="ask Ada")
    desk.call("reminders_create", title="buy tea", time="2030-06-04")
    desk.call("reminders_create", title="some day")
    timed, whole, _ = mac.reminders
    assert timed["dueDate"] == timed["remindMeDate"] == "2030-06-05T07:00:00.000Z"
    assert timed["body"] == "ask Ada"
    assert whole["alldayDueDate"] == "2030-06-03T22:00:00.000Z"
    assert entries_of(desk.says("reminders_list")) == [
        "buy tea (due Tue 2030-06-04)",
        "call the lab (due Wed 2030-06-05 09:00)",
        "some day",
    ]


def test_a_reminder_is_completed_and_undone(desk: Desk, mac: Mac) -> None:
    """Undo opens it again; one that was made is taken away."""
    made = desk.call("reminders_create", title="call the lab")
    run = desk.call("reminders_complete", input="call the lab")
    assert run.state == "completed", run.steps_seen[0].error
    assert [one["completed"] for one in mac.reminders] == [True]
    assert "there is no reminder 'call the lab'" in desk.says(
        "reminders_complete", input="call the lab"
    )
    run.undo()
    assert [one["completed"] for one in mac.reminders] == [False]
    made.undo()
    assert mac.reminders == []


def test_a_reminder_that_recurs_is_refused(desk: Desk, mac: Mac) -> None:
    """No script of Reminders can say how often."""
    said = desk.says("reminders_create", title="water", time="2030-06-05", repeat="weekly")
    assert "Reminders takes no reminder that recurs from a script" in said
    assert mac.reminders == []


def test_those_that_are_done_are_not_read(desk: Desk, mac: Mac) -> None:
    """They may be thousands."""
    done = {"id": "d", "name": "old", "completed": True, "dueDate": None, "body": None}
    mac.holds("reminders", done, {**done, "id": "o", "name": "open", "completed": False})
    assert entries_of(desk.says("reminders_list")) == ["open"]
