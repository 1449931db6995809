"""Finds proper names in a text by their capital letters, and places joined by commas."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from okso_jupyter.planning.slot_filling.mentions import Mention, Reading
from okso_jupyter.planning.slot_filling.slots import HOLLOW

#: Words that no value begins or ends with.
EDGES: Final = HOLLOW | frozenset(
    "am at been being calculate check compute create determine did does find get help him her his "
    "i'd i'm its let's like looking make need order over per please provide recent search she he "
    "so than them there they under us via want was were what's when's who's within without "
    "you".split()
)
_NAME: Final = re.compile(
    r"[A-Z0-9](?:[\w&'’+-]|[./](?=\w))*(?:(?:(?<=\b[A-Z])\.|(?<=Mr|Dr|St|Jr)\.|(?<=Mrs|Inc|Ltd)\.)?\s+"
    r"(?:(?:of|de|la|von|van|&)\s+)?(?:the\s+)?[A-Z0-9](?:[\w&'’+-]|[./](?=\w))*)*"
)
#: Capitalized words that are not names: sentence openers and "I".
_OPENERS: Final = frozenset(
    "after additionally afterwards also finally first firstly fourth fourthly i lastly next once "
    "second secondly then third thirdly".split()
)
_VERBS: Final = frozenset(
    "book buy calculate convert estimate fetch generate give how list locate look play predict "
    "retrieve reserve show tell translate what where which who whose".split()
)
#: Names that are not places although "in" may precede them.
NO_PLACE: Final = frozenset(
    "celsius fahrenheit kelvin english spanish french german january february march april may june "
    "july august september october november december monday tuesday wednesday thursday friday "
    "saturday sunday".split()
)


_IDENTIFIER: Final = re.compile(
    r"(?<![\w./@-])(?=[\w./-]*(?:[a-z][\d_]|-\d|[a-z]/[a-z]))[a-z][\w-]*(?:[./][\w-]+)*(?![\w@])"
)


def identifiers(reading: Reading) -> tuple[Mention, ...]:
    """Return the words in small letters that name a thing by digits, lines or slashes: web-01."""
    return tuple(
        Mention(value=m[0], text=m[0], start=m.start(), end=m.end())
        for m in _IDENTIFIER.finditer(reading.text)
        if not any(web.start <= m.start() < web.end for web in reading.webs)
    )


@lru_cache(maxsize=64)
def names(reading: Reading) -> tuple[Mention, ...]:
    """Return the proper names, without a common word that begins a sentence."""
    found = []
    for match in _NAME.finditer(reading.text):
        start, text = match.start(), match[0]
        before = reading.text[:start].rstrip()
        if (not before or before[-1] in ".?!:") and text.split()[0].lower() in EDGES | _VERBS:
            head = re.match(r"\S+\s+", text)
            rest = text[head.end() :] if head else ""
            start, text = start + len(text) - len(rest), rest
        date = next((d for d in reading.dates if start < d.start < start + len(text)), None)
        text = clean(text[: date.start - start] if date else text)
        text = re.sub(r"\s+(?:19|20)\d\d$", "", text).rstrip()
        if not text or text[0].isdigit() or text.lower() in _OPENERS:
            continue
        if len(text) == 1 or text.lower() not in EDGES:
            found.append(Mention(value=text, text=text, start=start, end=start + len(text)))
    return tuple(found)


def chain(reading: Reading, start: int) -> list[str]:
    """Return the names joined by commas from `start` on: "2 High Street", "Leeds", "England"."""
    number = re.match(r"\d+\s+(?=[A-Z])", reading.text[start:])
    start_of_name = start + (number.end() if number else 0)
    joined: list[str] = []
    for name in names(reading):
        if name.start == start_of_name and name.text.lower() not in NO_PLACE:
            joined.append(name.text)
            start_of_name = name.end + 2
            if reading.text[name.end : name.end + 2] != ", ":
                break
    if joined and number:
        joined[0] = number[0] + joined[0]
    return joined


def clean(run: str) -> str:
    """Return a run of words without surrounding punctuation and a genitive "'s"."""
    return re.sub(r"['’]s$", "", run.strip("'\"“”‘’`.,-"))
