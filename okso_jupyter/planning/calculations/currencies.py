"""Currencies: their words and signs, and amounts of one of them as plain numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: Code of a currency by a word or sign for it, in small letters.
_CURRENCIES: Final[Mapping[str, str]] = {
    word.replace("_", " "): code
    for code, words in {
        "eur": "€ eur euro euros",
        "usd": "$ usd us_dollars us_dollar us-dollar dollar dollars",
        "gbp": "£ gbp pounds_sterling pound_sterling pound pounds quid pfund",
        "chf": "chf francs franc swiss_francs swiss_franc franken",
        "jpy": "¥ jpy yen",
        "sek": "sek kronor krona kronen",
        "pln": "pln zloty zlotys",
        "inr": "₹ inr rupee rupees rupien",
        "try": "try lira",
    }.items()
    for word in words.split()
}
_BY_LENGTH: Final = sorted(_CURRENCIES, key=len, reverse=True)
#: A word or sign for a currency, as a pattern.
CURRENCY: Final = rf"(?:{'|'.join(map(re.escape, _BY_LENGTH))})(?!\w)"
_SIGN: Final = (
    rf"[{''.join(word for word in _CURRENCIES if not word.isalpha() and len(word) == 1)}]"
)
_BEFORE: Final = re.compile(rf"(?P<currency>{_SIGN}) ?(?=\d)")
_NAMED: Final = re.compile(rf"(?<![^\W\d]){CURRENCY}|{_SIGN}")
_BEHIND: Final = re.compile(rf"(?<=\d) ?-?(?P<currency>{CURRENCY})")


def code_of(word: str) -> str:
    """Return the code of a currency by a word or sign for it; "" if there is no such one."""
    return _CURRENCIES.get(word, "")


def is_of_one_currency(text: str) -> bool:
    """Return whether a text in small letters names one currency at most."""
    return len({code_of(word) for word in _NAMED.findall(text)}) <= 1


def without_currency(text: str) -> str:
    """Return a text in small letters with its amounts of money as numbers.

    Amounts of several currencies cannot be added up: such a text is returned as it is.
    """
    found = [
        code_of(match["currency"])
        for pattern in (_BEFORE, _BEHIND)
        for match in pattern.finditer(text)
    ]
    if len(set(found)) != 1:
        return text
    return _BEHIND.sub("", _BEFORE.sub("", text))
