"""Relative dates: today, Christmas and 24 December as dates with their year, for a calculation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from okso_jupyter.planning.calculations.spoken_dates import DATE, MONTH, MONTHS

#: Words for days, as days after today.
_DAYS: Final[Mapping[str, int]] = {
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "übermorgen": 2,
    "tomorrow": 1,
    "morgen": 1,
    "today": 0,
    "heute": 0,
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "vorgestern": -2,
    "yesterday": -1,
    "gestern": -1,
}
#: Days that have a name and are the same in each year, as month and day.
_FEASTS: Final[Mapping[str, tuple[int, int]]] = {
    "christmas eve": (12, 24),
    "heiligabend": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "weihnachten": (12, 25),
    "new year's eve": (12, 31),
    "silvester": (12, 31),
    "new year's day": (1, 1),
    "new year": (1, 1),
    "neujahr": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
    "valentinstag": (2, 14),
}
_UNIT: Final = r"(?:days?|weeks?|months?|years?|tagen?|wochen?|monaten?|jahren?)"


def _any(names: Mapping[str, object]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


_DAY: Final = re.compile(rf"(?<!\w)(?:{_any(_DAYS)})(?!\w)")
_FEAST: Final = re.compile(rf"(?<!\w)(?:{_any(_FEASTS)})(?!\w)")
_YEARLESS: Final = re.compile(
    rf"(?<![\w-])(?:the )?(?:(?P<day>\d\d?)(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{MONTH})|"
    rf"(?P<month2>{MONTH}) (?P<day2>\d\d?)(?:st|nd|rd|th)?)(?!\w)(?!,? \d{{4}})"
)
_UNTIL: Final = re.compile(
    rf"^(?:how many|wie ?viele?) (?P<unit>{_UNIT}) (?:(?:are|is it|is there|left|there|remain|"
    rf"sind es|sind|noch|bleiben) )*(?:until|till|to|before|bis|bis zum|bis zu) (?P<day>{DATE})"
)
_HOW_LONG: Final = re.compile(rf"^how long (?:is it )?(?:until|till|to) (?P<day>{DATE})")
_SINCE: Final = re.compile(
    rf"^(?:how many|wie ?viele?) (?P<unit>{_UNIT}) (?:(?:have|has|passed|it been|is it|are|"
    rf"sind|vergangen) )*(?:since|seit|seit dem) (?P<day>{DATE})"
)
_AGE: Final = re.compile(
    r"^how old (?:is|am|are|was|would be) [\w ]+?(?: (?:who|that) (?:was|is|were))? born "
    rf"(?:on )?(?P<day>{DATE})(?: (?:today|now))?"
)
_AHEAD: Final = re.compile(rf"(?<!\w)in (?P<count>\d+) (?P<unit>{_UNIT})(?!\w)")
_AGO: Final = re.compile(rf"(?<!\w)(?P<count>\d+) (?P<unit>{_UNIT}) ago(?!\w)")
_FROM_NOW: Final = re.compile(rf"(?<!\w)(?P<amount>\d+ {_UNIT}) from now(?!\w)")


def with_absolute_dates(request: str, today: date) -> str:
    """Return a request in small letters with the dates that it gives relative to today.

    A day without its year is the next one. Nothing but such words changes.

    Args:
        request: The request in plain words.
        today: The present date.
    """
    text = " ".join(request.lower().replace("\u2019", "'").split())
    text = _DAY.sub(lambda m: (today + timedelta(days=_DAYS[m[0]])).isoformat(), text)
    text = _FEAST.sub(lambda m: _next(*_FEASTS[m[0]], today) or m[0], text)
    text = _YEARLESS.sub(lambda m: _yearless(m, today) or m[0], text)
    text = _UNTIL.sub(rf"how many \g<unit> from {today} to \g<day>", text)
    text = _HOW_LONG.sub(rf"how many days from {today} to \g<day>", text)
    text = _SINCE.sub(rf"how many \g<unit> from \g<day> to {today}", text)
    text = _AGE.sub(rf"how many years from \g<day> to {today}", text)
    text = _AHEAD.sub(rf"\g<count> \g<unit> after {today}", text)
    text = _AGO.sub(rf"\g<count> \g<unit> before {today}", text)
    return _FROM_NOW.sub(rf"\g<amount> after {today}", text)


def _yearless(match: re.Match[str], today: date) -> str:
    day, month = match["day"] or match["day2"], match["month"] or match["month2"]
    return _next(MONTHS[month], int(day), today)


def _next(month: int, day: int, today: date) -> str:
    """Return the next day of a month and day in ISO form, today included; "" if there is none."""
    # 29 February comes within eight years
    for year in range(today.year, today.year + 9):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found.isoformat()
    return ""
