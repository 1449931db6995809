"""Word families: the words that are said of rows: "ordered" and "bestellt" of orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.table_questions.word_meanings import meanings_of
from okso_jupyter.planning.table_questions.words import stem

#: Letters that words of one family have in common at their beginning, and that a verb has behind.
_LEAST_PREFIX, _MOST_BEHIND = 4, 4
#: What words of one family have behind their common letters.
_ENDINGS: Final = frozenset(
    "s es d ed ing ings er ers r al als ment ments ation ations ance ances y ies "
    "e et t te en n ung ungen iert atur aturen".split()
) | {""}
#: What was done -> stems of what such rows are called, where the words have few letters in common.
_DEALT: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("buy", "bought"), frozenset({"purchas", "order"})),
    **dict.fromkeys(("sell", "sold"), frozenset({"sale"})),
    **dict.fromkeys(("pay", "paid"), frozenset({"payment"})),
    **dict.fromkeys(("borrow", "borrowed", "lend", "lent"), frozenset({"loan"})),
    "ausgeliehen": frozenset({"ausleih", "ausleihen"}),
}


def are_akin(word: str, own: str) -> bool:
    """Return whether a word means a table's name, or is of its family: "bestellt", "ordered"."""
    if stem(word) == stem(own) or not meanings_of(word).isdisjoint(meanings_of(own)):
        return True
    forms = {word, word.removeprefix("ge"), word.removeprefix("be")}
    nouns = {own, own.removeprefix("ver")}
    return stem(own) in _DEALT.get(word, ()) or any(
        _have_one_stem(form, noun) for form in forms for noun in nouns
    )


def _have_one_stem(word: str, own: str) -> bool:
    shorter = min(len(word), len(own))
    shared = next((i for i in range(shorter) if word[i] != own[i]), shorter)
    if shared < max(_LEAST_PREFIX, shorter - _MOST_BEHIND):
        return False
    last = word[shared - 1]
    # "shipped" and "shipments"
    return all(
        end in _ENDINGS or (end.startswith(last) and end[1:] in _ENDINGS)
        for end in (word[shared:], own[shared:])
    )
