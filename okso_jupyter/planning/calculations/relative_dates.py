"""Relative dates: today, Christmas and 24 December as dates with their year, for a calculation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from okso_jupyter.planning.calculations.spoken_dates import DATE, MONTH, MONTHS, UNTIL, iso_date

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
#: Days that have a name and are the same in each year, as a day without its year.
_FEASTS: Final[Mapping[str, str]] = {
    "christmas eve": "24 december",
    "heiligabend": "24 december",
    "christmas day": "25 december",
    "christmas": "25 december",
    "weihnachten": "25 december",
    "new year's eve": "31 december",
    "silvester": "31 december",
    "new year's day": "1 january",
    "new year": "1 january",
    "neujahr": "1 january",
    "halloween": "31 october",
    "valentine's day": "14 february",
    "valentinstag": "14 february",
}
_UNIT: Final = r"(?:days?|weeks?|months?|years?|tagen?|wochen?|monaten?|jahren?)"


def _any(names: Mapping[str, object]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


_DAY: Final = re.compile(rf"(?<!\w)(?:{_any(_DAYS)})(?!\w)")
_FEAST: Final = re.compile(rf"(?<!\w)(?:{_any(_FEASTS)})(?!\w)")


def _yearless_day(name: str) -> str:
    """Return the pattern of a day without its year."""
    return (
        rf"(?<![\w-])(?:(?:the|dem|den|der) )?(?:(?P<{name}_day>\d\d?)(?:st|nd|rd|th|\.)? (?:of )?"
        rf"(?P<{name}_month>{MONTH})|(?P<{name}_month_first>{MONTH}) "
        rf"(?P<{name}_day_last>\d\d?)(?:st|nd|rd|th)?)(?!\w)(?!,? \d{{4}})"
    )


_YEARLESS: Final = re.compile(_yearless_day("only"))
_FROM: Final = r"(?P<from>(?<!\w)(?:between|from|zwischen|vom|von) )"
_TO: Final = rf"(?P<to> (?:and|und|{UNTIL}) )"
#: Spans of which one day has a year or none has.
_SPANS: Final = tuple(
    re.compile(rf"{_FROM}{first}{_TO}{second}")
    for first, second in (
        (_yearless_day("first"), rf"(?P<second>{DATE})"),
        (rf"(?P<first>{DATE})", _yearless_day("second")),
        (_yearless_day("first"), _yearless_day("second")),
    )
)
#: Says that a day without its year is over.
_IS_OVER: Final = re.compile(
    r"(?<!\w)(?:since|seit|was(?! (?:ist|sind|war|für))|were|passed|elapsed|went by|war|waren|"
    r"vergangen|vergingen|fiel)(?!\w)"
)
_AHEAD_OF: Final = re.compile(r"(?<!\w)(?:until|untill|till|before|bis)(?!\w)")
_UNTIL: Final = re.compile(
    rf"^(?:how many|wie ?viele?) (?P<unit>{_UNIT}) (?:(?:are|is it|is there|left|there|remain|"
    rf"still|to go|do we have|do i have|will it be|sind es|sind|noch|bleiben|dauert es) )*"
    rf"(?:before|{UNTIL}) (?P<day>{DATE})"
)
_HOW_LONG: Final = re.compile(
    rf"^(?:how long|wie lange) (?:(?:is it|ist es|noch|still) )*{UNTIL} (?P<day>{DATE})"
)
_SINCE: Final = re.compile(
    rf"^(?:how many|wie ?viele?) (?P<unit>{_UNIT}) (?:(?:have|has|passed|it been|is it|are|"
    rf"sind|vergangen) )*(?:since|seit|seit dem) (?P<day>{DATE})"
)
_AGE: Final = re.compile(
    r"^how old (?:is|am|are|was|would be) [\w ]+?(?: (?:who|that) (?:was|is|were))? born "
    rf"(?:on )?(?P<day>{DATE})(?: (?:today|now))?"
)
#: What is on a day, in a question for the time up to it or since: "until the concert on 12 May".
_ASKS_TIME: Final = re.compile(
    rf"^(?:(?:and|so|und) )?(?:how long|wie lange|in (?:how many|wie ?vielen?)|"
    rf"(?:how many|wie ?viele?) {_UNIT})\b"
)
_NO_EVENT: Final = (
    rf"(?:before|after|from|to|until|till|since|between|and|or|on|at|in|{_UNIT}|vor|nach|bis|seit|"
    r"und|oder|am|um|next|last|nächste\w*|letzte\w*|morning|evening)"
)
_EVENT: Final = re.compile(
    rf"(?<!\w)(?P<lead>until|untill|till|'?til|before|since|bis|seit|to|and|und|from|between|"
    rf"zwischen|is|ist|was|war)(?:(?: zu[rm]?| de[rmn]| die| das| the| my| our| your| an?| mein\w*|"
    rf"| unser\w*)?)(?: (?!{_NO_EVENT}\b)[^\W\d_][\w'-]*(?<!\d)){{1,5}},? (?:on|am|at) "
    rf"(?=(?:the |den |dem )?(?:{DATE}|\d\d?(?:st|nd|rd|th|\.)? (?:of )?(?:{MONTH})|"
    rf"(?:{MONTH}) \d))"
)
_AHEAD: Final = re.compile(rf"(?<!\w)in (?P<count>\d+) (?P<unit>{_UNIT})(?!\w)")
_AGO: Final = re.compile(rf"(?<!\w)(?P<count>\d+) (?P<unit>{_UNIT}) ago(?!\w)")
_VOR: Final = re.compile(rf"(?<!\w)vor (?P<count>\d+) (?P<unit>{_UNIT})(?!\w)")
_HOW_LONG_AGO: Final = re.compile(rf"^how (?:long|many (?P<unit>{_UNIT})) ago was (?P<day>{DATE})")
_IN_HOW_MANY: Final = re.compile(
    rf"^in (?:how many|wie ?vielen?) (?P<unit>{_UNIT}) (?:is|ist) (?P<day>{DATE})"
)
#: Who was born is who is asked about.
_BORN: Final = re.compile(
    rf"^(?:if |wenn )?(?:i (?:was|am) born (?:on )?(?P<own>{DATE})[,.:]? (?:and )?how old am i|"
    rf"[\w ]{{2,30}} (?:was|were|is) born (?:on )?(?P<other>{DATE})[,.:]? (?:and )?how old "
    r"(?:is|are) (?:he|she|it|they))(?: (?:now|today))?"
)
_FROM_NOW: Final = re.compile(rf"(?<!\w)(?P<amount>\d+ {_UNIT}) from now(?!\w)")


def with_absolute_dates(request: str, today: date) -> str:
    """Return a request in small letters with the dates that it gives relative to today.

    A day without its year is the next one, or the last one where it is said to be over; one of a
    span is the nearest to its other day. Nothing but such words changes.

    Args:
        request: The request in plain words.
        today: The present date.
    """
    text = " ".join(request.lower().replace("\u2019", "'").split())
    if _ASKS_TIME.match(text):
        text = _EVENT.sub(r"\g<lead> ", text)
    text = _DAY.sub(lambda m: (today + timedelta(days=_DAYS[m[0]])).isoformat(), text)
    text = _FEAST.sub(lambda m: _FEASTS[m[0]], text)
    text = _BORN.sub(lambda m: f"how many years from {m['own'] or m['other']} to {today}", text)
    is_over = _IS_OVER.search(text) is not None and not _AHEAD_OF.search(text)
    for pattern in _SPANS:
        text = pattern.sub(lambda m: _span(m, today, is_over=is_over) or m[0], text)
    text = _YEARLESS.sub(
        lambda m: _nearest(*_day_of(m, "only"), today, is_past=is_over) or m[0], text
    )
    text = _UNTIL.sub(rf"how many \g<unit> from {today} to \g<day>", text)
    text = _HOW_LONG.sub(rf"how many days from {today} to \g<day>", text)
    text = _SINCE.sub(rf"how many \g<unit> from \g<day> to {today}", text)
    text = _HOW_LONG_AGO.sub(
        lambda m: f"how many {m['unit'] or 'days'} from {m['day']} to {today}", text
    )
    text = _IN_HOW_MANY.sub(rf"how many \g<unit> from {today} to \g<day>", text)
    text = _AGE.sub(rf"how many years from \g<day> to {today}", text)
    text = _AHEAD.sub(rf"\g<count> \g<unit> after {today}", text)
    text = _VOR.sub(rf"\g<count> \g<unit> before {today}", text)
    text = _AGO.sub(rf"\g<count> \g<unit> before {today}", text)
    return _FROM_NOW.sub(rf"\g<amount> after {today}", text)


def _span(match: re.Match[str], today: date, *, is_over: bool) -> str:
    """Return a span with the years of its days: a day without one is the nearest to the other."""
    parts = match.groupdict()
    first, second = parts.get("first") or "", parts.get("second") or ""
    if second:
        end = _dated(second)
        first = _nearest(*_day_of(match, "first"), end, is_past=True) if end else ""
    else:
        first = first or _nearest(*_day_of(match, "first"), today, is_past=is_over)
        start = _dated(first)
        second = _nearest(*_day_of(match, "second"), start, is_past=False) if start else ""
    return f"{match['from']}{first}{match['to']}{second}" if first and second else ""


def _dated(text: str) -> date | None:
    found = iso_date(text)
    return date.fromisoformat(found) if found else None


def _day_of(match: re.Match[str], name: str) -> tuple[int, int]:
    """Return month and day of a day without its year."""
    day = match[f"{name}_day"] or match[f"{name}_day_last"]
    return MONTHS[match[f"{name}_month"] or match[f"{name}_month_first"]], int(day)


def _nearest(month: int, day: int, other: date, *, is_past: bool) -> str:
    """Return the nearest day of a month and day in ISO form, after another or before it.

    The other day itself counts; "" if there is none.
    """
    # 29 February comes within eight years
    for years in range(9):
        try:
            found = date(other.year + (-years if is_past else years), month, day)
        except ValueError:
            continue
        if found == other or (found < other) is is_past:
            return found.isoformat()
    return ""
