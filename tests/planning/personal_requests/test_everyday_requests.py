"""Requests in everyday words: titles from what exists, questions by what they leave, zones.

Seven times fifty were written, each when those before were read. Of each were planned rightly
with the bundled model at the first try: 18, 20, 39, 40, 39, 38 and 37; then the rules learnt.
`everyday.json` has those of the first three that are read, and of the others what was learnt from.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from okso_jupyter.planning.personal_requests.known_titles import Kind, meant_title
from okso_jupyter.planning.personal_requests.mail_asked import mail_asked
from okso_jupyter.planning.personal_requests.personal_asked import personal_asked
from okso_jupyter.planning.request.courtesy import direct
from tests.each_row import each_row

NOW: Final = datetime(2026, 11, 28, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
TITLES: Final[dict[Kind, tuple[str, ...]]] = {
    "notes": (
        "Optics", "Calibration", "Packing list", "Vacuum pump", "Reading group", "Recipe ideas",
        "Garten", "Budget 2027", "Lasers", "Coffee rota",
    ),
    "reminders": (
        "water the tomatoes", "buy milk", "call the lab", "pay the electricity bill",
        "renew passport", "Steuererklärung abgeben", "return library books", "order pump oil",
        "write the abstract", "Fahrrad reparieren",
    ),
    "calendar": (
        "Group meeting", "Dentist", "Seminar: ultrafast optics", "Dinner with Grace",
        "Elternabend", "Flight to Lisbon",
    ),
}  # fmt: skip
CASES: Final = json.loads(Path(__file__).with_name("everyday.json").read_text("utf-8"))


def read(request: str) -> list[tuple[str, dict[str, Any]]]:
    """Return tool and arguments of each step that a request is read as."""
    steps = personal_asked(request, NOW, lambda kind: TITLES[kind]) or mail_asked(
        direct(request), ["report.pdf"]
    )
    return [(step["tool"], dict(step["args"])) for step in steps]


@each_row("case", CASES)
def test_an_everyday_request_is_read(case: dict[str, Any]) -> None:
    """Each is one call, with the title that exists, and times in the user's zone."""
    assert read(case["request"]) == [(case["tool"], case["args"])]


def test_all_tools_are_among_them() -> None:
    """The sixteen tools, and requests in German."""
    assert len({case["tool"] for case in CASES}) == 16
    assert len(CASES) > 130


@each_row(
    "request_",
    [
        "Which show was on March 5th?",
        "how long are flights on average",
        "how long between the meetings",
        "what is here to do?",
        "Do any files in notes talk about budget?",
        "show me the contents of notes",
        "Could you ring the dentist and ask for an earlier appointment?",
        "How many mails did Bob send in May?",
        "call the lab",
        "who paid the electricity bill?",
        "on March 5",
        "Delete the note Optics",
        "find the optics column in my table",
        "and so on",
        "Convert 14:00 UTC to Tokyo",
    ],
)
def test_other_requests_are_not_read(request_: str) -> None:
    """Commands and questions about tables, files and the world have the same words."""
    assert read(request_) == []


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("I paid that electricity bill", "pay the electricity bill"),
        ("wrote the abstracts", "write the abstract"),
        ("Fahrrad ist repariert", "Fahrrad reparieren"),
        ("ich habe die Steuererklärung abgegeben", "Steuererklärung abgeben"),
    ],
)
def test_words_mean_a_title_in_any_form(said: str, title: str) -> None:
    """Tense and number do not count."""
    meant = meant_title(said, TITLES["reminders"])
    assert meant is not None
    assert (meant.title, meant.is_whole, meant.is_past) == (title, True, True)


def test_two_titles_that_fit_alike_are_none() -> None:
    """Nothing is ticked off on a guess."""
    assert meant_title("the milk", ["buy milk", "order milk"]) is None
    assert read("mark buy bread as done") == [("reminders_complete", {"input": "buy bread"})]


@pytest.mark.parametrize(
    ("request_", "time"),
    [
        ("remind me tomorrow at 9 New York time to call", "2026-11-29T15:00"),
        ("remind me on 15 March 2027 at 9am Chicago time to call", "2027-03-15T15:00"),
        ("remind me on 29 March 2027 at 9:00 UTC to call", "2027-03-29T11:00"),
        ("remind me tomorrow at 01:00 Tokyo time to call", "2026-11-28T17:00"),
        ("remind me tomorrow at half past nine to call", "2026-11-29T09:30"),
        ("erinnere mich morgen um viertel vor zehn daran, anzurufen", "2026-11-29T09:45"),
    ],
)
def test_a_zone_or_hour_in_words_gives_the_users_time(request_: str, time: str) -> None:
    """Also where one place has changed its clocks and the other has not."""
    ((tool, args),) = read(request_)
    assert (tool, args["time"]) == ("reminders_create", time)
