"""Both ends of a column: "the shortest and the longest run" is two rows.

"The highest and lowest price" is two numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_order import is_down, likeliest_filters, meant
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import ENDS, Filter, Measure, Query

_END: Final = r"(?:most|least|best|worst|\w{2,}est)(?: (?:expensive|recent))?"
_BOTH: Final = re.compile(
    rf"\b(?P<one>{_END})(?: (?P<noun>(?!and)\w+))? and (?:the )?(?P<other>{_END})\b"
    r"(?: (?P<last>\w+))?"
)
#: What asks for more than the two numbers.
_ROWS: Final = re.compile(r"^(?:which|who|on|in|show|list|from)\b|\b(?:when|where|who)\b")
_GROUPS: Final = re.compile(r"\b(?:per|each|every|by|for each|average|mean|total|number|many)\b")


def of_both_ends(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings of a question; the one with both ends where it asks for both.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: The table.
    """
    asked = " ".join(in_english(tokens(question)))
    found = _BOTH.search(asked)
    if not readings or found is None or _GROUPS.search(asked):
        return tuple(readings)
    one, other = (found[name].split()[-1] for name in ("one", "other"))
    nouns = [noun for noun in (found["last"], found["noun"]) if noun]
    column = _column(one, other, nouns, question, table)
    if column is None or is_down(one, column) == is_down(other, column):
        return tuple(readings)
    kept = tuple(f for f in likeliest_filters(readings) if f.column != column.name)
    is_number = not _ROWS.search(asked) and any(stem(noun) in column.stems for noun in nouns)
    query = Query(table.source, filters=(*kept, Filter(column.name, ENDS)), order=column.name)
    query = replace(query, descending=is_down(one, column))
    if is_number:
        ends = (Measure("minimum", column.name), Measure("maximum", column.name))
        query = Query(table.source, filters=kept, measures=ends)
    return (replace(readings[0], query=query), *readings[1:])


def says_both_ends(question: str) -> bool:
    """Return whether a question asks for the largest and the smallest together."""
    return _BOTH.search(" ".join(in_english(tokens(question)))) is not None


def _column(
    one: str, other: str, nouns: Sequence[str], question: str, table: TableSample
) -> ColumnSample | None:
    """Return the column whose ends are asked for: of its name, or that both words mean."""
    of_nouns = (meant(one, noun, question, table) for noun in nouns)
    return next(filter(None, of_nouns), None) or meant(other, "", question, table)
