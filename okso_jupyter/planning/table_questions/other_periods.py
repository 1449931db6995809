"""Other periods: a month or year of the calendar in place of another, as in "and in December?"."""

from __future__ import annotations

import calendar
from dataclasses import replace
from datetime import date

from okso_jupyter.tables.query import Filter

_DECEMBER = 12


def in_other_period(own: Filter, said: Filter) -> Filter | None:
    """Return a range of days moved to the month or year that is said; None where it is no period.

    The other month is of the same year, and the other year has the same month.

    Args:
        own: The condition of the question before.
        said: What a follow-up says of the same column.
    """
    if own.comparison != "between" or own.part or said.comparison != "=":
        return None
    period = _period(own)
    if period is None or said.part not in {"month", "year"}:
        return None
    year, month = period
    value = int(float(str(said.value)))
    if said.part == "year":
        return _between(own, value, month)
    return _between(own, year, value) if month else None


def _period(own: Filter) -> tuple[int, int] | None:
    """Return the year and month of a range that is a whole month, or the year and 0 of a year."""
    if not isinstance(own.value, tuple):
        return None
    try:
        start, end = (date.fromisoformat(str(each)) for each in own.value)
    except ValueError:
        return None
    if start == date(start.year, 1, 1) and end == date(start.year, _DECEMBER, 31):
        return start.year, 0
    is_month = start.day == 1 and end == _last_day(start.year, start.month)
    return (start.year, start.month) if is_month else None


def _last_day(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _between(own: Filter, year: int, month: int) -> Filter:
    """Return the condition of a month, or of a whole year where the month is 0."""
    start, end = date(year, month or 1, 1), _last_day(year, month or _DECEMBER)
    return replace(own, value=(start.isoformat(), end.isoformat()))
