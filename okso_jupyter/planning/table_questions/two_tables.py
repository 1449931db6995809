"""Two tables: requests that name two tables of a folder, and what one row has to do with the other.

"Join orders and customers" shows rows of both side by side; "Which customers never ordered?" shows
the rows of one that no row of the other refers to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.joins import joined_columns
from okso_jupyter.tables.query import Filter, Join, Measure, Query

_JOINS: Final = re.compile(
    r"(?i)^\W*(?:please\s+)?(?:inner\s+|left\s+)?(?:join|merge|combine|link|verbinde|verknüpfe)\s+"
    r"(?:the\s+)?(?:tables?\s+|files?\s+)?(?P<one>[\w./-]+)\s+(?:and|with|to|und|mit)\s+(?:the\s+)?"
    r"(?P<other>[\w./-]+?)(?:\s+tables?|\s+files?)?"
    r"(?:\s+(?:on|by|using|over|via|über)\s+(?:the\s+)?(?P<column>\w+)(?:\s+column)?)?\W*$"
)
_NONE: Final = re.compile(
    r"(?i)\b(?:never|no|not|none|without|haven't|hasn't|didn't|don't|doesn't|aren't|isn't|weren't|"
    r"wasn't|nie|kein\w*|nicht|ohne)\b"
)
_COUNTS: Final = re.compile(r"(?i)\b(?:how many|number of|count|wie viele|anzahl)\b")
#: Letters that words of one family have in common at their beginning.
_LEAST_PREFIX: Final = 4
#: More than two tables, or a filter, is asked about: the rows of one table alone do not tell it.
_MORE: Final = re.compile(
    r"(?i)\d|\b(?:more|less|than|most|least|only|in|since|before|after|during|last|this|per|by|each|"
    r"average|total|and|or|but)\b"
)


def two_tables_asked(request: str, tables: Callable[[], Sequence[TableSample]]) -> Query | None:
    """Return the query of a request that is about two tables; None if it is about anything else.

    Args:
        request: The request.
        tables: Returns the tables of the folder; files are read only where the words ask for it.
    """
    joined = _JOINS.match(request)
    if joined:
        return _joined(joined, tables())
    if not _NONE.search(request) or _MORE.search(request):
        return None
    found = list(_unmatched(request, tables()))
    return found[0] if len(found) == 1 else None


def _joined(found: re.Match[str], tables: Sequence[TableSample]) -> Query | None:
    """Return the query that shows two tables side by side; None if they have nothing in common."""
    one, other = (_table(found[name], tables) for name in ("one", "other"))
    if one is None or other is None:
        return None
    column = found["column"]
    if column:
        has_both = column in one.columns and column in other.columns
        return Query(one.source, joins=(Join(other.source, column),)) if has_both else None
    for base, beside in ((one, other), (other, one)):
        join = reference(base, beside)
        if join is not None:
            return Query(base.source, joins=(join,))
    return None


def _table(name: str, tables: Sequence[TableSample]) -> TableSample | None:
    """Return the table that a name or path means; None if there is none, or several."""
    wanted = name.strip(".").lower()
    found = [
        table
        for table in tables
        if wanted
        in {
            table.source.lower(),
            PurePosixPath(table.source).name.lower(),
            PurePosixPath(table.source).stem.lower(),
        }
    ]
    return found[0] if len(found) == 1 else None


def _unmatched(request: str, tables: Sequence[TableSample]) -> Iterator[Query]:
    """Yield the queries for rows of a table that no row of another one refers to."""
    stems = frozenset(QuestionWords(request).stems)
    named = [table for table in tables if table.stems and _names(stems, table)]
    for asked in named:
        for other in named:
            join = reference(other, asked) if other is not asked else None
            is_count = bool(_COUNTS.search(request))
            query = _without_rows(asked, other, join, is_count=is_count) if join else None
            if query is not None:
                yield query


def _names(stems: frozenset[str], table: TableSample) -> bool:
    """Return whether each word of a table's name is said, also as a verb: "never rented"."""
    return all(
        any(
            word == own
            or (
                min(len(word), len(own)) >= _LEAST_PREFIX
                and (word.startswith(own) or own.startswith(word))
            )
            for word in stems
        )
        for own in table.stems
    )


def _without_rows(
    asked: TableSample, other: TableSample, join: Join, *, is_count: bool
) -> Query | None:
    """Return the query for the rows of a table without a row of another one."""
    key = join.other or join.column
    back = Join(other.source, key, join.column if join.other else "")
    columns = joined_columns(list(asked.columns), [(back, list(other.columns))])
    cells = [column.cells for column in other.columns.values()]
    beside = next((c.name for c in columns if c.table and all(map(str.strip, cells[c.place]))), "")
    if not beside:
        return None  # what is missing there may be so in a row that refers
    filters = (Filter(beside, "is missing"),)
    if is_count:
        return Query(asked.source, filters, measures=(Measure("count"),), joins=(back,))
    return Query(asked.source, filters, columns=(_naming(asked, key),), joins=(back,))


def _naming(table: TableSample, key: str) -> str:
    """Return the column that tells what a row is: one called as the table is, or its first text."""
    columns = table.columns.values()
    called = (c.name for c in columns if c.stems == table.stems)
    texts = (c.name for c in columns if c.kind == "text")
    return next(chain(called, texts), key)
