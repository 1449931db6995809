"""Said ages: "customers over 60" are older than that, and have not paid more than it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.asked_persons import holds_persons
from okso_jupyter.planning.table_questions.stated_adjectives import columns_of_age
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_meanings import header_meanings
from okso_jupyter.planning.table_questions.words import stem

#: Persons and a number behind them that is of nothing else.
_OVER: Final = re.compile(
    r"(?i)\b(?P<who>[^\W\d_]{3,})\s+(?:(?:who\s+)?(?:are|is|were|sind|waren)\s+)?"
    r"(?P<how>over|above|under|below|über|unter)\s+"
    r"(?P<age>\d{1,2})(?:\s+(?:years?(?:\s+old)?|jahren?))?"
    r"(?=\W*$|\s*[,;]|\s+(?:and|or|und|oder|in|from|who|with|have|has|had|live|by|per|are|is|were|"
    r"did|do|made|bought|there|that|gibt|aus|mit|haben|hat|sind|wohnen|leben|die|je|pro)\b)"
)
_THAN: Final = {
    "over": "older than",
    "above": "older than",
    "under": "younger than",
    "below": "younger than",
    "über": "älter als",
    "unter": "jünger als",
}
_PEOPLE: Final = frozenset(map(stem, "people adults women men kids children leute frauen".split()))


def with_said_ages(question: str, tables: Callable[[], Sequence[TableSample]]) -> str:
    """Return a question with "older than 60" for persons "over 60", where a table has their ages.

    Args:
        question: The question.
        tables: Returns the tables that it may be about; read only where the words ask for it.
    """
    found = _OVER.search(question)
    if found is None:
        return question
    aged = [each for each in tables() if _has_older(each, float(found["age"]))]
    if not any(_are_persons(found["who"].lower(), each) for each in aged):
        return question
    how = _THAN[found["how"].lower()]
    return f"{question[: found.start('how')]}{how} {found['age']}{question[found.end() :]}"


def _has_older(table: TableSample, age: float) -> bool:
    """Return whether somebody is older, and somebody younger: "students over 90" have a score."""
    ages = [
        v for c in columns_of_age([*table.columns.values()]) for v in c.numbers if v is not None
    ]
    return bool(ages) and min(ages) <= age <= max(ages)


def _are_persons(noun: str, table: TableSample) -> bool:
    """Return whether a noun is of persons, or what those of the table are called."""
    if not header_meanings(noun).isdisjoint(PERSONS | _PEOPLE) or stem(noun) in table.stems:
        return True
    return any(stem(noun) in c.stems and holds_persons(c) for c in table.columns.values())
