"""Days in words: "a week on Tuesday", "the first Monday of January", "2 days before Christmas"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from importlib.util import find_spec
from typing import Final

from okso_jupyter.personal.ical.spoken_periods import (
    MONTH,
    Period,
    edge_of_period,
    month_after,
    named_period,
)
from okso_jupyter.personal.ical.spoken_words import SHORT_MONTHS, WEEKDAYS

#: Words for days, as days after today.
_DAYS: Final[Mapping[str, int]] = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "übermorgen": 2,
    "tomorrow": 1, "morgen": 1, "today": 0, "tonight": 0, "heute": 0,
}  # fmt: skip
WEEKDAY: Final = {name: number for number, names in enumerate(WEEKDAYS) for name in names}
#: Short names of days are other words as well: the sun, it sat, we wed, so, do.
_LONG: Final = 4
_NAMED: Final = "|".join(sorted(WEEKDAY, key=len, reverse=True))
_FEASTS: Final[Mapping[str, tuple[int, int]]] = {
    "christmas eve": (12, 24), "xmas eve": (12, 24), "heiligabend": (12, 24),
    "heilig abend": (12, 24), "christmas": (12, 25), "xmas": (12, 25), "christmas day": (12, 25),
    "weihnachten": (12, 25), "boxing day": (12, 26), "new year's eve": (12, 31),
    "new years eve": (12, 31), "silvester": (12, 31), "new year's day": (1, 1),
    "new years day": (1, 1), "neujahr": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14), "valentines day": (2, 14),
    "nikolaus": (12, 6),
}  # fmt: skip
#: A day only behind a word such as "at": "a happy new year".
_NEW_YEAR: Final = frozenset({"new year", "new year's"})
_ORD: Final = r"(?:st|nd|rd|th)"
_BASE: Final = rf"(?:on |am )?(?:{_NAMED}|{'|'.join(_DAYS)})"
_UNIT: Final = r"(?P<unit>day|week|month|year)"
_IN: Final = re.compile(rf"in (?P<count>\d{{1,5}}(?:\.5)?) {_UNIT}")
#: "3 weeks from tomorrow", "1 week on Tuesday", "2 weeks today".
_FROM: Final = re.compile(
    rf"(?:in )?(?P<count>\d{{1,5}}) {_UNIT} "
    rf"(?:(?:from|after|nach|ab) (?P<day>.+)|(?P<base>{_BASE}))"
)
_BEFORE: Final = re.compile(rf"(?P<count>\d{{1,5}}) {_UNIT} (?:before|vor) (?P<day>.+)")
_DAY_BESIDE: Final = re.compile(
    r"(?:day|tag) (?P<side>before|after|vor|nach) (?P<day>.+)|"
    r"(?:am )?(?P<german>tag) (?P<where>davor|danach)"
)
#: "Tuesday week", "heute in 2 Wochen".
_WEEKS_LATER: Final = re.compile(
    rf"(?P<base>{_BASE}) "
    r"(?:week|(?P<count>\d{1,2}) week|in (?P<ahead>\d{1,2}) (?P<unit>week|day))"
)
_AFTER_NEXT: Final = re.compile(
    rf"(?:(?P<day>{_NAMED}) after next|übernächste[nrs]? (?P<tag>{_NAMED}))"
)
_WHICH_WEEK: Final = (
    r"(?P<week>(?:this|next|diese[rn]?|(?:über)?nächste[rn]?|kommende[rn]?|der nächsten|the) "
    r"(?:week|woche)(?: after next)?)"
)
_OF_WEEK: Final = (
    re.compile(rf"(?:in |of )?{_WHICH_WEEK},? (?:on |am )?(?P<day>{_NAMED})"),
    re.compile(rf"(?P<day>{_NAMED}),? (?:of |in )?{_WHICH_WEEK}"),
)
_WHICH_MONTH: Final = (
    r"(?P<month>(?:this|the|next|diese[snm]?|des nächsten|nächste[snm]?|im nächsten|des) "
    r"(?:month|monats?))"
)
_OF_MONTH: Final = (
    re.compile(rf"(?P<day>\d{{1,2}})(?:{_ORD}|\.)? (?:of |in )?{_WHICH_MONTH}"),
    re.compile(rf"(?:in )?{_WHICH_MONTH},? (?:on |am )?(?:the )?(?P<day>\d{{1,2}})(?:{_ORD}|\.)?"),
)
_NTH: Final = re.compile(
    rf"(?P<nth>\d{_ORD}|\d\.|last|letzte[rn]?) (?P<day>{_NAMED}|day|tag) "
    r"(?:(?:of|in|im|vom) )?(?P<period>.+)"
)
#: "Plan the weekend" is about it, "on the weekend" is then.
_WEEKEND: Final = re.compile(
    r"(?:(?:at|on|over|by|until|before) (?=the ))?"
    r"(?:(?<= )the|this|next|am|nächstes|kommendes) (?:weekend|wochenende)"
)
_LEADING: Final = re.compile(
    r"^(?:on|by|am|at|until|till|bis|before|due|for|für|the|this|next|coming|nächste[nrm]?|"
    r"kommende[nrm]?|diese[nrm]?|zum|den|vor|an|zu|der|dem|,) ?"
)
#: What says that a short name is that of a day.
_NAMES_A_DAY: Final = re.compile(
    r"^(?:on|at|by|am|before|until|till|bis|next|this|coming|nächste[nrm]?|"
    r"kommende[nrm]?|diese[nrm]?) ?"
)
_DATE_FORMS: Final = {"PREFER_DATES_FROM": "future", "DATE_ORDER": "DMY", "STRICT_PARSING": False}
_D: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_M: Final = r"(?:0?[1-9]|1[0-2])"
_MONTH: Final = rf"(?:{'|'.join((*MONTH, *SHORT_MONTHS))})\.?"
_HAS_DATE: Final = re.compile(
    rf"{_D}(?:{_ORD}|\.)? (?:of )?{_MONTH}(?:,? \d{{4}})?|"
    rf"{_MONTH} (?:the )?{_D}{_ORD}?(?:,? \d{{4}})?"
)
#: "4.12.", "5/12", "24.12.2026", "2026-12-24".
_NUMERIC: Final = re.compile(
    rf"(?P<day>{_D})(?P<mark>[./])(?P<month>{_M})(?:(?P=mark)(?P<year>\d{{4}}|\d\d)?)?|"
    r"(?P<iso>\d{4}-\d\d-\d\d)"
)
_MONTHS_OF: Final[Mapping[str, int]] = {"month": 1, "year": 12}
_DAYS_OF: Final[Mapping[str, int]] = {"day": 1, "week": 7}


def spoken_day(text: str, today: date) -> date | None:
    """Return the day that words name; None where one of them is not understood.

    Args:
        text: The words in small letters, as `plain_words` gives them.
        today: The present day.
    """
    said, is_named = text, False
    while True:
        if (day := _read(said, today)) is not None:
            return day
        if is_named and said in WEEKDAY:
            return _weekday(said, today)
        if is_named and said in _NEW_YEAR:
            return _feast("neujahr", today)
        shorter = _LEADING.sub("", said).strip(" ,")
        if shorter == said:
            return None
        is_named = bool(_NAMES_A_DAY.match(said))
        said = shorter


def is_leading(text: str) -> bool:
    """Return whether a text has nothing but small words that may stand before a day."""
    while (shorter := _LEADING.sub("", text)) != text:
        text = shorter
    return not text.strip(" ,")


def later(day: date, count: float, unit: str) -> date | None:
    """Return the day so many days, weeks, months or years later; None past the year 9999."""
    if unit in _MONTHS_OF:
        return month_after(day, int(count * _MONTHS_OF[unit]))
    try:
        return day + timedelta(days=int(count * _DAYS_OF[unit]))
    except OverflowError:
        return None


def _read(said: str, today: date) -> date | None:
    if said in _DAYS:
        return today + timedelta(days=_DAYS[said])
    if said in WEEKDAY and len(said) >= _LONG:
        return _weekday(said, today)
    return next((day for read in _READERS if (day := read(said, today)) is not None), None)


def _weekday(name: str, today: date) -> date:
    return today + timedelta(days=(WEEKDAY[name] - today.weekday() - 1) % 7 + 1)


def _feast(said: str, today: date) -> date | None:
    if said not in _FEASTS:
        return None
    month, day = _FEASTS[said]
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _from_day(said: str, today: date) -> date | None:
    """Return the day of "in 2 weeks", "3 weeks from tomorrow" or "a week on Tuesday"."""
    span = _IN.fullmatch(said)
    if span:
        return later(today, float(span["count"]), span["unit"])
    match = _FROM.fullmatch(said)
    start = spoken_day(match["day"] or f"on {match['base']}", today) if match else None
    return later(start, int(match["count"]), match["unit"]) if match and start else None


def _before_day(said: str, today: date) -> date | None:
    match = _BEFORE.fullmatch(said)
    day = spoken_day(match["day"], today) if match else None
    return later(day, -int(match["count"]), match["unit"]) if match and day else None


def _beside_day(said: str, today: date) -> date | None:
    """Return the day before or after another."""
    match = _DAY_BESIDE.fullmatch(said)
    day = spoken_day(match["day"], today) if match and match["day"] else None
    if match is None or day is None:
        return None
    return day + timedelta(days=-1 if match["side"] in {"before", "vor"} else 1)


def _weeks_later(said: str, today: date) -> date | None:
    match = _WEEKS_LATER.fullmatch(said)
    day = spoken_day(f"on {match['base']}", today) if match else None
    if match is None or day is None:
        return None
    is_weekday = match["base"].split()[-1] in WEEKDAY
    if is_weekday and match["ahead"] not in {None, "1"}:
        return None  # "Monday in two weeks" may be either of two
    return later(day, int(match["count"] or match["ahead"] or 1), match["unit"] or "week")


def _after_next(said: str, today: date) -> date | None:
    match = _AFTER_NEXT.fullmatch(said)
    return _weekday(match["day"] or match["tag"], today) + timedelta(days=7) if match else None


def _of_week(said: str, today: date) -> date | None:
    """Return the day of "next week Thursday" or "Thursday next week"."""
    for pattern in _OF_WEEK:
        match = pattern.fullmatch(said)
        week = named_period(match["week"], today) if match else None
        if match and week:
            return week[0] + timedelta(days=WEEKDAY[match["day"]])
    return None


def _of_month(said: str, today: date) -> date | None:
    """Return the day of "the 1st of next month" or "next month on the 3rd"."""
    for pattern in _OF_MONTH:
        match = pattern.fullmatch(said)
        month = named_period(match["month"], today) if match else None
        if match and month:
            day = month[0] + timedelta(days=int(match["day"]) - 1)
            return day if month[0] <= day <= month[1] else None
    return None


def _nth(said: str, today: date) -> date | None:
    """Return the day of "the first Monday of January"; the next one, if this year's has passed."""
    match = _NTH.fullmatch(said)
    if match is None:
        return None
    period = _whole(match["period"], today)
    day = _nth_of(match["nth"], match["day"], period) if period else None
    if day is None or period is None or day >= today:
        return day
    again = _whole(match["period"], period[1] + timedelta(days=1))
    return _nth_of(match["nth"], match["day"], again) if again else None


