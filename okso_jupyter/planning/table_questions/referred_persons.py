"""Referred persons: "who spent the most" of a table that has the numbers of persons alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import NUMBERINGS, header_stems, header_words

#: "Who is Ada" asks for no group of rows; who earns is not who is served.
_WHO: Final = re.compile(
    r"(?i)^\W*(?:who|wer)\b(?!\s+(?:is|was|are|were|ist|war|sind|waren)\b|.*\b(?:earn|verdien))"
)


def with_person_named(
    question: str, table: TableSample, heads: Callable[[], Sequence[TableSample]]
) -> str | None:
    """Return a question with "which customer" for "who"; None where the table tells who it is.

    Args:
        question: The question.
        table: Its table: orders with a `customer_id`.
        heads: Returns the tables of the folder, of which one has the customers' names.
    """
    if not _WHO.search(question):
        return None
    told = [column for column in table.columns.values() if not PERSONS.isdisjoint(column.stems)]
    found = list(_referred(table, heads()))
    if len(found) != 1 or [column.name for column in told] != found:
        return None
    noun = " ".join(word for word in header_words(found[0]) if word not in NUMBERINGS)
    return _WHO.sub(f"which {noun}", question) if noun else None


def _referred(table: TableSample, heads: Sequence[TableSample]) -> Iterator[str]:
    """Yield the columns that refer to tables with the names of persons."""
    for other in heads:
        join = reference(table, other) if other.source != table.source else None
        if join is None or PERSONS.isdisjoint(header_stems(join.column)):
            continue
        if any("name" in header_stems(name) for name in other.columns):
            yield join.column
