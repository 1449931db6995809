"""Clock times, speeds and leap years, which the calculator answers as a quantity or as dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

_CLOCK: Final = r"(\d\d?)(?:[:.](\d\d)|(?= ?[ap]m))(?: ?(am|pm)| ?uhr)?"
_TIME_UNIT: Final = r"(hours?|minutes?|seconds?|stunden|minuten|sekunden)"
_BETWEEN_CLOCKS: Final = re.compile(
    rf"(?:(?:how many|wie ?viele?) {_TIME_UNIT} (?:(?:are|is it|there|sind es|liegen) )*|"
    r"(?:how long (?:is it )?|how much time is (?:it |there )?|wie lange ist es ))"
    rf"(?:between|from|zwischen|von) {_CLOCK} (?:and|to|until|till|und|bis) {_CLOCK}"
)
_AMOUNT: Final = r"(\d+(?:\.\d+)?)"
_SPEEDS: Final[Mapping[str, str]] = {
    "km/h": "km", "kmh": "km", "kph": "km", "km per hour": "km",
    "mph": "mile", "miles per hour": "mile",
}  # fmt: skip
_LENGTHS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("km", "kilometers", "kilometres", "kilometer"), "km"),
    **dict.fromkeys(("mile", "miles", "mi"), "mile"),
}
_TRAVEL: Final = re.compile(
    rf"(?:how many {_TIME_UNIT}|how long) "
    r"(?:(?:is|are|takes?|does it take|do i need|will it take) )?"
    r"(?:(?:for|to|travel|drive|go|ride|run|cover) )*"
    rf"{_AMOUNT} ({'|'.join(_LENGTHS)})(?: take)? (?:at|with|mit|bei) (?:a speed of )?"
    rf"{_AMOUNT} ({'|'.join(map(re.escape, _SPEEDS))})"
)
_LEAP_YEAR: Final = re.compile(
    r"(?:is|was|will|ist|war) (\d{4}) (?:be )?(?:an? |ein )?(?:leap year|schaltjahr)"
)
_GERMAN: Final = {"stunden": "hours", "minuten": "minutes", "sekunden": "seconds"}
_HOURS: Final = 24
_MINUTES: Final = 60
_LAST_YEAR: Final = 9998


def times_asked(text: str) -> Mapping[str, Any] | None:
    """Return the arguments for a text in small letters that asks such a thing alone; else None."""
    clocks = _BETWEEN_CLOCKS.fullmatch(text)
    if clocks:
        return _between(clocks)
    travel = _TRAVEL.fullmatch(text)
    if travel:
        unit, length, length_unit, speed, speed_unit = travel.groups()
        if _LENGTHS[length_unit] != _SPEEDS[speed_unit] or not float(speed):
            return None
        hours = Fraction(length) / Fraction(speed)
        written = f"{length}/{speed}" if f"{length}{speed}".isdigit() else str(hours)
        return {"quantity": f"{written} hours", "to": _unit(unit)}
    leap = _LEAP_YEAR.fullmatch(text)
    if leap and 0 < int(leap[1]) <= _LAST_YEAR:
        # a leap year has 366 days
        return {"date": f"{leap[1]}-01-01", "until": f"{int(leap[1]) + 1:04d}-01-01"}
    return None


def _between(found: re.Match[str]) -> Mapping[str, Any] | None:
    """Return the time between two clock times; an earlier one is of the next day."""
    unit, *parts = found.groups()
    start, end = _minute_of(*parts[:3]), _minute_of(*parts[3:])
    if start is None or end is None:
        return None
    hours, minutes = divmod((end - start) % (_HOURS * _MINUTES), _MINUTES)
    said = [f"{count} {name}" for count, name in ((hours, "hours"), (minutes, "minutes")) if count]
    return {"quantity": " ".join(said) or "0 minutes", "to": _unit(unit)}


def _minute_of(hour: str, minute: str | None, half: str | None) -> int | None:
    """Return a clock time as minutes of the day; None if there is no such time."""
    hours, minutes = int(hour), int(minute or 0)
    if half in {"am", "pm"}:
        if not 1 <= hours <= _HOURS // 2:
            return None
        hours = hours % (_HOURS // 2) + (_HOURS // 2 if half == "pm" else 0)
    return hours * _MINUTES + minutes if hours < _HOURS and minutes < _MINUTES else None


def _unit(word: str | None) -> str:
    """Return the unit that a time is told in, in English; minutes where none is said."""
    return _GERMAN.get(word or "minutes", word or "minutes")
