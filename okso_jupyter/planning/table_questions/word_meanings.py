"""Word meanings: words that mean the same in English and German, and the parts of compounds.

"Umsatz" and "turnover" stand in one line of `vocabulary.txt`, and each line is a meaning. The last
part of a German compound tells what it is: a "Rechnungsdatum" is a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from okso_jupyter.planning.table_questions.words import header_words, stem
from okso_jupyter.word_stems import german_stem

#: What may stand between the parts of a German compound.
_JOINTS: Final = ("", "s", "n", "en", "es", "e")
#: Letters of the shortest part of a compound.
SHORTEST_PART: Final = 3
#: What somebody charges by a rate is a price, and a rating, of the same stem, is none.
RATE: Final = "rate-charged"
_RATE: Final = re.compile(
    r"(?i)^(?:(?:hourly|hour|daily|day|nightly|night|weekly|week|monthly|month|room|rental|freight)"
    r"[\s_-]*)?rates?\b(?!\s*%)(?:[\s_](?:per|usd|eur|gbp)\b.*)?|^rate_(?:usd|eur|gbp|per_\w+)$"
)
#: English words with the stem of a German one: to spend is no Spende.
FALSE_FRIENDS: Final = frozenset({"spend", "spends", "spending", "not"})


@cache
def _lines() -> tuple[str, ...]:
    """Return the lines of the vocabulary, a meaning each; a mark may part English and German."""
    text = resources.files(__package__).joinpath("vocabulary.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if not line.startswith("#"))


@cache
def _words_of_lines() -> tuple[tuple[str, ...], ...]:
    """Return the words of each line of the vocabulary."""
    return tuple(tuple(line.replace("|", " ").split()) for line in _lines())


@lru_cache(maxsize=20_000)
def stems_of(word: str) -> tuple[str, str]:
    """Return the stems of a word in both languages."""
    return stem(word), german_stem(word)


# Made when a table is first asked about: stemming the vocabulary takes long.
@cache
def _meanings() -> dict[str, frozenset[int]]:
    """Return the lines of the vocabulary that each word, or stem in a language, stands in."""
    found: dict[str, frozenset[int]] = {}
    for line, written in enumerate(_lines()):
        for key in _keys(written):
            found[key] = found.get(key, frozenset()) | {line}
    return found


def _keys(line: str) -> Iterator[str]:
    """Yield the words of a line, and their stems with the language that these are of."""
    english, mark, german = line.partition("|")
    for word in english.split():
        if mark:
            yield from (word, f"en {stem(word)}")
        else:
            for form in {word, *stems_of(word)}:
                yield from (form, f"en {form}", f"de {form}")
    for word in german.split():
        yield from (word, f"de {german_stem(word)}")


@cache
def _tails() -> frozenset[str]:
    """Return the words that may end a compound."""
    found: set[str] = set()
    for line in _lines():
        is_marked = "|" in line
        words = line.partition("|")[2].split() if is_marked else line.split()
        found.update(words)
        if not is_marked:
            found.update(form for word in words for form in stems_of(word))
    return frozenset(found)


@cache
def _heads() -> frozenset[str]:
    """Return what a compound may begin with."""
    return _tails().union(*_words_of_lines())


@lru_cache(maxsize=20_000)
def meanings_of(word: str) -> frozenset[int]:
    """Return what a word may mean; nothing where the vocabulary does not have it."""
    known = _meanings().get(word)
    english, german = stems_of(word)
    stems = (f"en {english}", f"de {german}")
    return known or frozenset().union(*(_meanings().get(form, ()) for form in stems))


@lru_cache(maxsize=20_000)
def own_meanings_of(word: str) -> frozenset[int]:
    """Return what a word itself may mean, which may be a plural; its stem counts for nothing."""
    forms = (word, word.removesuffix("s"), word.removesuffix("n"))
    return frozenset(
        n for n, line in enumerate(_words_of_lines()) if not set(forms).isdisjoint(line)
    )


@lru_cache(maxsize=20_000)
def parts_of(word: str) -> tuple[str, ...]:
    """Return the parts of a compound one of which is in the vocabulary; other words whole."""
    if meanings_of(word):
        return (word,)
    for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
        head, tail = word[:at], word[at:]
        if tail in _tails():
            return (without_joint(head), tail)
    return (word,)


def without_joint(head: str) -> str:
    """Return the first part of a compound without what joins it to the next: "rechnungs"."""
    return next((end for end in possible_heads(head) if end in _heads()), head)


def possible_heads(head: str) -> Iterator[str]:
    """Return the first part of a compound as it is, and without each of what may join it."""
    return (head.removesuffix(joint) for joint in _JOINTS)


@lru_cache(maxsize=20_000)
def header_meanings(name: str) -> frozenset[str]:
    """Return the stems of a header's words, and of what they mean in either language.

    Of a compound its last part tells what it is: "Stückpreis" is a price.
    """
    words = header_words(name)
    heads = [parts_of(word)[-1] for word in words]
    lines = frozenset().union(*map(meanings_of, heads)) if heads else frozenset()
    told = {stem(word) for line in lines for word in _words_of_lines()[line]}
    rates = [RATE] if _RATE.fullmatch(re.sub(r"\W*\([^)]*\)$", "", name)) else []
    return frozenset((*map(stem, words), *told, *rates))
