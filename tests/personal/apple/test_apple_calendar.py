"""Events of the application Calendar: made, listed, found, and undone."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.errors import UndoError
from tests.personal.apple.mac import Mac
from tests.personal.conftest import Desk, entries_of

pytestmark = pytest.mark.process


def _event(uid: str, start: str, end: str, **properties: Any) -> dict[str, Any]:
    return {"uid": uid, "summary": uid, "startDate": start, "endDate": end, "alldayEvent": False,
            **properties}  # fmt: skip


def test_an_event_is_made_and_undone(desk: Desk, mac: Mac) -> None:
    """With its place and rule; undo takes it away by its id."""
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00", location="Lab",
                    repeat="weekly")  # fmt: skip
    assert run.state == "completed", run.steps_seen[0].error
    (made,) = mac.events
    assert (made["startDate"], made["endDate"]) == (
        "2030-06-05T08:00:00.000Z", "2030-06-05T09:00:00.000Z",
    )  # fmt: skip
    assert (made["location"], made["recurrence"]) == ("Lab", "FREQ=WEEKLY;INTERVAL=1")
    assert entries_of(desk.says("calendar_list", start="2030-06-12")) == [
        "Wed 2030-06-12 10:00-11:00 Meeting (Lab)"
    ]
    run.undo()
    assert mac.events == []


def test_whole_days_are_whole_days(desk: Desk, mac: Mac) -> None:
    """As they are written, and with either end that an application may give them."""
    desk.call("calendar_create", title="Fair", start="2030-06-05", end="2030-06-06")
    assert (mac.events[0]["startDate"], mac.events[0]["endDate"]) == (
        "2030-06-04T22:00:00.000Z", "2030-06-06T21:59:59.000Z",
    )  # fmt: skip
    mac.holds("events", _event("Midnight", "2030-06-04T22:00:00.000Z", "2030-06-05T22:00:00.000Z",
                               alldayEvent=True))  # fmt: skip
    assert entries_of(desk.says("calendar_list", start="2030-06-05")) == [
        "Wed 2030-06-05 to Thu 2030-06-06, all day Fair",
        "Wed 2030-06-05, all day Midnight",
    ]


def test_events_that_recur_are_expanded(desk: Desk, mac: Mac) -> None:
    """In the range, without those that were removed; a rule that cannot be read is named."""
    weekly: dict[str, Any] = {
        "recurrence": "FREQ=WEEKLY;INTERVAL=1;COUNT=4", "description": "on lenses",
        "excludedDates": ["2030-06-10T08:00:00.000Z"],
    }  # fmt: skip
    times = ("2030-06-03T08:00:00.000Z", "2030-06-03T09:00:00.000Z")
    mac.holds("events", _event("Seminar", *times, **weekly),
              _event("Broken", *times, recurrence="FREQ=NEVER;X"),
              _event("Endless", *times, recurrence="FREQ=SECONDLY"),
              _event("Past", "2029-06-03T08:00:00.000Z", "2029-06-03T09:00:00.000Z"))  # fmt: skip
    said = desk.says("calendar_list", start="2030-06-05", end="2030-06-30")
    assert [line for line in said.splitlines() if line.startswith("- ")] == [
        "- Mon 2030-06-17 10:00-11:00 Seminar",
        "- Mon 2030-06-24 10:00-11:00 Seminar",
    ]
    assert "(the event 'Broken' recurs by a rule that cannot be read" in said
    assert "(the event 'Endless' comes more than 24 times a day" in said
    assert "Seminar" in desk.says("calendar_search", input="LENSES")
    assert "no event holds 'mirrors'" in desk.says("calendar_search", input="mirrors")


def test_the_form_shows_what_is_on_at_the_same_time(desk: Desk, mac: Mac) -> None:
    """The event as it would be, where, and the events of the calendar."""
    mac.holds("events", _event("Other", "2030-06-05T08:00:00.000Z", "2030-06-05T09:00:00.000Z"))
    run = desk.run("put a meeting with Ada on 2030-06-05 at 10:30 for an hour in the calendar")
    assert run.state == "completed", run.answer
    assert "At the same time: Wed 2030-06-05 10:00-11:00 Other" in desk.shown[0]
    assert "a new event in Calendar of the application Calendar" in desk.shown[0]


def test_what_was_moved_since_is_not_undone(desk: Desk, mac: Mac) -> None:
    """The event stays."""
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    state = mac.state
    state["Calendar"]["calendars"][0]["events"][0]["location"] = "Elsewhere"
    mac.write(state)
    with pytest.raises(UndoError, match="has changed since"):
        run.undo()
    assert len(mac.events) == 1


def test_a_calendar_that_cannot_be_written(desk: Desk, mac: Mac) -> None:
    """One that is subscribed to."""
    desk.settings["CALENDAR_NAME"] = "Holidays"
    said = desk.says("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert "Calendar: it cannot be written" in said
    assert mac.events == []
