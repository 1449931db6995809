"""Times of the clock in words: "at half past three", "8 in the evening", "halb acht abends"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import time
from typing import Final

#: Parts of a day, as the hour that a reminder comes at.
_PARTS: Final[Mapping[str, int]] = {
    "first thing": 9, "noon": 12, "midday": 12, "lunchtime": 12, "mittag": 12, "mittags": 12,
    "midnight": 0, "mitternacht": 0, "morning": 9, "afternoon": 15, "evening": 18, "night": 20,
    "früh": 9, "vormittag": 9, "vormittags": 9, "nachmittag": 15, "nachmittags": 15, "abend": 18,
    "abends": 18,
}  # fmt: skip
_PART: Final = "|".join(sorted(_PARTS, key=len, reverse=True))
_CLOCK: Final = re.compile(
    r"(?:(?:at|um|@|by|gegen|from|ab|around) ?)?(?<![\d.:/-])(?P<hour>[01]?\d|2[0-4])"
    r"(?:[:.h](?P<minute>[0-5]\d))?(?P<sign> ?(?:am|pm|a\.m\.|p\.m\.|uhr|o'clock|h)\b)?"
    r"(?![\d.:/-]|(?:st|nd|rd|th)\b)"
)
_AT: Final = re.compile(r"^(?:at|um|@|gegen|from|ab|around)")
_AT_PART: Final = re.compile(rf"(?:(?:at|in the|this|am|in der|zu) )?\b(?P<part>{_PART})\b")
#: "8 in the evening", "8 tomorrow evening", "8 tonight".
_PART_AFTER: Final = re.compile(
    r",? (?:tonight|nachts|(?:(?:today|tomorrow|heute|morgen) )?"
    rf"(?:in the |at |am |in der )?(?:{_PART}))\b"
)
_UHR: Final = re.compile(r"(?i)\b(\d{1,2}) uhr ([0-5]\d)\b")
#: "At 1700", "1700 hours".
_FOUR_DIGITS: Final = re.compile(
    r"\b(?:(?:at|um) ([01]\d|2[0-3])([0-5]\d)(?: ?h(?:ou)?rs| ?h| uhr)?|"
    r"([01]\d|2[0-3])([0-5]\d)(?: ?h(?:ou)?rs| ?h| uhr))\b(?![.:])"
)
_A_DAY: Final = 1440
#: Words for minutes before or after an hour.
_PAST: Final[Mapping[str, int]] = {
    "half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15,
    "quarter till": -15, "quarter of": -15, "a quarter past": 15, "a quarter to": -15,
    "half": 30, "halb": -30, "viertel nach": 15, "viertel vor": -15, "viertel": -45,
    "dreiviertel": -15, "fünf vor halb": -35, "fünf nach halb": -25, "zehn vor halb": -40,
    "zehn nach halb": -20,
} | {
    f"{word}{unit} {side}": sign * minutes
    for word, minutes in {
        "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "twenty five": 25,
        "fünf": 5, "zehn": 10, "zwanzig": 20,
    }.items()
    for unit in ("", " minutes", " minuten")
    for side, sign in {"past": 1, "after": 1, "to": -1, "till": -1, "nach": 1, "vor": -1}.items()
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
    rf"(?<!from )(?<!between )(?<!von )(?P<at>(?:at|um|by|gegen) )?"
    rf"\b(?P<past>{'|'.join(sorted(_PAST, key=len, reverse=True))}) "
    rf"{_HOUR_WORD}\b(?: o'clock| uhr)?(?P<sign> ?(?:am|pm)\b)?(?![:.\d])"
)
#: "20 past 7", and "at 10 to 6": "10 to 6" alone is from 10 to 6.
_DIGITS_PAST: Final = re.compile(
    rf"(?P<at>(?:at|um|by|gegen) )?\b(?P<past>(?:5|10|20|25) (?:past|nach|(?<=^at .. )(?:to|vor)|"
    rf"(?<=at .. )to|(?<=at . )to|(?<=um .. )vor|(?<=um . )vor)) {_HOUR_WORD}\b"
    r"(?P<sign> ?(?:am|pm)\b)?(?![:.\d])"
)
_SPOKEN_HOUR: Final = re.compile(
    rf"(?P<at>(?:at|um|gegen) )(?P<hour>{'|'.join(_HOURS)})\b(?: o'clock| uhr)?(?P<sign> ?(?:am|"
    r"pm)\b)?(?! [a-z]+ | (?:fifteen|twenty|thirty|forty|fifty)\b)"
)
_NOON: Final = 12
#: Parts of a day in which an hour is counted from noon; 2 at night is not.
_LATE: Final = re.compile(r"\b(?:afternoon|evening|night|tonight|nachmittags?|abends?)\b")
_FIRST_OF_EVENING: Final = 5
#: Words that say whether an hour is one of the night or of the afternoon.
_SAYS_PART: Final = re.compile(
    r"\b(?:first thing|morning|afternoon|evening|night|tonight|overnight|früh|vormittags?|"
    r"nachmittags?|abends?|nachts?)\b"
)
#: Hours of the afternoon where nothing says that they are of the night.
_OF_AFTERNOON: Final = range(1, 7)


def with_digits(text: str) -> str:
    """Return a text with the clock times in words as digits: "half past three" is "at 3:30"."""
    plain = _FOUR_DIGITS.sub(_hours_minutes, _UHR.sub(r"\1:\2", text))
    return _SPOKEN_HOUR.sub(
        _as_digits, _DIGITS_PAST.sub(_as_digits, _PAST_HOUR.sub(_as_digits, plain))
    )


def timed(said: str) -> Iterator[tuple[str, time, bool]]:
    """Yield how a text may name a time: the words without it, the time, and whether it is sure.

    One that is not sure needs a day beside it: "9.40" is a time in "tomorrow 9.40" only. An hour
    from 1 to 6 is of the afternoon, unless a part of the day, am, or a leading zero says otherwise.

    Args:
        said: A text in small letters, with its numbers as digits.
    """
    ways = [
        way
        for match in (*_AT_PART.finditer(said), *_CLOCK.finditer(said))
        if (way := _way(said, match))
    ]
    ways.reverse()
    # a clock time says more than a part of the day beside it, as in "tomorrow morning at 9"
    yield from ((_joined(_AT_PART.sub("", rest)), clock, is_sure) for rest, clock, is_sure in ways)
    yield from ways


def _way(said: str, match: re.Match[str]) -> tuple[str, time, bool] | None:
    clock = _clock(match)
    is_part = bool(_said(match, "part"))
    # 4.12 is a day, and a time only with a word that says so
    is_sure = is_part or bool(
        _AT.match(match[0])
        or ":" in match[0]
        or _said(match, "sign")
        or _PART_AFTER.match(said, match.end())
    )
    if clock is None or not (is_sure or _said(match, "minute")):
        return None
    meant = clock if is_part else _in_afternoon(_in_part(clock, said), match, said)
    return _joined(f"{said[: match.start()]} {said[match.end() :]}"), meant, is_sure


def _joined(words: str) -> str:
    return " ".join(words.split()).strip(" ,")


def _in_part(clock: time, said: str) -> time:
    """Return a time in the part of the day that is said: 8 in the evening is 20:00."""
    part = _LATE.search(said)
    first = 1 if part and part[0].endswith(("noon", "mittag", "mittags")) else _FIRST_OF_EVENING
    is_late = part and first <= clock.hour < _NOON
    return clock.replace(hour=clock.hour + _NOON) if is_late else clock


def _in_afternoon(clock: time, match: re.Match[str], said: str) -> time:
    """Return a time of which nothing is said but an hour from 1 to 6, as one of the afternoon."""
    is_open = (
        clock.hour in _OF_AFTERNOON
        and not match["hour"].startswith("0")
        and _said(match, "sign").strip()[:1] not in {"a", "p"}
        and not _SAYS_PART.search(said)
    )
    return clock.replace(hour=clock.hour + _NOON) if is_open else clock


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


def _hours_minutes(match: re.Match[str]) -> str:
    hour, minute = (found for found in match.groups() if found)
    return f"at {hour}:{minute}"


def _as_digits(match: re.Match[str]) -> str:
    """Return a clock time in words in digits: "half past three" is 3:30, "halb vier" as well."""
    said = match.groupdict()
    hour = _hour(match["hour"])
    if hour is None:
        return match[0]
    at = (60 * hour + _minutes(said.get("past") or "")) % _A_DAY
    if at < 60 and hour == 1:  # noqa: PLR2004  "quarter to one"
        at += 60 * _NOON
    return f"{match['at'] or 'at '}{at // 60}:{at % 60:02d}{said.get('sign') or ''}"


def _minutes(past: str) -> int:
    """Return the minutes of "half past" or "10 to"; 0 for none."""
    if not past[:1].isdigit():
        return _PAST.get(past, 0)
    minutes, side = past.split()
    return int(minutes) * (-1 if side in {"to", "vor"} else 1)


def _hour(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    return _HOURS.get(text)
