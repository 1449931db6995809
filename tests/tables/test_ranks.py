"""Ties: what ranks as high as the last one shown is told, and is no row of the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from okso_jupyter.tables.query import Filter, Measure, Query
from tests.each_row import each_row
from tests.tables.live import Opened

_TABLE: Final = (
    "item,room,price\nSofa,Living,450\nLamp,Living,30\nDesk,Office,220\nRug,Office,30\n"
    "Bed,Attic,450\nBin,,\n"
)
_COUNT: Final = (Measure("count"),)
_SUM: Final = (Measure("sum", "price"),)


@each_row(
    ("parts", "tied"),
    [
        ({"by": "room", "measures": _COUNT, "descending": True, "limit": 1}, ["Office"]),
        ({"by": "room", "measures": _COUNT, "limit": 1, "columns": ("room",)}, []),
        ({"by": "room", "measures": _SUM, "descending": True, "limit": 1}, []),
        ({"columns": ("item",), "order": "price", "descending": True, "limit": 1}, ["Bed"]),
        ({"columns": ("item", "room"), "order": "price", "limit": 1}, ["Rug"]),
        ({"columns": ("item",), "order": "price", "limit": 2}, []),
        ({"columns": ("item",), "order": "price", "descending": True, "limit": 9}, []),
        ({"columns": ("item",), "limit": 1}, []),
        ({"columns": ("price",), "order": "price", "limit": 1}, []),
    ],
)
def test_those_that_rank_as_high(tmp_path: Path, parts: dict[str, Any], tied: list[str]) -> None:
    """Only the first of them was shown, and nothing said that there are others."""
    answer: dict[str, Any] = Opened(tmp_path, _TABLE).live.answer(Query("t.csv", **parts).to_json())
    assert [value for value, _ in answer.get("tied", [])] == tied


def test_only_rows_that_pass_are_tied(tmp_path: Path) -> None:
    """The limit is of those."""
    query = Query(
        "t.csv", (Filter("room", "!=", "Attic"),), columns=("item",), order="price",
        descending=True, limit=1,
    )  # fmt: skip
    assert Opened(tmp_path, _TABLE).live.answer(query.to_json())["tied"] == []
