"""Number words in English and German: "twenty-five", "fünfundzwanzig" as their values.

Any package may import this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: English words and their values; a value below twenty stands behind one of the tens.
ENGLISH: Final[Mapping[str, int]] = {
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
SCALES: Final[Mapping[str, int]] = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
GERMAN: Final[Mapping[str, int]] = {
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


def english_number(text: str) -> int | None:
    """Return the value of number words; None for words that follow each other as none do."""
    total, group, last = 0, 0, 10**9
    for word in re.findall(r"[a-z]+", text):
        if word == "and":
            if last not in SCALES.values():
                return None
        elif word == "hundred" and 0 < group < 10:  # noqa: PLR2004  how numbers are said
            group, last = group * 100, 100
        elif word in SCALES and word != "hundred" and group:
            total, group, last = total + group * SCALES[word], 0, 1000
        elif word in ENGLISH and (last >= 100 or (last >= 20 and ENGLISH[word] in range(1, 10))):  # noqa: PLR2004  how numbers are said
            group, last = group + ENGLISH[word], ENGLISH[word]
        else:
            return None
    return total + group


def german_number(text: str) -> int | None:
    """Return the value of a German number word; None for other words made of its parts."""
    for scale, value in (("tausend", 1000), ("hundert", 100)):
        first, found, rest = text.partition(scale)
        if found:
            many, more = (
                german_number(first) if first else 1,
                german_number(rest) if rest else 0,
            )
            return None if many is None or more is None else many * value + more
    if text in GERMAN:
        return GERMAN[text]
    ones, found, tens = text.partition("und")
    value = 1 if ones == "ein" else GERMAN.get(ones, 0)
    is_number = found and value in range(1, 10) and GERMAN.get(tens, 0) in range(20, 100)
    return value + GERMAN[tens] if is_number else None
