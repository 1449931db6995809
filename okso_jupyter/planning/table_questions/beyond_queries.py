"""Beyond queries: what a question says that no query can, so that a reading is hardly right.

"Which customers had more than 6 repairs" is a condition on groups, and "who spent the most" is no
question of a table without money.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.column_words import header_meanings
from okso_jupyter.planning.table_questions.computed_words import CHARGES, MONEY
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import header_stems, stem, tokens
from okso_jupyter.tables.query import Query

#: A number of rows that groups must have: "more than 6 repairs", "more than twice" is none.
_AS_MANY: Final = re.compile(
    r"(?i)\b(?:(?:more|fewer|less)\s+than|at\s+(?:least|most)|(?:mehr|weniger)\s+als|mindestens|"
    r"höchstens)\s+(?:\d+|[^\W\d_]+)\s+(?P<noun>[^\W\d_]+)"
)
_TIMES: Final = frozenset({"times", "mal"})
_SPENT: Final = re.compile(r"\b(?:spen[dt]s?|spending|revenue|turnover|ausgegeben|umsatz)\b")
#: What else is spent.
_TIME: Final = re.compile(
    r"\b(?:times?|hours?|minutes?|days?|weeks?|zeit|stunden?|minuten?|tage?)\b"
)


def is_beyond(question: str, query: Query, table: TableSample) -> bool:
    """Return whether a question says something that a query cannot, or does not, take up.

    Args:
        question: The question.
        query: Its best reading.
        table: The table.
    """
    return _is_of_many_rows(question, table) or _lacks_money(question, query)


def _is_of_many_rows(question: str, table: TableSample) -> bool:
    """Return whether groups are asked for that have a number of rows."""
    found = _AS_MANY.search(question)
    if found is None:
        return False
    noun = found["noun"].lower()
    if noun in _TIMES:
        return True
    columns = [c for c in table.columns.values() if c.has_numbers and not c.is_key]
    if any(stem(noun) in column.meanings for column in columns):
        return False
    sources = [table.source, *(join.source for join in table.made_of.joins)]
    return any(stem(noun) in header_stems(PurePosixPath(source).stem) for source in sources)


def _lacks_money(question: str, query: Query) -> bool:
    """Return whether a question is of what was spent or earned, and its reading of no money."""
    asked = " ".join(in_english(tokens(question)))
    if not _SPENT.search(asked) or _TIME.search(asked):
        return False
    return all((MONEY | CHARGES).isdisjoint(header_meanings(name)) for name in query.names)
