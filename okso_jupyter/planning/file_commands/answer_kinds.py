"""Answer kinds: what a question asks for (a time, an amount, a number to call), and who gives it.

A sentence that has the words of a question may still tell something else: "the roof window has been
approved" has no price of the roof.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.file_commands.word_forms import MONTHS

_NUMBER: Final = (
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|double|ein(?:e[nrms]?)?|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|halbe[rsn]?|doppelte?)\b)"
)
_DAY_NAMES: Final = (
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|"
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?\b"
)
_TIME: Final = (
    rf"\d|{_DAY_NAMES}|\b(?:{MONTHS})\b|"
    r"\b(?:noon|midnight|tomorrow|today|weekends?|mittags?|mitternacht|morgens?|abends?|heute)\b"
)
_MONEY: Final = (
    r"[€$£¥]|\b(?:euros?|eur|usd|gbp|chf|dollars?|pounds?|francs?|franken|cents?|pence|rappen|"
    r"free|gratis|kostenlos|half price|halber preis)\b"
)
_CALLED: Final = r"(?<![\w-])\+?\(?\d[\d ()/-]{4,}\d(?![\w-])"
_DATE: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?\b")
#: A word with its value: behind a colon, as lists of settings have it, or as a sentence that says
#: what it is.
_KEY: Final = re.compile(
    r"(?i)^[-*+\s\d.)]*(?:(?:the|our|my|der|die|das|unsere?) )?(?:(?P<key>[^:]{2,60}):\s*\S|"
    r"(?P<subject>[^\W\d_]+(?:[ -][^\W\d_]+){0,2}) (?:is|are|ist|sind|beträgt|lautet) \S)"
)
_TASK: Final = re.compile(r"\bTODO\b|- \[[ xX]\]")
_SENTENCES: Final = re.compile(r"(?<=[^\W_]{3}[.!?;])\s+|(?<=[€%)][.!?;])\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKind:
    """What is asked for.

    Attributes:
        asks: What questions for it have.
        gives: What a line has that tells it; None where any may.
        hints: Words that ask for it, which a line that tells it may lack.
        counts: Whether the number stands before what it counts.
    """

    asks: re.Pattern[str]
    gives: re.Pattern[str] | None
    hints: frozenset[str] = frozenset()
    counts: bool = False

    def is_in(self, line: str) -> bool:
        """Return whether a line has what is asked for."""
        return self.gives is None or self.gives.search(self._plain(line)) is not None

    def is_told_of(self, word: str, line: str) -> bool:
        """Return whether a line tells what is asked for of one word of it, and not of another."""
        if word in key_of(line):
            return self.is_in(line)
        if self.gives is None:
            return False
        found = (part for part in _SENTENCES.split(line) if word in part)
        sentence = next(found, "")
        if self.counts:
            before = rf"{_NUMBER}\S*\s+(?:[^\W\d_]+\s+)?(?={re.escape(word)})"
            return re.search(rf"(?i){before}", sentence) is not None
        return self.is_in(sentence)

    def _plain(self, line: str) -> str:
        """Return a line without the days that look like numbers to call."""
        return _DATE.sub(" ", line) if self.gives is _TO_CALL else line


def _kind(asks: str, gives: str | re.Pattern[str] = "", hints: str = "") -> AnswerKind:
    pattern = re.compile(f"(?i){gives}") if isinstance(gives, str) and gives else None
    found = gives if isinstance(gives, re.Pattern) else pattern
    words = frozenset(hints.split())
    return AnswerKind(asks=re.compile(f"(?i){asks}"), gives=found, hints=words)


_TO_CALL: Final = re.compile(_CALLED)
_HOW_MUCH: Final = "how much|wie ?viel|was kostet|was kosten|wie teuer|what (?:does|do|did|will)"
_PRICED: Final = (
    r"\b(?:costs?|prices?|pay|charged?|fees?|kostet|kosten|preise?|teuer|zahlt|zahlen)\b"
)
#: The kinds, the most telling first.
_KINDS: Final = (
    _kind(
        r"\b(?:phone|telephone|mobile|cell)(?: ?numbers?| no\b)|\bphone (?:of|for)\b|"
        r"\b(?:telefon|handy|ruf|mobil)(?:nummern?)?\b",
        _TO_CALL,
        "phone telephone mobile cell number numbers telefon telefonnummer handynummer rufnummer",
    ),
    _kind(
        r"\be-?mail(?: address(?:es)?)?\b|\bmail address|\be?-?mail-?adresse",
        r"\S@\S",
        "email mail e-mail address adresse mailadresse",
    ),
    _kind(
        rf"^\W*(?:{_HOW_MUCH}).*{_PRICED}|^\W*was kostet|"
        r"^\W*(?:the |what (?:is|are) the )?price of",
        _MONEY,
        "cost costs price prices pay charge charged fee kostet kosten preis teuer zahlen",
    ),
    AnswerKind(
        asks=re.compile(r"(?i)^\W*(?:how many|wie ?viele)\b"),
        gives=re.compile(rf"(?i){_NUMBER}"),
        counts=True,
    ),
    _kind(
        r"^\W*(?:how (?:much|high|long|big|large|far|old|tall|deep|heavy|wide|often)|"
        r"wie ?(?:viel|hoch|lange?|groß|weit|alt|schwer|breit|tief|teuer|oft))\b|"
        r"\b(?:number|nummer)\b",
        _NUMBER,
        "number nummer amount much high hoch long lang lange big groß höhe",
    ),
    _kind(
        r"^\W*(?:(?:ab|bis|seit|from|until|till|since|by|um) )?"
        r"(?:when|wann|(?:what|which) (?:time|day|date)|wie ?viel uhr|"
        r"welche[mnrs]? (?:tag|datum|uhrzeit))\b",
        _TIME,
        "time day date tag datum uhrzeit deadline",
    ),
    _kind(r"^\W*wie (?:lautet|lauten|ist)\b", _NUMBER, "number nummer"),
)
_ANY: Final = AnswerKind(asks=re.compile(""), gives=None)


def key_of(line: str) -> str:
    """Return what a line gives the value of; "" where it is a task, or gives none."""
    found = _KEY.match(line)
    if found is None or _TASK.search(line):
        return ""
    return str(found["key"] or found["subject"])


def kind_asked(question: str) -> AnswerKind:
    """Return what a question asks for."""
    return next((kind for kind in _KINDS if kind.asks.search(question)), _ANY)
