"""Stated measures: several statistics that a question lists, as one query.

"The mean price and the median weight" has one function for each column; "mean and standard
deviation of price and weight" has both for each, and "min and max price" has two of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.tables.query import Function, Measure, Query

_FUNCTIONS: Final[tuple[tuple[Function, str], ...]] = (
    ("standard deviation", r"standard\s+deviations?|std\.?(?:\s*dev)?|standardabweichung"),
    ("variance", r"variances?|varianz"),
    ("median", r"medians?"),
    ("mean", r"means?|averages?|avg|mittelwert|durchschnitt"),
    ("minimum", r"minimums?|min|lowest|smallest|niedrigste\w?|kleinste\w?"),
    ("maximum", r"maximums?|max|highest|largest|höchste\w?|größte\w?"),
    ("sum", r"sums?|totals?|summe"),
    ("skewness", r"skewness"),
)
#: The column at the end that rows are grouped by.
_PER: Final = re.compile(
    r"(?i)\s+(?:per|by|(?:for|in|of)\s+(?:each|every)|je|pro|nach)\s+(?P<named>[\w ]+?)\W*$"
)
#: What a list of statistics may hold beside their names and those of columns.
_BETWEEN: Final = re.compile(
    r"(?i)^(?:\W|\b(?:and|the|of|for|both|their|values?|columns?|in|und|der|die|das|von)\b)*"
)
_OPENS: Final = re.compile(
    r"(?ix)^\W*(?:(?:please|bitte)\s+)?(?:what\s+(?:is|are|was|were)|calculate|compute|find|give|"
    r"show|determine|report|tell\s+me|was\s+(?:ist|sind)|berechne)?(?:\s+me)?\b"
)


def of_several(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings of a question; the one with its list of statistics where it is one.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: The table.
    """
    grouped = _PER.search(question)
    by = _column_called(grouped["named"], table) if grouped else ""
    listed = question[: grouped.start()] if grouped and by else question
    measures = tuple(dict.fromkeys(_listed(listed, table)))
    if not readings or len(measures) < 2:  # noqa: PLR2004  several
        return tuple(readings)
    query = Query(readings[0].query.source, by=by, measures=measures)
    return (replace(readings[0], query=query), *readings[1:])


def _column_called(name: str, table: TableSample) -> str:
    """Return the column of a name, the words of which may stand apart; "" if there is none."""
    plain = name.lower().replace("_", " ").strip()
    return next((own for own in table.columns if own.lower().replace("_", " ") == plain), "")


def _listed(question: str, table: TableSample) -> Iterator[Measure]:
    """Yield the statistics of a question that consists of them alone; none of any other."""
    rest = _OPENS.sub("", question)
    functions: list[Function] = []
    is_new = True
    found: list[Measure] = []
    numeric = [column for column in table.columns.values() if column.has_numbers]
    patterns = [*_FUNCTIONS, *((column, _name(column)) for column in numeric)]
    while rest := _BETWEEN.sub("", rest, count=1):
        part = next(
            ((what, m) for what, p in patterns if (m := re.match(rf"(?i)(?:{p})(?!\w)", rest))),
            None,
        )
        if part is None:
            return
        what, match = part
        rest = rest[match.end() :]
        if isinstance(what, ColumnSample):
            found += [Measure(function, what.name) for function in functions]
            is_new = True
        else:
            functions = [what] if is_new else [*functions, what]
            is_new = False
    yield from found


def _name(column: ColumnSample) -> str:
    """Return the pattern of a column's name, its words apart or not."""
    words = re.split(r"[\s_]+", column.name)
    return r"['\"`]?" + r"[\s_]+".join(map(re.escape, words)) + r"s?['\"`]?"
