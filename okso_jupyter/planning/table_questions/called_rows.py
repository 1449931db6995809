"""Called rows: "who has the most orders" counts the rows that a column `order` tells apart."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    NUMBERINGS,
    forms_of,
    header_words,
    row_stems,
    stem,
    tokens,
)

_END: Final = r"(?i)\b(?:most|fewest|least|meisten|wenigsten)"
_MOST: Final = re.compile(rf"{_END}\s+(?P<noun>[^\W\d_]+)")
#: What one of is asked for by an end: "which car was rented most often".
_WHICH: Final = re.compile(
    r"(?i)^\W*(?:which|what|welche[rsn]?)\s+(?P<noun>[^\W\d_]+)\b(?=.*\b(?:most|least|meisten|wenigsten|"
    r"häufigsten|seltensten|\w{2,}est)\b)"
)
#: "The fewest open tickets" are of a value.
_MOST_OF_VALUE: Final = re.compile(rf"{_END}\s+(?P<value>[^\W\d_]+)\s+(?P<noun>[^\W\d_]+)")


def with_called_rows(question: str, table: TableSample) -> str:
    """Return a question about the most of what rows are called as one for the most rows.

    It stays as it is where another column is called so: that may hold how many there are.

    Args:
        question: The question.
        table: Its table.
    """
    found = _MOST_OF_VALUE.search(question)
    if found is None or not _is_value(found["value"], table):
        found = _MOST.search(question)
    if found is None:
        return question
    noun = found["noun"].lower()
    # the dates of `ordered_at` are no number of orders
    columns = [column for column in table.columns.values() if column.kind != "date"]
    called = [column for column in columns if _is_called(column.name, noun)]
    is_of_rows = [c.name in table.numberings or _names_rows(c) for c in called]
    if not called or not all(is_of_rows) or _is_beside(question[found.end() :], table):
        return question
    return f"{question[: found.start('noun')]}rows{question[found.end('noun') :]}"


def with_called_things(question: str, table: TableSample) -> str:
    """Return "which car" as "which plate" where cars.csv has a row for each plate.

    It stays as it is where a column is called so.

    Args:
        question: The question.
        table: Its table, with what is joined to it.
    """
    found = _WHICH.search(question)
    if found is None:
        return question
    noun = stem(found["noun"].lower())
    if any(noun in column.stems for column in table.columns.values()):
        return question
    keys = [join.column for join in table.made_of.joins if noun in row_stems(join.source)]
    if len(keys) != 1:
        return question
    return f"{question[: found.start('noun')]}{keys[0]}{question[found.end('noun') :]}"


def _is_value(word: str, table: TableSample) -> bool:
    """Return whether a word is a value of a column of texts."""
    texts = (column for column in table.columns.values() if column.kind == "text")
    return any(tokens(word) in column.places for column in texts)


def _is_called(name: str, plural: str) -> bool:
    """Return whether a column is called by the singular of a word, as `order` or `order_id`."""
    own = tuple(word for word in header_words(name) if word not in NUMBERINGS)
    return not forms_of(own).isdisjoint(forms_of((plural,)))


def _names_rows(column: ColumnSample) -> bool:
    """Return whether each row has a name of its own in a column."""
    return column.names_rows and (column.kind == "text" or column.is_name)


def _is_beside(behind: str, table: TableSample) -> bool:
    """Return whether the next word names numbers: "the most visit minutes"."""
    said = stem(next(iter(tokens(behind)), ""))
    return any(said in column.stems for column in table.columns.values() if column.has_numbers)
