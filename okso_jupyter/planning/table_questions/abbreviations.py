"""Abbreviations: several words of a question as the name of a column shortens them.

"Gross domestic product per capita in 2007" is `gdpPercap_2007`. A word that is shortened alone is
left to `column_words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.words import STOP, header_words

_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
#: Letters of the shortest name that several words spell out, and of a shortened word among them.
_SHORTEST_NAME: Final = 5
_SHORTEST_PART: Final = 3
#: Words whose first letters are an abbreviation.
_FEWEST_INITIALS: Final = 3
#: What may stand between words that a name shortens.
_BETWEEN: Final = STOP | {"year", "jahr"}


def abbreviated(question: str, columns: Sequence[str]) -> str:
    """Return a question with the names of columns in place of the words that they shorten."""
    for name in sorted(columns, key=len, reverse=True):
        # most names are told by no words: the question is searched for the others alone
        changed = _with_name(question, name)
        if changed != question and not re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", question):
            question = changed
    return question


def _with_name(question: str, name: str) -> str:
    """Return a question with one column's name in place of the words that it shortens."""
    letters = "".join(header_words(name))
    if len(letters) < _SHORTEST_NAME:
        return question
    words = list(_WORD.finditer(question))
    said = [word[0].lower() for word in words]
    for first, word in enumerate(said):
        if word[0] == letters[0] and word not in STOP:
            last = max(_last_of(letters, said, first), default=first)
            if last > first:
                return f"{question[: words[first].start()]}{name}{question[words[last].end() :]}"
    return question


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
