"""Anchor passages: the passage of a page that matches a search snippet."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_MAX_QUERY_CHARS: Final = 80
_WINDOW_WORDS: Final = 60
_STEP_WORDS: Final = 30
#: Minimum share of the query's words in a passage; below it, the passage is a different one.
_LEAST_SHARE: Final = 0.6

_WORD: Final = re.compile(r"\w+(?:'\w+)*")
#: Search engines put the date before a snippet; the page has it elsewhere or not at all.
_DATE: Final = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}, \d{4}\b",
    re.IGNORECASE,
)
#: One character each, so that offsets in the text are preserved.
_ALIKE: Final = str.maketrans(
    "\u2018\u2019\u02bc\u201c\u201d\u2010\u2011\u2013\u2014", "'''\"\"----"
)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


def anchor_query(snippet: str) -> str:
    """Return the text to find in a page, from its search snippet; at most 80 characters."""
    text = " ".join(_DATE.sub(" ", snippet).split()).strip(" .…")
    return textwrap.shorten(text, _MAX_QUERY_CHARS, placeholder="") or text[:_MAX_QUERY_CHARS]


def passage(text: str, query: str) -> str:
    """Return the 60 words of a text most similar to a query, as in the text; "" if none match.

    Differences in quotes, dashes, case, punctuation and dates are ignored. An ellipsis marks a side
    on which the text continues.
    """
    wanted = {word.text for word in _words(query)}
    words = _words(text)
    if not wanted or not words:
        return ""
    starts = range(0, max(len(words) - _WINDOW_WORDS + _STEP_WORDS, 1), _STEP_WORDS)
    windows = [words[start : start + _WINDOW_WORDS] for start in starts]
    best = max(windows, key=lambda window: _likeness(window, wanted))
    found = wanted & {word.text for word in best}
    if len(found) < _LEAST_SHARE * len(wanted):
        return ""
    before = "…" if best[0] is not words[0] else ""
    after = "…" if best[-1] is not words[-1] else ""
    return f"{before}{text[best[0].start : best[-1].end]}{after}"


def _words(text: str) -> list[_Word]:
    """Return the words of a text with their offsets, without dates."""
    alike = _DATE.sub(lambda date: " " * len(date[0]), text.translate(_ALIKE))
    return [_Word(m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(alike)]


def _likeness(window: Sequence[_Word], wanted: set[str]) -> float:
    """Return the Jaccard similarity of the words of window and query, from 0 to 1."""
    words = {word.text for word in window}
    return len(words & wanted) / len(words | wanted)
