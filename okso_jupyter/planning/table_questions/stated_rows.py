"""Stated rows: what a question says of the rows that it wants, by the name of their file.

"Show expenses over 800" beside expenses.csv asks for rows, and "the sum of expenses" for no number
of them. How a number compares, and the order of groups, are stated as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.planning.table_questions.stated_values import stated_comparisons
from okso_jupyter.planning.table_questions.words import header_stems, stem, tokens
from okso_jupyter.tables.query import Query

#: Stems of the names of columns of times, which say nothing of a row alone.
_TIMES: Final = frozenset(map(stem, "date day time datetime timestamp month year datum".split()))
_WHEN: Final = re.compile(r"\b(?:when|wann|since|latest|earliest|newest|oldest|last|first|next)\b")
_HOW_MANY: Final = re.compile(r"^how many (?P<named>\w+)\b")
_SUM_OF_ROWS: Final = re.compile(
    r"\b(?:sum|total) (?:amount )?(?:of )?(?:all )?(?:the )?(?P<named>\w+)"
)
#: What may compare a number although it is no phrase that is known.
_COMPARES: Final = re.compile(
    r"\b(?:\w{3,}er|more|less|over|under|above|below|least|most|before|after|since|until|till|than|"
    r"from|to|up|down|between|exceed\w*|beyond|within|past|max\w*|min\w*|ab|bis|vor|nach|seit)\b"
)
#: "Which suppliers ...", "How many days ..." ask for all of them, unless one end is asked for.
_ALL: Final = re.compile(r"^(?:which|what) \w{3,}s\b(?! is\b| was\b| has\b)|^how many\b")
_ONE_END: Final = re.compile(
    r"\b(?:\w{2,}est|most|least|best|worst|first|last|top|bottom|maximum|minimum|leading|winn\w+|"
    r"peak|record|final|one|two|three|four|five|or|only|priciest|common|often|\d+ (?:\w+ )?with)\b"
)
#: What asks for the row before or behind another one.
_BESIDE: Final = re.compile(
    r"\b(?:before|after|next|previous\w*|prior|follow\w*|preced\w*|above|below|later|earlier|"
    r"immediately|directly|listed|come|comes|came|succe\w*|vor|nach|nächste\w*|vorige\w*)\b"
)
_RANGES: Final = frozenset({"<", "<=", ">", ">="})
_FIRST: Final = re.compile(
    r"\b(?:(?P<down>highest|largest|biggest|most|greatest)|lowest|smallest|fewest|least) first\b"
)


def stated_rows(
    question: str, columns: Sequence[str], queries: Sequence[Query]
) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query for what a question says of its rows.

    Args:
        question: The question.
        columns: The columns of the table.
        queries: What the question may mean, of one table.
    """
    asked = " ".join(in_english(tokens(question)))
    said = {stem(word) for word in asked.split()}
    amounts = _named(_HOW_MANY, asked) & {name.lower() for name in columns}
    if amounts and next(iter(amounts)).endswith("s"):
        # a column that is called by a plural holds amounts: "how many seats"
        yield (
            lambda query: (
                [(m.function, m.column.lower()) for m in query.measures] == [("sum", *amounts)]
            )
        )
    rows = header_stems(PurePosixPath(queries[0].source).stem) if queries else ()
    if any(stem(word) in rows for word in _named(_SUM_OF_ROWS, asked)):
        yield lambda query: [measure.function for measure in query.measures] == ["sum"]
    if not stated_comparisons(question) and not _COMPARES.search(asked):
        yield lambda query: not any(_is_range(query))
    filtered = {each.column for query in queries for each in query.filters if _is_cell(each.value)}
    told = {name for name in filtered if said.isdisjoint(header_stems(name))}
    if told:
        # "the most expensive Software purchase" names the value, and does not ask for it
        yield lambda query: not _asks_for(query, told)
    if _ALL.search(asked) and not (_ONE_END.search(asked) or _BESIDE.search(asked)):
        yield lambda query: not query.limit
    if not _BESIDE.search(asked):
        yield lambda query: not query.shift


def with_whole_rows(question: str, readings: Sequence[QueryReading]) -> list[QueryReading]:
    """Return readings that show whole rows where only their times would be shown unasked.

    Groups are in the order that the question ends with: "highest first".
    """
    asked = " ".join(in_english(tokens(question)))
    said = {stem(word) for word in asked.split()}
    found = _FIRST.search(asked) if not re.search(r"\d", asked) else None

    def stated(query: Query) -> Query:
        if not _WHEN.search(asked) and _shows_times_alone(query, said):
            return replace(query, columns=())
        if found and query.by and query.measures:
            is_down = found["down"] is not None
            return replace(query, order="", descending=is_down, limit=0, columns=())
        return query

    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        query = stated(reading.query)
        changed.setdefault(query, replace(reading, query=query))
    return list(changed.values())


def _asks_for(query: Query, told: set[str]) -> bool:
    """Return whether a query lists what the question tells."""
    is_listed = bool(query.limit or query.distinct)
    return is_listed and bool(query.columns) and told.issuperset(query.columns)


def _named(pattern: re.Pattern[str], asked: str) -> set[str]:
    """Return the words that stand where a pattern says."""
    return {found["named"] for found in pattern.finditer(asked)}


def _shows_times_alone(query: Query, said: set[str]) -> bool:
    """Return whether a query shows one column of times that the question does not name."""
    stems = set(header_stems(query.columns[0])) if len(query.columns) == 1 else set()
    is_time = not stems.isdisjoint(_TIMES) and stems.isdisjoint(said)
    return is_time and not (query.measures or query.distinct)


def _is_range(query: Query) -> Iterator[bool]:
    """Yield for each filter whether it compares numbers by more or less."""
    for each in query.filters:
        yield each.comparison in _RANGES and isinstance(each.value, int | float) and not each.part


def _is_cell(value: object) -> bool:
    return isinstance(value, str) and value != ""
