"""Periods: the days and months that a question names, such as "after February 2026"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import time_at
from okso_jupyter.planning.table_questions.words import MONTHS, QuestionWords
from okso_jupyter.tables.query import Comparison, Filter

_FIRST_YEAR, _LAST_YEAR = 1000, 2200
_MOST_DAYS: Final = 31
#: How dates compare with the last day of a period (">", "<=") or its first one -> words before it.
_LED: Final[dict[Comparison, frozenset[str]]] = {
    ">": frozenset("after nach danach past".split()),
    ">=": frozenset("since seit from ab starting".split()),
    "<": frozenset("before vor".split()),
    "<=": frozenset("until till through bis".split()),
}
_SPANNED: Final = frozenset("between zwischen from von".split())
_TO: Final = frozenset("to bis until till through".split())
_JOINED: Final = frozenset({*_TO, "and", "und"})
_LAST: Final = frozenset("last latest".split())
_HALVES: Final = {
    "first": 1, "1": 1, "1st": 1, "second": 7, "2": 7, "2nd": 7, "zweiten": 7, "zweite": 7,
    "zweites": 7, "last": 7,
}  # fmt: skip
_HALF: Final = frozenset({"half", "halbjahr", "jahreshalfte"})
#: Units of several, in days, and in months of the calendar.
_DAYS_OF: Final = {"days": 1, "weeks": 7}
_CALENDAR_MONTHS_OF: Final = {"months": 1, "years": 12}
_COUNT: Final = re.compile(r"\d{1,3}")
_MONTHS_OF: Final = {"month": 1, "quarter": 3, "year": 12}
#: "In the last month" is a time, and "the last month with snow" is asked for.
_IN: Final = frozenset("in during of for from".split())
#: Such a time in a question in English, as tokens with blanks between.
LAST_PERIOD: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(_IN))}) (?:the )?(?:{'|'.join(sorted(_LAST))}|past) "
    rf"(?:{'|'.join(_MONTHS_OF)}|(?:\d+|two|three|four|six|ten|twelve) "
    rf"(?:{'|'.join((*_DAYS_OF, *_CALENDAR_MONTHS_OF))}))\b"
)
#: "The first half of 2024" is a time, and nothing that comes first.
PART_OF_YEAR: Final = re.compile(
    r"\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:half|quarter)\b"
    r"(?= (?:of|in) (?:the )?(?:year|\d{4})| \d{4})"
)
#: The words between a month and the year behind the next one: "1 May and the 3rd of June 2024".
_FAR: Final = 7
#: Words between a leading word and its period: "after the 3rd of May 2025".
_SKIPPED: Final = frozenset("the of th st nd rd dem den end start".split())


@dataclass(frozen=True, slots=True)
class Period:
    """Days that a question names.

    Attributes:
        places: The places of the question's words for them.
        first: The first day.
        last: The last day.
        time: The time of that one day, as "18:00"; "" for all of it.
    """

    places: range
    first: date
    last: date
    time: str = ""

    @property
    def ends(self) -> tuple[str, str]:
        """The first and the last day, or that moment."""
        first, last = (f"{day} {self.time}".rstrip() for day in (self.first, self.last))
        return first, last

    def filter(self, column: str, comparison: Comparison = "between") -> Filter:
        """Return the comparison of a column of dates with the period."""
        if comparison == "between":
            return Filter(column, "between", self.ends)
        return Filter(column, comparison, self.ends[comparison in {">", "<="}])


def periods(
    question: QuestionWords,
    years: Mapping[int, int] | None = None,
    latest: date | None = None,
    *,
    with_times: bool = False,
) -> list[Period]:
    """Return the days, and the months with their year, that a question names.

    Args:
        question: The question.
        years: The year that is meant where a day of a month has none: "May 1st".
        latest: The last day that there is, in "the last month" of a list.
        with_times: Whether the time behind a day is part of it.
    """
    found: list[Period] = []
    for place in range(len(question.raw)):
        if found and place in found[-1].places:
            continue
        period = (
            _written(question, place)
            or _named(question, place)
            or _with_later_year(question, place)
            or _half(question, place)
            or _day_of_any_year(question, place, years or {})
            or _month_of_any_year(question, place, years or {})
            or _last(question, place, latest)
            or _last_of_several(question, place, latest)
        )
        if period:
            found.append(_until_time(question, period) if with_times else period)
    return found


def _until_time(question: QuestionWords, period: Period) -> Period:
    """Return a day with the time behind it, as in "3 May at 18:00"; others as they are."""
    stop = period.places.stop
    start = stop + (question.raw[stop : stop + 1] in {("at",), ("um",)})
    time = time_at(question, start) if start < len(question.raw) else None
    if time is None or period.first != period.last:
        return period
    return replace(period, places=range(period.places.start, time.places.stop), time=time.text)


def period_filters(
    question: QuestionWords,
    column: str,
    years: Mapping[int, int] | None = None,
    latest: date | None = None,
    *,
    with_times: bool = False,
) -> Iterator[tuple[Filter, frozenset[int]]]:
    """Yield what a question says of the dates in a column, with the places of its words.

    Args:
        question: The question.
        column: The column.
        years: The only year in which it has dates of a month.
        latest: Its last date.
        with_times: Whether its dates have times of day.
    """
    found = periods(question, years, latest, with_times=with_times)
    for a, b in pairwise(found):
        between = question.raw[a.places.stop : b.places.start]
        led = question.raw[a.places.start - 1] if a.places.start else ""
        if len(found) == 2 and _is_span(led, between):  # noqa: PLR2004  two ends
            ends = (a.ends[0], b.ends[1])
            if a.first <= b.last:  # November to February may be of one year
                both = range(a.places.start, b.places.stop)
                yield Filter(column, "between", ends), frozenset(both)
            return
    for period in found:
        comparison, first = _led(question, period)
        yield period.filter(column, comparison), frozenset(range(first, period.places.stop))


def _is_span(led: str, between: Sequence[str]) -> bool:
    """Return whether words make one time of two: "from May and", but also "May to June".

    "May compared to June" are two.
    """
    is_to = not _TO.isdisjoint(between) and _SKIPPED.union(_TO).issuperset(between)
    return is_to or (led in _SPANNED and not _JOINED.isdisjoint(between))


def _led(question: QuestionWords, period: Period) -> tuple[Comparison, int]:
    """Return how dates compare with a period, and the place where that is said."""
    place = period.places.start - 1
    while place >= 0 and question.raw[place] in _SKIPPED:
        place -= 1
    said = question.raw[place] if place >= 0 else ""
    for comparison, words in _LED.items():
        if said in words:
            return comparison, place
    return "between", period.places.start


def _written(question: QuestionWords, place: int) -> Period | None:
    """Return the day that is written as 2026-03-15 or 15.03.2026 from a place on."""
    words = question.raw[place : place + 3]
    if len(words) == 3 and "-".join(words) in question.text:  # noqa: PLR2004  year, month, day
        return _day(words[0], words[1], words[2], range(place, place + 3))
    if len(words) > 1 and "." in words[0] and ".".join(words[:2]) in question.text:
        day, _, month = words[0].partition(".")
        return _day(words[1], month, day, range(place, place + 2))
    return None


def _named(question: QuestionWords, place: int) -> Period | None:
    """Return the day or month that is named as "March 2025" or "3 March 2025" at a place."""
    month = MONTHS.get(question.english[place])
    if month is None:
        return None
    behind = [word for word in question.raw[place + 1 : place + 4] if word not in _SKIPPED]
    start, before = _before(question, place)
    if behind and _is_year(behind[0]):
        stop = question.raw.index(behind[0], place) + 1
        if before.isdigit() and int(before) <= _MOST_DAYS:
            return _day(behind[0], month, before, range(start, stop))
        last = calendar.monthrange(int(behind[0]), month)[1]
        year = int(behind[0])
        return Period(range(place, stop), date(year, month, 1), date(year, month, last))
    if len(behind) > 1 and behind[0].isdigit() and _is_year(behind[1]):
        stop = question.raw.index(behind[1], place) + 1
        return _day(behind[1], month, behind[0], range(place, stop))
    return None


def _with_later_year(question: QuestionWords, place: int) -> Period | None:
    """Return the first of two days or months of which only the second is named with its year."""
    month = MONTHS.get(question.english[place])
    start, before = _before(question, place)
    is_day = before.isdigit() and int(before) <= _MOST_DAYS
    first = start if is_day else place
    led = question.raw[first - 1] if first else ""
    rest = question.raw[place + 1 : place + 1 + _FAR]
    if month is None or not rest or not _is_span(led, rest[:1]):
        return None
    year = next((word for word in rest if _is_year(word)), "")
    if not year or not any(word in MONTHS for word in question.english[place + 1 : place + 5]):
        return None
    if is_day:
        return _day(year, month, before, range(start, place + 1))
    last = calendar.monthrange(int(year), month)[1]
    return Period(range(place, place + 1), date(int(year), month, 1), date(int(year), month, last))


def _before(question: QuestionWords, place: int) -> tuple[int, str]:
    """Return the place of the word before a month, and the word: "3" in "3rd of May"."""
    start = place - 1
    while start >= 0 and question.raw[start] in _SKIPPED:
        start -= 1
    return (start, question.raw[start]) if start >= 0 else (place, "")


def _day_of_any_year(
    question: QuestionWords, place: int, years: Mapping[int, int]
) -> Period | None:
    """Return the day that is named without its year as "May 1st" or "1 May" at a place."""
    month = MONTHS.get(question.english[place])
    year = years.get(month) if month else None
    if month is None or year is None:
        return None
    behind = question.raw[place + 1] if place + 1 < len(question.raw) else ""
    is_day = behind.isdigit() and int(behind) <= _MOST_DAYS
    if is_day and time_at(question, place + 1) is None:
        return _day(str(year), month, behind, range(place, place + 2))
    start, before = _before(question, place)
    if before.isdigit() and int(before) <= _MOST_DAYS:
        return _day(str(year), month, before, range(start, place + 1))
    return None


def _month_of_any_year(
    question: QuestionWords, place: int, years: Mapping[int, int]
) -> Period | None:
    """Return the month without its year that dates are compared with: "before May", "May to July".

    "In May" is so of any year.
    """
    month = MONTHS.get(question.english[place])
    year = years.get(month) if month else None
    if month is None or year is None or not (_is_led(question, place) or _spans(question, place)):
        return None
    last = calendar.monthrange(year, month)[1]
    return Period(range(place, place + 1), date(year, month, 1), date(year, month, last))


def _is_led(question: QuestionWords, place: int) -> bool:
    """Return whether dates are compared with the period at a place."""
    _, before = _before(question, place)
    return any(before in words for words in _LED.values())


def _spans(question: QuestionWords, place: int) -> bool:
    """Return whether a month is one end of several: "January to April"."""
    before = ("", "", *question.english[:place])[-2:]
    behind = (*question.english[place + 1 : place + 3], "", "")[:2]
    return any(joining in _TO and other in MONTHS for joining, other in (reversed(before), behind))


def _half(question: QuestionWords, place: int) -> Period | None:
    """Return the half of a year that is named as "first half of 2024" at a place."""
    words = question.english[place : place + 5]
    behind = [word for word in words[2:] if word not in _SKIPPED]
    first = _HALVES.get(words[0])
    if first is None or _HALF.isdisjoint(words[1:2]) or not behind:
        return None
    if not _is_year(behind[0]):
        return None
    year = int(behind[0])
    last = date(year, first + 5, 30 if first == 1 else 31)
    stop = question.english.index(behind[0], place) + 1
    return Period(range(place, stop), date(year, first, 1), last)


def _last(question: QuestionWords, place: int, latest: date | None) -> Period | None:
    """Return the month, quarter or year of the last date, which "the last month" names."""
    unit, *behind = (*question.english[place + 1 : place + 3], "")
    if latest is None or question.english[place] not in _LAST or unit not in _MONTHS_OF:
        return None
    if not _IN.intersection(question.english[max(0, place - 2) : place]) or behind[0].isdigit():
        return None
    months = _MONTHS_OF[unit]
    first = date(latest.year, (latest.month - 1) // months * months + 1, 1)
    end = first.month + months - 1
    last = date(latest.year, end, calendar.monthrange(latest.year, end)[1])
    return Period(range(place, place + 2), first, last)


def _last_of_several(question: QuestionWords, place: int, latest: date | None) -> Period | None:
    """Return the last days, weeks, months or years of the dates: "in the last 3 months"."""
    count, unit = (*question.words[place + 1 : place + 3], "", "")[:2]
    is_last = question.english[place] in {*_LAST, "past"}
    if latest is None or not is_last or not _COUNT.fullmatch(count):
        return None
    if not _IN.intersection(question.english[max(0, place - 2) : place]):
        return None
    places = range(place, place + 3)
    if unit in _DAYS_OF:
        last = date(latest.year, latest.month, latest.day)  # dates of a column have hours
        return Period(places, last - timedelta(days=_DAYS_OF[unit] * int(count) - 1), last)
    if unit not in _CALENDAR_MONTHS_OF:
        return None
    before = latest.year * 12 + latest.month - _CALENDAR_MONTHS_OF[unit] * int(count)
    if before < _FIRST_YEAR * 12:
        return None
    last = date(latest.year, latest.month, calendar.monthrange(latest.year, latest.month)[1])
    return Period(places, date(before // 12, before % 12 + 1, 1), last)


def _is_year(word: str) -> bool:
    return word.isdigit() and _FIRST_YEAR <= int(word) <= _LAST_YEAR


def _day(year: str, month: str | int, day: str, places: range) -> Period | None:
    """Return one day; None where there is no such day."""
    if not _is_year(year):
        return None
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return Period(places, found, found)
