"""Requests for notes, reminders and events: sixty that were written down, and others."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from okso_jupyter.planning.personal_requests.personal_asked import personal_asked
from tests.each_row import each_row

NOW = datetime(2026, 11, 28, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
HERE = Path(__file__).parent


def _requests(name: str) -> list[dict[str, Any]]:
    requests: list[dict[str, Any]] = json.loads((HERE / name).read_text("utf-8"))["requests"]
    return requests


def _is_read(one: dict[str, Any]) -> bool:
    wanted = ({"tool": one["tool"], "args": one["args"]},) if one["tool"] else ()
    return personal_asked(one["request"], NOW) == wanted


def test_requests_from_before_the_rules_are_read() -> None:
    """Each of the thirty that were written before any rule gives its call."""
    assert [one["request"] for one in _requests("dated_before.json") if not _is_read(one)] == []


def test_requests_from_after_the_rules_are_read() -> None:
    """Of the thirty that were written afterwards, each is read, one more than was meant to be."""
    missed = [one["request"] for one in _requests("dated_after.json") if not _is_read(one)]
    # it was left to the model, which forgets that it comes again
    assert missed == ["Please remind me every Monday to water the plants"]


def test_requests_in_other_words_are_read() -> None:
    """Of thirty-eight more, in words that no rule knew then, these are left to the model."""
    wanted = [
        one
        for one in json.loads((HERE / "all_fifty.json").read_text("utf-8"))
        if not one["steps"][0][0].startswith("mail")
    ]
    missed = [
        one["request"]
        for one in wanted
        if [[step["tool"], dict(step["args"])] for step in personal_asked(one["request"], NOW)]
        != one["steps"]
    ]
    assert len(wanted) == 38
    assert missed == [
        "Anything due before Wednesday?",  # Wednesday itself is included
        "I've called the lab, so tick that reminder off",
        "On what day is the thesis defence?",
    ]


@each_row(
    "request_",
    [
        "in the note.txt, add 3",
        "How many notes are in notes.txt?",
        "pull up notes.txt",
        "how does the file look?",
        "is there anything on page 3?",
        "Is there a total in sales.csv?",
        "Have I written anything about pipettes in notes.txt?",
        "i have a file a.txt, put it in the folder b",
    ],
)
def test_words_like_theirs_about_other_things_are_not_read(request_: str) -> None:
    """Files, pages and tables have the same words."""
    assert personal_asked(request_, NOW) == ()


@pytest.mark.parametrize(
    ("request_", "tool", "args"),
    [
        ("remind me every Monday at 9 to water the plants", "reminders_create",
         {"title": "water the plants", "time": "2026-11-30T09:00", "repeat": "weekly"}),
        ("Remind me to stretch every day", "reminders_create",
         {"title": "stretch", "time": "2026-11-28", "repeat": "daily"}),
        ("Schedule a group seminar every Tuesday at 10", "calendar_create",
         {"title": "group seminar", "start": "2026-12-01T10:00", "repeat": "weekly"}),
        ("do my weekly review", "workflow_weekly_review",
         {"title": "Weekly review 2026-11-28", "until": "2026-12-05"}),
    ],
)  # fmt: skip
def test_what_comes_again_is_read(request_: str, tool: str, args: dict[str, str]) -> None:
    """The first time and how often it comes again are both in the call."""
    assert personal_asked(request_, NOW) == ({"tool": tool, "args": args},)


@each_row(
    "request_",
    [
        "show my notes.txt",
        "add 'done' to notes.md",
        "append done to the note log.txt",
        "When is sunset?",
        "what is on page 3?",
        "What is on line 4 of a.txt?",
        "remind me",
        "schedule",
        "add 3 and 4",
        "make a table of the events in events.csv",
        "list the appointments in visits.csv",
        "mark the rows with gaps as done in data.csv",
        "What is due in invoices.csv?",
        "create a file called calendar.txt",
        "remind me every month to pay the rent",
        "remind me to pay the rent monthly",
    ],
)
def test_other_requests_are_left_alone(request_: str) -> None:
    """What names a file, asks for more, or is of something else is not read."""
    assert personal_asked(request_, NOW) == ()
