"""What is asked beside the first thing: "which vet has the most visits, and how many?".

The row or group with the most is shown with its amount where the question asks for both, and by its
name where it has one: the heaviest animal is Bruno, and not A10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from okso_jupyter.planning.request.wording import columns_named
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    NUMBERINGS,
    header_stems,
    header_words,
    is_called,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Measure, Query

_AND: Final = r"(?:[,;]|\b(?:and|und)\b|[-\u2013\u2014])"
#: Asks for the amount as well: "and how many", "and what did it cost", "with their weights".
_AMOUNT: Final = re.compile(
    rf"(?i){_AND}\s*(?:(?:and|und)\s+)?(?:(?:by|at|for|with|um)\s+)?"
    r"(?:how\s+(?:many|much|long|old|far|tall|heavy|big|large|high|fast|often)|"
    r"wie\s?(?:viele?|lange?|hoch|schwer|oft|teuer|alt|weit|groß)|"
    r"(?:what|was)\s+(?:did|does|do|was|is|were|are|had|has|kostet\w*|war|ist)\b)|"
    r"\b(?:with|including|plus|along\s+with|together\s+with|mit|samt)\s+(?:its|their|his|her|the|"
    r"ihre[nrm]?|seine[nrm]?|der|dem|den)\s+(?!most\b|least\b|\w+est\b)\w+"
)
_WHEN: Final = re.compile(
    rf"(?i){_AND}\s*(?:(?:and|und)\s+)?(?:when|on\s+(?:which|what)\s+da\w+|wann)\b"
)
#: A thing that has most or least of something, and not how much that is: "the dearest part".
_THING: Final = re.compile(
    r"^(?:what|which)(?: s| is| was| are| were)? (?:the |our |my |their )"
    r"(?:\w{2,}est|(?:most|least) \w+) (?P<one>single )?(?P<noun>\w+)"
)
_ALSO: Final = re.compile(rf"(?i){_AND}\s*wh?")
#: Asks for more things of one row than its name or amount: "who, what and how heavy?".
_MORE_ASKED: Final = re.compile(
    r"\b(?:who|when|where|which|what|how (?:much|many|heavy|long|old|big|far|tall|high|fast))\b"
)
_FEWEST_ASKED: Final = 2
_PARTED: Final = re.compile(r"[,;:]|\s[-\u2013\u2014]\s|\b(?:and|und)\b")
_ANYTHING: Final = frozenset({"thing", "item", "one"})
#: Words that ask for the number that a row is called by.
_NUMBERED: Final = frozenset(
    {"id", "ids", "number", "numbers", "no", "nr", "nummer", "code", "key"}
)
_IDS: Final = frozenset(map(stem, ("id", "nr", "no", "number", "code", "key", "nummer")))
#: What a column of the rows' names is called.
NAMES: Final = frozenset((stem(word),) for word in ("name", "title", "titel"))


def naming_column(table: TableSample, key: str = "") -> str:
    """Return the column that tells what a row is: called as the table is, or a name, or a text.

    Args:
        table: The table.
        key: The column that is returned where all others are numbers, or number something.
    """
    columns = table.columns.values()
    called = (c.name for c in columns if c.stems == table.stems)
    named = (c.name for c in columns if c.stems in NAMES)
    texts = (
        c.name for c in columns if c.kind == "text" and NUMBERINGS.isdisjoint(header_words(c.name))
    )
    return next(chain(called, named, texts), key)


def with_beside(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return readings that show what a question asks for beside the first thing.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: The table.
    """
    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        query = _whole_row(question, reading.query, [*table.columns])
        query = _of_thing(question, query, table)
        query = _with_amount(question, _by_name(question, query, table), table)
        changed.setdefault(query, replace(reading, query=query))
    return tuple(changed.values())