def _whole(text: str, today: date) -> Period | None:
    return named_period(text, today) or named_period(f"the {text}", today)


def _nth_of(nth: str, name: str, period: Period) -> date | None:
    days = [period[0] + timedelta(days=count) for count in range((period[1] - period[0]).days + 1)]
    fitting = [day for day in days if name in {"day", "tag"} or day.weekday() == WEEKDAY[name]]
    place = int(nth[0]) if nth[0].isdigit() else 0
    return fitting[place - 1] if place <= len(fitting) else None


def _weekend(said: str, today: date) -> date | None:
    """Return the Saturday of a weekend, or today if it is its Sunday."""
    match = _WEEKEND.fullmatch(said)
    said = re.sub("^kommendes|^nächstes", "next", re.sub("^.+ (?=the )", "", said))
    period = named_period(said, today) if match else None
    return max(today, period[0]) if period else None


def _edge(said: str, today: date) -> date | None:
    """Return the last day of a period, or the day whose end is meant."""
    edge = edge_of_period(said, today)
    if edge is not None or not said.startswith(("end of ", "ende ")):
        return edge
    of = re.sub("^(?:end of|ende) (?:des |the )?", "", said)
    return today if of in {"day", "tages"} else spoken_day(of, today)


def _day_of_month(said: str, today: date) -> date | None:
    """Return the next day after today with a number; None where no month has it."""
    if not re.fullmatch(rf"\d{{1,2}}{_ORD}", said):
        return None
    ahead = (today + timedelta(days=count) for count in range(1, 63))
    return next((one for one in ahead if one.day == int(said[:-2])), None)


