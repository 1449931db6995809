"""The calculator's results: exact values, units, dates and reasons for no value."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from okso_jupyter.calculation.calendar_dates import between, shifted, weekday
from okso_jupyter.calculation.exact import evaluate, problem_of
from okso_jupyter.calculation.unit_conversion import convert
from okso_jupyter.tools.calculator import calculator
from tests.each_row import each_row


@each_row(
    ("expression", "said"),
    [
        ("0.1 + 0.2", "0.1 + 0.2 = 0.3"),
        ("-1 / 2", "-1 / 2 = -0.5"),
        ("10 / 3", "10 / 3 ≈ 3.333333333"),
        ("sqrt(2)", "sqrt(2) ≈ 1.414213562"),
        ("sqrt(9/4)", "sqrt(9/4) = 1.5"),
        ("cbrt(-27)", "cbrt(-27) = -3"),
        ("2 ** 100", "2 ** 100 = 1267650600228229401496703205376"),
        ("(-1) ^ 99999999999", "(-1) ^ 99999999999 = -1"),
        ("round(2.345, 2)", "round(2.345, 2) = 2.35"),
        ("10 / 0", "10 / 0 has no value: it divides by zero."),
        ("5 % 0", "5 % 0 has no value: it divides by zero."),
        ("0 ^ -1", "0 ^ -1 has no value: it divides by zero."),
        ("sqrt(-4)", "sqrt(-4) has no value: a negative number has no real root."),
        (
            "factorial(-1)",
            "factorial(-1) has no value: only whole numbers from 0 on have a factorial.",
        ),
        ("gcd(1.5, 3)", "gcd(1.5, 3) has no value: it is defined for whole numbers alone."),
    ],
)
def test_an_expression_has_an_exact_value_or_a_reason(expression: str, said: str) -> None:
    """The result is exact, marked as rounded, or a reason why there is no value."""
    assert evaluate(expression).sentence == said


@pytest.mark.parametrize(
    "expression",
    ["9**9**9", "9^9^9^9", "factorial(99999)", "1e999", "2**-99999", "99**999**0.5*99**999"],
)
def test_a_huge_result_is_not_computed(expression: str) -> None:
    """A result of more than 1,000 digits is refused without being computed."""
    assert "more than 1,000 digits" in evaluate(expression).sentence


@each_row(
    "text",
    [
        "__import__('os')",
        "a",
        "sqrt",
        "1 if 2 else 3",
        "[1]",
        "'a' * 3",
        "1 +",
        "sqrt(x=1)",
        "1" * 5000,
        "(" * 300,
        "1j",
        "True",
        "1 < 2",
        "sqrt(1)(2)",
        "(lambda: 1)()",
    ],
)
def test_text_that_is_not_arithmetic_is_refused(text: str) -> None:
    """Text that is not arithmetic is refused; no Python code is executed."""
    assert problem_of(text) or evaluate(text).value is None


@pytest.mark.parametrize(
    ("quantity", "unit", "said"),
    [
        ("12 km", "miles", "12 km ≈ 7.456454307 miles"),
        ("5 feet 3 inches", "cm", "5 feet 3 inches = 160.02 cm"),
        ("32 °F", "°C", "32 °F = 0 °C"),
        ("5 km", "kg", "5 km in kg has no value: km and kg measure different things."),
        (
            "5 mils",
            "km",
            "5 mils in km has no value: 'mils' is no known unit (the nearest is 'miles').",
        ),
        ("20 °C 3 °C", "°F", "20 °C 3 °C in °F has no value: temperatures cannot be added up."),
        ("five km", "m", "five km in m has no value: 'five km' is no number with a unit."),
        ("1/0 km", "m", "1/0 km in m has no value: '1/0 km' is no number with a unit."),
    ],
)
def test_a_quantity_is_converted_to_another_unit(quantity: str, unit: str, said: str) -> None:
    """A quantity is converted, and the result uses the unit names of the request.

    If it cannot be converted, the reason is given.
    """
    assert convert(quantity, unit).sentence == said


def test_dates_are_given_with_their_weekday() -> None:
    """Dates are given with their weekday; a date that does not exist is reported."""
    assert weekday("1969-07-20").sentence == "1969-07-20 is a Sunday."
    assert (
        shifted("2024-03-01", "90 days").sentence
        == "90 days after 2024-03-01 is 2024-05-30, a Thursday."
    )
    assert shifted("2024-01-31", "1 month").value == "2024-02-29"
    assert (
        between("2024-03-01", "2024-05-17").sentence
        == "From 2024-03-01 to 2024-05-17 it is 77 days."
    )
    years = between("2020-02-29", "2024-05-17", "year").sentence
    assert years.endswith("which is 4 years, 2 months and 18 days.")
    assert shifted("9999-12-31", "1 day").value is None
    assert weekday("2024-02-30").sentence == "There is no date 2024-02-30."


@each_row(
    ("args", "problem"),
    [
        ({}, "it takes one of"),
        ({"expression": "1", "date": "2024-01-01"}, "it takes one of"),
        ({"expression": "1 + 1", "until": "2024-01-01"}, "until does not go with expression"),
        ({"expression": "1 +"}, "no arithmetic expression"),
        ({"quantity": "5 km"}, "to names the other unit"),
        ({"quantity": "5 km", "to": "kg"}, "measure different things"),
        ({"date": "2024-02-30"}, "there is no date 2024-02-30"),
        ({"date": "2024-02-03", "plus": "soon"}, "is no number of days"),
        ({"date": "2024-02-03", "to": "day"}, "between two dates"),
    ],
)
def test_invalid_arguments_are_reported_before_the_call(
    args: Mapping[str, str], problem: str
) -> None:
    """Invalid arguments are reported before the call, so that a form shows them at once."""
    assert problem in " ".join(calculator.flaws(args))
