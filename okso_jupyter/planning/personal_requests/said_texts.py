"""Phrases of whole requests, and the titles and sentences in them, quoted or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_QUOTES: Final = ("''", '""', "\u2018\u2019", "\u201c\u201d", "\u201e\u201c", "\u00ab\u00bb")
_QUOTED: Final = re.compile("|".join(f"{a}[^{a}{b}]+{b}" for a, b in _QUOTES))
#: A title or words that may stand in quotation marks.
TEXT: Final = rf"(?:{_QUOTED.pattern}|[^\s:'\"][^:]*?)"
#: A sentence up to the end of the request.
REST: Final = r"(?:\S.*?)"
#: What only another step can do, and a text cannot mean unless it is quoted.
_GOES_ON: Final = re.compile(
    r"(?i)[,;.]? (?:and then|and also|then|und dann) |[,;.]? (?:and|und) (?:remind|schedule|send|"
    r"email|mail|show|list|open|save|delete|create|make|draft|erinnere|zeige?|sende|lösche?)\b"
)
_FILE_NAME: Final = re.compile(r"\S\.[A-Za-z]\w{0,4}$")


def plain(text: str) -> str:
    """Return a text without the quotation marks around it."""
    said = text.strip()
    return said[1:-1].strip() if _QUOTED.fullmatch(said) else said


def is_one_text(text: str) -> bool:
    """Return whether a text can be one title or sentence: it names no file and no other step."""
    said = text.strip()
    return bool(_QUOTED.fullmatch(said)) or not (_GOES_ON.search(said) or _FILE_NAME.search(said))


#: A tool, and the pattern of a request that it answers.
Phrase = tuple[str, re.Pattern[str]]


def phrase(tool: str, pattern: str) -> Phrase:
    """Return a phrase; the groups of its pattern are arguments of the tool."""
    return tool, re.compile(rf"(?i){pattern}")


def first_said(phrases: Iterable[Phrase], request: str) -> tuple[str, Mapping[str, str]] | None:
    """Return the tool and the texts of the first phrase that is the whole request; else None."""
    for tool, pattern in phrases:
        match = pattern.fullmatch(request)
        if match is None:
            continue
        said = {name: text for name, text in match.groupdict().items() if text}
        if all(map(is_one_text, said.values())):
            return tool, {name: plain(text) for name, text in said.items()}
    return None
