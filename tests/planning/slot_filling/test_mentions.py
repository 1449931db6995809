"""What a text mentions: numbers, dates, quotes, names and lists, each as written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.planning.slot_filling.lists import lists
from okso_jupyter.planning.slot_filling.mentions import Reading
from okso_jupyter.planning.slot_filling.proper_names import names
from tests.each_row import each_row


@each_row(
    ("text", "values"),
    [
        ("a base of 10 and a height of 5.5", [10, 5.5]),
        ("$1.2M in sales, 1,250,000 visits", [1_200_000, 1_250_000]),
        ("twenty five people and 3 million stars", [25, 3_000_000]),
        ("from -5 to 1e-3", [-5, 0.001]),
        ("at 300 K", [300]),
        ("the S&P 500 and Apollo 11 in 2 days", [2]),
        ("case AB1234, file v2.3.4, 192.168.0.1", []),
        ("see https://example.org/42/page7", []),
        ("3x^2 + 2x", []),
    ],
)
def test_numbers(text: str, values: list[float]) -> None:
    """Digits, number words and scales count; digits in names, URLs and formulas do not."""
    assert [number.value for number in Reading(text).numbers if not number.inside] == values


def test_percentages_and_money_are_recognized() -> None:
    """The notation of a number shows whether it is a percentage or an amount of money."""
    share, price = Reading("8% of $40").numbers

    assert (share.value, share.percent, share.money) == (8, True, False)
    assert (price.value, price.percent, price.money) == (40, False, True)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("on March 5, 2024", "2024-03-05"),
        ("on the 5th of March 2024", "2024-03-05"),
        ("2024-03-05 please", "2024-03-05"),
        ("on March 5", "March 5"),
    ],
)
def test_dates(text: str, iso: str) -> None:
    """A date with a year becomes ISO format; one without a year stays as written."""
    assert [date.value for date in Reading(text).dates] == [iso]


def test_the_digits_of_a_date_are_not_separate_numbers() -> None:
    """The digits of dates and times are marked as inside another mention."""
    assert all(number.inside for number in Reading("on 12/05/2023 at 16:30").numbers)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who wrote it? Ask Jane Doe in New York City.", ["Jane Doe", "New York City"]),
        ("weather in Bangkok, Thailand. I prefer it", ["Bangkok", "Thailand"]),
        ("the museum of Modern Art", ["Modern Art"]),
        ("London 2022/08/16", ["London"]),
        (
            "Convert 14:30 from Europe/Berlin to America/New_York",
            ["Europe/Berlin", "America/New_York"],
        ),
        ("What time is it in Europe/Paris?", ["Europe/Paris"]),
        ("in America/Argentina/Buenos_Aires.", ["America/Argentina/Buenos_Aires"]),
    ],
)
def test_names(text: str, found: list[str]) -> None:
    """A name does not extend past the end of a sentence or into a date."""
    kept = [name.text for name in names(Reading(text)) if name.text not in ("Who", "Ask")]
    assert [name.removeprefix("Ask ") for name in kept] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sort ['Sam', 'Al']", [("Sam", "Al")]),
        ("chords C, F and G for 4 bars", [("C", "F", "G")]),
        ("with eggs, milk and bread for two", [("eggs", "milk", "bread")]),
        ("in Paris, France", []),
    ],
)
def test_lists(text: str, found: list[tuple[str, ...]]) -> None:
    """Brackets, commas and "and" form a list; a comma alone joins a town with its country."""
    assert lists(Reading(text)) == found


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """Any text can be read, and every mention's offsets match its text."""
    reading = Reading(text)

    for mention in (*reading.numbers, *reading.dates, *reading.quotes, *names(reading)):
        assert text[mention.start : mention.end] == mention.text
    assert isinstance(lists(reading), list)
