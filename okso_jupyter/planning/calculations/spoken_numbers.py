"""Numbers as people write them: with separators, decimal commas, in English and German words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_ENGLISH: Final[Mapping[str, int]] = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * place
    for place, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SCALES: Final[Mapping[str, int]] = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_GERMAN: Final[Mapping[str, int]] = {
    word: value
    for value, word in enumerate(
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
        "fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
    )
} | {
    word: 10 * place
    for place, word in enumerate(
        "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(), start=2
    )
}
_WORD: Final = "|".join(sorted((*_ENGLISH, *_SCALES), key=len, reverse=True))
_WORDS: Final = re.compile(rf"\b(?:{_WORD})(?:(?:[ -]|\ and\ )(?:{_WORD}))*\b".replace(r"\ ", " "))
_GERMAN_WORD: Final = re.compile(
    rf"\b(?:ein|und|hundert|tausend|{'|'.join(sorted(_GERMAN, key=len, reverse=True))})+\b"
)
#: Words that only a German request has.
_IS_GERMAN: Final = re.compile(
    r"\b(?:was|ist|sind|wie|viele?|mal|durch|geteilt|prozent|von|berechne|rechne|und|wurzel|hoch|"
    r"tagen?|wochen?|stunden?|minuten|meilen|welche[rs]?|wochentag|bis|vom|aus|mittelwert|summe|"
    r"durchschnitt|fakultät|addiere|wandle|nach|vor|datum|mit|minus)\b(?<!minus)"
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
        return _GERMAN_WORD.sub(lambda m: _or_same(m[0], _german(m[0])), text)
    if not _LISTED.search(text):
        text = _ENGLISH_NUMBER.sub(lambda m: m[0].replace(",", ""), text)
        text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return _WORDS.sub(lambda m: _or_same(m[0], _english(m[0])), text)


def _or_same(text: str, value: int | None) -> str:
    return text if value is None else str(value)


def _english(text: str) -> int | None:
    """Return the value of number words; None for words that follow each other as none do."""
    total, group, last = 0, 0, 10**9
    for word in re.findall(r"[a-z]+", text):
        if word == "and":
            if last not in _SCALES.values():
                return None
        elif word == "hundred" and 0 < group < 10:  # noqa: PLR2004
            group, last = group * 100, 100
        elif word in _SCALES and word != "hundred" and group:
            total, group, last = total + group * _SCALES[word], 0, 1000
        elif word in _ENGLISH and (last >= 100 or (last >= 20 and _ENGLISH[word] in range(1, 10))):  # noqa: PLR2004
            group, last = group + _ENGLISH[word], _ENGLISH[word]
        else:
            return None
    return total + group


def _german(text: str) -> int | None:
    """Return the value of a German number word; None for other words made of its parts."""
    for scale, value in (("tausend", 1000), ("hundert", 100)):
        first, found, rest = text.partition(scale)
        if found:
            many, more = _german(first) if first else 1, _german(rest) if rest else 0
            return None if many is None or more is None else many * value + more
    if text in _GERMAN:
        return _GERMAN[text]
    ones, found, tens = text.partition("und")
    value = 1 if ones == "ein" else _GERMAN.get(ones, 0)
    is_number = found and value in range(1, 10) and _GERMAN.get(tens, 0) in range(20, 100)
    return value + _GERMAN[tens] if is_number else None
