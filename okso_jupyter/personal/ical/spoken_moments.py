"""Spoken moments: "tomorrow at 9", "next Tuesday", "3 December at 14:30" as a day or a time."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from importlib.util import find_spec
from typing import Final

#: Words for days, as days after today.
_DAYS: Final[Mapping[str, int]] = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "übermorgen": 2,
    "tomorrow": 1, "morgen": 1, "today": 0, "tonight": 0, "heute": 0,
}  # fmt: skip
_WEEKDAYS: Final = (
    ("monday", "mon", "montag", "mo"),
    ("tuesday", "tue", "tues", "dienstag", "di"),
    ("wednesday", "wed", "mittwoch", "mi"),
    ("thursday", "thu", "thurs", "donnerstag", "do"),
    ("friday", "fri", "freitag", "fr"),
    ("saturday", "sat", "samstag", "sonnabend", "sa"),
    ("sunday", "sun", "sonntag", "so"),
)
_WEEKDAY: Final = {name: number for number, names in enumerate(_WEEKDAYS) for name in names}
#: Parts of a day, as the hour that a reminder comes at.
_PARTS: Final[Mapping[str, int]] = {
    "noon": 12, "midday": 12, "lunchtime": 12, "mittag": 12, "midnight": 0,
    "morning": 9, "afternoon": 15, "evening": 18, "night": 20,
    "morgens": 9, "vormittag": 9, "nachmittag": 15, "abend": 18,
}  # fmt: skip
_CLOCK: Final = re.compile(
    r"(?:(?:at|um|@|by|gegen|from|ab) ?)?(?<![\d.:/-])(?P<hour>[01]?\d|2[0-4])"
    r"(?:[:.h](?P<minute>[0-5]\d))?(?P<sign> ?(?:am|pm|a\.m\.|p\.m\.|uhr|o'clock|h)\b)?"
    r"(?![\d.:/-]|(?:st|nd|rd|th)\b)"
)
_UHR: Final = re.compile(r"(?i)\b(\d{1,2}) uhr ([0-5]\d)\b")
_A_DAY: Final = 1440
#: Words for minutes before or after an hour.
_PAST: Final[Mapping[str, int]] = {
    "half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15,
    "quarter till": -15,
    "a quarter past": 15, "a quarter to": -15, "ten past": 10, "ten to": -10, "five past": 5,
    "five to": -5, "twenty past": 20, "twenty to": -20, "half": 30, "halb": -30,
    "viertel nach": 15, "viertel vor": -15, "viertel": -45, "dreiviertel": -15,
}  # fmt: skip
_HOURS: Final = {
    name: hour
    for hour, names in enumerate(
        "one/eins/ein two/zwei three/drei four/vier five/fünf six/sechs seven/sieben eight/acht "
        "nine/neun ten/zehn eleven/elf twelve/zwölf".split(),
        start=1,
    )
    for name in names.split("/")
} | {"noon": 12, "midnight": 24, "mittag": 12, "mitternacht": 24}
_HOUR_WORD: Final = rf"(?P<hour>\d{{1,2}}|{'|'.join(_HOURS)})"
_PAST_HOUR: Final = re.compile(
    rf"(?P<at>(?:at|um|by|gegen) )?\b(?P<past>{'|'.join(sorted(_PAST, key=len, reverse=True))}) "
    rf"{_HOUR_WORD}\b(?P<sign> ?(?:am|pm))?(?![:.\d])"
)
_SPOKEN_HOUR: Final = re.compile(
    rf"(?P<at>(?:at|um|gegen) )(?P<hour>{'|'.join(_HOURS)})\b(?: o'clock| uhr)?(?P<sign> ?(?:am|"
    r"pm))?(?! [a-z]+ )"
)
_AT: Final = re.compile(r"^(?:at|um|@|gegen|from|ab)")
_AT_PART: Final = re.compile(rf"(?:(?:at|in the|this|am|zu) )?\b(?P<part>{'|'.join(_PARTS)})\b")
_SPAN: Final = re.compile(
    r"in (?P<count>\d{1,5}|an?|one|two|three|four|five|six|seven|ten|half an|eine[rmn]?|zwei|drei) "
    r"(?P<unit>minute|hour|day|week|month|minuten|stunde|tag|woche|monat)(?:s|n|en|e)?"
)
_COUNTS: Final[Mapping[str, float]] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "ten": 10, "half an": 0.5, "eine": 1, "einer": 1, "einem": 1, "einen": 1, "zwei": 2, "drei": 3,
}  # fmt: skip
_MINUTES: Final[Mapping[str, int]] = {
    "minute": 1, "minuten": 1, "hour": 60, "stunde": 60,
    "day": 1440, "tag": 1440, "week": 10080, "woche": 10080,
}  # fmt: skip
#: "A week from now" is in a week.
_FROM_NOW: Final = re.compile(r"^(?:in )?(?P<span>\S+(?: an)? \S+) from (?:now|today)$")
_LEADING: Final = re.compile(
    r"^(?:on|by|am|at|until|till|bis|before|due|for|für|the|this|next|coming|nächste[nrm]?|"
    r"kommende[nrm]?|diese[nrm]?|zum|den|,) ?"
)
_NOON: Final = 12
#: Parts of a day in which an hour is counted from noon; 2 at night is not.
_LATE: Final = re.compile(r"\b(?:afternoon|evening|night|tonight|nachmittags?|abends?)\b")
_FIRST_OF_EVENING: Final = 5
_DATE_FORMS: Final = {"PREFER_DATES_FROM": "future", "DATE_ORDER": "DMY", "STRICT_PARSING": False}
_HAS_DATE: Final = re.compile(
    r"^(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[a-zäöü]{3,9}\.?(?:,? \d{4})?|"
    r"[a-zäöü]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}\.\d{1,2}(?:\.(?:\d{2,4})?)?|"
    r"\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d)$"
)


def spoken_moment(text: str, now: datetime) -> date | datetime | None:
    """Return the day or local time that words name; None where one of them is not understood.

    A weekday is the next one after today, a day without its year the next one, and a time without
    its day comes today, or tomorrow if it has passed.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.
    """
    said = _plain(text)
    span = _SPAN.fullmatch(said)
    if span:
        return _after(now, span["count"], span["unit"])
    for rest, clock in _split(said):
        day = _day(rest, now.date())
        if day is not None:
            return day if clock is None else datetime.combine(day, clock)
        if clock is not None and not _without_leading(rest):
            at = datetime.combine(now.date(), clock)
            return at if at > now else at + timedelta(days=1)
    return None


def spoken_span(text: str) -> timedelta | None:
    """Return the time that words such as "in two hours" name; None for days and all else."""
    span = _SPAN.fullmatch(_plain(text))
    if span is None or _MINUTES.get(span["unit"], math.inf) > _MINUTES["hour"]:
        return None
    return timedelta(minutes=_count(span["count"]) * _MINUTES[span["unit"]])


def _plain(text: str) -> str:
    said = " ".join(text.lower().replace("\u2019", "'").split()).strip(" ,.")
    return with_digits(_FROM_NOW.sub(r"in \g<span>", said))


def with_digits(text: str) -> str:
    """Return a text with the clock times in words as digits: "half past three" is "at 3:30"."""
    plain = _UHR.sub(r"\1:\2", text)
    return _SPOKEN_HOUR.sub(_as_digits, _PAST_HOUR.sub(_as_digits, plain))


def _as_digits(match: re.Match[str]) -> str:
    """Return a clock time in words in digits: "half past three" is 3:30, "halb vier" as well."""
    said = match.groupdict()
    hour = _hour(match["hour"])
    if hour is None:
        return match[0]
    minutes = _PAST.get(said.get("past") or "", 0)
    at = (60 * hour + minutes) % _A_DAY
    return f"{match['at'] or 'at '}{at // 60}:{at % 60:02d}{said.get('sign') or ''}"


def _hour(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    return _HOURS.get(text)


def _count(count: str) -> float:
    return float(count) if count.isdigit() else _COUNTS[count]


def _after(now: datetime, count: str, unit: str) -> date | datetime | None:
    number = _count(count)
    if unit in {"month", "monat"}:
        return _parsed(f"in {int(number)} months", now.date())
    later = now.replace(second=0, microsecond=0) + timedelta(minutes=number * _MINUTES[unit])
    return later if _MINUTES[unit] <= _MINUTES["hour"] else later.date()


def _split(said: str) -> list[tuple[str, time | None]]:
    """Return how a text may be a day and a time: as words of the day, and the time."""
    ways: list[tuple[str, time | None]] = [(said, None)]
    for match in (*_AT_PART.finditer(said), *_CLOCK.finditer(said)):
        clock = _clock(match)
        rest = f"{said[: match.start()]} {said[match.end() :]}"
        # 4.12 is a day, and a time only with a word that says so
        is_time = _AT.match(match[0]) or ":" in match[0] or _said(match, "sign")
        if clock is not None and (is_time or _said(match, "part")):
            ways.insert(0, (" ".join(rest.split()).strip(" ,"), clock))
    # a clock time says more than a part of the day beside it, as in "tomorrow morning at 9"
    both = [(_AT_PART.sub("", rest).strip(" ,"), clock) for rest, clock in ways if clock]
    return [(rest, clock and _in_part(clock, said)) for rest, clock in (*both, *ways)]


def _in_part(clock: time, said: str) -> time:
    """Return a time in the part of the day that is said: 8 in the evening is 20:00."""
    part = _LATE.search(said)
    first = 1 if part and part[0].endswith(("noon", "mittag", "mittags")) else _FIRST_OF_EVENING
    is_late = part and first <= clock.hour < _NOON
    return clock.replace(hour=clock.hour + _NOON) if is_late else clock


def _said(match: re.Match[str], group: str) -> str:
    return match.groupdict().get(group) or ""


def _clock(match: re.Match[str]) -> time | None:
    part = _said(match, "part")
    if part:
        return time(_PARTS[part])
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    sign = _said(match, "sign").strip()[:1]
    if sign in {"a", "p"} and not 1 <= hour <= _NOON:
        return None
    if sign in {"a", "p"}:
        hour = hour % _NOON + (_NOON if sign == "p" else 0)
    return time(hour, minute) if hour <= 23 else None  # noqa: PLR2004  hours of a day


def _without_leading(text: str) -> str:
    """Return a text without the small words that may stand before a day."""
    while (shorter := _LEADING.sub("", text)) != text:
        text = shorter
    return text.strip(" ,")


def _day(text: str, today: date) -> date | None:
    """Return the day that words name."""
    said = _without_leading(text)
    if said in _DAYS:
        return today + timedelta(days=_DAYS[said])
    span = _SPAN.fullmatch(said)
    if span and _MINUTES.get(span["unit"], _A_DAY) >= _A_DAY:
        after = _after(datetime.combine(today, time()), span["count"], span["unit"])
        return after.date() if isinstance(after, datetime) else after
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", said):
        return _day_of_month(int(said[:-2]), today)
    if said in _WEEKDAY:
        return today + timedelta(days=(_WEEKDAY[said] - today.weekday() - 1) % 7 + 1)
    named, _, rest = said.partition(" ")
    if rest and named.rstrip(",") in _WEEKDAY:
        # "Friday, 4 December": the date counts, if it is a Friday
        found = _day(rest, today)
        return found if found and found.weekday() == _WEEKDAY[named.rstrip(",")] else None
    return _parsed(said, today) if _HAS_DATE.match(said) else None


def _day_of_month(day: int, today: date) -> date | None:
    """Return the next day after today with a number; None where no month has it."""
    ahead = (today + timedelta(days=count) for count in range(1, 63))
    return next((one for one in ahead if one.day == day), None)


def _parsed(text: str, today: date) -> date | None:
    """Return the day of a written date; None without the extra, which reads it."""
    if find_spec("dateparser") is None:
        return None
    import dateparser  # noqa: PLC0415  slow, and of the extra

    base = datetime.combine(today, time())
    written = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|(?<=\d)\.(?= [a-zä])", "", text).replace(
        " of ", " "
    )
    found = dateparser.parse(
        written, languages=["en", "de"], settings={**_DATE_FORMS, "RELATIVE_BASE": base}
    )
    return None if found is None else found.date()
