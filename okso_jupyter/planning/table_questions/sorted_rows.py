"""Sorted rows: a request to sort, "order the customers by city", or groups of them.

It is read in other words, which the rest of the planner knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.table_fit import fit_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import STOP, stem, tokens

_SORT: Final = re.compile(
    r"(?i)^(?P<polite>\W*(?:(?:please|bitte|(?:can|could) you)\s+)?)"
    r"(?P<verb>sort|order|sortiere?|ordne)\s+(?P<rows>(?:\w+\s+){0,4}?)(?=(?:by|nach)\b)"
)
_IN_OTHER_WORDS: Final = {"order": "sort", "ordne": "sortiere"}
_THE: Final = r"(?:(?:the|all|our|my|their)\s+)*"
#: "Sort the cities by number of customers" is of groups, in the order of what is computed of them.
_SORT_GROUPS: Final = re.compile(
    rf"(?i)^\W*(?:please\s+)?(?:(?:sort|order|rank)\s+{_THE}(?P<sorted>\w+)|"
    rf"(?:(?:show|list)\s+(?:me\s+)?)?{_THE}(?P<shown>\w+)\s+(?:sorted|ordered|ranked))\s+by\s+"
    rf"{_THE}(?P<what>(?:(?:number|count)\s+of|total|average)\s+{_THE}(?P<of>\w+))"
    r"(?:\s+(?:(?P<up>asc\w*)|desc\w*))?\W*$"
)
#: What may be any table.
_ANYTHING: Final = STOP | frozenset(
    "rows row table data file entries list records results everything zeilen tabelle daten datei "
    "einträge eintrage liste alles".split()
)


def with_sort(request: str, heads: Callable[[], Sequence[TableSample]]) -> str:
    """Return "sort the customers by city" for "order the customers by city".

    "Order count by city" sorts nothing: what is sorted is called as a table is.

    Args:
        request: The request.
        heads: Returns the tables of the folder.
    """
    groups = _groups_sorted(request, heads)
    if groups:
        return groups
    found = _SORT.search(request)
    verb = _IN_OTHER_WORDS.get(found["verb"].lower()) if found else None
    if found is None or verb is None:
        return request
    rows = {*map(stem, _things(found["rows"]))}
    if rows and all(rows.isdisjoint(table.stems) for table in heads()):
        return request
    return f"{found['polite']}{verb}{request[found.end('verb') :]}"


def _groups_sorted(request: str, heads: Callable[[], Sequence[TableSample]]) -> str:
    """Return "number of customers per city, largest first"; "" where rows are sorted by a column.

    "Sort the orders by total amount" is of rows that have an amount.
    """
    found = _SORT_GROUPS.search(request)
    if found is None:
        return ""
    group = found["sorted"] or found["shown"]
    tables = [table for table in heads() if stem(group.lower()) in table.stems]
    said = stem(found["of"].lower())
    if any(said in column.stems for table in tables for column in table.columns.values()):
        return ""
    return f"{found['what']} per {group}, {'smallest' if found['up'] else 'largest'} first"


def sorts_others(request: str, table: TableSample) -> bool:
    """Return whether a request sorts what a table does not have: "sort my photos by date"."""
    found = _SORT.search(request)
    # "order count by city" orders nothing
    is_sorted = found is not None and found["verb"].lower() not in _IN_OTHER_WORDS
    rows = _things(found["rows"]) if found and is_sorted else []
    return bool(rows) and not fit_of(" ".join(rows), table).words


def _things(rows: str) -> list[str]:
    """Return the words for what is sorted, without those that may be any table."""
    return [word for word in tokens(rows) if word not in _ANYTHING]
