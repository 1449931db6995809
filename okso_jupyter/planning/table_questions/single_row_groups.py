"""Single-row groups: "per month" of a table with a row for each month.

The average per month is that of all rows there, and "power per month" is each row's.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem

_PER: Final = re.compile(
    r"(?i)\s*\b(?:per|by|(?:for|in|of)\s+(?:each|every)|pro|je|nach)\s+(?P<group>[^\W\d_]+)\b"
)
#: What is sorted by a name is not grouped by it.
_ORDERS: Final = re.compile(
    r"(?i)\b(?:sort|order|rank|list|show|plot|chart|sortier|ordne|zeig|liste)\w*"
)
_MEAN: Final = re.compile(r"(?i)\b(?:average|mean|avg|durchschnitt\w*|mittlere\w*|mittel\w*)\b")


def single_row_groups(question: str, table: TableSample) -> list[ColumnSample]:
    """Return the columns of texts that a question groups by, and that name each row."""
    if _ORDERS.search(question):
        return []
    said = {stem(found["group"].lower()) for found in _PER.finditer(question)}
    named = [column for column in table.columns.values() if not said.isdisjoint(column.stems)]
    # the months of a column of dates are no rows
    is_other = any(column.repeats or column.kind == "date" for column in named)
    return [] if is_other else [c for c in named if c.kind == "text" and c.names_rows]


def mean_of_rows(question: str, table: TableSample) -> str:
    """Return a question for an average per row without the rows; any other as it is."""
    if not _MEAN.search(question) or not single_row_groups(question, table):
        return question
    return _PER.sub("", question)
