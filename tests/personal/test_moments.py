"""Words and ISO 8601 as days and times: parts of a day, and hours across a change of the clock."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from okso_jupyter.errors import ToolFailedError, ToolInputError
from okso_jupyter.personal.ical.moments import read_moment, zone_of
from okso_jupyter.planning.environment import Environment
from tests.each_row import each_row

BERLIN: Final = ZoneInfo("Europe/Berlin")
#: A Saturday.
NOW: Final = datetime(2026, 11, 28, 15, 0, tzinfo=BERLIN)
WORDS: Final = (
    ("tomorrow evening at 8", "2026-11-29T20:00"),
    ("tomorrow at 8 in the evening", "2026-11-29T20:00"),
    ("tomorrow afternoon at 3:30", "2026-11-29T15:30"),
    ("tomorrow night at 11", "2026-11-29T23:00"),
    ("tonight at 9", "2026-11-28T21:00"),
    ("morgen Abend um 8", "2026-11-29T20:00"),
    ("tomorrow night at 2", "2026-11-29T02:00"),
    ("tomorrow morning at 9", "2026-11-29T09:00"),
    ("tonight at 21:30", "2026-11-28T21:30"),
    ("tomorrow afternoon", "2026-11-29T15:00"),
    ("in 2 hours", "2026-11-28T17:00"),
)


@each_row(("words", "time"), WORDS)
def test_a_part_of_the_day_says_which_hour_is_meant(words: str, time: str) -> None:
    """Eight in the evening is 20:00, and two at night is not 14:00."""
    assert read_moment(words, NOW) == datetime.fromisoformat(time).replace(tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("next Friday", "2026-12-04"),
        ("Friday", "2026-12-04"),
        ("on Saturday", "2026-12-05"),
        ("next Sunday", "2026-11-29"),
        ("Monday", "2026-11-30"),
    ],
)
def test_a_weekday_is_the_next_one_after_today(words: str, day: str) -> None:
    """Said on a Saturday."""
    assert read_moment(words, NOW) == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("now", "words", "time"),
    [
        ("2026-03-29T01:30+01:00", "in 1 hour", "2026-03-29T03:30+02:00"),
        ("2026-10-25T01:30+02:00", "in 3 hours", "2026-10-25T03:30+01:00"),
        ("2026-10-25T02:30+02:00", "in an hour", "2026-10-25T02:30+01:00"),
    ],
)
def test_hours_are_as_long_when_the_clock_changes(now: str, words: str, time: str) -> None:
    """From 1:30, an hour later is 3:30 where 2:30 does not exist."""
    found = read_moment(words, datetime.fromisoformat(now).astimezone(BERLIN))
    assert isinstance(found, datetime)
    assert found.isoformat() == datetime.fromisoformat(time).isoformat()


@pytest.mark.parametrize(
    "words",
    ["in 99999999999 days", "in 999999999999999999 hours", "9999-12-31T23:59", "0001-01-01"],
)
def test_a_time_that_no_calendar_has_is_refused(words: str) -> None:
    """However large the number, it is a sentence."""
    with pytest.raises(ToolInputError):
        read_moment(words, NOW)


@pytest.mark.parametrize("name", ["Mars/Olympus", None])
def test_an_unknown_zone_is_left_to_the_tools(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planner reads no times then, and raises nothing: the tool says what is wrong."""
    monkeypatch.setenv("TZ", "Mars/Olympus")
    monkeypatch.setattr("tzlocal.unix._cache_tz", None)  # another test may have asked for the zone
    with pytest.raises(ToolFailedError, match="zone"):
        zone_of(name)
    found = Environment().personal_request("Remind me tomorrow at 9 to call", name, lambda _: ())
    assert found == ()
