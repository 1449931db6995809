"""The values that a text parameter lists, in its enumeration or in its description.

A description such as "either 'gini' or 'entropy'" or "e.g. Xbox, PlayStation" names values without
forbidding others, so that they count only where a request says them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from okso_jupyter.planning.request.wording import stem
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading
from okso_jupyter.planning.slot_filling.slots import HOLLOW, PLACES, PROSE, Slot, words_of

_QUOTED: Final = re.compile(r"(?<!\w)['\"`]([\w][\w .+/-]{0,30}?)['\"`](?!\w)")
_LISTED: Final = re.compile(
    r"(?i)(?:\be\.?g\.?:?,?|\bsuch as|\bfor example,?|\bfor instance,?|\boptions?(?: are)?:?|"
    r"\b(?:allowed|possible|valid) values(?: are)?:?|\bcan be|\bone of:?|\beither)\s+([^.;()]+)"
)
_BETWEEN: Final = re.compile(r",?\s+(?:or|and)\s+|,\s*|\s*/\s*")
_MOST_WORDS: Final = 3


@lru_cache(maxsize=512)
def _in_description(description: str) -> tuple[str, ...]:
    """Return the values that a description lists, in their order."""
    found = [match[1].strip() for match in _QUOTED.finditer(description)]
    if not found:
        lists = [match[1] for match in _LISTED.finditer(description)]
        found = [item.strip(" '\"`") for text in lists for item in _BETWEEN.split(text)]
    return tuple(
        dict.fromkeys(
            item
            for item in found
            if item and len(item.split()) <= _MOST_WORDS and item.lower() not in HOLLOW | {"etc"}
        )
    )


def choices(slot: Slot) -> tuple[str, ...]:
    """Return the values that a parameter lists; none for one that is a place or a prose text."""
    if slot.type != "string":
        return ()
    if "enum" in slot.schema:
        return tuple(str(value) for value in slot.schema["enum"])
    if slot.named(*PLACES, *PROSE):
        return ()
    return _in_description(slot.description)


def said(reading: Reading, slot: Slot) -> list[Mention]:
    """Return where a request says one of the values that a parameter lists, in text order."""
    values = choices(slot)
    exact = len({value.lower() for value in values}) < len(values)
    found: list[Mention] = []
    for value in values:
        words = re.findall(r"[^\W_]+", value) if exact else [stem(w) for w in words_of(value)]
        found += _mentions(reading, value, words, exact=exact)
    found.sort(key=lambda mention: (mention.start, -mention.end))
    return [
        one
        for one in found
        if not any(o is not one and o.start <= one.start and one.end <= o.end for o in found)
    ]


def _mentions(reading: Reading, value: str, words: list[str], *, exact: bool) -> list[Mention]:
    """Return the places where these words follow each other."""
    own = [token.text if exact else str(token.value) for token in reading.tokens]
    count = len(words)
    places = [p for p in range(len(own) - count + 1) if count and own[p : p + count] == words]
    tokens = reading.tokens
    return [
        Mention(
            value=value,
            text=reading.text[tokens[place].start : tokens[place + count - 1].end],
            start=tokens[place].start,
            end=tokens[place + count - 1].end,
        )
        for place in places
    ]
