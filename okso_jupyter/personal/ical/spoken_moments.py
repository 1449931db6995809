"""Spoken moments: "tomorrow at 9", "next Tuesday", "3 December at 14:30" as a day or a time."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from okso_jupyter.personal.ical.spoken_clock import timed, with_digits
from okso_jupyter.personal.ical.spoken_days import WEEKDAY, is_leading, spoken_day
from okso_jupyter.personal.ical.spoken_words import plain_words

_SPAN: Final = re.compile(r"in (?P<count>\d{1,5}(?:\.\d)?) (?P<unit>minute|hour)")
_MINUTES: Final = {"minute": 1, "hour": 60}
_GERMAN_TIME: Final = re.compile(r"\bum\b|\buhr\b|\bab\b")
#: No time takes more words; a longer text is not looked at.
_MOST_WORDS: Final = 14


def spoken_moment(text: str, now: datetime) -> date | datetime | None:
    """Return the day or local time that words name; None where one of them is not understood.

    A weekday is the next one after today, a day without its year the next one, and a time without
    its day comes today, or tomorrow if it has passed. An hour from 1 to 6 is one of the afternoon
    ("at 4", "half past two", "um 3"), unless am, a part of the day ("in the morning", "at night")
    or a leading zero ("04:00") says that it is not; from 7 on it is as it is said.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.
    """
    if len(text.split()) > _MOST_WORDS:
        return None
    said, today = _plain(text), now.date()
    if (span := spoken_span(said)) is not None:
        return now.replace(second=0, microsecond=0) + span
    doubtful = []
    for rest, clock, is_sure in timed(said):
        day = spoken_day(rest, today) or (_short_day(rest, said, today) if is_sure else None)
        if day is not None and is_sure:
            return datetime.combine(day, clock)
        if day is not None:
            doubtful.append(datetime.combine(day, clock))
        elif is_sure and is_leading(rest):
            at = datetime.combine(today, clock)
            return at if at > now else at + timedelta(days=1)
    return spoken_day(said, today) or next(iter(doubtful), None)


def spoken_span(text: str) -> timedelta | None:
    """Return the time that words such as "in two hours" name; None for days and all else."""
    span = _SPAN.fullmatch(plain_words(text))
    return timedelta(minutes=float(span["count"]) * _MINUTES[span["unit"]]) if span else None


def _short_day(name: str, said: str, today: date) -> date | None:
    """Return the day of "Sat" beside a time; of "Sa" beside a German one, since "so" is a word."""
    is_short = name in WEEKDAY and (len(name) > 2 or _GERMAN_TIME.search(said))  # noqa: PLR2004  "mo" and "di" are words too
    return spoken_day(f"on {name}", today) if is_short else None


def _plain(text: str) -> str:
    said = " ".join(text.lower().replace("\u2019", "'").split())
    return plain_words(with_digits(said))
