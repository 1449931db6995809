"""Questions for the rows beyond a number, and for those of a value that is one letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "patients.csv": (
        "name,ward,grams,visits\nIda,A,2640,3\nJon,B,3808,1\nKai,A,2797,2\nLea,B,3973,5\n"
        "Mio,A,3052,4\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "column", "comparison", "value"),
    [
        ("Who weighs less than 3000 grams?", "grams", "<", 3000),
        ("Who has at least 4 visits?", "visits", ">=", 4),
        ("Which patient has more than 3 visits?", "visits", ">", 3),
    ],
)
def test_all_rows_beyond_a_number_are_meant(
    request_: str, column: str, comparison: str, value: int, folder: Path
) -> None:
    """And not the first of them, though who and which patient may be one."""
    query = query_of(folder, request_)
    assert [(f.column, f.comparison, f.value) for f in query.filters] == [
        (column, comparison, value)
    ]
    assert query.limit == 0


def test_one_letter_behind_its_column_is_a_value(folder: Path) -> None:
    """Ward A is a ward; a patient is any."""
    query = query_of(folder, "What is the average weight in ward A?")
    assert query.filters == (Filter("ward", "=", "A"),)
    assert not query_of(folder, "How much does a patient weigh on average?").filters


@pytest.mark.parametrize(
    ("request_", "column", "number"),
    [
        ("What is the total amount for customer 5?", "customer", 5),
        ("How many lamps were ordered by customer 5?", "customer", 5),
        ("What is the amount of order 3?", "order_id", 3),
        ("Which customer has order_id 4?", "order_id", 4),
    ],
)
def test_a_number_behind_its_column_is_that_one(
    request_: str, column: str, number: int, tmp_path: Path
) -> None:
    """Customer 5 is one customer, and not all from the fifth on."""
    filled(
        tmp_path,
        {
            "orders.csv": "order_id,customer,product,amount\n1,5,Lamp,20\n2,5,Desk,80\n"
            "3,7,Lamp,20\n4,8,Stool,15\n"
        },
    )
    query = query_of(tmp_path, request_)
    assert Filter(column, "=", number) in query.filters
    assert not query.order
