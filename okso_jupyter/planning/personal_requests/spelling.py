"""Spelling: words of asking and of days as they are meant, where a letter or apostrophe is missing.

"Whats on tomorow" is "what's on tomorrow". Other words, which may be names, are left as they are,
and so is what stands in quotation marks or behind a colon, which is said to be written.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.personal_requests.mail_words import QUOTED
from okso_jupyter.planning.table_questions.words import one_letter_apart

_SHORT: Final = {
    word.replace("'", ""): word
    for word in (
        "what's where's when's who's how's that's there's let's i've haven't hasn't hadn't didn't "
        "don't doesn't isn't aren't wasn't weren't couldn't shouldn't"
    ).split()
} | {
    wrong: right
    for right, many in {
        "through": "thru", "calendar": "calender calandar", "tomorrow": "tmrw tmr tomoro 2morrow",
        "wednesday": "wensday wendsday wenesday", "saturday": "saterday", "tonight": "tonite 2nite",
        "morning": "mornin", "evening": "evenin", "remind": "remeind remid remnd rember remeber",
        "meeting": "meating", "appointment": "apointment appointmnt", "message": "msg",
    }.items()
    for wrong in many.split()
}  # fmt: skip
#: Long enough that a word one letter apart from one is no other word.
_DAYS: Final = (
    "tomorrow monday tuesday wednesday thursday friday saturday sunday january february august "
    "september october november december übermorgen dienstag mittwoch donnerstag freitag samstag "
    "sonntag"
).split()
#: Days and months that are no misspelt ones of the other language.
_RIGHT: Final = frozenset("oktober dezember".split())
_LEAST_CHARS: Final = 6
_TWO_FOR_TO: Final = re.compile(r"(?i)\bremind me 2 (?=[a-z])")
_WORD: Final = re.compile(rf"(?:{QUOTED})|(?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)?)")


def mended(request: str) -> str:
    """Return a request with these words as they are meant."""
    said, colon, written = _TWO_FOR_TO.sub("remind me to ", request).partition(": ")
    return f"{_WORD.sub(_mended, said)}{colon}{written}"


def _mended(match: re.Match[str]) -> str:
    word = match["word"]
    if word is None:
        return match[0]
    small = word.lower()
    if small in _SHORT:
        return _SHORT[small]
    if len(small) < _LEAST_CHARS or small.removesuffix("s") in {*_DAYS, *_RIGHT}:
        return word
    return next((day for day in _DAYS if one_letter_apart(small, day)), word)
