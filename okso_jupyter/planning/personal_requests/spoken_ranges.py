"""Spoken ranges: "today", "next week", "by Friday", "on 3 December" as a first and a last day."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from okso_jupyter.personal.ical.spoken_moments import spoken_moment

Range = tuple[date, date]


def _week(today: date) -> Range:
    return today, today + timedelta(days=6 - today.weekday())


def _next_week(today: date) -> Range:
    monday = today + timedelta(days=7 - today.weekday())
    return monday, monday + timedelta(days=6)


def _after_next_week(today: date) -> Range:
    return tuple(day + timedelta(days=7) for day in _next_week(today))  # type: ignore[return-value]


def _weekend(today: date) -> Range:
    sunday = today + timedelta(days=6 - today.weekday())
    return max(today, sunday - timedelta(days=1)), sunday


def _month(today: date) -> Range:
    first_of_next = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    return today, first_of_next - timedelta(days=1)


def _next_month(today: date) -> Range:
    first = _month(today)[1] + timedelta(days=1)
    return first, _month(first)[1]


def _days(count: int) -> Callable[[date], Range]:
    return lambda today: (today, today + timedelta(days=count - 1))


_NAMED: Final[Mapping[str, Callable[[date], Range]]] = {
    "this week": _week, "the week": _week, "diese woche": _week,
    "the rest of the week": _week, "the rest of this week": _week,
    "the week after next": _after_next_week, "übernächste woche": _after_next_week,
    "next couple of days": _days(3), "the next couple of days": _days(3),
    "in den nächsten tagen": _days(4), "the weekend": _weekend, "next week": _next_week,
    "der nächsten woche": _next_week, "nächste woche": _next_week, "kommende woche": _next_week,
    "this weekend": _weekend, "am wochenende": _weekend,
    "this month": _month, "diesen monat": _month,
    "next month": _next_month, "nächsten monat": _next_month,
    "the next few days": _days(4), "the coming days": _days(4), "the next seven days": _days(7),
}  # fmt: skip
_MONTHS: Final = (
    ("january", "januar"), ("february", "februar"), ("march", "märz"), ("april",), ("may", "mai"),
    ("june", "juni"), ("july", "juli"), ("august",), ("september",), ("october", "oktober"),
    ("november",), ("december", "dezember"),
)  # fmt: skip
_MONTH: Final = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}
_BETWEEN: Final = re.compile(
    r"(?:from|between|von|zwischen)? ?(?P<first>.+?) (?:to|until|till|through|and|bis|und) "
    r"(?P<last>.+)"
)
_SMALL: Final = re.compile(r"^(?:for|in|on|during|over|at|within|due|für|von|of) ")
_UNTIL: Final = re.compile(r"^(?:by|until|till|up to|bis)(?: zum)? ")
_NEXT_DAYS: Final = re.compile(
    r"(?:in |for )?the next (\d{1,3}) days|in den nächsten (\d{1,3}) tagen"
)


def spoken_range(text: str, now: datetime) -> Range | None:
    """Return the first and the last day of a range; None where a word is not understood.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.
    """
    said = " ".join(text.lower().split()).strip(" ,.?")
    ahead = _NEXT_DAYS.fullmatch(said)
    if ahead:
        return _days(int(ahead[1] or ahead[2]))(now.date())
    for words in (said, _SMALL.sub("", said)):
        if words in _NAMED:
            return _NAMED[words](now.date())
        if words in _MONTH:
            return _whole_month(_MONTH[words], now.date())
    both = _BETWEEN.fullmatch(said)
    if both:
        first, last = (spoken_range(both[name], now) for name in ("first", "last"))
        if first and last and first[0] <= last[1]:
            return first[0], last[1]
    until = _UNTIL.sub("", said)
    moment = spoken_moment(until, now)
    if moment is None:
        return None
    day = moment.date() if isinstance(moment, datetime) else moment
    return (now.date() if until != said else day), day


def _whole_month(number: int, today: date) -> Range:
    """Return the rest of a month of this year, or the same one of the next."""
    year = today.year + (number < today.month)
    first = date(year, number, 1)
    return max(first, today), _month(first)[1]
