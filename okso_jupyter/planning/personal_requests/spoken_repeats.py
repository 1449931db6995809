"""Spoken repeats: "every Monday at 10" as a first time and how often it comes again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from okso_jupyter.personal.ical.spoken_moments import spoken_moment
from okso_jupyter.personal.ical.spoken_periods import MONTH
from okso_jupyter.personal.ical.spoken_words import SHORT_MONTHS, WEEKDAYS, plain_words

_EACH: Final = r"(?:every|each|jede[nrms]?)"
_EVERY: Final = re.compile(rf",? ?(?:on |an |am )?{_EACH} (?P<rest>.+)")
#: "On Thursdays", "montags".
_PLURAL: Final = re.compile(
    r"(?i)^,? ?(?:on )?(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)s\b"
)
_OFTEN: Final[Mapping[str, str]] = {
    "day": "daily", "tag": "daily", "daily": "daily", "täglich": "daily",
    "week": "weekly", "woche": "weekly", "weekly": "weekly", "wöchentlich": "weekly",
    "month": "monthly", "monat": "monthly", "monats": "monthly", "monthly": "monthly",
    "monatlich": "monthly", "year": "yearly", "jahr": "yearly", "yearly": "yearly",
    "annually": "yearly", "jährlich": "yearly",
}  # fmt: skip
_ADVERB: Final = "|".join(word for word in _OFTEN if word.endswith(("ly", "lich")))
_UNIT: Final = "|".join(word for word in _OFTEN if not word.endswith(("ly", "lich")))
#: "Every week on Monday", "daily at 9".
_UNIT_FIRST: Final = re.compile(
    rf",? ?(?:{_EACH} (?P<unit>{_UNIT})|(?P<word>{_ADVERB}))\b,? ?(?P<rest>.*)"
)
#: "At 9 every day", "on the 1st of every month".
_UNIT_LAST: Final = re.compile(
    rf"(?P<rest>.+?),? (?:of )?(?:{_EACH} (?P<unit>{_UNIT})|(?P<word>{_ADVERB}))"
)
_PART_OF_DAY: Final = re.compile(
    r"(?P<part>morning|afternoon|evening|night|früh|morgen|vormittag|mittag|nachmittag|abend)\b(?P<rest>.*)"
)
_NAMED: Final = "|".join(
    sorted((name for names in WEEKDAYS for name in names), key=len, reverse=True)
)
_WEEKDAY: Final = re.compile(rf"(?:{_NAMED})\b(?! (?:of|in|week|after)\b)")
_DAY_OF_MONTH: Final = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)(?: day)?"
    r"(?: (?:of|in) (?:the|every|each) month| des monats| im monat)?(?P<rest>(?: (?:at|um) .+)?)"
)
#: "At 8 every Monday".
_DAY_LAST: Final = re.compile(rf"(?P<rest>.+?),? (?:on )?{_EACH} (?P<day>{_NAMED})")
#: What comes once a year: "24 December", a feast.
_IS_YEARLY: Final = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{'|'.join((*MONTH, *SHORT_MONTHS))})\b|"
    r"christmas|xmas|boxing day|new year|heilig|silvester|neujahr|weihnacht|halloween|nikolaus"
)
_NOT_OF_MONTH: Final = re.compile(rf"\b(?:{_NAMED})\b")
#: All months have a day of these numbers.
_LAST_OF_ALL: Final = 28

When = tuple[date | datetime, str]


def spoken_when(text: str, now: datetime) -> When | None:
    """Return a day or time, and how often it comes again; None where a word is not understood.

    Every other week, every weekday and the last day of each month cannot be said: they are None.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.

    Returns:
        The first time from now on, and "daily", "weekly", "monthly", "yearly" or, for one time
        only, "".
    """
    once = spoken_moment(text, now)
    if once is not None:
        return once, ""
    said = _PLURAL.sub(r"every \g<day>", plain_words(text))
    match = _UNIT_FIRST.fullmatch(said) or _UNIT_LAST.fullmatch(said)
    if match:
        return _each_unit(match["rest"].strip(), _OFTEN[match["unit"] or match["word"]], now)
    last = _DAY_LAST.fullmatch(said)
    if last:
        return _each_unit(f"on {last['day']} {last['rest']}", "weekly", now)
    every = _EVERY.fullmatch(said)
    return _each_named(every["rest"], now) if every else None


def _each_unit(rest: str, often: str, now: datetime) -> When | None:
    """Return the first time of what comes every day, week, month or year."""
    is_any_day = not rest and often == "daily"
    first = now.date() if is_any_day else spoken_moment(rest, now)
    if first is None:
        return None
    is_of_week = often in {"monthly", "yearly"} and _NOT_OF_MONTH.search(rest)
    is_short = often == "monthly" and first.day > _LAST_OF_ALL
    return None if is_of_week or is_short else (first, often)


def _each_named(said: str, now: datetime) -> When | None:
    """Return the first time of every morning, Monday, 1st of the month or 24 December."""
    part = _PART_OF_DAY.fullmatch(said)
    if part:
        name = "früh" if part["part"] == "morgen" else part["part"]
        return _each_unit(f"{name}{part['rest']}", "daily", now)
    if _WEEKDAY.match(said):
        return _each_unit(f"on {said}", "weekly", now)
    day = _DAY_OF_MONTH.fullmatch(said)
    if day:
        return _each_unit(f"on the {day['day']}th{day['rest']}", "monthly", now)
    return _each_unit(said, "yearly", now) if _IS_YEARLY.match(said) else None
