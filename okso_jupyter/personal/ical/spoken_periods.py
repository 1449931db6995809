"""Periods in words: "next week", "December", "the end of the month" as first and last days."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from okso_jupyter.personal.ical.spoken_words import MONTHS

#: The first and the last day.
Period = tuple[date, date]

MONTH: Final = {name: number for number, names in enumerate(MONTHS, start=1) for name in names}
_NAME: Final = re.compile(
    r"(?:(?:des|im|der|in der) (?=nächste|kommende))?"
    r"(?P<which>this|the|current|next|diese[nrsm]?|des|der|dem|den|am|nächste[nrsm]?|"
    r"kommende[nrsm]?|übernächste[nrsm]?) "
    r"(?P<unit>week|woche|month|monats?|year|jahr(?:es)?|weekend|wochenendes?)"
    r"(?P<later> after next)?"
)
_MONTH_NAME: Final = re.compile(
    rf"(?:(?:this|the|next|coming|diese[nrsm]?|nächste[nrsm]?|kommende[nrsm]?) )?"
    rf"(?P<month>{'|'.join(MONTH)})\.?(?: (?P<year>20\d\d))?"
)
_END: Final = re.compile(
    r"(?:end|ende|last day|letzte[rn]? tag) (?:(?:of|in|im|vom) )?(?P<period>.+)"
)
_BEGINNING: Final = re.compile(
    r"(?:beginning|start|anfang|first day|1th day|1st day) (?:of )?(?P<period>.+)"
)


def month_after(day: date, count: int) -> date | None:
    """Return the same day so many months later, or the last of that month; None past 9999."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    if year > date.max.year:
        return None
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _week(today: date, ahead: int) -> Period:
    monday = today + timedelta(days=7 * ahead - today.weekday())
    return monday, monday + timedelta(days=6)


def _weekend(today: date, ahead: int) -> Period:
    sunday = _week(today, ahead)[1]
    return sunday - timedelta(days=1), sunday


def _month(today: date, ahead: int) -> Period:
    first = month_after(today.replace(day=1), ahead) or today
    return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])


def _year(today: date, ahead: int) -> Period:
    return date(today.year + ahead, 1, 1), date(today.year + ahead, 12, 31)


_UNITS: Final[Mapping[str, Callable[[date, int], Period]]] = {
    "weekend": _weekend, "wochenend": _weekend, "we": _week, "wo": _week, "mo": _month,
    "ye": _year, "ja": _year,
}  # fmt: skip


def named_period(text: str, today: date) -> Period | None:
    """Return the whole week, weekend, month or year that words name; None for others.

    A month without its year is the present or the next one of its name.

    Args:
        text: The words in small letters.
        today: The present day.
    """
    month = _MONTH_NAME.fullmatch(text)
    if month:
        number = MONTH[month["month"]]
        year = int(month["year"] or today.year + (number < today.month))
        return _month(date(year, number, 1), 0)
    match = _NAME.fullmatch(text)
    if match is None or (match["which"] == "am" and not match["unit"].startswith("wochenend")):
        return None
    which = match["which"]
    ahead = 2 if which.startswith("über") else int(which.startswith(("next", "nächst", "kommend")))
    of = next(period for start, period in _UNITS.items() if match["unit"].startswith(start))
    return of(today, 2 if match["later"] else ahead)


def edge_of_period(text: str, today: date) -> date | None:
    """Return the day of "the end of the week" or "the start of next month"; None for other words.

    Args:
        text: The words in small letters, without an article before them.
        today: The present day.
    """
    for pattern, edge in ((_END, 1), (_BEGINNING, 0)):
        match = pattern.fullmatch(text)
        period = match and (
            named_period(match["period"], today) or named_period(f"the {match['period']}", today)
        )
        if period and (edge or period[0] > today):
            return period[edge]
    return None
