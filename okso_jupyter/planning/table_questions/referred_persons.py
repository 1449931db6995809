"""Referred persons: "who spent the most" of a table that has the numbers of persons alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import (
    DONE,
    NUMBERINGS,
    header_stems,
    header_words,
    stem,
    tokens,
)

#: "Who is Ada" asks for no group of rows; who earns is not who is served.
_WHO: Final = re.compile(
    r"(?i)^\W*(?:who|wer)\b(?!\s+(?:is|was|are|were|ist|war|sind|waren)\b|.*\b(?:earn|verdien))"
)

#: What is done by the customer of any row.
_BOUGHT: Final = frozenset(
    "bought purchased paid spent ordered booked reserved rented gekauft bezahlt ausgegeben "
    "bestellt gebucht reserviert gemietet".split()
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
    tables = heads()
    base = next((each for each in tables if each.source == table.source), table)
    found = list(_referred(base, tables))
    # who borrowed a book is not its author
    is_of_base = _says_what_is_done(question, base) or (
        not _BOUGHT.isdisjoint(tokens(question))
        and not any(join.column in found for join in table.made_of.joins)
    )
    whole = base if is_of_base else table
    told = [column for column in whole.columns.values() if not PERSONS.isdisjoint(column.stems)]
    if len(found) != 1 or [column.name for column in told] != found:
        return None
    noun = " ".join(word for word in header_words(found[0]) if word not in NUMBERINGS)
    return _WHO.sub(f"which {noun}", question) if noun else None


def _says_what_is_done(question: str, table: TableSample) -> bool:
    """Return whether a question has a verb of a table's rows: "borrowed" or "returned" of loans."""
    names = header_words(PurePosixPath(table.source).stem)
    columns = {stem(word) for word in table.header_words}
    done = [word for word in tokens(question) if DONE.fullmatch(word)]
    return any(stem(word) in columns or any(are_akin(word, own) for own in names) for word in done)


def _referred(table: TableSample, heads: Sequence[TableSample]) -> Iterator[str]:
    """Yield the columns that refer to tables with the names of persons."""
    for other in heads:
        join = reference(table, other) if other.source != table.source else None
        if join is None or PERSONS.isdisjoint(header_stems(join.column)):
            continue
        if any("name" in header_stems(name) for name in other.columns):
            yield join.column
