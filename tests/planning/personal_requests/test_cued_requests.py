"""Requests whose parts stand in any order: a cue, a text, a time, a title, an address."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from okso_jupyter.planning.personal_requests.known_titles import Kind
from okso_jupyter.planning.personal_requests.mail_asked import mail_asked
from okso_jupyter.planning.personal_requests.personal_asked import personal_asked
from okso_jupyter.planning.request.courtesy import direct
from tests.each_row import each_row

#: A Monday.
NOW: Final = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
TITLES: Final[dict[Kind, tuple[str, ...]]] = {
    "notes": ("Shopping list", "Rigging", "Reading list", "Probenplan"),
    "reminders": ("water the ferns", "pay the plumber"),
    "calendar": ("Physio session", "Group meeting"),
}
#: Title and time of the reminder that each is for; "" for no time.
REMINDERS: Final = {
    "Reminder for tonight at 8: call grandma": ("call grandma", "2026-11-30T20:00"),
    "In 45 minutes I need to take the lasagne out, give me a nudge": (
        "take the lasagne out",
        "2026-11-30T10:45",
    ),
    "Task for Friday: sign the contract": ("sign the contract", "2026-12-04"),
    "We need to order new tiles by Wednesday, put it on my to-do list": (
        "order new tiles",
        "2026-12-02",
    ),
    "My train leaves Saturday at 14:20; remind me 90 minutes before that to finish packing": (
        "finish packing",
        "2026-12-05T12:50",
    ),
    "I should be reminded on Sunday at 9 am to reset the clock": (
        "reset the clock",
        "2026-12-06T09:00",
    ),
    "Give me a heads-up on Thursday morning about the rent": ("the rent", "2026-12-03T09:00"),
    "remind me that the milk goes off on Friday": ("the milk goes off", "2026-12-04"),
    "buy stamps - put that on my to-do list": ("buy stamps", ""),
    "Ich muss morgen um 9 zum Zahnarzt, erinnere mich daran": (
        "zum Zahnarzt",
        "2026-12-01T09:00",
    ),
}
#: Title, start, end and place of the event that each is for; "" for none.
EVENTS: Final = {
    "I'm seeing the notary on the 15th of December at 3:45pm, record that as an appointment": (
        "notary", "2026-12-15T15:45", "", "",
    ),
    "Ski trip with the cousins, 2 to 6 January, whole days please - onto the calendar": (
        "Ski trip with the cousins", "2027-01-02", "2027-01-06", "",
    ),
    "Add an all-day event called Stocktaking on 31 December": (
        "Stocktaking", "2026-12-31", "", "",
    ),
    "Put lunch on Friday at noon with Sara in my calendar": (
        "lunch with Sara", "2026-12-04T12:00", "", "",
    ),
    "we've got choir practice Thursday 7pm at St Mark's, pop that in the diary": (
        "choir practice", "2026-12-03T19:00", "", "St Mark's",
    ),
    "Trage für Freitag 19 Uhr ein: Chorprobe in der Lutherkirche": (
        "Chorprobe", "2026-12-04T19:00", "", "der Lutherkirche",
    ),
    "Set up a meeting with Priya for Wednesday at 3pm, 45 minutes, room 204": (
        "meeting with Priya", "2026-12-02T15:00", "2026-12-02T15:45", "room 204",
    ),
    "Reserve 2pm to 4pm tomorrow for the grant report in my calendar": (
        "the grant report", "2026-12-01T14:00", "2026-12-01T16:00", "",
    ),
    "Enter in my calendar: parents' evening, 10 December, 18:30, school hall": (
        "parents' evening", "2026-12-10T18:30", "", "school hall",
    ),
    "My parents are here from 11 to 13 December, block that in my calendar as Family visit": (
        "Family visit", "2026-12-11", "2026-12-13", "",
    ),
    "Put me down for a first aid course on 9 and 10 January": (
        "first aid course", "2027-01-09", "2027-01-10", "",
    ),
    "Schedule maintenance on 28 March 2027 from 01:00 to 05:00": (
        "maintenance", "2027-03-28T01:00", "2027-03-28T05:00", "",
    ),
}  # fmt: skip
OTHERS: Final = json.loads(Path(__file__).with_name("cued.json").read_text("utf-8"))
LEFT: Final = (
    "put the lectures of 9 and 11 May in my calendar",  # two days, and no range
    "anything new in the calendar module since Friday?",
    "delete the note Rigging",
    "cancel my meeting on Friday",
    "move the group meeting to Thursday at 3pm",
    "list the events in events.csv",
    "remind me how many rows sales.csv has",
    "Plot the number of appointments per weekday",
    "book the cheapest flight to Rome",
    "note the maximum temperature for each month",
    "Write a haiku about my calendar",
    "forward the last mail to ada@example.org: fyi",
)


def read(request: str) -> list[tuple[str, dict[str, Any]]]:
    """Return tool and arguments of each step that a request is read as."""
    steps = personal_asked(request, NOW, lambda kind: TITLES[kind]) or mail_asked(
        direct(request), ["report.pdf"]
    )
    return [(step["tool"], dict(step["args"])) for step in steps]


@each_row("request_text", REMINDERS)
def test_a_reminder_has_its_title_and_time(request_text: str) -> None:
    """The cue may stand anywhere."""
    title, time = REMINDERS[request_text]
    args = {"title": title, **({"time": time} if time else {})}
    assert read(request_text) == [("reminders_create", args)]


@pytest.mark.parametrize("request_text", EVENTS)
def test_an_event_has_its_parts(request_text: str) -> None:
    """Title, time, length and place stand in any order."""
    names = ("title", "start", "end", "location")
    args = {name: said for name, said in zip(names, EVENTS[request_text], strict=True) if said}
    assert read(request_text) == [("calendar_create", args)]


@each_row("case", OTHERS)
def test_notes_and_mails_have_their_texts(case: dict[str, Any]) -> None:
    """What is written stands behind a colon, in quotation marks, or in the other clause."""
    assert read(case["request"]) == [(case["tool"], case["args"])]


@each_row("request_text", LEFT)
def test_other_requests_are_left(request_text: str) -> None:
    """A word for a calendar or a note does not make a request one for it."""
    assert read(request_text) == []


def test_a_request_may_have_two_halves() -> None:
    """An event, and a reminder on the day of it."""
    said = (
        "Add a calendar entry 'Vet for Biscuit' on Thursday at 16:00 and remind me at 15:15 that "
        "day to get the carrier"
    )
    assert read(said) == [
        ("calendar_create", {"title": "Vet for Biscuit", "start": "2026-12-03T16:00"}),
        ("reminders_create", {"title": "get the carrier", "time": "2026-12-03T15:15"}),
    ]


def test_a_note_and_a_reminder() -> None:
    """The second half does not belong to the text of the note."""
    assert read("add to the note Rigging: done and then remind me tomorrow to call") == [
        ("notes_append", {"title": "Rigging", "body": "done"}),
        ("reminders_create", {"title": "call", "time": "2026-12-01"}),
    ]


def test_what_comes_again_may_begin_later() -> None:
    """The first time is on or after the day that is named."""
    said = "Add yoga to my calendar every Tuesday at 18:00 starting next week"
    args = {"title": "yoga", "start": "2026-12-08T18:00", "repeat": "weekly"}
    assert read(said) == [("calendar_create", args)]
