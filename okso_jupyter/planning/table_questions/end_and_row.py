"""An end and its row: "what is the lowest pH, and in which sample?" asks for both."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.asked_persons import column_of_persons
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem
from okso_jupyter.tables.query import Query

_END: Final = (
    r"(?:\w{2,}est|max(?:imum)?|min(?:imum)?|best|worst|\w*(?:höchst|niedrigst|größt|kleinst|tiefst)\w*|"
    r"\w*(?:maximal|minimal)\w*)"
)
#: The question for an end, and what is asked of its row: "who", "when", or a noun.
_BOTH: Final = re.compile(
    rf"(?i)^(?!\W*(?:which|who|welche|wer)\b)(?P<first>.*\b{_END}\b.*?)\s*,?\s+(?:and|und)\s+"
    r"(?:(?:in|on|at|for|by|from|of|an|am|bei|zu|von)\s+)?"
    r"(?:(?P<who>who|whose|wer|wessen)\b(?=(?P<said>.*))|(?P<when>when|wann|(?:which|what|welchem)\s+(?:day|date|tag|datum))|"
    r"(?:which|what|welche[rnms]?)\s+(?P<noun>[^\W\d_]+)|"
    r"(?:its|his|her|their|seine?[nr]?|ihre?[nr]?|dessen|deren)\s+(?P<own>[^\W\d_]+))\b"
    r"(?!.*\b(?:most|least|\w{3,}est|average|total|how)\b)"
)
_ENDS: Final = frozenset({"minimum", "maximum"})


def end_and_row(
    question: str, table: TableSample, read: Callable[[str], tuple[QueryReading, ...]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question for an end and its row; () for any other.

    Args:
        question: The question.
        table: Its table.
        read: Reads a question.
    """
    found = _BOTH.search(question)
    column = _column_of(found, table) if found else None
    if found is None or column is None:
        return ()
    return tuple(
        replace(reading, query=query)
        for reading in read(found["first"])
        if (query := _with_row(reading.query, column.name)) is not None
    )


def _column_of(found: re.Match[str], table: TableSample) -> ColumnSample | None:
    """Return the only column that tells what is asked of the row."""
    columns = [*table.columns.values()]
    if found["when"]:
        told = [column for column in columns if column.kind == "date"]
    elif found["who"]:
        person = column_of_persons(found["said"], table)
        told = [column for column in columns if not PERSONS.isdisjoint(column.stems)]
        told = [table[person]] if person else told
    else:
        noun = found["noun"] or found["own"]
        said = {stem(word) for word in in_words_of(noun, table).lower().split()}
        told = [column for column in columns if not said.isdisjoint(column.stems)]
    return told[0] if len(told) == 1 else None


def _with_row(query: Query, column: str) -> Query | None:
    """Return the query for the row of an end, with a column beside it; None for another query."""
    if query.order and query.limit == 1 and not query.measures:
        shown = query.columns or (query.order,)
        return replace(query, columns=tuple(dict.fromkeys((*shown, query.order, column))))
    [measure, *others] = query.measures or [None]
    if measure is None or others or query.by or query.combine or measure.function not in _ENDS:
        return None
    return replace(
        query,
        measures=(),
        order=measure.column,
        descending=measure.function == "maximum",
        limit=1,
        columns=(measure.column, column),
    )
