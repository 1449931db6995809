"""Limits of the components that are read: other people write them, as in an invitation.

A rule that comes every second, or a date at the end of time, must neither keep a call at work for
ever nor hide the other files of the folder.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

import icalendar

from okso_jupyter.personal.ical.readable_years import YEARS, is_in_range

_MAX_LENGTH: Final = timedelta(days=36_525)
#: How often a rule may come in one day.
_MOST_A_DAY: Final = 24
_TIMES: Final = ("BYHOUR", "BYMINUTE", "BYSECOND")
_BY_DAY: Final = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})


def fault_of(component: icalendar.Component) -> str:
    """Return why an event or task is not read; empty if it is."""
    for name, value in _values(component):
        if isinstance(value, date) and not is_in_range(value):
            return f"has a date outside the years {YEARS}"
        if isinstance(value, timedelta) and abs(value) > _MAX_LENGTH:
            return f"takes longer than {_MAX_LENGTH.days:,} days"
        if name == "RRULE" and not isinstance(value, icalendar.vRecur):
            return "comes again by a rule that cannot be read"
        if isinstance(value, icalendar.vRecur) and not _is_seldom(value):
            return f"comes more than {_MOST_A_DAY} times a day, or by a rule that never moves on"
    return ""


def _values(component: icalendar.Component) -> Iterator[tuple[str, Any]]:
    """Yield the dates, lengths, rules and texts of a component, each with its property's name."""
    for name, held in component.property_items(recursive=False):
        # asked by class: a property that cannot be read raises for each attribute
        several = held.dts if isinstance(held, icalendar.vDDDLists) else (held,)
        for one in several:
            yield name, one.dt if isinstance(one, icalendar.vDDDTypes) else one


def _is_seldom(rule: icalendar.vRecur) -> bool:
    """Return whether a rule moves on, and not more often than once an hour."""
    frequency = str(next(iter(rule.get("FREQ") or ()), "")).upper()
    times = math.prod(len(rule.get(name) or [0]) for name in _TIMES)
    is_moving = all(int(step) > 0 for step in rule.get("INTERVAL") or [1])
    if frequency == "HOURLY":
        # with days or months too, one that never comes would be looked for by the hour
        return is_moving and not any(name.startswith("BY") for name in rule)
    return is_moving and frequency in _BY_DAY and times <= _MOST_A_DAY
