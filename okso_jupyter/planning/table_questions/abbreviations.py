"""Abbreviations: a question's words as the names of columns shorten them.

"Kilometres" is `km`, "temperature" `temp`, and "gross domestic product per capita in 2007" is
`gdpPercap_2007`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.words import STOP, header_stems, header_words, stem

#: Abbreviations of units that columns are called by, and their names; "min" is a minimum as well,
#: and one euro may be a value: "the rate of the euro".
_UNITS: Final = {
    short: re.compile(rf"(?i)\b(?:{names})\b")
    for short, names in (
        ("km", r"kilomet(?:er|re)s?|kilometern?"),
        ("kg", r"kilograms?|kilos?|kilogramm"),
        ("cm", r"centimet(?:er|re)s?|zentimetern?"),
        ("eur", r"euros"),
        ("usd", r"dollars"),
    )
}
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
#: Letters of the shortest name that several words spell out, of a shortened word among them, and of
#: one that stands alone.
_SHORTEST_NAME: Final = 5
_SHORTEST_PART: Final = 3
_SHORTEST_ALONE: Final = 4
#: Words whose first letters are an abbreviation.
_FEWEST_INITIALS: Final = 3
#: What may stand between words that a name shortens.
_BETWEEN: Final = STOP | {"year", "jahr"}


def abbreviated(question: str, columns: Sequence[str], known: Collection[str]) -> str:
    """Return a question with the names of columns in place of the words that they shorten.

    Args:
        question: The question.
        columns: The columns of the table.
        known: Words that are whole, and shorten no other: "cost" stands for no costume.
    """
    stems = {stem for name in columns for stem in header_stems(name)}
    for short, pattern in _UNITS.items():
        if short in stems:
            question = pattern.sub(short, question)
    for name in sorted(columns, key=len, reverse=True):
        if not re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", question):
            question = _with_name(question, name, stems, known)
    return question


def _with_name(question: str, name: str, stems: set[str], known: Collection[str]) -> str:
    """Return a question with one column's name in place of the words that it shortens."""
    words = [(found[0].lower(), found.span()) for found in _WORD.finditer(question)]
    said = [word for word, _ in words]
    letters = "".join(header_words(name))
    for first, (word, (start, _)) in enumerate(words):
        if not letters or word[0] != letters[0] or word in STOP:
            continue
        last = next(_spelt_out(letters, said, first), None)
        is_whole = last == first and (stem(word) in stems or letters in known)
        if last is not None and not is_whole:
            return f"{question[:start]}{name}{question[words[last][1][1] :]}"
    return question


def _spelt_out(letters: str, words: Sequence[str], first: int) -> Iterator[int]:
    """Yield the place of the last of the words, from the first, that letters are short for."""
    word = words[first]
    if _SHORTEST_ALONE <= len(letters) <= len(word) - _SHORTEST_PART and word.startswith(letters):
        yield first
    if len(letters) >= _SHORTEST_NAME:
        yield from (last for last in _last_of(letters, words, first) if last > first)


def _last_of(letters: str, words: Sequence[str], place: int) -> Iterator[int]:
    """Yield the place of the last word where letters are parts of words, each from its beginning.

    A part is a whole word, some letters of it, or the first letter of several words.
    """
    while place < len(words) and words[place] in _BETWEEN and not letters.startswith(words[place]):
        place += 1
    for length, used in _parts(letters, words, place):
        if length == len(letters):
            if words[place + used - 1] not in STOP:
                yield place + used - 1
        else:
            yield from _last_of(letters[length:], words, place + used)


def _parts(letters: str, words: Sequence[str], place: int) -> Iterator[tuple[int, int]]:
    """Yield how many letters words from a place begin with, and how many words these are."""
    if place >= len(words):
        return
    word = words[place]
    if letters.startswith(word):
        yield len(word), 1
    elif not word.isdigit():
        for length in range(min(len(word), len(letters)), _SHORTEST_PART - 1, -1):
            if word[:length] == letters[:length]:
                yield length, 1
    initials = "".join(each[0] for each in words[place : place + len(letters)])
    for count in range(len(initials), _FEWEST_INITIALS - 1, -1):
        if letters.startswith(initials[:count]):
            yield count, count
