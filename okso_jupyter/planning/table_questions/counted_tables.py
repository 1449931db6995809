"""Counted tables: the table whose rows a question counts, where it names another one as well.

"How many listings are with agents from Leeds?" counts rows of listings.csv, which refers to
agents.csv: the words of that table tell which of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.table_fit import fit_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import (
    STOP,
    header_stems,
    header_words,
    stem,
    tokens,
)

_COUNTED: Final = re.compile(
    r"(?i)\b(?:how\s+many|(?:total\s+)?number\s+of|count\s+of|the\s+(?:most|fewest|least)|"
    r"wie\s?viele|anzahl(?:\s+(?:der|von))?|die\s+(?:meisten|wenigsten))\s+"
    r"(?P<nouns>[^\W\d_]+(?:\s+[^\W\d_]+)?)"
)
#: What a price or an amount is of: "fee per episode".
_PER: Final = re.compile(r"(?i)[ _](?:per|pro|je)[ _][^\W\d_]+")


def counted_table(question: str, meant: str, tables: Callable[[], Sequence[TableSample]]) -> str:
    """Return the table whose rows a question counts, in place of the one that its words fit best.

    It is another one that refers to that, or has as many of the question's words.

    Args:
        question: The question.
        meant: The table that its words fit best.
        tables: Returns the tables of the folder; read only where something is counted.
    """
    if not _COUNTED.search(question):
        return meant
    heads = tables()
    own = next((head for head in heads if head.source == meant), None)
    counted = called_by_count(question, heads)
    if own is None or counted is None or counted is own:
        return meant
    nouns = _nouns(question)
    columns = _columns_but_keys(own, counted)
    if any(calls_rows(noun, own) or stem(noun) in columns for noun in nouns):
        return meant
    if reference(counted, own) is not None:
        return counted.source
    has_all = fit_of(question, counted, heads).words >= fit_of(question, own, heads).words
    return counted.source if has_all else meant


def called_by_count(question: str, tables: Sequence[TableSample]) -> TableSample | None:
    """Return the one table that is called by what a question counts; None for any other number."""
    nouns = _nouns(question)
    found = [table for table in tables if any(calls_rows(noun, table) for noun in nouns)]
    return found[0] if len(found) == 1 else None


def _nouns(question: str) -> list[str]:
    """Return the words behind those that count, which may be an adjective and a noun."""
    found = _COUNTED.search(question)
    return [word for word in tokens(found["nouns"]) if word not in STOP] if found else []


def _columns_but_keys(own: TableSample, counted: TableSample) -> set[str]:
    """Return the stems of a table's columns, but for its key of another, and what a price is of."""
    join = reference(own, counted)
    key = join.column if join else ""
    names = [_PER.sub("", name) for name in own.columns if name != key]
    return {root for name in names for root in header_stems(name)}


def calls_rows(noun: str, table: TableSample) -> bool:
    """Return whether a word calls the rows of a table: its file's name is that one word."""
    name = header_words(PurePosixPath(table.source).stem)
    return len(name) == 1 and are_akin(noun, name[0])
