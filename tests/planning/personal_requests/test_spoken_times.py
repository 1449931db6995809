"""Spoken ranges and repeats, and times in whole requests for reminders and events."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import pytest

from okso_jupyter.planning.personal_requests.personal_asked import personal_asked
from okso_jupyter.planning.personal_requests.spoken_ranges import spoken_range
from okso_jupyter.planning.personal_requests.spoken_repeats import spoken_when
from tests.each_row import each_row

#: A Saturday.
NOW: Final = datetime(2026, 11, 28, 15, 0)  # noqa: DTZ001  a local time
RANGES: Final = (
    ("the first week of December", "2026-12-01", "2026-12-07"),
    ("the last week of January", "2027-01-25", "2027-01-31"),
    ("in der ersten Woche im Januar", "2027-01-01", "2027-01-07"),
    ("from Monday to Wednesday", "2026-11-30", "2026-12-02"),
    ("from Friday to Tuesday", "2026-12-04", "2026-12-08"),
    ("from Mon to Wed", "2026-11-30", "2026-12-02"),
    ("von Montag bis Mittwoch", "2026-11-30", "2026-12-02"),
    ("between the 3rd and the 10th", "2026-12-03", "2026-12-10"),
    ("between the 28th and the 3rd", "2026-12-28", "2027-01-03"),
    ("from the 3rd to the 10th of January", "2027-01-03", "2027-01-10"),
    ("zwischen dem 3. und dem 10. Dezember", "2026-12-03", "2026-12-10"),
    ("over Christmas", "2026-12-24", "2026-12-26"),
    ("between Christmas and New Year", "2026-12-25", "2027-01-01"),
    ("on Christmas", "2026-12-25", "2026-12-25"),
    ("über Weihnachten", "2026-12-24", "2026-12-26"),
    ("zwischen den Jahren", "2026-12-27", "2026-12-30"),
    ("this afternoon", "2026-11-28", "2026-11-28"),
    ("over the next fortnight", "2026-11-28", "2026-12-11"),
    ("in the next 48 hours", "2026-11-28", "2026-11-30"),
    ("in den nächsten zwei Wochen", "2026-11-28", "2026-12-11"),
    ("until the end of the month", "2026-11-28", "2026-11-30"),
    ("the rest of this month", "2026-11-28", "2026-11-30"),
    ("bis Ende der Woche", "2026-11-28", "2026-11-29"),
    ("next year", "2027-01-01", "2027-12-31"),
    ("next weekend", "2026-12-05", "2026-12-06"),
    ("in May", "2027-05-01", "2027-05-31"),
    ("from now until Friday", "2026-11-28", "2026-12-04"),
)
REPEATS: Final = (
    ("every month on the 5th at 9", "2026-12-05 09:00:00", "monthly"),
    ("every first of the month", "2026-12-01", "monthly"),
    ("on the 1st of every month", "2026-12-01", "monthly"),
    ("jeden Ersten des Monats", "2026-12-01", "monthly"),
    ("jeden Morgen um 8", "2026-11-29 08:00:00", "daily"),
    ("jeden Abend", "2026-11-28 18:00:00", "daily"),
    ("at 9 every day", "2026-11-29 09:00:00", "daily"),
    ("täglich um 8", "2026-11-29 08:00:00", "daily"),
    ("every week on Monday at 9", "2026-11-30 09:00:00", "weekly"),
    ("jede Woche am Montag", "2026-11-30", "weekly"),
    ("Mondays at 10", "2026-11-30 10:00:00", "weekly"),
    ("at 8 every Monday", "2026-11-30 08:00:00", "weekly"),
    ("every Mo", "2026-11-30", "weekly"),
    ("every Christmas Eve at 5", "2026-12-24 17:00:00", "yearly"),
    ("jedes Jahr am 3. Mai", "2027-05-03", "yearly"),
)
NO_REPEATS: Final = (
    "every weekday at 7", "every other Friday at 4pm", "every two weeks on Tuesday", "every 31st",
    "every month", "every month on Monday", "on weekdays", "every first Monday of the month",
    "jeden ersten Montag im Monat", "every Monday and Wednesday",
)  # fmt: skip
EVENTS: Final = (
    ("from 2 to 4", "2026-12-04T14:00", "2026-12-04T16:00"),
    ("from 10 to 2", "2026-12-04T10:00", "2026-12-04T14:00"),
    ("from 9 to 5", "2026-12-04T09:00", "2026-12-04T17:00"),
    ("from 12 to 1", "2026-12-04T12:00", "2026-12-04T13:00"),
    ("from 10:30 to 2:30", "2026-12-04T10:30", "2026-12-04T14:30"),
    ("from 2 to 4 in the morning", "2026-12-04T02:00", "2026-12-04T04:00"),
    ("from 7 to 9 in the evening", "2026-12-04T19:00", "2026-12-04T21:00"),
    ("from 22:00 to 6:00", "2026-12-04T22:00", "2026-12-05T06:00"),
    ("from 10pm to 6", "2026-12-04T22:00", "2026-12-05T06:00"),
    ("from 9:00 to 17:00", "2026-12-04T09:00", "2026-12-04T17:00"),
)
TITLES: Final = (
    "call Mo", "put on a second coat of paint", "buy 2 tickets", "read chapter 9.4",
    "send the first draft", "buy cream for the sun", "march to the office", "call Jan",
    "plan the weekend", "start the new year", "wish Ada a happy new year", "buy Christmas cards",
)  # fmt: skip
REMINDERS: Final = (
    ("remind me at ten to six to call Ada", "2026-11-28T17:50", "call Ada"),
    ("remind me in an hour and a half to check the oven", "2026-11-28T16:30", "check the oven"),
    ("remind me in an hour to write to Ada", "2026-11-28T16:00", "write to Ada"),
    ("remind me at the end of the week about the bill", "2026-11-29", "the bill"),
    ("remind me on the 15th of December at quarter to four to call", "2026-12-15T15:45", "call"),
    ("remind me first thing tomorrow to call", "2026-11-29T09:00", "call"),
    ("remind me to write the first draft on Friday", "2026-12-04", "write the first draft"),
)


@each_row(("words", "first", "last"), RANGES)
def test_a_spoken_range_has_a_first_and_a_last_day(words: str, first: str, last: str) -> None:
    """What has begun is from today on."""
    found = spoken_range(words, NOW)
    assert found
    assert (str(found[0]), str(found[1])) == (first, last)


@pytest.mark.parametrize("words", ["may", "mo", "second", "the first", "in a while", "1 to 1"])
def test_ordinary_words_are_no_range(words: str) -> None:
    """A month that is also a verb needs "in"."""
    assert spoken_range(words, NOW) is None


@each_row(("words", "first", "often"), REPEATS)
def test_a_spoken_repeat_has_a_first_time(words: str, first: str, often: str) -> None:
    """Days, weeks, months and years."""
    found = spoken_when(words, NOW)
    assert found
    assert (str(found[0]), found[1]) == (first, often)


@each_row("words", NO_REPEATS)
def test_a_repeat_that_the_tools_cannot_say_is_none(words: str) -> None:
    """A rule with an interval, several days or a place in the month is left to the model."""
    assert spoken_when(words, NOW) is None


@each_row(("span", "start", "end"), EVENTS)
def test_an_event_ends_at_the_next_such_time(span: str, start: str, end: str) -> None:
    """From 10 to 2 is until 14:00, and from 22:00 to 6:00 until the next morning."""
    (step,) = personal_asked(f"add a meeting {span} on Friday to my calendar", NOW)
    assert step["args"] == {"title": "meeting", "start": start, "end": end}


@each_row("title", TITLES)
def test_a_title_keeps_its_words(title: str) -> None:
    """A number, a name or an ordinal at its end is no time."""
    (step,) = personal_asked(f"remind me to {title}", NOW)
    assert step["args"] == {"title": title}


@pytest.mark.parametrize(("request_", "time", "title"), REMINDERS)
def test_a_time_may_have_the_words_that_end_it(request_: str, time: str, title: str) -> None:
    """The "an" of "an hour" and the "to" of "ten to six" begin no title."""
    (step,) = personal_asked(request_, NOW)
    assert step["args"] == {"title": title, "time": time}