def _weekday_and_date(said: str, today: date) -> date | None:
    """Return the day of "Friday, 4 December": the date counts, if it is a Friday."""
    named, _, rest = said.partition(" ")
    number = WEEKDAY.get(named.rstrip(",."))
    found = spoken_day(rest, today) if rest and number is not None else None
    return found if found and found.weekday() == number else None


def _numeric(said: str, today: date) -> date | None:
    """Return the day of a date in numbers, the day first; without its year, the next one."""
    match = _NUMERIC.fullmatch(said)
    if match is None:
        return None
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        year = int(match["year"] or today.year)
        day = date(year + 2000 * (year < 100), int(match["month"]), int(match["day"]))  # noqa: PLR2004  "24.12.26"
    except ValueError:
        return None
    return day if match["year"] or day >= today else month_after(day, 12)


def _written(said: str, today: date) -> date | None:
    """Return the day of a written date; None without the extra, which reads it."""
    if not _HAS_DATE.fullmatch(said) or find_spec("dateparser") is None:
        return None
    import dateparser  # noqa: PLC0415  slow, and of the extra

    base = datetime.combine(today, time())
    written = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|(?<=\d)\.(?= [a-zä])", "", said)
    found = dateparser.parse(
        re.sub(" (?:of|the) ", " ", written),
        languages=["en", "de"],
        settings={**_DATE_FORMS, "RELATIVE_BASE": base},
    )
    return None if found is None else found.date()


_READERS: Final[tuple[Callable[[str, date], date | None], ...]] = (
    _feast, _from_day, _before_day, _beside_day, _weeks_later, _after_next, _of_week, _of_month,
    _nth, _weekend, _edge, _day_of_month, _weekday_and_date, _numeric,
    _written,
)  # fmt: skip
