"""Spoken moments: the ways in which people say days and times, and words that are none."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from okso_jupyter.personal.ical.spoken_moments import spoken_moment
from tests.each_row import each_row

#: A Saturday.
NOW: Final = datetime(2026, 11, 28, 15, 0)  # noqa: DTZ001  a local time
LENGTHS: Final = (
    ("in twenty-five minutes", "2026-11-28T15:25"),
    ("in two and a half hours", "2026-11-28T17:30"),
    ("in an hour and a half", "2026-11-28T16:30"),
    ("in an hour and twenty minutes", "2026-11-28T16:20"),
    ("in three quarters of an hour", "2026-11-28T15:45"),
    ("in a quarter of an hour", "2026-11-28T15:15"),
    ("in 2 hrs", "2026-11-28T17:00"),
    ("two hours from now", "2026-11-28T17:00"),
    ("in einer halben Stunde", "2026-11-28T15:30"),
    ("in einer Viertelstunde", "2026-11-28T15:15"),
    ("in fünfundvierzig Minuten", "2026-11-28T15:45"),
    ("in zweieinhalb Stunden", "2026-11-28T17:30"),
    ("in anderthalb Stunden", "2026-11-28T16:30"),
    ("in ein paar Tagen", "2026-12-01"),
    ("in vierzehn Tagen", "2026-12-12"),
    ("in a month", "2026-12-28"),
    ("in two months' time", "2027-01-28"),
    ("in einem Jahr", "2027-11-28"),
    ("in a fortnight at noon", "2026-12-12T12:00"),
)
FROM_A_DAY: Final = (
    ("heute in einer Woche", "2026-12-05"),
    ("heute in vierzehn Tagen", "2026-12-12"),
    ("Dienstag in einer Woche", "2026-12-08"),
    ("two weeks today", "2026-12-12"),
    ("a week tomorrow", "2026-12-06"),
    ("Tuesday fortnight", "2026-12-15"),
    ("the day before Christmas", "2026-12-24"),
    ("the day after New Year's Day", "2027-01-02"),
    ("am Tag vor Heiligabend", "2026-12-23"),
    ("zwei Tage vor Weihnachten", "2026-12-23"),
    ("three days after Boxing Day", "2026-12-29"),
    ("2 days before the end of December", "2026-12-29"),
    ("Silvester um 22 Uhr", "2026-12-31T22:00"),
    ("New Year's Day, 11am", "2027-01-01T11:00"),
    ("Neujahr", "2027-01-01"),
    ("Boxing Day at noon", "2026-12-26T12:00"),
)
IN_A_PERIOD: Final = (
    ("the third Thursday of the month", "2026-12-17"),
    ("the last Friday of January at 5", "2027-01-29T17:00"),
    ("the first Monday of November", "2027-11-01"),
    ("der letzte Freitag im Januar", "2027-01-29"),
    ("am ersten Montag im Januar um 9", "2027-01-04T09:00"),
    ("am zweiten Dienstag des nächsten Monats", "2026-12-08"),
    ("am 5. nächsten Monats", "2026-12-05"),
    ("nächste Woche Dienstag um 3", "2026-12-01T15:00"),
    ("Donnerstag nächster Woche", "2026-12-03"),
    ("Montag übernächste Woche", "2026-12-07"),
    ("übernächsten Montag", "2026-12-07"),
    ("Monday after next", "2026-12-07"),
    ("the week after next on Friday", "2026-12-11"),
    ("am Ende des Monats", "2026-11-30"),
    ("Ende nächster Woche", "2026-12-06"),
    ("zum Monatsende", "2026-11-30"),
    ("the start of next month", "2026-12-01"),
    ("by the end of next month", "2026-12-31"),
    ("by the end of the year", "2026-12-31"),
    ("EOD", "2026-11-28"),
    ("next weekend", "2026-12-05"),
    ("on the weekend", "2026-11-28"),
    ("at new year", "2027-01-01"),
    ("am Wochenende", "2026-11-28"),
)
DATES: Final = (
    ("the fourth of January", "2027-01-04"),
    ("the twenty-first of December", "2026-12-21"),
    ("January the second at 4", "2027-01-02T16:00"),
    ("on the thirtieth at half past one", "2026-11-30T13:30"),
    ("am zwölften um neun", "2026-12-12T09:00"),
    ("am 12. um 9", "2026-12-12T09:00"),
    ("am einundzwanzigsten Dezember", "2026-12-21"),
    ("am dritten Januar", "2027-01-03"),
    ("4.12", "2026-12-04"),
    ("27.11.", "2027-11-27"),
    ("by 5/12", "2026-12-05"),
    ("24.12.27", "2027-12-24"),
    ("4.12. um 9", "2026-12-04T09:00"),
    ("on Sun", "2026-11-29"),
)
CLOCKS: Final = (
    ("at 7", "2026-11-29T07:00"),
    ("a quarter to one", "2026-11-29T12:45"),
    ("quarter past twelve", "2026-11-29T12:15"),
    ("Montagmorgen um halb acht", "2026-11-30T07:30"),
    ("Freitagabend um 8", "2026-12-04T20:00"),
    ("Dienstagnachmittag", "2026-12-01T15:00"),
    ("Freitag früh", "2026-12-04T09:00"),
    ("um fünf vor halb acht", "2026-11-29T07:25"),
    ("seven thirty tomorrow", "2026-11-29T07:30"),
    ("tomorrow at seven forty-five", "2026-11-29T07:45"),
    ("at 0915", "2026-11-29T09:15"),
    ("1430 hours on Monday", "2026-11-30T14:30"),
    ("9.40 on Monday", "2026-11-30T09:40"),
    ("8 tonight", "2026-11-28T20:00"),
    ("seven tomorrow evening", "2026-11-29T19:00"),
    ("acht Uhr abends", "2026-11-28T20:00"),
    ("um acht Uhr morgens", "2026-11-29T08:00"),
    ("tomorrow at 12 noon", "2026-11-29T12:00"),
    ("first thing on Monday", "2026-11-30T09:00"),
    ("Sat at 9", "2026-12-05T09:00"),
    ("Sa um 14 Uhr", "2026-12-05T14:00"),
)
AFTERNOON: Final = (
    ("at 4", "2026-11-28T16:00"),
    ("at 6", "2026-11-28T18:00"),
    ("at half two", "2026-11-29T14:30"),
    ("at 4:12", "2026-11-28T16:12"),
    ("um 4 Uhr", "2026-11-28T16:00"),
    ("Montag um viertel vor vier", "2026-11-30T15:45"),
    ("ten minutes to five", "2026-11-28T16:50"),
    ("at twenty-five past three", "2026-11-28T15:25"),
    ("around 5 on Monday", "2026-11-30T17:00"),
    ("tomorrow at 1", "2026-11-29T13:00"),
)
NIGHT: Final = (
    ("um 04 Uhr", "2026-11-29T04:00"),
    ("at 04:00", "2026-11-29T04:00"),
    ("at 4 in the morning", "2026-11-29T04:00"),
    ("at 4am", "2026-11-29T04:00"),
    ("tomorrow night at 2", "2026-11-29T02:00"),
    ("heute morgen um 6", "2026-11-28T06:00"),
    ("morgen früh um 5", "2026-11-29T05:00"),
    ("half six tomorrow morning", "2026-11-29T06:30"),
)
NO_MOMENTS: Final = (
    "at 25", "32nd of May", "Feb 30", "the 31st of June", "31.6.", "in a while", "soon",
    "later today", "march to the office", "may", "march", "second", "first", "the first",
    "the second", "the sun",
    "sun", "sat", "wed", "mo", "so", "do", "one", "elf", "9.40", "14.30", "1700", "2027", "half",
    "quarter", "christmas cards", "the end", "in the end", "week", "a week", "two weeks",
    "30 minutes", "the week", "Jan", "coat of paint", "2 tickets", "chapter 9.4", "the first draft",
    "a happy new year", "the new year", "the weekend", "Monday in two weeks",
    "the 5th Monday of February 2027", "in 99999 years",
)  # fmt: skip


@each_row(
    ("words", "time"), [*LENGTHS, *FROM_A_DAY, *IN_A_PERIOD, *DATES, *CLOCKS, *AFTERNOON, *NIGHT]
)
def test_a_spoken_time_is_read(words: str, time: str) -> None:
    """Lengths, days from a day, days of a period, dates and times of the clock."""
    found = spoken_moment(words, NOW)
    expected = datetime.fromisoformat(time) if "T" in time else date.fromisoformat(time)
    assert found == expected
    assert isinstance(found, datetime) == isinstance(expected, datetime)


@each_row("words", NO_MOMENTS)
def test_words_that_name_no_day_or_time_are_none(words: str) -> None:
    """Neither what no calendar has nor an ordinary word is a moment."""
    assert spoken_moment(words, NOW) is None


def test_a_feast_is_todays_on_its_day() -> None:
    """On Christmas Eve, Christmas Eve is today, and the day before is that of next year."""
    eve = datetime(2026, 12, 24, 9, 0)  # noqa: DTZ001  a local time
    assert spoken_moment("Christmas Eve", eve) == date(2026, 12, 24)
    assert spoken_moment("Nikolaus", eve) == date(2027, 12, 6)
