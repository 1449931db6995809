"""Finds lists in a text: in brackets, or of names, quotes and words joined by "and"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from okso_jupyter.planning.slot_filling.mentions import Mention, Reading
from okso_jupyter.planning.slot_filling.proper_names import EDGES, clean, names

_ITEM: Final = r"(?:[\w&'’+-]+(?:[ \t][\w&'’+-]+){0,3})"
_LISTED: Final = re.compile(rf"({_ITEM}(?:, {_ITEM})*),? (?:and|or|as well as) ({_ITEM})")
_BRACKETED: Final = re.compile(r"\[([^\[\]]+)\]")
_JOINT: Final = re.compile(r"\s*,?\s*(?:and|or|&|as well as)?\s*(?:the\s+|for\s+|in\s+)?")
_AND: Final = re.compile(r"\b(?:and|or|as well as)\b|&")


def lists(reading: Reading) -> list[tuple[str, ...]]:
    """Return the lists in a text; lists of plain words only if there are no others."""
    found = [
        tuple(clean(item.strip()) for item in match[1].split(",") if clean(item.strip()))
        for match in _BRACKETED.finditer(reading.text)
    ]
    runs = joined(reading, reading.quotes) + joined(reading, names(reading))
    found += [tuple(str(mention.value) for mention in run) for run in runs]
    return list(dict.fromkeys(found)) or list(_of_words(reading))


def joined(reading: Reading, mentions: Iterable[Mention]) -> list[tuple[Mention, ...]]:
    """Return the runs of consecutive mentions joined by commas and an "and".

    A comma alone does not make a list: it joins a town with its country.
    """
    runs: list[list[Mention]] = []
    for mention in mentions:
        gap = reading.text[runs[-1][-1].end : mention.start] if runs else "?"
        if _JOINT.fullmatch(gap):
            runs[-1].append(mention)
        else:
            runs.append([mention])
    return [
        tuple(run)
        for run in runs
        if len(run) > 1 and _AND.search(reading.text[run[0].start : run[-1].end])
    ]


def _of_words(reading: Reading) -> Iterator[tuple[str, ...]]:
    """Yield the lists of plain words, cut where the rest of the sentence begins and ends."""
    for match in _LISTED.finditer(reading.text):
        first, *middle = match[1].split(", ")
        items = (_tail(first), *middle, _head(match[2]))
        if all(items):
            yield items


def _tail(words: str) -> str:
    """Return the words after the last one in `EDGES`."""
    return " ".join(reversed(list(itertools.takewhile(_may_be_inside, reversed(words.split())))))


def _head(words: str) -> str:
    """Return the words before the first one in `EDGES`."""
    return " ".join(itertools.takewhile(_may_be_inside, words.split()))


def _may_be_inside(word: str) -> bool:
    return word.lower() not in EDGES
