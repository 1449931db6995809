"""Compared columns: which of a table's columns has most of something, as one query.

"Which column correlates most strongly with price?" is answered by the correlation of price with
each other column of numbers, or with those that are named, of which the strongest is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.cue_words import MISSING, TOGETHER
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Combination, Function, Measure, Query

_RELATED: Final = re.compile(r"(?i)\b(?:correlat\w*|related|relationship|association|korrel\w*)\b")
_WHICH: Final = re.compile(
    r"(?i)\b(?:which|what|welche[rs]?)(?:\s+\w+){0,2}\s+"
    r"(?:columns?|variables?|features?|attributes?|fields?|spalten?)\b"
)
_OF_NAMED: Final = re.compile(r"(?i)\bwhich\s+(?:one\s+)?of\b|\bwhich\s+(?:two|pair)\b")
_UP: Final = re.compile(r"(?i)\b(?:most|highest|largest|strongest|greatest|biggest|best|maximum)\b")
_DOWN: Final = re.compile(r"(?i)\b(?:fewest|least|lowest|smallest|weakest|minimum)\b")
_STRONG: Final = re.compile(r"(?i)\b(?:most|strongest|highest|greatest|largest|best)\b")
_SIGNED: Final = re.compile(r"(?i)\b(?:positive(?:ly)?|negative(?:ly)?)\b")
_MOST: Final = 40
#: Pairs grow with the square of the columns.
_MOST_OF_PAIRS: Final = 8
_FEWEST: Final = 2


def of_columns(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings of a question; the one that compares columns where it asks for that.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: The table.
    """
    asks = _WHICH.search(question) or _OF_NAMED.search(question)
    if not (readings and asks):
        return tuple(readings)
    related = _RELATED.search(question) and _STRONG.search(question)
    measures = _correlations(question, table) if related else _statistics(question, table)
    if len(measures) < _FEWEST:
        return tuple(readings)
    kept = _kept(question) if related else _end(question)
    names = {name for each in measures for name in (each.column, each.other)}
    filters = tuple(f for f in readings[0].query.filters if f.column not in names)
    source = readings[0].query.source
    query = Query(source, filters=filters, measures=tuple(measures), combine=kept)
    return (replace(readings[0], query=query),)


def _kept(question: str) -> Combination:
    """Return which correlation is kept: the furthest from nothing, or that of one sign."""
    signed = _SIGNED.search(question)
    if signed is None:
        return "strongest"
    return "largest" if signed[0].lower().startswith("positive") else "smallest"


def _end(question: str) -> Combination:
    return "smallest" if _DOWN.search(question) else "largest"


def _correlations(question: str, table: TableSample) -> list[Measure]:
    """Return the correlations of the column that is named last, or of all pairs."""
    numeric = [c.name for c in table.columns.values() if c.has_numbers and not c.is_key]
    named = [name for name in columns_named(question, [*table.columns]) if name in numeric]
    if not named or (len(named) > 1 and _OF_NAMED.search(question) and "with" not in question):
        several = named or (numeric if len(numeric) <= _MOST_OF_PAIRS else [])
        return [Measure("correlation", a, b) for a, b in combinations(several, 2)]
    target = named[-1]
    others = [name for name in (named[:-1] if len(named) > _FEWEST else numeric) if name != target]
    return [Measure("correlation", target, other) for other in others[:_MOST]]


def _statistics(question: str, table: TableSample) -> list[Measure]:
    """Return the statistic that a question names, of each column; none where it names several."""
    if not (_UP.search(question) or _DOWN.search(question)):
        return []
    cues = QuestionWords(question).cues
    if not cues.isdisjoint(MISSING):
        return [Measure("missing", name) for name in [*table.columns][:_MOST]]
    said_ends = {cue for cue in cues if _UP.fullmatch(cue) or _DOWN.fullmatch(cue)}
    said: list[Function] = [
        f for f, own in TOGETHER.items() if not own.isdisjoint(cues - said_ends)
    ]
    if len(said) != 1:
        return []
    numeric = [c.name for c in table.columns.values() if c.has_numbers and not c.is_key]
    named = [name for name in columns_named(question, numeric) if name in numeric]
    return [Measure(said[0], name) for name in (named or numeric)[:_MOST]]
