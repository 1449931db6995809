"""Best lines: the text whose lines have most of what a question asks about.

Words that few lines have count more (inverse document frequency, Spärck Jones 1972). A line beneath
a heading has its words, and a day is found in the forms of texts and of logs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.request.wording import STOP_WORDS, stem

_MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)
_MONTH_STEMS: Final = frozenset(map(stem, _MONTHS))
_DAY: Final = re.compile(
    rf"(?i)\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{'|'.join(_MONTHS)})\b|"
    rf"\b(?P<month_first>{'|'.join(_MONTHS)}) (?P<day_behind>\d{{1,2}})(?:st|nd|rd|th)?\b"
)
_ISO_DAY: Final = re.compile(r"\b\d{4}-(?P<month>\d\d)-(?P<day>\d\d)\b")
_WORD: Final = re.compile(r"[^\W\d_]{3,}|\b[A-Z]{2}\b")
_HEADING: Final = re.compile(r"#+ ")
#: Words that ask, and say nothing of what a text is about.
_ASKING: Final = STOP_WORDS | frozenset(
    "according says say said told tell tells look see find know there does did have has had been "
    "will would should could many much long until till when where who whom whose which what "
    "why how got get gets laut gemäß steht stehen hoch viel viele lange wann wer was welche "
    "welcher welches welchem bis ist sind war hat haben wird werden der die das den dem des "
    "ein eine einen einem einer für mit von und oder".split()
)
#: A share of the weight of a question's words that its best line must have, and how many of them.
_ENOUGH: Final = 0.4
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class BestLines:
    """Where a question is answered.

    Attributes:
        path: The text.
        word: The word of the best line that fewest lines have, as it stands there.
    """

    path: str
    word: str


def best_lines(question: str, texts: Mapping[str, str]) -> BestLines | None:
    """Return the text with the best line for a question; None where none fits, or several do.

    Args:
        question: The question.
        texts: The texts by path.
    """
    asked = {one for one in _said(question) if one not in _ASKING}
    lines = [(path, line, said) for path, text in texts.items() for line, said in _lines(text)]
    held = Counter(one for _, _, said in lines for one in said & asked)
    weights = {one: math.log(1 + len(lines) / max(held[one], 1)) for one in asked}
    if not lines or not weights:
        return None
    scores = [sum(weights[one] for one in said & asked) for _, _, said in lines]
    most = max(scores)
    best = [one for one, score in zip(lines, scores, strict=True) if score == most]
    path, line, said = best[0]
    found = {one for one in _said(line) & asked if one[0].isalpha()}  # a day has many forms
    is_clear = len({path for path, _, _ in best}) == 1 and most >= _ENOUGH * sum(weights.values())
    there = said & asked
    times = {one for one in asked if one in _MONTH_STEMS or one[0].isdigit()}
    if not is_clear or len(there) < _FEWEST or not times <= there:
        return None
    rare = min(found, key=lambda one: (held[one], one), default="")
    word = next((own for own in _WORD.findall(line) if stem(own.lower()) == rare), "")
    return BestLines(path, word) if word else None


def _lines(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the lines of a text that say something, with what they and their headings say."""
    above: frozenset[str] = frozenset()
    for line in text.splitlines():
        said = frozenset(_said(line))
        if _HEADING.match(line):
            above = said
        elif said:
            yield line, said | above


def _said(text: str) -> set[str]:
    """Return the stems of the words of a text, and its days as "10-13"."""
    days = {
        f"{_MONTHS.index((m['month'] or m['month_first']).lower()) + 1:02d}-"
        f"{int(m['day'] or m['day_behind']):02d}"
        for m in _DAY.finditer(text)
    } | {f"{m['month']}-{m['day']}" for m in _ISO_DAY.finditer(text)}
    return {stem(word.lower()) for word in _WORD.findall(_DAY.sub(" ", text))} | days
