"""Spoken ranges: "today", "next week", "by Friday", "on 3 December" as a first and a last day."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from okso_jupyter.personal.ical.spoken_days import later
from okso_jupyter.personal.ical.spoken_moments import spoken_moment
from okso_jupyter.personal.ical.spoken_periods import MONTH, named_period
from okso_jupyter.personal.ical.spoken_words import plain_words

Range = tuple[date, date]
_MOST_WORDS: Final = 14
#: A month only beside a word such as "in".
_ALSO_A_VERB: Final = "may"


def _days(count: int) -> Callable[[date], Range]:
    return lambda today: (today, today + timedelta(days=count - 1))


_NAMED: Final[Mapping[str, Callable[[date], Range]]] = {
    "next couple of days": _days(3), "the next couple of days": _days(3),
    "in den nächsten tagen": _days(4), "the next few days": _days(4), "the coming days": _days(4),
    "now": _days(1), "jetzt": _days(1),
}  # fmt: skip
_BETWEEN: Final = re.compile(
    r"(?:from|between|von|vom|zwischen)? ?(?P<first>.+?) (?:to|until|till|through|and|bis|und) "
    r"(?:zum |dem |den )?(?P<last>.+)"
)
_SMALL: Final = re.compile(r"^(?:for|in|on|during|over|at|within|due|für|von|of|über|an|im|am) ")
_UNTIL: Final = re.compile(r"^(?:by|until|till|up to|bis)(?: zum)? ")
_REST: Final = re.compile(r"(?:the )?rest (?:of )?|(?:den )?rest (?=de[sr] )")
_NEXT: Final = re.compile(
    r"(?:(?:the|den|die) )?(?:next|coming|nächsten|kommenden) (?P<count>\d{1,3}) "
    r"(?P<unit>hour|day|week|month)"
)
_NTH_WEEK: Final = re.compile(
    r"(?:(?:the|die|der|den) )?(?P<nth>[1-4](?:st|nd|rd|th)|last|letzten?) (?:week|woche) "
    r"(?:(?:of|in|im) )?(?P<month>.+)"
)
#: The first and the last day of a feast of more than one, as month and day.
_FEASTS: Final[Mapping[str, tuple[tuple[int, int], int]]] = {
    "christmas": ((12, 24), 3), "xmas": ((12, 24), 3), "weihnachten": ((12, 24), 3),
    "new year": ((12, 31), 2), "zwischen den jahren": ((12, 27), 4),
}  # fmt: skip
#: What is bare of a month in "from the 3rd to the 10th of December", and the month.
_BARE_DAY: Final = re.compile(r"(?:the |dem )?\d{1,2}(?:st|nd|rd|th|\.)?")
_MONTH_AT_END: Final = re.compile(
    rf" (?:of )?(?:{'|'.join(MONTH)}|next month)(?: \d{{4}})?$|(?<=\.)\d{{1,2}}\.?$"
)


def spoken_range(text: str, now: datetime) -> Range | None:
    """Return the first and the last day of a range; None where a word is not understood.

    Args:
        text: The words, English or German.
        now: The present local time, without a zone.
    """
    if len(text.split()) > _MOST_WORDS:
        return None
    said, today = " ".join(text.lower().split()).strip(" ,.?"), now.date()
    for words in (said, _SMALL.sub("", said)):
        if words in _NAMED:
            return _NAMED[words](today)
    plain = plain_words(said)
    return (
        _period(plain, now)
        or (_two_ends(plain, now) if _BETWEEN.fullmatch(plain) else None)
        or _up_to_moment(said, now)
    )


def _period(said: str, now: datetime) -> Range | None:
    """Return the days that are left of a week, a month, a feast or the next days."""
    today = now.date()
    for words in (said, _SMALL.sub("", said)):
        named = _REST.sub("", words)
        if named in _FEASTS:
            return _feast(named, today, is_over=words != said and not said.startswith("on "))
        found = (
            _next(words, now)
            or _nth_week(words, today)
            or (None if said == _ALSO_A_VERB else named_period(named, today))
        )
        if found and found[1] >= today:
            return max(found[0], today), found[1]
    return None


def _feast(name: str, today: date, *, is_over: bool) -> Range | None:
    """Return the days of a feast; on Christmas is one day."""
    (month, day), count = _FEASTS[name]
    last = date(today.year, month, day) + timedelta(days=count - 1)
    first = last - timedelta(days=count - 1)
    if last < today:
        first = first.replace(year=today.year + 1)
    is_many = is_over or name == "zwischen den jahren"
    return (first, first + timedelta(days=count - 1)) if is_many else None


def _next(said: str, now: datetime) -> Range | None:
    """Return the days of "the next 48 hours" or "the next 2 weeks", from today on."""
    match = _NEXT.fullmatch(said)
    if match is None:
        return None
    count, unit, today = int(match["count"]), match["unit"], now.date()
    if unit == "hour":
        return today, (now + timedelta(hours=count)).date()
    after = later(today, count, unit)
    return (today, after - timedelta(days=1)) if after and count else None


def _nth_week(said: str, today: date) -> Range | None:
    """Return the seven days of "the first week of December", from the first of the month on."""
    match = _NTH_WEEK.fullmatch(said)
    month = named_period(match["month"], today) if match else None
    if match is None or month is None:
        return None
    first = month[1] - timedelta(days=6)
    if match["nth"][0].isdigit():
        first = month[0] + timedelta(days=7 * (int(match["nth"][0]) - 1))
    return first, first + timedelta(days=6)


def _two_ends(said: str, now: datetime) -> Range | None:
    """Return the days from one to another, which comes after it."""
    both = _BETWEEN.fullmatch(said)
    if both is None:
        return None
    month = _MONTH_AT_END.search(both["last"])
    is_bare = month and _BARE_DAY.fullmatch(both["first"])
    first = _end(f"{both['first']}{month[0]}" if month and is_bare else both["first"], now)
    if first is None:
        return None
    # "from Monday to Wednesday" is to the Wednesday after that Monday
    last = _end(both["last"], now)
    if last and last[1] < first[0]:
        last = _end(both["last"], datetime.combine(first[0], now.time()))
    return (first[0], last[1]) if last and first[0] <= last[1] else None


def _end(words: str, now: datetime) -> Range | None:
    return spoken_range(words, now) or spoken_range(f"on {words}", now)


def _up_to_moment(said: str, now: datetime) -> Range | None:
    """Return the day of a moment, or those until then."""
    until = _UNTIL.sub("", said)
    moment = spoken_moment(until, now)
    if moment is None and until != said:
        moment = spoken_moment(said, now)
    if moment is None:
        return None
    day = moment.date() if isinstance(moment, datetime) else moment
    return (now.date() if until != said else day), day
