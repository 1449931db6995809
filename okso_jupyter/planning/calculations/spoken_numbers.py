"""Numbers as people write them: with separators, decimal commas, in English and German words."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.number_words import ENGLISH, GERMAN, SCALES, english_number, german_number

#: A number in a text of `with_digits`, as a pattern.
NUMBER: Final = r"\d+(?:\.\d+)?"
_WORD: Final = "|".join(sorted((*ENGLISH, *SCALES), key=len, reverse=True))
_WORDS: Final = re.compile(rf"\b(?:{_WORD})(?:(?:[ -]|\ and\ )(?:{_WORD}))*\b".replace(r"\ ", " "))
_GERMAN_WORD: Final = re.compile(
    rf"\b(?:ein|und|hundert|tausend|{'|'.join(sorted(GERMAN, key=len, reverse=True))})+\b"
)
#: Words that only a German request has; an English one has "was" as well.
_IS_GERMAN: Final = re.compile(
    r"\b(?:was(?= (?:macht|machen|ergibt|ergeben|kostet|kosten|bleibt|zahlt|muss|wäre)\b)|ist|"
    r"sind|wie|viele?|mal|durch|geteilt|prozent|von|berechne|rechne|und|wurzel|hoch|"
    r"tagen?|wochen?|stunden?|minuten|meilen|welche[rs]?|wochentag|bis|vom|aus|mittelwert|summe|"
    r"durchschnitt|fakultät|addiere|wandle|nach|vor|datum|mit|wenn|kostet|"
    r"kosten|zahlt|wieviel)\b"
)
#: Words that make a list of what follows: "3,5" may be two numbers there.
_LISTED: Final = re.compile(r"\b(?:mean|average|median|sum|product|largest|smallest|max|min)\b")
_ENGLISH_NUMBER: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]|\.\d)")
_GERMAN_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?!\w|[.,]\d)"
)
_DECIMAL_COMMA: Final = re.compile(r"(?<![\w.,])(\d+),(\d{1,2}|\d{4,})(?!\w|[.,]\d)")


def is_german(text: str) -> bool:
    """Return whether a request in small letters is German."""
    return _IS_GERMAN.search(text) is not None


def with_digits(text: str) -> str:
    """Return a text in small letters with its numbers as plain digits with a decimal point.

    A comma that may be a decimal one or may separate two numbers is left as it is.
    """
    if is_german(text):
        text = _GERMAN_NUMBER.sub(lambda m: m[0].replace(".", "").replace(",", "."), text)
        return _GERMAN_WORD.sub(lambda m: _or_same(m[0], german_number(m[0])), text)
    if not _LISTED.search(text):
        text = _ENGLISH_NUMBER.sub(lambda m: m[0].replace(",", ""), text)
        text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return _WORDS.sub(lambda m: _or_same(m[0], english_number(m[0])), text)


def _or_same(text: str, value: int | None) -> str:
    return text if value is None else str(value)
