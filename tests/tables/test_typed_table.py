"""Typed tables: cells are cleaned fast as they are cleaned."""

from __future__ import annotations

from itertools import product

import ibis
import pyarrow as pa
import pytest

from okso_jupyter.tables.cells import MISSING
from okso_jupyter.tables.typed_table import cleaned, cleaned_fast

_BLANKS = ("", " ", "\t", "\n", "\u00a0", "\ufeff")
_WORDS = (
    *MISSING, *(word.upper() for word in MISSING), "nano", "no", "0", "~", "!", "naïve", "é",
    "你好", "a b", "in\nlines", "\x7fdeleted", "\x1c", "none of them", "n/a?", "-5", "—5",
    "null and void",
)  # fmt: skip


@pytest.mark.parametrize("before", _BLANKS)
def test_a_cell_is_cleaned_fast_as_it_is_cleaned(before: str) -> None:
    """What needs no search is what the searches would leave as it is."""
    cells = [f"{before}{word}{after}" for word, after in product(_WORDS, _BLANKS)]
    table = ibis.memtable(pa.table({"cell": cells}))
    both = table.select(slow=cleaned(table.cell), fast=cleaned_fast(table.cell))
    found = ibis.duckdb.connect().to_pyarrow(both).to_pylist()
    assert [row["fast"] for row in found] == [row["slow"] for row in found]


def test_what_is_cleaned() -> None:
    """Blanks around a cell go, and a cell that says nothing is none."""
    table = ibis.memtable(pa.table({"cell": [" a\t", "n/a", "—", " NaN ", "plain text", ""]}))
    found = ibis.duckdb.connect().to_pyarrow(cleaned_fast(table.cell).name("cell")).to_pylist()
    assert found == ["a", None, None, None, "plain text", None]
