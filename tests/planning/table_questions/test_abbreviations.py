"""Abbreviations: words of a question as the names of columns shorten them."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.abbreviations import abbreviated
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights

_COLUMNS = ("town", "avgRent_2019", "avgRent_2021", "precip", "lifeExp", "numRooms", "model",
            "cost", "bmi2020", "km")  # fmt: skip


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("avg rent in 2019 per town", "avgRent_2019 per town"),
        ("the avg rent in the year 2021", "the avgRent_2021"),
        ("total precipitation", "total precip"),
        ("life expectancy by town", "lifeExp by town"),
        ("the number of rooms", "the numRooms"),
        ("body mass index of 2020", "bmi2020"),
        ("how many kilometres", "how many km"),
        # none of these is shortened
        ("most delayed flights", "most delayed flights"),
        ("sum of costume sales", "sum of costume sales"),
        ("the cost of each model", "the cost of each model"),
        ("average rent", "average rent"),
        ("life in town", "life in town"),
    ],
)
def test_words_that_a_name_shortens(question: str, expected: str) -> None:
    """Words in a row, each from its beginning; a whole word shortens no other."""
    assert abbreviated(question, _COLUMNS, shipped_weights().words) == expected