def _whole_row(question: str, query: Query, columns: Sequence[str]) -> Query:
    """Return a query for the row at one end, whole, where two things or more are asked of it.

    They are asked for by question words, or by the names of columns: "number, client and amount".
    """
    further = _further(question)
    told = {*query.columns, query.order, *(each.column for each in query.filters)}
    is_listed = bool(set(columns_named(further, columns)) - told)
    if query.limit and query.order and query.columns and is_listed:
        return replace(query, columns=())
    asked = _MORE_ASKED.findall(" ".join(in_english(tokens(further))))
    end = _end_asked(query)
    if len(asked) < _FEWEST_ASKED or not end:
        return query
    is_largest = query.descending or any(m.function == "maximum" for m in query.measures)
    return Query(query.source, filters=query.filters, order=end, descending=is_largest, limit=1)


def _further(question: str) -> str:
    """Return what follows the first thing that a question asks for; "" if nothing does."""
    first, _, behind = question.partition("?")
    return behind if behind.strip() else "".join(_PARTED.split(first, maxsplit=1)[1:])


def _of_thing(question: str, query: Query, table: TableSample) -> Query:
    """Return a query for the row with the largest value where a thing is asked for by its noun.

    The thing is a column of texts, or what the rows are by the name of their file; the value stands
    beside it.
    """
    asked = _THING.search(" ".join(in_english(tokens(question))))
    end = _end_asked(query)
    if asked is None or not end or _ALSO.search(question):
        return query
    noun = stem(asked["noun"])
    texts = [column for column in table.columns.values() if column.kind == "text"]
    named = [c.name for c in texts if header_stems(c.name) == (noun,)]
    if not query.measures and is_called(end, {asked["noun"]}):
        # "what was the highest price" is a number, whatever rows are called by
        end_of = Measure("maximum" if query.descending else "minimum", end)
        return Query(query.source, filters=query.filters, measures=(end_of,))
    is_row = bool(asked["one"]) or noun in table.stems or noun in _ANYTHING
    if noun in header_stems(end) or not (named or is_row):
        return query
    named = named or [column.name for column in texts if _is_name(column)]
    is_largest = query.descending or any(m.function == "maximum" for m in query.measures)
    return Query(
        query.source,
        filters=query.filters,
        order=end,
        descending=is_largest,
        limit=1,
        columns=(named[0], end) if named else (),
    )


def _end_asked(query: Query) -> str:
    """Return the column of which a query gives one end, or the row with it; "" if it does not."""
    if query.by or query.shift or query.combine:
        return ""
    if query.measures:
        ends = [m.column for m in query.measures if m.function in {"maximum", "minimum"}]
        return ends[0] if len(ends) == len(query.measures) == 1 else ""
    return query.order if query.limit == 1 else ""


def _with_amount(question: str, query: Query, table: TableSample) -> Query:
    """Return a query for an end with the amount, or the date, that is asked for as well."""
    if not query.limit or len(query.columns) != 1:
        return query
    asks = bool(_AMOUNT.search(question))
    dated = [*_dates(table)] if _WHEN.search(question) else []
    if query.by and query.measures:
        return replace(query, columns=()) if asks and query.columns == (query.by,) else query
    if not query.order or not (asks or dated):
        return query
    beside = dict.fromkeys((*query.columns, *([query.order] if asks else ()), *dated[:1]))
    return replace(query, columns=tuple(beside))


def _dates(table: TableSample) -> Iterator[str]:
    return (column.name for column in table.columns.values() if column.kind == "date")


def _by_name(question: str, query: Query, table: TableSample) -> Query:
    """Return a query that shows names in place of numbers that nobody asked for."""
    asked = tokens(question)
    if query.measures or query.by or not _NUMBERED.isdisjoint(asked):
        return query
    named = next((c.name for c in table.columns.values() if _is_name(c)), "")
    shown = [table.columns.get(name) for name in query.columns]
    if not named or named in query.columns:
        return query
    columns = (
        named if own and _is_number(own) else name
        for own, name in zip(shown, query.columns, strict=True)
    )
    return replace(query, columns=tuple(columns))


def _is_number(column: ColumnSample) -> bool:
    """Return whether a column holds what its rows are numbered by."""
    return not (column.repeats or _IDS.isdisjoint(header_stems(column.name)))


def _is_name(column: ColumnSample) -> bool:
    """Return whether a column holds the names of the rows, each once; not "customer_name"."""
    return header_stems(column.name) in NAMES and not column.repeats
