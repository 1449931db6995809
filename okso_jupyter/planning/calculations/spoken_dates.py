"""Questions about dates: the time between two, a date before or after one, a weekday."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

#: Number of a month by its name, English and German.
MONTHS: Final[Mapping[str, int]] = {
    name: number
    for number, names in enumerate(
        "jan january januar jänner,feb february februar,mar march märz maerz,apr april,may mai,"
        "jun june juni,jul july juli,aug august,sep sept september,oct october okt oktober,"
        "nov november,dec december dez dezember".split(","),
        start=1,
    )
    for name in names.split()
}
#: The names as a pattern.
MONTH: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_ARTICLE: Final = r"(?:(?:the|am|den|dem|der|zum|on) )*"
#: A date with its year, as a pattern.
DATE: Final = (
    rf"{_ARTICLE}(?:\d{{4}}-\d\d?-\d\d?|\d\d?\.\ ?\d\d?\.\ ?\d{{4}}|\d\d?/\d\d?/\d{{4}}|"
    rf"\d\d?(?:st|nd|rd|th|\.)?\ (?:of\ )?(?:{MONTH})\.?,?\ \d{{4}}|"
    rf"(?:{MONTH})\.?\ \d\d?(?:st|nd|rd|th)?,?\ \d{{4}})"
)
#: Words before the end of a span, as a pattern, with the ways people mistype them.
UNTIL: Final = r"(?:to|until|untill|untl|till|'?til|bis zum|bis zu|bis)"
_UNITS: Final[Mapping[str, str]] = {
    word: unit
    for unit, words in {
        "day": "day days tag tage tagen",
        "week": "week weeks woche wochen",
        "month": "month months monat monate monaten",
        "year": "year years jahr jahre jahren",
    }.items()
    for word in words.split()
}
_UNIT: Final = "|".join(sorted(_UNITS, key=len, reverse=True))
_AMOUNT: Final = rf"(?P<count>\d{{1,7}}) (?P<unit>{_UNIT})"
_BETWEEN: Final = re.compile(
    rf"(?:(?:how many|number of|the number of|wie ?viele|anzahl der|die anzahl der) )?"
    rf"(?P<unit>{_UNIT}) "
    r"(?:(?:are there|are|is it|were there|were|lie|lay|have passed|have gone by|passed|pass|"
    r"elapsed|went by|sind es|sind|waren es|liegen|lagen|vergehen|vergingen) )?"
    rf"(?:between|from|zwischen|vom|von) (?P<first>{DATE}) "
    rf"(?:and|und|{UNTIL}) (?P<second>{DATE})(?: (?:have )?(?:passed|elapsed|vergangen))?"
)
_LONG: Final = re.compile(
    rf"how long (?:is it|was it)?\s*(?:from|between) (?P<first>{DATE}) "
    rf"(?:and|{UNTIL}) (?P<second>{DATE})"
)
_WEEKDAY_WORD: Final = r"weekday|day of (?:the )?week|wochentag"
_ASKED_DATE: Final = (
    rf"(?:(?:what|which|welches|welcher|welchen|an welchem) (?:date|day|datum|tag|"
    rf"{_WEEKDAY_WORD}) (?:is it|will it be|"
    r"was it|will be|is|was|do we have|haben wir|ist es|war es|ist|war) |"
    r"what (?:will|would) the date be |der wievielte ist (?:es )?|"
    r"(?:(?:what|was)(?: is|'s| was| ist) )?(?:(?:the date|das datum) )?)"
)
_AFTER: Final = re.compile(
    rf"{_ASKED_DATE}{_AMOUNT} (?P<way>after|before|from|later than|nach|vor) (?P<first>{DATE})"
)
_PLUS: Final = re.compile(
    rf"(?:(?:what|was) (?:is|ist) )?(?P<first>{DATE}) (?P<way>plus|minus|\+|-) {_AMOUNT}"
)
_ADD: Final = re.compile(rf"(?P<way>add|subtract) {_AMOUNT} (?:to|from) (?P<first>{DATE})")
_WHICH_DAY: Final = rf"(?:(?:on|an|auf) )?(?:what|which|welche[rnsm]?) (?:{_WEEKDAY_WORD}|day|tag)"
_WEEKDAY: Final = re.compile(
    rf"{_WHICH_DAY} (?:is|was|did|does|will|ist|war|fiel|fällt)(?: it| es)?(?: be)?"
    rf" (?P<first>{DATE})(?: (?:fall on|fall|be|on))?"
)
#: "The 5th of May 2030 is which weekday", "what is 5 May 2030, which weekday"
_DATE_FIRST: Final = re.compile(
    rf"(?:(?:what|was) (?:is|was|ist|war|about) )?(?P<first>{DATE})"
    rf"(?:(?:,|:|;| -|\?)? (?:(?:is|was|falls on|ist|war|fällt auf) (?:it |es |on )?)?"
    rf"(?:an? |ein )?(?:{_WHICH_DAY}|(?:the |der )?(?:{_WEEKDAY_WORD}))"
    r"(?: (?:is|was|ist|war)(?: (?:it|that|this|es|das))?)?)"
)
_IS_WEEKDAY: Final = re.compile(
    rf"(?:is|was|will|ist|war) (?P<first>{DATE}) (?:be )?(?:on )?(?:an? |ein )?"
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|"
    r"donnerstag|freitag|samstag|sonntag)"
)
_WEEKDAY_OF: Final = re.compile(
    rf"(?:(?:what|was) (?:is|was|ist) )?(?:the |der )?(?:{_WEEKDAY_WORD})"
    rf" (?:of|on|for|von|vom|am) (?P<first>{DATE})"
)
_BEFORE: Final = frozenset({"before", "vor", "minus", "-", "subtract"})
_MONTHS_FIRST: Final = 12


def dates_asked(text: str) -> Mapping[str, Any] | None:
    """Return the arguments for a text in small letters that asks about dates alone; else None."""
    for pattern in (
        _BETWEEN,
        _LONG,
        _AFTER,
        _PLUS,
        _ADD,
        _WEEKDAY,
        _DATE_FIRST,
        _IS_WEEKDAY,
        _WEEKDAY_OF,
    ):
        match = pattern.fullmatch(text)
        if match is not None:
            return _arguments(match.groupdict())
    return None


def _arguments(parts: Mapping[str, str]) -> Mapping[str, Any] | None:
    first = iso_date(parts["first"])
    if not first:
        return None
    unit = _UNITS.get(parts.get("unit", ""), "day")
    if "second" in parts:
        second = iso_date(parts["second"])
        asked = {} if unit == "day" else {"to": unit}
        return {"date": first, "until": second, **asked} if second else None
    if "count" in parts:
        sign = "-" if parts["way"] in _BEFORE else ""
        return {"date": first, "plus": f"{sign}{parts['count']} {unit}s"}
    return {"date": first}


def iso_date(text: str) -> str:
    """Return a date in ISO form; "" for none, and for one that reads both ways (3/4/2024)."""
    month = next((MONTHS[word] for word in re.findall(r"[^\W\d]+", text) if word in MONTHS), 0)
    numbers = [int(digits) for digits in re.findall(r"\d+", text)]
    if month:
        day, year = numbers
    elif numbers[0] > 31:  # noqa: PLR2004  a year
        year, month, day = numbers
    else:
        day, month, year = numbers
        if "/" in text and month > _MONTHS_FIRST:
            day, month = month, day
        elif "/" in text and day <= _MONTHS_FIRST and day != month:
            return ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
