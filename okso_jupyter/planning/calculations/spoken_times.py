"""Clock times, speeds and leap years, which the calculator answers as a quantity or as dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final


def _clock(name: str) -> str:
    """Return the pattern of a clock time, whose parts have names that begin with `name`."""
    return (
        rf"(?P<{name}_hour>\d\d?)(?:[:.](?P<{name}_minute>\d\d)|(?= ?[ap]m))"
        rf"(?: ?(?P<{name}_half>am|pm)| ?uhr)?"
    )


_TIME_UNIT: Final = r"(?P<unit>hours?|minutes?|seconds?|stunden|minuten|sekunden)"
_UNNAMED_UNIT: Final = r"(hours?|minutes?|seconds?|stunden|minuten|sekunden)"
_PAUSE: Final = (
    r"(?: (?:of |for )?(?:(?:a |an |the )?(?:unpaid |lunch )?break|lunch|pause|mittagspause|"
    r"unterbrechung))"
)
_LESS: Final = r"(?:minus|less|abzüglich|without|excluding|not counting|ohne)"
_PAUSED: Final = (
    r"(?P<paused>\d{1,4}|an?|one|half an|eine[rn]?)[ -]?"
    r"(?:(?P<paused_hours>h|hrs?|hours?|stunden?)|min(?:s|utes?|uten?)?)"
)
#: Time that is taken off: "minus 30 minutes", "with a break of 45 minutes".
_WITH_BREAK: Final = (
    rf"(?:,? (?:{_LESS} (?:a |the |einer |eine |von )?{_PAUSED}{_PAUSE}?|"
    rf"(?:with|and|mit|und) (?:an? |the |einer |eine )?(?:{_PAUSED.replace('paused', 'rested')}"
    rf"{_PAUSE}|(?:lunch )?(?:break|pause|mittagspause) (?:of|von) "
    rf"{_PAUSED.replace('paused', 'stopped')})))"
)
_FROM_TO: Final = (
    rf"(?:between|from|zwischen|von) {_clock('start')} (?:and|to|until|untill|till|und|bis) "
    rf"{_clock('end')}"
)
_WORK: Final = (
    r"(?:(?:are|is it|is|it|there|did i work|do i work|have i worked|was i there|sind es|sind das|"
    r"liegen|ist es|habe ich|arbeite ich|arbeitet man) )*"
)
_CLOCK_QUESTIONS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"(?:(?:how many|wie ?viele?) {_TIME_UNIT}|how long|how much time|wie lange) {_WORK}"
            rf"{_FROM_TO}{_WITH_BREAK}?(?: gearbeitet)?"
        ),
        (
            rf"(?:(?:if |when )?(?:i|we|he|she) (?:work|works|worked|was there|were there) "
            rf")?{_FROM_TO}"
            rf"{_WITH_BREAK}?[,.:]? (?:(?:how many|wie ?viele?) {_TIME_UNIT}|how long|how much "
            rf"time|"
            rf"wie lange)(?: (?:is|are|sind|ist|did|do|have) (?:that|it|this|i work|i worked|das|"
            rf"es))?"
        ),
        (
            rf"ich (?:habe|arbeite) {_FROM_TO}(?: gearbeitet)?{_WITH_BREAK}?(?: gearbeitet)?[,.:]? "
            rf"(?:wie ?viele? {_TIME_UNIT}|wie lange)(?: (?:sind|ist|habe ich|war) ?(?:das|es)?)?"
            r"(?: gearbeitet)?"
        ),
        rf"{_FROM_TO}{_WITH_BREAK}",
    )
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
    rf"(?:how many {_UNNAMED_UNIT}|how long|wie lange) "
    r"(?:(?:is|are|takes?|does it take|does|do i need|will it take|"
    r"brauche ich|braucht man|dauert es|dauern|dauert) )?"
    r"(?:(?:for|für|to|travel|drive|go|ride|run|cover) )*"
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
    for pattern in _CLOCK_QUESTIONS:
        clocks = pattern.fullmatch(text)
        if clocks:
            return _between(clocks.groupdict(default=""))
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


def _between(parts: Mapping[str, str]) -> Mapping[str, Any] | None:
    """Return the time between two clock times less a break; an earlier one is of the next day."""
    start, end = (
        _minute_of(parts[f"{name}_hour"], parts[f"{name}_minute"], parts[f"{name}_half"])
        for name in ("start", "end")
    )
    if start is None or end is None:
        return None
    worked = (end - start) % (_HOURS * _MINUTES) - _break(parts)
    if worked < 0:
        return None
    hours, minutes = divmod(worked, _MINUTES)
    said = [f"{count} {name}" for count, name in ((hours, "hours"), (minutes, "minutes")) if count]
    return {"quantity": " ".join(said) or "0 minutes", "to": _unit(parts.get("unit"))}


def _break(parts: Mapping[str, str]) -> int:
    """Return the minutes that are taken off; 0 where none are."""
    for name in ("paused", "rested", "stopped"):
        count = parts[name]
        if count:
            minutes = _MINUTES if parts[f"{name}_hours"] else 1
            return _MINUTES // 2 if count == "half an" else minutes * _whole(count)
    return 0


def _whole(count: str) -> int:
    return int(count) if count.isdigit() else 1


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
