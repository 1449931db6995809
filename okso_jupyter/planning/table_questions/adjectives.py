"""Adjectives that name a column by what it measures: the oldest by age."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

#: Words for the largest / for the smallest -> stems of the names of columns that they mean.
_MEANT: Final = {
    "expensive dear priciest costliest / cheap cheapest": "price cost fare amount value fee",
    "cost costs / ": "price cost fare amount value fee",
    "old older oldest / young younger youngest": "age",
    "young youngest / old oldest": "birth born dob",
    "tall taller tallest / short shorter shortest": "height",
    "heavy heavier heaviest / light lighter lightest": "weight mass",
    "long longer longest far farther farthest / short shorter shortest near nearest closest": (
        "length durat distanc time minut hour day km mile"
    ),
    "hot hotter hottest warm warmest / cold colder coldest cool coolest": "temp temperatur",
    "fast faster fastest quick quickest / slow slower slowest": "speed veloc",
    "slow slowest / fast faster fastest quick quickest": "time",
    "big bigger biggest large larger largest / small smaller smallest": "size area popul land",
    "populous / ": "popul inhabit resid",
    "rich richest / poor poorest": "incom salari wage wealth gdp worth",
    "earns earn earned paid / ": "salari incom wage earn pay",
    "late later latest recent recently new newer newest last / "
    "early earlier earliest first oldest": (
        "date year time day start open found hire join publish releas creat"
    ),
    "deep deepest / shallow shallowest": "depth",
    "wet wettest rainiest / dry driest": "rain precipit",
    "strong strongest windiest / weak weakest": "strength wind speed magnitud",
    "popular best top / worst": "rate score vote view point",
}


def _rows() -> Iterator[tuple[str, bool, frozenset[str]]]:
    """Yield each word, whether it means the largest, and the stems that it means."""
    for words, stems in _MEANT.items():
        up, _, down = words.partition("/")
        for side, means_largest in ((up, True), (down, False)):
            for word in side.split():
                yield word, means_largest, frozenset(stems.split())


def meaning_of(word: str, columns: Iterable[frozenset[str]]) -> tuple[bool, frozenset[str]] | None:
    """Return what a word means in a table: the largest or the smallest of columns with these stems.

    The first meaning counts that a column has: the oldest is of an age, and of a date only where
    there is no age. None if no column has any.
    """
    known = frozenset().union(*columns)
    for means_largest, meant in ADJECTIVES.get(word, ()):
        if not meant.isdisjoint(known):
            return means_largest, meant
    return None


def end_of(word: str, stems: Iterable[str], *, is_time: bool) -> bool | None:
    """Return whether a word means the largest of one column; None if it is no adjective.

    Args:
        word: The word.
        stems: The stems of the column's name.
        is_time: Whether the column has dates or years, of which the oldest is the smallest.
    """
    meanings = ADJECTIVES.get(word)
    if not meanings:
        return None
    own = {*stems, *(["date"] if is_time else [])}
    fitting = [means_largest for means_largest, meant in meanings if not meant.isdisjoint(own)]
    return (fitting[-1] if is_time else fitting[0]) if fitting else meanings[0][0]


#: What each word means: the largest or the smallest of columns with these stems.
ADJECTIVES: Final[dict[str, list[tuple[bool, frozenset[str]]]]] = {}
for _word, _means_largest, _stems in _rows():
    ADJECTIVES.setdefault(_word, []).append((_means_largest, _stems))
