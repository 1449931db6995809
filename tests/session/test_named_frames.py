"""Detection of the notebook's tables that a request names."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from okso_jupyter.session.named_frames import asked_frames, named_frames
from tests.each_row import each_row

_FRAME = pd.DataFrame({"price": [1, 2]})
_VARIABLES = {"df": _FRAME, "sales": _FRAME, "of": _FRAME, "price": 3, "df2": "text"}


@each_row(
    ("request_text", "expected"),
    [
        ("mean of price in df", ["df"]),
        ("How many rows does df have?", ["df"]),
        ("mean of price in sales", ["sales"]),
        ("mean price of the sales dataframe", ["sales"]),
        ("mean price in {{sales}}", ["sales"]),
        ("the prices of `sales` and df.", ["sales", "df"]),
        ("What were our sales?", []),
        ("mean price in the sales file", []),
        ("mean of sales in data.csv", []),
        ("mean price in sales.csv", []),
        ("write 'in df' to a file", []),
        ("df2 and price", []),
    ],
)
def test_a_table_is_named_only_if_unambiguous(request_text: str, expected: list[str]) -> None:
    """A word of the sentence that is also a variable is not passed in."""
    assert list(named_frames(request_text, _VARIABLES)) == expected


def test_a_table_of_another_library_is_converted() -> None:
    """A table of another library becomes a pandas frame for Python and the engine."""
    table = pa.table({"price": [1, 2]})
    assert named_frames("mean price in df", {"df": table})["df"].equals(_FRAME)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("mean of price in df", ["df"]),
        ("Describe df", []),
        ("Plot df", []),
        ("Compare the prices in df and in sales", []),
    ],
)
def test_only_a_frame_that_is_asked_about_is_passed_in(
    request_text: str, expected: list[str]
) -> None:
    """Other requests get a frame only with `--in`."""
    frames = named_frames(request_text, _VARIABLES)
    assert list(asked_frames(request_text, frames)) == expected
