"""Values of the notebook that are tables of one column, or of keys and values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from okso_jupyter.sandbox import value_codec
from okso_jupyter.tables.value_tables import columns_of, table_of
from tests.each_row import each_row


@each_row(
    ("value", "expected"),
    [
        (pd.Series([4, 9], name="price"), {"price": [4, 9]}),
        (pd.Series([4, 9]), {"sales": [4, 9]}),
        (pd.Series([4, 9], index=["a", "b"], name=7), {"7": [4, 9]}),
        (np.array([4.5, 9.0]), {"sales": [4.5, 9.0]}),
        ([4, 9, 2], {"sales": [4, 9, 2]}),
        ((2**60 + 1, None), {"sales": [2**60 + 1, ""]}),
        (["pen", "cup"], {"sales": ["pen", "cup"]}),
        ({"pen": 4, "cup": 9}, {"key": ["pen", "cup"], "sales": [4, 9]}),
        ([{"a": 1}, {"a": 2, "b": "x"}], {"a": [1, 2], "b": ["", "x"]}),
        ({"a": [1, 2], "b": ["x", "y"]}, {"a": [1, 2], "b": ["x", "y"]}),
    ],
)
def test_values_that_are_tables(value: object, expected: dict[str, list[object]]) -> None:
    """A column without a name of its own is called as the variable is."""
    table = table_of("sales", value_codec.encode(value))
    assert table is not None
    assert columns_of(table) == tuple(expected)
    frame = value_codec.decode(table)
    assert isinstance(frame, pd.DataFrame)
    assert frame.astype(object).fillna("").to_dict("list") == expected


@pytest.mark.parametrize(
    "value",
    [
        7, "a,b", [], {}, [None], [1, "x"], [[1, 2], [3, 4]], {"host": "x", "port": 5},
        {"a": {"b": 1}}, {"a": [1], "b": [1, 2]}, [{}], np.zeros((2, 2)), np.array(["x"]),
    ],
)  # fmt: skip
def test_values_that_are_none(value: object) -> None:
    """Single, nested and mixed values are no tables."""
    assert table_of("sales", value_codec.encode(value)) is None
