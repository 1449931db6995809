"""Programs that have nothing to do with a request, or leave out numbers that it says."""

from __future__ import annotations

from typing import Final

import pytest

from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.replies.copied_code import is_copied_code
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools.python_repl import python_repl
from tests.each_row import each_row

TOOLS: Final[dict[str, Tool]] = {"python_repl": python_repl}
WAGES: Final = "64 euros an hour plus 19 percent VAT makes how much for 2.75 hours?"


def _is_copied(code: str, request: str) -> bool:
    step = {"tool": "python_repl", "args": {"input": code}}
    plan = Plan.from_dict({"steps": [step, {"tool": "final_answer", "args": {}}]})
    return is_copied_code(plan, request, TOOLS)


@pytest.mark.parametrize(
    "code",
    ["print(5 / 4)", "print(64 * 2.75)", "print(round(64 * 19, 2))", "64 + 19"],
)
def test_arithmetic_without_a_number_is_no_answer(code: str) -> None:
    """The request says three numbers."""
    assert _is_copied(code, WAGES)


@pytest.mark.parametrize(
    ("code", "request_"),
    [
        ("print(64 * 1.19 * 2.75)", WAGES),
        ("print(64 * 2.75 * (1 + 19 / 100))", WAGES),
        ("print(round(64 * 2.75 + 0.19 * 64 * 2.75, 2))", WAGES),
        ("hours = 2.75\nprint(hours)", WAGES),  # more than arithmetic is left to its author
        ("print(12)", "Print the number of months"),
        ("print(3 * 4)", "What is 3 times four?"),
    ],
)
def test_other_programs_are_kept(code: str, request_: str) -> None:
    """A share may stand in several forms, and one number is not several."""
    assert not _is_copied(code, request_)


@each_row(
    ("code", "request_"),
    [
        ("2023.00", "how much did I earn in 2023?"),
        ("print(2024 - 2025)", "did we sell more umbrellas in 2024 or 2025"),
        ("print(2024 - 2025)", "how long did we work in 2024 and 2025"),
        ("print(2024 * 1998)", "We bought the house in 1998, how long ago is that in 2024?"),
        ("print(2025 - 2024)", "Did we sell more tickets in 2024 or 2025?"),
        ("print(42)", "print 42 lines of a.txt"),
        ("print(2021 * 2022)", "War der Umsatz 2021 höher als 2022?"),
        ("17.00", "how much did customer 17 pay"),
        ("print(12)", "Wie viel haben wir in Woche 12 bezahlt?"),
        ("2026-11-29 10:57", "how much did I spend in week 12?"),
        ("print(3.3333", "wie viel haben wir am 3. Mai bezahlt"),
        ("print(20000 * 2023)", "In 2023 I earned 20000, how much is that a month?"),
    ],
)
def test_numbers_that_say_when_or_whose_are_no_answer(code: str, request_: str) -> None:
    """A year is computed with only where the request asks for it, and one number alone is not."""
    assert _is_copied(code, request_)


@each_row(
    ("code", "request_"),
    [
        ("print(2023 + 2024)", "what do 2023 plus 2024 make"),
        ("print(20000 + 30000)", "In 2023 it was 20000 and in 2024 30000, how much together?"),
        ("print(17 ** 2)", "What is the square of 17"),
        ("print(3", "Run print(3"),
        ("print(2030 - 1985)", "I was born in 1985. How old will I be in 2030?"),
        ("2024 - 1998", "We bought the house in 1998, how long ago is that in 2024?"),
        ("print((2020 - 1950) / 10)", "How many decades are there from 1950 to 2020?"),
        ("print(2024 - 1987)", "Wie viele Jahre liegen von 1987 bis 2024?"),
        ("print(42)", "print 42"),
        ("print(42)", "Gib die Zahl 42 aus"),
        ("print(2000 - 350)", "I had 2000 screws and used 350, how many are left?"),
    ],
)
def test_arithmetic_beside_a_year_is_kept(code: str, request_: str) -> None:
    """Years that say when need not stand in the code, and other numbers are no years."""
    assert not _is_copied(code, request_)
