"""The highest revenue month: a group and what is computed of it, and not the largest value."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "sales.csv": (
        "date,product,units,revenue,unit_price\n"
        "2025-01-04,Tea,3,30,10\n2025-01-20,Mug,5,45,9\n2025-02-02,Tea,9,90,10\n"
        "2025-02-15,Mug,1,9,9\n2025-03-03,Tea,2,20,10\n2025-03-09,Pot,1,60,60\n"
        "2025-03-30,Mug,4,36,9\n"
    )
}


@pytest.mark.parametrize(
    ("request_text", "column", "groups"),
    [
        ("highest revenue month", "revenue", ("date", "month", True)),
        ("what was our lowest revenue month", "revenue", ("date", "month", False)),
        ("What's the top units product?", "units", ("product", "", True)),
        ("the highest revenue quarter of 2025", "revenue", ("date", "quarter", True)),
    ],
)
def test_the_groups_are_compared(
    tmp_path: Path, request_text: str, column: str, groups: tuple[str, str, bool]
) -> None:
    """The largest single value was found, with eight of ten."""
    query = query_of(filled(tmp_path, _FILES), request_text)
    assert query.measures == (Measure("sum", column),)
    assert (query.by, query.part, query.descending) == groups
    assert query.limit == 1


@pytest.mark.parametrize(
    ("request_text", "column"),
    [("highest unit price", "unit_price"), ("largest revenue", "revenue")],
)
def test_one_column_has_a_maximum(tmp_path: Path, request_text: str, column: str) -> None:
    """Its name may be of two words."""
    query = query_of(filled(tmp_path, _FILES), request_text)
    assert query.measures == (Measure("maximum", column),)
