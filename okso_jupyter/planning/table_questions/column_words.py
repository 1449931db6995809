"""Column words: what columns are called by, where a question calls them otherwise.

A header may be in the other language ("Umsatz" for revenue), a compound ("Rechnungsdatum") or
short ("qty", "HR"). Words of a question for such a column become those of its header, so that
all else finds columns by their names alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.cue_words import CUES
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_meanings import (
    FALSE_FRIENDS,
    SHORTEST_PART,
    meanings_of,
    own_meanings_of,
    parts_of,
    possible_heads,
    stems_of,
    without_joint,
)
from okso_jupyter.planning.table_questions.words import (
    DONE,
    STOP,
    header_words,
    is_compared,
    stem,
    tokens,
    written_apart,
)

#: The fewest letters of a table's word that is found at the end of a compound.
_SHORTEST_TAIL: Final = 4
#: Words of a question that stand for one column: "invoice date" is Rechnungsdatum.
_MOST_WORDS: Final = 3
#: Letters of a header's word that begins the word it is short for, and of that word.
_SHORT: Final = range(3, 6)
_LONG: Final = 6
_INITIALS: Final = 2
_UNKNOWN_INITIALS: Final = range(2, 4)
#: A word without its vowels but a first one, and its letters: "qty", "wt", "amt".
_SKELETON: Final = re.compile(r"\w[^\W\d_aeiou]+")
_SHORTENED: Final = range(2, 6)
_APART: Final = re.compile(r"[\W_\d]+")
_SHORTEST_FULL: Final = 4
#: A column with more values tells no categories; shorter values are codes.
_MOST_CATEGORIES, _SHORTEST_CATEGORY = 12, 4
#: Letters that forms of one word share at least, and that they have beyond these at most.
_SHARED, _ENDING = 5, 2
#: A compound of a category with what it costs: "Stromkosten" are those of Strom.
_WITH_COST: Final = re.compile(
    r"(?P<what>\w{4,}?)s?(?:kosten|ausgaben?|rechnung(?:en)?|geb(?:ue|u)hren?)"
)
#: A compound with its measure: "Nitratwert" is Nitrat (mg/l).
_WITH_VALUE: Final = re.compile(r"(?P<what>\w{4,}?)s?werte?n?")
#: What makes a German superlative of a value's word: "leichteste" is no value "leicht".
_MOST: Final = re.compile(r"e?s?te?(?:[rsnm])?")
_WORD: Final = re.compile(r"[^\W\d_]+")
#: Words that say what is asked stand for no column: "the number of invoices" is of no invoice_no.
_ASKING: Final = STOP | CUES - {"order"}


@dataclass(frozen=True, slots=True)
class _Called:
    """What a column, or the rows by the name of their file, is called.

    Attributes:
        words: Its words.
        parts: The parts of these words, each with its word.
        shorts: Those of the words that may be short for others.
        initials: Those of the words that are written in capitals, or short and without a meaning.
        skeletons: Those of the words that have no vowel but their first letter: "wt", "amt".
        is_value: Whether it is a value by which rows are told apart.
    """

    words: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    shorts: tuple[str, ...]
    initials: tuple[str, ...]
    skeletons: tuple[str, ...] = ()
    is_value: bool = False


@lru_cache(maxsize=2_000)
def _called(name: str) -> _Called:
    words = [word for word in header_words(name) if word.isalpha() and word not in _ASKING]
    capitals = [word.lower() for word in _WORD.findall(name) if word.isupper()]
    # the parts of MwSt are no words
    apart = _APART.split(name.lower())
    unknown = [word for word in words if word in apart and not meanings_of(word)]
    capitals += [word for word in unknown if len(word) in _UNKNOWN_INITIALS]
    return _Called(
        tuple(words),
        tuple((part, word) for word in words for part in parts_of(word)),
        tuple(word for word in words if len(word) in _SHORT and not meanings_of(word)),
        tuple(word for word in capitals if len(word) >= _INITIALS),
        tuple(word for word in unknown if len(word) in _SHORTENED and _SKELETON.fullmatch(word)),
    )


def in_words_of(
    question: str,
    table: TableSample,
    *,
    by_verbs: bool = False,
    elsewhere: Collection[str] = (),
) -> str:
    """Return a question with a table's own words for columns that it calls otherwise.

    Args:
        question: The question.
        table: The table; a word of its headers, its file's name or its values stays.
        by_verbs: Whether rows are called by what was done to them as well: what was spent are the
            expenses, but how much was spent is not how many there are.
        elsewhere: Words of other tables' columns, which stay as well.
    """
    file = PurePosixPath(table.source).stem
    names = [_called(name) for name in (file, *table.columns)]
    names += [
        _Called((word,), ((word, word),), (), (), (), is_value=True) for word in _categories(table)
    ]
    own = {*table.header_words, *header_words(file)}
    own |= {stem(word) for word in own}
    question = _WORD.sub(lambda word: _apart(word[0], own, table), question)
    words = list(_WORD.finditer(question))
    said = [_without_un(next(iter(tokens(word[0])), "")) for word in words]
    is_free = [word not in elsewhere and _is_free(word, own, table) for word in said]
    changed, behind = [], 0
    place = 0
    while place < len(words):
        are_rows = by_verbs or not DONE.fullmatch(said[place])
        size, text = _named_from(place, said, is_free, names if are_rows else names[1:])
        if text:
            denied = "un" if said[place] not in tokens(words[place][0]) else ""
            changed.append(f"{question[behind : words[place].start()]}{denied}{text}")
            behind = words[place + size - 1].end()
        place += size
    return "".join((*changed, question[behind:]))


def _categories(table: TableSample) -> Iterator[str]:
    """Yield the values of one word by which rows are told apart: "Ausgabe" is what was spent."""
    for column in table.columns.values():
        if column.kind == "text" and column.repeats and len(column.places) <= _MOST_CATEGORIES:
            for value in column.places:
                if len(value) == 1 and len(value[0]) >= _SHORTEST_CATEGORY:
                    yield value[0]


def _without_un(word: str) -> str:
    """Return what a word such as "unpaid" denies; other words as they are."""
    rest = word.removeprefix("un")
    return rest if meanings_of(rest) and not meanings_of(word) else word


def _apart(word: str, own: set[str], table: TableSample) -> str:
    """Return a German compound as two words, unless the table has it; any other word as it is."""
    apart = written_apart(word)
    if apart == word:
        apart = _apart_before(word, own, table)
    # a word is looked for in all values, so only where it matters
    is_free = apart != word and _is_free(next(iter(tokens(word)), ""), own, table)
    return apart if is_free else word


def _apart_before(word: str, own: Collection[str], table: TableSample) -> str:
    """Return a compound that ends with a word of the table as two: "Stromkosten" of `Kosten`.

    Where it begins with the name of numbers, these are meant: "Wasserverbrauch" of `Wasser_m3`.
    """
    said = next(iter(tokens(word)), "")
    tails = [each for each in own if len(each) >= _SHORTEST_TAIL and said.endswith(each)]
    tail = max(tails, key=len, default="")
    head = said.removesuffix(tail)
    if not tail or len(head) < SHORTEST_PART:
        return word
    heads = set(possible_heads(head))
    measured = [c for c in table.columns.values() if not heads.isdisjoint(header_words(c.name))]
    if len(measured) == 1 and measured[0].has_numbers:
        return measured[0].name
    return f"{without_joint(head)} {tail}"


def _is_free(word: str, own: set[str], table: TableSample) -> bool:
    """Return whether a word may stand for another one: it is none of the table's.

    "Longest" stands for no "long", whatever its German stem is.
    """
    if not word or word in FALSE_FRIENDS or is_compared(word):
        return False
    if not _ASKING.isdisjoint({word, stem(word)}):
        return False
    if not own.isdisjoint({word, stem(word)}):
        return False
    columns = (column for column in table.columns.values() if column.kind == "text")
    return not any(word in value for column in columns for value in column.places)


def _named_from(
    place: int, said: Sequence[str], is_free: Sequence[bool], names: Sequence[_Called]
) -> tuple[int, str]:
    """Return how many words from a place on stand for a column, and its words; (1, "") if none."""
    for size in range(_MOST_WORDS, 0, -1):
        run = said[place : place + size]
        if len(run) == size and all(is_free[place : place + size]):
            found = list(_columns_of(run, names))
            if found:
                return size, min(found)[-1]
    return 1, ""


def _columns_of(run: Sequence[str], names: Sequence[_Called]) -> Iterator[tuple[int, int, str]]:
    """Yield the columns that words stand for: the parts that they leave, their place, the words."""
    for at, called in enumerate(names):
        initials = "".join(word[0] for word in run)
        if len(run) > 1 and initials in called.initials:
            yield 0, at, initials
        found = _words_for(run, called)
        if found:
            yield len(called.parts) - len(run), at, found


def _words_for(run: Sequence[str], called: _Called) -> str:
    """Return the words of a name that words of a question stand for; "" if one is for none."""
    left, found = list(called.parts), set()
    for word in run:
        part = next((each for each in left if _is_same(word, each[0], called)), None)
        if part is None:
            return ""
        left.remove(part)
        found.add(part[1])
    return " ".join(word for word in called.words if word in found)


def _is_same(word: str, part: str, called: _Called) -> bool:
    """Return whether a word means what a part of a name means, or what it is short for."""
    if part in called.skeletons and _has_skeleton(word, part):
        return True
    if part in called.shorts and len(word) >= _LONG and word.startswith(part):
        return True
    if called.is_value and _is_most_of(word, part):
        return False
    compound = (_WITH_COST if called.is_value else _WITH_VALUE).fullmatch(word)
    if compound and _is_form_of(compound["what"], part):
        return True
    if called.is_value:
        # the stem of "marked" is that of a brand
        return _is_form_of(word, part) or not own_meanings_of(word).isdisjoint(
            own_meanings_of(part)
        )
    return _is_form_of(word, part) or not meanings_of(word).isdisjoint(meanings_of(part))


def _has_skeleton(word: str, short: str) -> bool:
    """Return whether a word is shortened to some of its consonants: "weight" is "wt".

    Two of them are short for what is measured, and for no verb or preposition: "steht", "seit".
    """
    if len(short) <= _INITIALS and not meanings_of(word):
        return False
    full = word.removesuffix("s") if not short.endswith("s") else word
    if len(full) < max(_SHORTEST_FULL, len(short) + 2) or full[0] != short[0]:
        return False
    ends = full[-1] == short[-1] or (full[-1] in "aeiouy" and full[-2] == short[-1])
    letters = iter(full)
    return ends and all(letter in letters for letter in short)


def _is_most_of(word: str, part: str) -> bool:
    """Return whether a word is the German superlative of another."""
    return word.startswith(part) and _MOST.fullmatch(word[len(part) :]) is not None


def _is_form_of(word: str, part: str) -> bool:
    """Return whether two words are forms of one: "Völker" and "Volk", "expires" and "expiry"."""
    if stems_of(word)[1] == stems_of(part)[1]:
        return True
    longer = max(len(word), len(part))
    shared = next((i for i in range(longer) if word[i : i + 1] != part[i : i + 1]), longer)
    return shared >= _SHARED and longer - shared <= _ENDING
