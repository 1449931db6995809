"""Joins: what the columns of two tables are called when they stand side by side.

Standard library only: planning and the child process name the columns alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.tables.cells import unique_names
from okso_jupyter.tables.query import Join, Query

#: Names that say nothing without the name of their table.
_PLAIN: Final = frozenset({"id", "name", "title", "label", "description", "code", "date", "type"})


@dataclass(frozen=True, slots=True)
class JoinedColumn:
    """A column of a joined table.

    Attributes:
        name: What it is called there.
        table: The place of its table: 0 for the first, and so on.
        place: Its place in that table.
        clashes: Whether it would be called else without the tables before it.
    """

    name: str
    table: int
    place: int
    clashes: bool = False


def joined_columns(
    header: Sequence[str], others: Sequence[tuple[Join, Sequence[str]]]
) -> list[JoinedColumn]:
    """Return the columns of a table with those of others beside them.

    The column of another table that it is joined by says nothing more, and is left out. A name that
    is taken, or says nothing, has the name of its table before it: "customer_name".

    Args:
        header: The names of the first table's columns.
        others: Each further table, with the names of its columns.
    """
    found = [JoinedColumn(name, 0, place) for place, name in enumerate(header)]
    for table, (join, names) in enumerate(others, 1):
        taken = {column.name.lower() for column in found}
        for place, name in enumerate(names):
            if name == (join.other or join.column):
                continue
            is_plain, clashes = name.lower() in _PLAIN, name.lower() in taken
            row = _singular(PurePosixPath(join.source).stem)
            full = f"{row}_{name}" if is_plain or clashes else name
            found.append(JoinedColumn(full, table, place, clashes))
    unique = unique_names([column.name for column in found])
    return [replace(column, name=name) for name, column in zip(unique, found, strict=True)]


def _singular(word: str) -> str:
    """Return what one row of a table is called: "customers" holds customers."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s") if not word.endswith("ss") else word


def join_key(cell: str) -> str:
    """Return what two cells must share to belong together."""
    return cell.strip().lower()


def tables_label(query: Query) -> str:
    """Return what the tables of a query are called together, such as "orders.csv + items.csv"."""
    return " + ".join(query.sources)
