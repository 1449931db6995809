"""Names of things in word problems: whether two are of one thing, and what a price is of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_ARTICLE: Final = re.compile(
    r"^(?:the|an?|our|my|this|these|each|every|der|die|das|den|eine?[rnms]?|unsere?|meine?|diese[rs]?)"
    r" (?=\S)"
)
#: Words of measures that are the same, by another word for one.
_MEASURES: Final[Mapping[str, str]] = {
    word: unit
    for unit, words in {
        "kg": "kg kgs kilo kilos kilogram kilograms kilogramm",
        "g": "g gram grams gramm",
        "pound": "pound pounds lb lbs pfund",
        "oz": "oz ounce ounces",
        "t": "ton tons tonne tonnes tonnen",
        "l": "l litre litres liter liters",
        "ml": "ml millilitre millilitres milliliter milliliters",
        "m": "m metre metres meter meters metern",
    }.items()
    for word in words.split()
}
#: Words in which things come in German, where no "of" tells them.
_CONTAINERS: Final = frozenset(
    "kasten kiste packung paket pack flasche dose karton tute sack beutel glas tasse becher stuck "
    "scheibe box bottle crate case".split()
)
_UMLAUTS: Final = str.maketrans("äöü", "aou")
#: What a plural, or a case of one, has more than its singular.
_PLURALS: Final = frozenset({"", "s", "es", "n", "en", "e", "er", "ern"})
_IRREGULAR: Final[Mapping[str, str]] = {
    "children": "child", "people": "person", "men": "man", "women": "woman", "leute": "person"
}  # fmt: skip
_PERSON: Final = frozenset({"person", "head", "kopf", "one", "nase", "personen"})
_PERSONS: Final = re.compile(
    r"(?:.* )?(?:us|them|uns|you|people|persons?|friends?|guests?|child(?:ren)?|kids?|"
    r"adults?|pupils?|students?|players?|members?|colleagues?|neighbours?|neighbors?|roommates?|flatmates?|"
    r"passengers?|participants?|teachers?|families|travell?ers?|tourists?|girls|boys|men|women|"
    r"brothers|sisters|siblings|employees|workers|diners|teammates|classmates|"
    r"personen|leuten?|freunden?|freundinnen|gästen?|kindern?|erwachsenen?|schülern?|"
    r"spielern?|mitgliedern?|kollegen|nachbarn|teilnehmern?|mitbewohnern?|lehrern?)"
)
#: What each pays who comes in, or may: a price alone is not said to be of all together.
_ENTRY: Final = re.compile(
    r"\b(?:[^\W\d]*tickets?|entrance|entry|admission|fees?|fare|price|preis|[^\W\d]*eintritt[^\W\d]*|"
    r"[^\W\d]*karten?|fahrscheine?)\b"
)
_INDEFINITE: Final = re.compile(r"(?:an?|eine?) (?!(?:bill|total|rechnung|sum)\b)")


def is_same_thing(one: str, other: str) -> bool:
    """Return whether two names are of one thing, in the singular or the plural.

    Each word must be the same: red apples are no green ones, and a box of pens is no pen. Only
    what is in a measure may be left out: "3 kg" after "2 kg of apples".
    """
    words, others = _words(one), _words(other)
    if _has_measure(words) and _has_measure(others) and [] in (words[1:], others[1:]):
        return _is_same_word(words[0], others[0])
    if "of" in {*words, *others} and min(len(words), len(others)) == 1:
        return "of" in (*words[1:2], *others[1:2]) and _is_same_word(words[0], others[0])
    return len(words) == len(others) and all(map(_is_same_word, words, others))


def is_the_thing(name: str, said_again: str) -> bool:
    """Return whether "the" thing is one that was named before, perhaps with more words."""
    words, again = _words(name), _words(said_again)
    return len(again) <= len(words) and all(
        map(_is_same_word, words[len(words) - len(again) :], again)
    )


def may_be_left_out(name: str) -> bool:
    """Return whether "one" can only be one of what is named: of "kg of apples" it is unsure."""
    words = _words(name)
    is_filled = len(words) > 1 and _has_measure(words)
    return "of" not in words and not (words[0] in _MEASURES.values() or is_filled)


def is_counted_in(head: str, who: str) -> bool:
    """Return whether "per" such a one is per one of those who are counted."""
    last = _words(head)[-1:]
    if _PERSON.intersection(last):
        return not who or _PERSONS.fullmatch(who) is not None
    return bool(who) and is_the_thing(who, head)


def is_paid_by_each(name: str) -> bool:
    """Return whether what has such a name is entered with, and so paid by each who comes."""
    return _ENTRY.search(name) is not None


def is_one_of_many(name: str) -> bool:
    """Return whether a name is of any one thing: the price of "a beer" is no bill of all."""
    return _INDEFINITE.match(name) is not None


def _words(name: str) -> list[str]:
    """Return the words of a name without its article; a measure is one word for all its kinds."""
    return [
        "of" if word == "von" else _MEASURES.get(word, word)
        for word in _ARTICLE.sub("", name).split()
    ]


def _has_measure(words: list[str]) -> bool:
    return words[0] in _MEASURES.values() or any(
        _is_same_word(words[0], container) for container in _CONTAINERS
    )


def _is_same_word(one: str, other: str) -> bool:
    """Return whether two words are one, in the singular or the plural."""
    short, long = sorted(map(_singular, (one, other)), key=len)
    return long.startswith(short) and long.removeprefix(short) in _PLURALS


def _singular(word: str) -> str:
    plain = word.translate(_UMLAUTS)
    return _IRREGULAR.get(plain, re.sub("ies$", "y", plain))
