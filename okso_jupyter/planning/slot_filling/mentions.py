"""Finds the numbers, dates, quotes and addresses that a text mentions, with their positions.

Only the notation is interpreted: "$1.2M" is 1200000, "five" is 5, "8%" is 8 and marked as a
percentage. The modules that know the parameters decide what a mention is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from dateutil import parser as date_parser

from okso_jupyter.planning.request.wording import stem

_MOST_CHARS: Final = 4000
_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_COUNTING: Final = frozenset("one two three four five".split())
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS: Final = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_SCALES: Final = {
    "k": 10**3, "m": 10**6, "bn": 10**9, "dozen": 12, "hundred": 100, "thousand": 10**3,
    "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_NUMBER: Final = re.compile(
    r"(?<![\w.^/:*-])(?P<sign>[-−+]?)(?P<currency>[$€£₹¥]?)"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{0,15}\.\d{1,15}|\d{1,15})(?:[eE](?P<power>[-+]?\d{1,2}))?"
    r"(?P<ordinal>st|nd|rd|th)?(?:\s*(?P<scale>hundred|thousand|million|billion|trillion|dozen)\b"
    r"|(?P<letter>k|[MK](?=\b)|bn)\b)?"
    r"(?P<percent>\s*(?:%|percent(?:age)?\b|per cent\b))?(?![\d/]|[-xX]\d|\.\d|[a-z]\^|[xyz]\b)"
)
_NUMBER_WORD: Final = re.compile(
    rf"(?i)\b(?P<words>(?:{'|'.join(_WORDS)})(?:[ -](?:{'|'.join(_WORDS)}))*)\b"
    r"(?:\s+(?P<scale>hundred|thousand|million|billion|trillion|dozen)\b)?(?P<percent>\s*percent\b)?"
)
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE: Final = re.compile(
    rf"(?i)\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|\b\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b|"
    rf"\b{_MONTH}\s*\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s*(?:of\s+)?\d{{4}}\b)?|"
    rf"\b(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s*\d{{4}}\b)?"
)
_CLOCK: Final = re.compile(
    r"(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b\.?)?|\b\d{1,2}\s*[ap]\.?m\b\.?"
)
_WEB: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"'),]+|[\w.+-]+@[\w-]+\.[\w.]+")
_QUOTE: Final = re.compile(
    r"""(?<!\w)(?:'((?:[^'\n]|(?<=\w)'(?=\w))+)'|"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|`([^`\n]+)`)(?!\w)"""
)
_WHOLLY_QUOTED: Final = re.compile(r"""\s*(?:"([^"]+)"|“([^“”]+)”)\s*""")
#: What follows a "one" or "two" that is not a value: "two-sample", "one of", "the one with".
_NO_VALUE: Final = re.compile(r"-|\s+(?:of|with|that|who|which|whose)\b")
#: What follows the number of a house.
_STREET: Final = re.compile(
    r"\s(?:[A-Z][\w.'-]*\s){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|"
    r"Way|Court|Square|Place)\b"
)
#: The number of an item in a list that is written below each other.
_LIST_MARK: Final = re.compile(r"(?m)^\s*\(?\d{1,2}[.)](?:\s|$)")
#: A request has at least so many words.
_LEAST_WORDS: Final = 4
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
#: A word after a number that makes it an amount: "16 feet", but not "Apollo 11 and".
_UNIT: Final = re.compile(r"\s?(?!(?:and|or|over|for|in|on|with)\b)[a-z°%]")
#: A capitalized word before a number, within a sentence.
_WORD_BEFORE: Final = re.compile(r"[^.?!\s]\s([A-Z]\S*[A-Za-z&])\s$")
_NO_NAME: Final = re.compile(rf"(?i){_MONTH}|id|no|number|case")
_JOINT: Final = re.compile(
    r"[\s,\[\]]*(?:\band\b|\bor\b|&)?[\s,\[\]]*|\s?[^\W\d_]{1,12}(?:,\s*(?:and\s+)?|\s+and\s+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Something that a text mentions.

    Attributes:
        value: A number, or a text.
        text: As written.
        start: Index of its first character.
        end: Index after its last character.
        percent: Whether it is a percentage.
        money: Whether it has a currency symbol.
        inside: Whether it is part of a date, a time of day or a phrase such as "one of".
    """

    value: float | int | str
    text: str
    start: int
    end: int
    percent: bool = False
    money: bool = False
    inside: bool = False

    @property
    def counts(self) -> bool:
        """Whether it may be only a count of what follows, as in "the two cities"."""
        return self.text.lower() in _COUNTING


@lru_cache(maxsize=64)
def read(text: str) -> Reading:
    """Return the cached reading of a text, or of the beginning of a long one.

    Text pasted after a request is not part of it, and some cues take quadratic time in its length.
    """
    return Reading(unquoted(text)[:_MOST_CHARS])


def unquoted(text: str) -> str:
    """Return a request without quotation marks that enclose the whole of it.

    What they enclose is the request and no value. A few words in quotes stay as they are: they
    may be a name or a title.
    """
    match = _WHOLLY_QUOTED.fullmatch(text)
    inner = (match[1] or match[2]) if match else text
    return inner if len(inner.split()) >= _LEAST_WORDS else text


@dataclass(frozen=True)
class Reading:
    """A text and its mentions, each kind found on first use."""

    text: str

    @cached_property
    def tokens(self) -> tuple[Mention, ...]:
        """The words and numbers, with their stems as values."""
        return tuple(
            Mention(value=stem(m[0]), text=m[0], start=m.start(), end=m.end())
            for m in _TOKEN.finditer(self.text)
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(str(token.value) for token in self.tokens)

    @cached_property
    def numbers(self) -> tuple[Mention, ...]:
        """The numbers, in digits or words, without those in addresses and names."""
        found = [*self._in_digits(), *self._in_words()]
        return tuple(sorted(found, key=lambda mention: mention.start))

    def _in_digits(self) -> Iterator[Mention]:
        web, marks = _places(_WEB, self.text), _places(_LIST_MARK, self.text)
        dated = [*_places(_DATE, self.text), *_places(_CLOCK, self.text)]
        for match in _NUMBER.finditer(self.text):
            if (
                _inside(match.start(), web)
                or _inside(match.start(), marks)
                or _ends_name(self.text, match)
            ):
                continue
            yield Mention(
                value=_value(match),
                text=match[0],
                start=match.start(),
                end=match.end(),
                percent=bool(match["percent"]),
                money=bool(match["currency"]),
                inside=_inside(match.start(), dated) or bool(_STREET.match(self.text, match.end())),
            )

    def _in_words(self) -> Iterator[Mention]:
        for match in _NUMBER_WORD.finditer(self.text):
            value = sum(_WORDS[word] for word in re.split(r"[ -]", match["words"].lower()))
            value *= _SCALES[match["scale"].lower()] if match["scale"] else 1
            yield Mention(
                value=value,
                text=match[0],
                start=match.start(),
                end=match.end(),
                percent=bool(match["percent"]),
                inside=value in (1, 2) and bool(_NO_VALUE.match(self.text, match.end())),
            )

    @cached_property
    def runs(self) -> tuple[tuple[Mention, ...], ...]:
        """Runs of two or more numbers separated only by commas, brackets, "and" or units."""
        runs: list[list[Mention]] = []
        for number in self.numbers:
            if number.inside:
                continue
            between = self.text[runs[-1][-1].end : number.start] if runs else "?"
            if _JOINT.fullmatch(between) and not re.search(r"\]\s*,?\s*\[", between):
                runs[-1].append(number)
            else:
                runs.append([number])
        return tuple(tuple(run) for run in runs if len(run) > 1)

    @cached_property
    def dates(self) -> tuple[Mention, ...]:
        """The dates; the value is in ISO format if the year is given, else the text."""
        return tuple(
            Mention(value=_iso(match[0]), text=match[0], start=match.start(), end=match.end())
            for match in _DATE.finditer(self.text)
        )

    @cached_property
    def clocks(self) -> tuple[Mention, ...]:
        """The times of day."""
        return tuple(
            Mention(value=match[0], text=match[0], start=match.start(), end=match.end())
            for match in _CLOCK.finditer(self.text)
        )

    @cached_property
    def quotes(self) -> tuple[Mention, ...]:
        """The quoted texts."""
        return tuple(
            Mention(
                value=next(filter(None, match.groups())), text=match[0],
                start=match.start(), end=match.end(),
            )
            for match in _QUOTE.finditer(self.text)
        )  # fmt: skip

    @cached_property
    def webs(self) -> tuple[Mention, ...]:
        """Web and mail addresses."""
        return tuple(
            Mention(value=m[0].rstrip("."), text=m[0], start=m.start(), end=m.end())
            for m in _WEB.finditer(self.text)
        )


def _places(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text)]


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _ends_name(text: str, match: re.Match[str]) -> bool:
    """Return whether a number is the end of a name, as in S&P 500 or Apollo 11."""
    if match["currency"] or match["percent"] or _UNIT.match(text, match.end()):
        return False
    before = _WORD_BEFORE.search(text[: match.start()])
    return before is not None and not _NO_NAME.fullmatch(before[1])


def _value(match: re.Match[str]) -> float | int:
    """Return the value of a number in digits, with its sign, exponent and scale."""
    digits = match["digits"].replace(",", "")
    value: float | int = float(digits) if "." in digits else int(digits)
    if match["power"]:
        value *= 10.0 ** int(match["power"])
    scale = (match["scale"] or "").lower()
    letter = match["letter"] or ""
    if scale or letter in ("k", "bn") or (letter in ("M", "K") and match["currency"]):
        value = round(value * _SCALES[scale or letter.lower()], 6)
        value = int(value) if value == int(value) else value
    return -value if match["sign"] in ("-", "−") and match["sign"] else value


def _iso(text: str) -> str:
    """Return a date as YYYY-MM-DD, or as written if it has no year or is not a valid date."""
    if not re.search(r"\d{4}", text):
        return text
    try:
        return str(date_parser.parse(text, fuzzy=True).strftime("%Y-%m-%d"))
    except (ValueError, OverflowError):
        return text
