"""Calendar dates: the time between two, a date before or after one, its weekday."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from dateutil.relativedelta import relativedelta

from okso_jupyter.amounts import counted
from okso_jupyter.calculation.exact import Calculated, rendered

#: Units of a distance between dates.
DATE_UNITS: Final = ("day", "week", "month", "year")
_SHIFT: Final = re.compile(r"(-?\d{1,7}) (day|week|month|year)s?")
#: Fixed names: those of `strftime` are the locale's.
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS: Final[Mapping[str, int]] = {"day": 1, "week": 7}


def weekday(day: str) -> Calculated:
    """Return the weekday of a date in ISO form."""
    parsed = _date(day)
    if parsed is None:
        return _no_date(day)
    name = _weekday(parsed)
    return Calculated(f"{day} is a {name}.", name)


def shifted(day: str, by: str) -> Calculated:
    """Return the date some time after another one, such as "90 days"; before it if negative."""
    parsed, shift = _date(day), _SHIFT.fullmatch(by)
    if parsed is None:
        return _no_date(day)
    if shift is None:
        return Calculated(f"{by!r} is no number of days, weeks, months or years.")
    count, unit = int(shift[1]), shift[2]
    where = f"{counted(abs(count), unit)} {'before' if count < 0 else 'after'} {day}"
    try:
        found = parsed + _distance(count, unit)
    except (OverflowError, ValueError):
        return Calculated(f"There is no date {where}: the calendar ends with the years 1 and 9999.")
    return Calculated(f"{where} is {found.isoformat()}, a {_weekday(found)}.", found.isoformat())


def between(first: str, second: str, unit: str = "day") -> Calculated:
    """Return the time from one date to another, in days, weeks, or months and years."""
    start, end = _date(first), _date(second)
    if start is None or end is None:
        return _no_date(first if start is None else second)
    days = (end - start).days
    sentence = f"From {first} to {second} it is {_days(days)}"
    if unit == "week":
        weeks = Fraction(days, 7)
        sentence += f", which is {rendered(weeks)} week{'' if abs(weeks) == 1 else 's'}"
        return Calculated(f"{sentence}.", days / 7 if days % 7 else days // 7)
    if unit in {"month", "year"}:
        apart = relativedelta(end, start)
        whole = apart.years if unit == "year" else 12 * apart.years + apart.months
        return Calculated(f"{sentence}, which is {_apart(apart, unit)}.", whole)
    return Calculated(f"{sentence}.", days)


def problem_of_dates(day: str, until: str = "", by: str = "") -> str:
    """Return why dates cannot be reckoned with; "" if they can."""
    for text in filter(None, (day, until)):
        if _date(text) is None:
            return f"there is no date {text}"
    return f"{by!r} is no number of days" if by and not _SHIFT.fullmatch(by) else ""


def _distance(count: int, unit: str) -> timedelta | relativedelta:
    if unit in _DAYS:
        return timedelta(days=count * _DAYS[unit])
    return relativedelta(months=count) if unit == "month" else relativedelta(years=count)


def _apart(apart: relativedelta, unit: str) -> str:
    """Return a distance in words, without what is zero."""
    years = apart.years if unit == "year" else 0
    months = 12 * (apart.years - years) + apart.months
    named = (("year", years), ("month", months), ("day", apart.days))
    said = [counted(count, noun) for noun, count in named if count]
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]])) or counted(0, unit)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _no_date(text: str) -> Calculated:
    return Calculated(f"There is no date {text}.")


def _days(count: int) -> str:
    return f"{count:,} day{'' if abs(count) == 1 else 's'}"


def _weekday(day: date) -> str:
    return _WEEKDAYS[day.weekday()]
