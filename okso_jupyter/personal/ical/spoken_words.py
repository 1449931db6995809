"""Plain words of a time: many spoken forms rewritten into the few that the parser knows.

Numbers and ordinals become digits ("the twelfth" is 12th), lengths of time a number and a unit in
English ("anderthalb Stunden" is 1.5 hour, "a fortnight" 2 week), parts of a day words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from okso_jupyter.number_words import ENGLISH, GERMAN, english_number, german_number

#: Names of days in English and German, Monday first.
WEEKDAYS: Final = (
    ("monday", "mon", "montag", "mo"),
    ("tuesday", "tue", "tues", "dienstag", "di"),
    ("wednesday", "wed", "mittwoch", "mi"),
    ("thursday", "thu", "thur", "thurs", "donnerstag", "do"),
    ("friday", "fri", "freitag", "fr"),
    ("saturday", "sat", "samstag", "sonnabend", "sa"),
    ("sunday", "sun", "sonntag", "so"),
)
#: Names of months in English and German, January first.
MONTHS: Final = (
    ("january", "januar", "jänner"), ("february", "februar"), ("march", "märz"), ("april",),
    ("may", "mai"), ("june", "juni"), ("july", "juli"), ("august",), ("september",),
    ("october", "oktober"), ("november",), ("december", "dezember"),
)  # fmt: skip
#: Short names of months, which stand beside the number of a day.
SHORT_MONTHS: Final = tuple("jan feb mar apr jun jul aug sept sep oct okt nov dec dez".split())
_MONTH: Final = "|".join((*(name for names in MONTHS for name in names), *SHORT_MONTHS))
_LONG_DAY: Final = "|".join(name for names in WEEKDAYS for name in names if len(name) > 5)  # noqa: PLR2004  whole names
_ONES: Final = "|".join(word for word, value in ENGLISH.items() if 0 < value < 10)  # noqa: PLR2004  how numbers are said
_TENS: Final = "|".join(word for word, value in ENGLISH.items() if value > 19)  # noqa: PLR2004  how numbers are said
_SMALL: Final = "|".join(sorted((word for word in ENGLISH if word != "zero"), reverse=True))
_NUMBER: Final = re.compile(rf"\b(?:(?:{_TENS})[ -](?:{_ONES})|{_SMALL})\b")
_GERMAN_NUMBER: Final = re.compile(
    rf"\b(?:ein|und|{'|'.join(sorted(GERMAN, key=len, reverse=True))})+\b"
)
_SOLE: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
#: "Zweieinhalb Stunden".
_AND_A_HALF: Final = re.compile(r"\b(zwei|drei|vier|fünf|sechs)(einhalb)\b")
#: "Seven thirty" and "nine oh five".
_HOUR_MINUTES: Final = re.compile(
    rf"\b(?P<hour>{_SOLE}) (?P<minute>fifteen|twenty(?:[ -]five)?|thirty(?:[ -]five)?|"
    rf"forty(?:[ -]five)?|fifty(?:[ -]five)?|ten|oh five)\b(?! (?:past|to|minutes?)\b)"
)
_IRREGULAR: Final[Mapping[str, int]] = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
    "erste": 1, "dritte": 3, "siebte": 7, "siebente": 7, "achte": 8,
}  # fmt: skip


def _ordinals() -> dict[str, int]:
    """Return ordinals up to 31 in words."""
    tens = {"twenty": 20, "thirty": 30}
    english = {f"{word}th": value for word, value in ENGLISH.items() if value < 20}  # noqa: PLR2004  how numbers are said
    whole = english | {"twentieth": 20, "thirtieth": 30} | dict(_IRREGULAR)
    compound = {
        f"{ten}{mark}{word}": value + more
        for ten, value in tens.items()
        for mark in "- "
        for word, more in whole.items()
        if more < 10  # noqa: PLR2004  how numbers are said
    }
    return whole | compound


_ENGLISH_ORDINALS: Final = _ordinals()
_ORDINAL: Final = "|".join(sorted(_ENGLISH_ORDINALS, key=len, reverse=True))
_GERMAN_STEM: Final = r"(?:[a-zäöüß]+?)(?:st|t)e[nrms]?|erste[nrms]?|dritte[nrms]?|achte[nrms]?"
_AFTER: Final = rf"(?= (?:of (?:the |next |this )?)?(?:month|{_MONTH}|{_LONG_DAY})\b)"
_THE_ORDINAL: Final = re.compile(
    rf"(?:(?P<before>(?:\b(?:on|by|until|till|before|for|from|due|and|to|every|each|{_LONG_DAY}|{_MONTH}),?"
    rf" (?:the )?|^the (?=\S+ (?:at|of)\b)))"
    rf"(?P<day>{_ORDINAL})\b(?= (?:at|of|in)\b|,|$)|"
    rf"\b(?P<named>{_ORDINAL})\b(?:{_AFTER}|(?= (?:week|day) (?:of|in)\b)))"
)
_GERMAN_ORDINAL: Final = re.compile(
    rf"(?P<before>\b(?:am|zum|vom|bis|den|der|die|jede[nrms]?) )(?P<day>{_GERMAN_STEM})\b"
)
#: "Am 12." is the twelfth, "am 12. Dezember" has its month.
_GERMAN_DAY: Final = re.compile(
    rf"(?P<before>\b(?:am|zum|vom|bis|den|der|jede[nrms]?),? )(?P<day>\d{{1,2}})\."
    rf"(?= (?:um|ab|gegen|bis|jede|des|nächst|diese|{_LONG_DAY})|,|$)"
)
_UNITS: Final[Mapping[str, str]] = {
    "minute": "minutes?|mins?|minuten?", "hour": "hours?|hrs?|stunden?",
    "day": "days?|tage?n?", "week": "weeks?|wochen?", "month": "months?|monate?n?",
    "year": "years?|jahre?n?",
}  # fmt: skip
_A_UNIT: Final = "|".join(_UNITS.values())
_PART: Final = "morgens?|vormittags?|mittags?|nachmittags?|abends?|nachts?|früh"
#: What is rewritten, in this order.
_REWRITES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\b(?:an?|one|1) hour and (?:a half|30 minutes)\b", "1.5 hours"),
        (r"\b(?:an?|1) (week|day|month|year) and a half\b", r"1.5 \1s"),
        (r"\b(\d+) and a half (?=[a-z])", r"\1.5 "),
        (r"\b(?:anderthalb|eineinhalb)\b", "1.5"),
        (r"\b(\d+) einhalb\b", r"\1.5"),
        (r"\b(?:half an hour|half hour|(?:einer )?halben? stunde)\b", "30 minutes"),
        (r"\b(?:(?:a )?quarter of an hour|(?:einer )?viertelstunde)\b", "15 minutes"),
        (r"\b(?:3 quarters of an hour|(?:einer )?dreiviertelstunde)\b", "45 minutes"),
        (r"\b(?:(?:an?|1) )?fortnight\b", "2 weeks"),
        (rf"\b(?:a )?couple of (?={_A_UNIT})", "2 "),
        (rf"\b(?:a few|some|ein paar|einigen) (?={_A_UNIT})", "3 "),
        (rf"\b(?:an?|eine[rmn]?) (?=(?:{_A_UNIT})\b)", "1 "),
        (r"(?<=week)s?'?s? time\b", ""),
        (r"(?<=day)s?'?s? time\b|(?<=month)s?'?s? time\b|(?<=hour)s?'?s? time\b", ""),
        (r"(?<=minute)s?'?s? time\b|(?<=year)s?'?s? time\b", ""),
        *((rf"(?<=\d )(?:{words})\b'?", unit) for unit, words in _UNITS.items()),
        (r"^(?:in )?(\d+(?:\.\d+)? [a-z]+) (?:from now|from today|hence)$", r"in \1"),
        (rf"\b({_LONG_DAY})({_PART})\b", r"\1 \2"),
        (rf"\b((?:{_LONG_DAY}|heute),?) morgen\b", r"\1 früh"),
        (r"\bam morgen\b|\bmorgens\b", "früh"),
        (r"\bthis (?=(?:morning|afternoon|evening)\b)", "today "),
        (r"\b12 (?=noon|midnight|midday)", ""),
        (r"\b(?:eod|cob|close of business|tagesende)\b", "end of today"),
        (r"\b(?:eow)\b", "end of the week"),
        (r"\b(?:eom|monatsende)\b", "end of the month"),
        (r"\bjahresende\b", "end of the year"),
        (r"\b(?:gleich|direkt) (?=morgen|heute|am)", ""),
    )
)
_HOURS_MINUTES: Final = re.compile(r"\b(\d{1,3}) hour (?:and |und )?(\d{1,2}) minute\b")


@lru_cache(maxsize=256)  # parts of one request are tried again and again, as days and as times
def plain_words(text: str) -> str:
    """Return words of a time in lower case and in the few forms that are read.

    Args:
        text: The words, English or German.
    """
    said = " ".join(text.lower().replace("\u2019", "'").split()).strip(" ,")
    said = _AND_A_HALF.sub(r"\1 \2", said)
    said = _THE_ORDINAL.sub(_ordinal, _HOUR_MINUTES.sub(_hour_minutes, said))
    said = _NUMBER.sub(lambda match: str(english_number(match[0])), said)
    said = _GERMAN_DAY.sub(r"\g<before>\g<day>th", _GERMAN_ORDINAL.sub(_german_ordinal, said))
    said = _GERMAN_NUMBER.sub(_german_digits, said)
    for pattern, replacement in _REWRITES:
        said = pattern.sub(replacement, said)
    said = _HOURS_MINUTES.sub(lambda m: f"{60 * int(m[1]) + int(m[2])} minute", said)
    return " ".join(said.split()).strip(" ,.")


def _hour_minutes(match: re.Match[str]) -> str:
    minute = english_number(match["minute"].removeprefix("oh "))
    return f"{ENGLISH[match['hour']]}:{minute:02d}"


def _ordinal(match: re.Match[str]) -> str:
    said = match["day"] or match["named"]
    return f"{match['before'] or ''}{_ENGLISH_ORDINALS[said]}th"


def _german_ordinal(match: re.Match[str]) -> str:
    """Return "am zwölften" as "am 12th"; other words that end so as they are."""
    word = re.sub("[nrms]$", "", match["day"])
    stem = re.sub("(?:st|t)e$", "", word)
    value = _IRREGULAR.get(word) or german_number(stem)
    return f"{match['before']}{value}th" if value and value <= 31 else match[0]  # noqa: PLR2004  days of a month


def _german_digits(match: re.Match[str]) -> str:
    value = german_number(match[0])
    return match[0] if value is None else str(value)
