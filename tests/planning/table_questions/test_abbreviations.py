"""Abbreviations: several words of a question as the name of a column shortens them."""

from __future__ import annotations

from okso_jupyter.planning.table_questions.abbreviations import abbreviated
from tests.each_row import each_row

_COLUMNS = ("town", "avgRent_2019", "avgRent_2021", "lifeExp", "numRooms", "model",
            "cost", "bmi2020")  # fmt: skip


@each_row(
    ("question", "expected"),
    [
        ("avg rent in 2019 per town", "avgRent_2019 per town"),
        ("the avg rent in the year 2021", "the avgRent_2021"),
        ("life expectancy by town", "lifeExp by town"),
        ("the number of rooms", "the numRooms"),
        ("body mass index of 2020", "bmi2020"),
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
    assert abbreviated(question, _COLUMNS) == expected
