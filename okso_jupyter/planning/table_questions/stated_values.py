"""Stated values: how a question compares, joins and denies the values that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.words import stem
from okso_jupyter.tables.query import Comparison, Filter, Query

_NUMBER: Final = r"(?P<number>-?\d[\d,]*(?:\.\d+)?)"
#: A year, and no number of anything: "older than 1500 hours" is more of them.
_YEAR: Final = r"(?P<number>1[5-9]\d\d|20\d\d)\b(?![.,]\d|\s+[^\W\d_]+s\b)"
_UNIT: Final = r"[$€£]?\s*"
_UP: Final = (
    "more|greater|larger|higher|older|longer|bigger|heavier|taller|later|"
    "mehr|größer|höher|älter|länger|teurer"
)
_DOWN: Final = (
    "less|fewer|lower|smaller|shorter|younger|cheaper|lighter|earlier|"
    "weniger|kleiner|jünger|billiger|kürzer|niedriger"
)
#: What stands before or behind a number, and how it compares; the first that is found counts.
_SPOKEN: Final[tuple[tuple[Comparison, str], ...]] = (
    # "older than 1900" is before that year
    ("<", rf"\b(?:older\s+than|älter\s+als)\s+{_YEAR}"),
    (">", rf"\b(?:(?:newer|younger|more\s+recent)\s+than|(?:jünger|neuer)\s+als)\s+{_YEAR}"),
    ("<=", rf"\b(?:no|not|nicht)\s+(?:{_UP})\s+(?:than|als)\s+{_UNIT}{_NUMBER}"),
    (">=", rf"\b(?:no|not|nicht)\s+(?:{_DOWN})\s+(?:than|als)\s+{_UNIT}{_NUMBER}"),
    (">", rf"\b(?:{_UP})\s+(?:than|als)\s+{_UNIT}{_NUMBER}"),
    ("<", rf"\b(?:{_DOWN})\s+(?:than|als)\s+{_UNIT}{_NUMBER}"),
    (">=", rf"\b(?:at\s+least|mindestens)\s+{_UNIT}{_NUMBER}"),
    ("<=", rf"\b(?:at\s+most|up\s+to|höchstens)\s+{_UNIT}{_NUMBER}"),
    (">", rf"\b(?:over|above|exceeding|exceeds?|über)\s+{_UNIT}{_NUMBER}"),
    ("<", rf"\b(?:under|below|unter)\s+{_UNIT}{_NUMBER}"),
    (">=", rf"{_NUMBER}\s+(?:\w+\s+)?or\s+(?:{_UP}|above)\b"),
    ("<=", rf"{_NUMBER}\s+(?:\w+\s+)?or\s+(?:{_DOWN}|below)\b"),
)
_COMPARED: Final = tuple((how, re.compile(f"(?i){words}")) for how, words in _SPOKEN)
_NONE_OF: Final = re.compile(
    r"(?:\b(?:no|without|ohne|keine?n?)|"
    r"(?:\bnot|n['’]?t)\s+(?:have|got|given?|left|leave|enter(?:ed)?|provided?|fill(?:ed)? in))\s+"
    r"(?:(?:an?|any|the|their|his|her|its|eine?n?)\s+)?(\w+)"
)
#: What says that two numbers are the ends of a range.
_RANGE: Final = re.compile(r"(?i)\b(?:between|from|zwischen|von|range)\b|\d\s*(?:-|to|bis)\s*\d")
#: What has not happened has no date: "not paid yet", "never returned".
_NOT_DONE: Final = re.compile(
    r"(?:\b(?:not|never|nicht|nie)|n['’]?t)\s+(?:(?:yet|been|ever|noch|worden|schon)\s+)*(\w+)|"
    r"\bun(\w{3,}(?:d|t|te[nrs]?))\b"
)
_LITTLE: Final = r"from|in|at|the|an?|of|by|is|be|been|den|die|das|der|aus|im|von|status"
_PLURAL: Final = r"(?:e?s|e?n)?"
#: Asks for one of the values that it names: "who paid more, Ada or Bo?".
_CHOICE: Final = re.compile(
    r"(?i)^\W*(?:who|which|what|where|in which|wer|welche\w*)\b.*\b(?:\w{2,}e(?:r|st)|more|most|"
    r"less|least|\w+ste[rsn]?|mehr|weniger|meisten)\b.*\b(?:or|oder)\b"
)
_OF_ALL: Final = re.compile(
    r"(?i)\b(?:more|most|less|least|fewer|fewest|mehr|weniger|meisten|wenigsten)\b"
)
_OR: Final = r"[\s\"']*(?:,|/|&|\b(?:or|and|und|oder|vs\.?|versus)\b)+[\s\"']*(?:the\s+)?"


def stated_values(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query for what a question says of each number and value."""
    for number, comparison in stated_comparisons(question).items():
        yield partial(_has_comparison, comparison=comparison, number=number)
    if not _RANGE.search(question):
        yield (
            lambda query: (
                not any(
                    each.comparison == "between" and _of_numbers(each) for each in query.filters
                )
            )
        )
    numbers = re.findall(r"\d+", question)
    yield (
        lambda query: (
            not query.limit  # 0 is none
            or not any(
                each.value == query.limit and numbers.count(str(query.limit)) == 1
                for each in query.filters
            )
        )
    )
    denied = re.compile(
        rf"(?i)(?:\b(?:not|nicht|keine?n?)|n['’]t)\b(?:\s+(?:{_LITTLE}|{_any_of(columns)}))*"
        rf"\s+[\"']?(?P<value>.*)"
    ).search(question)
    if denied:
        words = denied["value"].lower()
        yield lambda query: any(
            each.comparison == "!=" and words.startswith(str(each.value).lower())
            for each in query.filters
        )
    yield lambda query: any(_is_joined(each, question) for each in query.filters)
    if _CHOICE.search(question):
        yield partial(_is_one_of, question=question)


