"""Sorted rows: a request that begins with a verb to sort, "order the customers by city"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.meant_table import fit_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import STOP, stem, tokens

_SORT: Final = re.compile(
    r"(?i)^(?P<polite>\W*(?:(?:please|bitte|(?:can|could) you)\s+)?)"
    r"(?P<verb>sort|order|sortiere?|ordne)\s+(?P<rows>(?:\w+\s+){0,4}?)(?=(?:by|nach)\b)"
)
_IN_OTHER_WORDS: Final = {"order": "sort", "ordne": "sortiere"}
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
    found = _SORT.search(request)
    verb = _IN_OTHER_WORDS.get(found["verb"].lower()) if found else None
    if found is None or verb is None:
        return request
    rows = {*map(stem, _things(found["rows"]))}
    if rows and all(rows.isdisjoint(table.stems) for table in heads()):
        return request
    return f"{found['polite']}{verb}{request[found.end('verb') :]}"


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
