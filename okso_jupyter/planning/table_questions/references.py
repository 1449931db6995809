"""References: the columns of a table whose values name rows of other tables.

`customer_id` of orders.csv refers to customers.csv if that has a column of this name, or an `id`,
with each value once, and nearly every value of orders.csv among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.joined_sample import side_by_side
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.word_meanings import possible_heads
from okso_jupyter.planning.table_questions.words import header_stems, header_words
from okso_jupyter.tables.query import Join
from okso_jupyter.word_stems import german_stem

#: Least share of the values that another table must have.
_LEAST_FOUND: Final = 0.9
#: Names that tables have in common by chance.
_PLAIN: Final = frozenset("id name title no nr number index key # date day year count".split())
#: What a row is called in its own table.
_OWN_KEYS: Final = frozenset("id name title code key nr no number nummer ref reference".split())
#: What a column is called that has no name, here or by pandas.
_NUMBERED: Final = re.compile(r"(?i)column \d+|unnamed: \d+")
_MOST_JOINS: Final = 3


def with_references(
    base: TableSample, others: Sequence[TableSample]
) -> tuple[tuple[Join, TableSample], ...]:
    """Return the tables that a table refers to, also through another, and how they are joined."""
    found: list[tuple[Join, TableSample]] = []
    table = base
    left = [other for other in others if other.source != base.source]
    while len(found) < _MOST_JOINS:
        joins = ((join, other) for other in left if (join := reference(table, other)) is not None)
        more = next(joins, None)
        if more is None:
            break
        found.append(more)
        left.remove(more[1])
        table = side_by_side(base, found)
    return tuple(found)


def reference(table: TableSample, other: TableSample) -> Join | None:
    """Return how a table refers to another one; None if it does not."""
    return next(_references(table, other), None)


def _references(table: TableSample, other: TableSample) -> Iterator[Join]:
    for own in table.columns.values():
        for key in other.columns.values():
            if _names(own.name, key.name, other.source) and _is_found(own, key):
                same = own.name == key.name
                yield Join(other.source, own.name, "" if same else key.name)


def _names(own: str, key: str, source: str) -> bool:
    """Return whether a column's name says that its values are of another table's column."""
    if own.lower() == key.lower():
        return own.lower() not in _PLAIN and not _NUMBERED.fullmatch(own)
    row = PurePosixPath(source).stem
    is_own_key = key.lower() in _OWN_KEYS
    for stems_of in (header_stems, _german_stems):
        rows, keys, owns = stems_of(row), stems_of(key), stems_of(own)
        # "Listing ref" is the "Ref" of a listing, and "ref" may be its "Listing ref"
        if sorted(owns) == sorted((*rows, *keys)):
            return True
        if own.lower() in _OWN_KEYS - _PLAIN and sorted(keys) == sorted((*rows, *owns)):
            return True
        if is_own_key and owns == rows:
            return True
    return is_own_key and _is_compound(own, row, key)


def _is_compound(own: str, row: str, key: str) -> bool:
    """Return whether a name is a German compound of a table's and its key: "Kundennr"."""
    head, last = "".join(header_words(own)), "".join(header_words(key))
    if not head.endswith(last) or head == last:
        return False
    rows = _german_stems(row)
    heads = possible_heads(head.removesuffix(last))
    return len(rows) == 1 and any(german_stem(each) == rows[0] for each in heads)


def _german_stems(name: str) -> tuple[str, ...]:
    """Return the German stems of the words of a name: `kunde_id` is of kunden.csv."""
    return tuple(map(german_stem, header_words(name)))


def _is_found(own: ColumnSample, key: ColumnSample) -> bool:
    """Return whether values name rows: each value of the key once, and nearly all of them known."""
    if not own.join_keys or not key.names_rows:
        return False
    return len(own.join_keys & key.join_keys) >= _LEAST_FOUND * len(own.join_keys)