def stated_comparisons(question: str) -> dict[float, Comparison]:
    """Return how each number of a question compares, where the question says it."""
    found: dict[float, Comparison] = {}
    for comparison, pattern in _COMPARED:
        for match in pattern.finditer(question):
            found.setdefault(float(match["number"].replace(",", "")), comparison)
    return found


def says_none(question: str, stems: Collection[str]) -> bool:
    """Return whether a question asks for rows without what a column holds: "no return date"."""
    return any(stem(found[1]) in stems for found in _NONE_OF.finditer(question.lower()))


def says_not_done(question: str, stems: Collection[str]) -> bool:
    """Return whether a question asks for rows where what a date tells has not happened."""
    words = [found[1] or found[2] for found in _NOT_DONE.finditer(question.lower())]
    return any(stem(form) in stems for word in words for form in {word, *in_english([word])})


def _has_comparison(query: Query, *, comparison: Comparison, number: float) -> bool:
    """Return whether a query compares a column with a number in this way."""
    return any(
        (each.comparison, each.value, each.part) == (comparison, number, "")
        for each in query.filters
    )


def _of_numbers(each: Filter) -> bool:
    """Return whether the two values of a filter are numbers."""
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    return not any(isinstance(value, str) for value in values)


def _is_joined(each: Filter, question: str) -> bool:
    """Return whether a filter is of two values that stand joined in a question: "A or B"."""
    if each.comparison != "in" or not isinstance(each.value, tuple):
        return False
    if any(str(value).isdigit() for value in each.value) and _RANGE.search(question):
        return False
    pairs = [
        (a, b) for one, two in combinations(each.value, 2) for a, b in ((one, two), (two, one))
    ]
    return any(
        re.search(
            rf"(?i)\b{re.escape(str(a))}{_PLURAL}\b{_OR}{re.escape(str(b))}{_PLURAL}\b", question
        )
        for a, b in pairs
    )


def _is_one_of(query: Query, question: str) -> bool:
    """Return whether a query is for one of the values that stand joined in a question."""
    names = [each.column for each in query.filters if _is_joined(each, question)]
    is_shown = query.limit == 1 and query.columns in {(name,) for name in names}
    # "who paid most" is of all that each of them paid
    return is_shown and (bool(query.by) or not _OF_ALL.search(question))


def _any_of(columns: Sequence[str]) -> str:
    names = sorted(map(re.escape, columns), key=len, reverse=True)
    return "|".join(names)
