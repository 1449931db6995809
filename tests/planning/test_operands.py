"""Which numbers of a request can be computed with, and which are years that only say when."""

from __future__ import annotations

from okso_jupyter.planning.request.operands import numbers_of
from tests.each_row import each_row


@each_row(
    "request_",
    [
        "how much did I earn in 2023?",
        "Did we sell more tickets in 2024 or 2025?",
        "wie viel habe ich 2023 verdient?",
        "Wie viele Gäste kamen im Sommer 2019 und 2020?",
        "profit of 2023 compared with 2024",
        "how many parcels came since May 2022",
        "Was der Umsatz 2021 höher als 2022?",
        "visitors from 2020 to 2023",
    ],
)
def test_a_year_that_says_when_is_no_operand(request_: str) -> None:
    """Nothing in these requests asks to compute with a number."""
    assert numbers_of(request_).operands == ()
    assert numbers_of(request_).years


@each_row(
    ("request_", "operands"),
    [
        ("add 2023 and 2024", (2023, 2024)),
        ("2024 - 1987", (2024, 1987)),
        ("15 % of 2024", (15, 2024)),
        ("die Hälfte von 2000", (2000,)),
        ("I had 2000 screws and used 350, how many are left?", (2000, 350)),
        ("In 2023 it was 20000 and in 2024 30000, how much together?", (20000, 30000)),
        ("Sort the numbers 1999, 2005 and 1987", (1999, 2005, 1987)),
        ("64 euros an hour for 2.75 hours", (64, 2.75)),
    ],
)
def test_numbers_that_are_computed_with(request_: str, operands: tuple[float, ...]) -> None:
    """A year is one where a word or sign asks to compute with it, or where it counts something."""
    assert numbers_of(request_).operands == operands
