"""Spoken repeats: "every Monday at 10" as a first time and how often it comes again."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from okso_jupyter.personal.ical.spoken_moments import spoken_moment

_EVERY: Final = re.compile(
    r"(?i)^,? ?(?:on )?(?:every|each|jede[nrms]?) (?P<unit>\w+)(?: (?P<rest>.+))?$"
)
#: "On Thursdays", "montags".
_PLURAL: Final = re.compile(
    r"(?i)^,? ?(?:on )?(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)s\b"
)
_DAYS: Final = frozenset({"day", "tag", "morning", "evening", "afternoon"})


def spoken_when(text: str, now: datetime) -> tuple[date | datetime, str] | None:
    """Return a day or time, and how often it comes again; None where a word is not understood.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.

    Returns:
        The first time from now on, and "daily", "weekly" or, for one time only, "".
    """
    match = _EVERY.match(_PLURAL.sub(r"every \g<day>", text))
    if match is None:
        once = spoken_moment(text, now)
        return None if once is None else (once, "")
    unit, rest = match["unit"].lower(), match["rest"] or ""
    if unit not in _DAYS:
        first = spoken_moment(f"{unit} {rest}".strip(), now)
        is_weekday = spoken_moment(unit, now) is not None and unit not in {"today", "tomorrow"}
        return (first, "weekly") if first is not None and is_weekday else None
    at = rest or ("" if unit in {"day", "tag"} else unit)
    first = spoken_moment(at, now) if at else now.date()
    return None if first is None else (first, "daily")
