"""Stated parts: what a question says outright, so that no fitted weight has to guess it.

"... per city" groups by city, and "... sorted by amount" sorts by amount. Readings that do so are
put before those that do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.tables.query import Query

_GROUPED: Final = re.compile(r"(?i)\b(?:per|for (?:each|every)|je|pro)\b(?P<named>.*)")
_SORTED: Final = re.compile(
    r"(?i)\b(?:sort|sorted|order|ordered|sortiere?|sortiert)\b.*?\b(?:by|nach)\b(?P<named>.*)"
)
_DOWN: Final = re.compile(
    r"(?i)\b(?:desc\w*|decreas\w*|revers\w*|absteigend|"
    r"(?:largest|highest|biggest|most|newest|latest)(?: \w+)? first)\b"
)


def as_stated(
    question: str, readings: Sequence[QueryReading], columns: Sequence[str]
) -> tuple[QueryReading, ...]:
    """Return the readings, those first that do what the question says outright.

    Each place keeps its confidence: that of a best reading.

    Args:
        question: The question.
        readings: Its readings, best first.
        columns: The columns of the table.
    """
    wanted = _wanted(question, columns, readings)
    if wanted is None:
        return tuple(readings)
    ranked = sorted(readings, key=lambda reading: not wanted(reading.query))
    pairs = zip(ranked, readings, strict=True)
    return tuple(replace(one, confidence=place.confidence) for one, place in pairs)


def _wanted(
    question: str, columns: Sequence[str], readings: Sequence[QueryReading]
) -> Callable[[Query], bool] | None:
    """Return the test of a query; None where the question states nothing, or all is done."""
    ordered = _named_behind(_SORTED, question, columns)
    if ordered:
        down = _DOWN.search(question) is not None
        counted = re.search(r"\d", question) is not None
        return lambda query: (
            (query.order, query.descending, query.measures) == (ordered, down, ())
            and (counted or not query.limit)
        )
    grouped = _named_behind(_GROUPED, question, columns)
    if grouped and readings and not readings[0].query.by:
        return lambda query: query.by == grouped and not query.limit
    return None


def _named_behind(pattern: re.Pattern[str], question: str, columns: Sequence[str]) -> str:
    """Return the first column that is named behind a word; "" where there is none."""
    found = pattern.search(question)
    # the word itself comes first: the first word of a text is never a column
    return next(iter(columns_named(f"by {found['named']}", columns)), "") if found else ""
