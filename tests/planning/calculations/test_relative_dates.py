"""Questions of dates relative to today are calculations with the dates written out."""

from __future__ import annotations

from datetime import date

import pytest

from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from okso_jupyter.planning.calculations.relative_dates import with_absolute_dates
from tests.each_row import each_row

_TODAY = date(2026, 11, 25)


@each_row(
    ("request_", "args"),
    [
        ("How many days until Christmas?", {"date": "2026-11-25", "until": "2026-12-25"}),
        (
            "How many weeks are left until New Year's Eve?",
            {"date": "2026-11-25", "until": "2026-12-31", "to": "week"},
        ),
        ("how many days till 14 February", {"date": "2026-11-25", "until": "2027-02-14"}),
        ("How long until March 3?", {"date": "2026-11-25", "until": "2027-03-03"}),
        (
            "Wie viele Tage sind es noch bis Weihnachten?",
            {"date": "2026-11-25", "until": "2026-12-25"},
        ),
        (
            "how many days have passed since 2026-11-01",
            {"date": "2026-11-01", "until": "2026-11-25"},
        ),
        (
            "How many days between today and 2027-01-01?",
            {"date": "2026-11-25", "until": "2027-01-01"},
        ),
        (
            "How old is someone born on 3 May 1990?",
            {"date": "1990-05-03", "until": "2026-11-25", "to": "year"},
        ),
        ("What date is in 30 days?", {"date": "2026-11-25", "plus": "30 days"}),
        ("What date was 2 weeks ago?", {"date": "2026-11-25", "plus": "-2 weeks"}),
        ("what is the date 10 days from now", {"date": "2026-11-25", "plus": "10 days"}),
        ("What weekday is tomorrow?", {"date": "2026-11-26"}),
        ("Which day of the week is Christmas?", {"date": "2026-12-25"}),
        (
            "How many days until 3 March 2027?",
            {"date": "2026-11-25", "until": "2027-03-03"},
        ),
        ("how many days until 29 February?", {"date": "2026-11-25", "until": "2028-02-29"}),
        ("how many days untill 6 December?", {"date": "2026-11-25", "until": "2026-12-06"}),
        ("How many weeks til 1 June?", {"date": "2026-11-25", "until": "2027-06-01", "to": "week"}),
        (
            "How many days do we have until Christmas?",
            {"date": "2026-11-25", "until": "2026-12-25"},
        ),
        ("Wie lange ist es noch bis Silvester?", {"date": "2026-11-25", "until": "2026-12-31"}),
        ("What date is it in 45 days?", {"date": "2026-11-25", "plus": "45 days"}),
        ("what will the date be in 45 days", {"date": "2026-11-25", "plus": "45 days"}),
        ("Welches Datum haben wir in 6 Wochen?", {"date": "2026-11-25", "plus": "6 weeks"}),
        ("what weekday will it be in 10 days?", {"date": "2026-11-25", "plus": "10 days"}),
        ("Welcher Tag war vor 30 Tagen?", {"date": "2026-11-25", "plus": "-30 days"}),
        ("In wie vielen Tagen ist Weihnachten?", {"date": "2026-11-25", "until": "2026-12-25"}),
        ("How long ago was 3 March 2026?", {"date": "2026-03-03", "until": "2026-11-25"}),
        (
            "My son was born on 14 June 2019. How old is he?",
            {"date": "2019-06-14", "until": "2026-11-25", "to": "year"},
        ),
        ("What day was it 100 days ago?", {"date": "2026-11-25", "plus": "-100 days"}),
    ],
)
def test_a_date_relative_to_today(request_: str, args: dict[str, str]) -> None:
    """A day without its year is the next one."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) == args


@each_row(
    ("request_", "args"),
    [
        ("How many days since 1 November?", {"date": "2026-11-01", "until": "2026-11-25"}),
        (
            "How many days have passed since Christmas?",
            {"date": "2025-12-25", "until": "2026-11-25"},
        ),
        (
            "Wie viele Tage sind seit dem 1. Dezember vergangen?",
            {"date": "2025-12-01", "until": "2026-11-25"},
        ),
        ("Which weekday was 24 December?", {"date": "2025-12-24"}),
        ("Was ist der Wochentag vom 24. Dezember?", {"date": "2026-12-24"}),
        ("Was 4 May a Monday?", {"date": "2026-05-04"}),
        ("Welcher Wochentag ist der 24. Dezember?", {"date": "2026-12-24"}),
    ],
)
def test_a_day_that_is_over_is_the_last_one(request_: str, args: dict[str, str]) -> None:
    """The next one would be after today, and the number of days below zero."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) == args


@each_row(
    ("request_", "first", "second"),
    [
        ("How many days lie between 4 May and 13 August 2026?", "2026-05-04", "2026-08-13"),
        ("how many days between 20 november and 5 january 2027", "2026-11-20", "2027-01-05"),
        ("How many days from 24 December 2025 to 3 March?", "2025-12-24", "2026-03-03"),
        ("How many days are there between 4 December and 6 November?", "2026-12-04", "2027-11-06"),
        ("How many days passed between 4 May and 13 August?", "2026-05-04", "2026-08-13"),
        (
            "Wie viele Tage liegen zwischen dem 4. Mai und dem 13. August 2026?",
            "2026-05-04",
            "2026-08-13",
        ),
    ],
)
def test_a_span_ends_after_it_begins(request_: str, first: str, second: str) -> None:
    """A day without its year is the nearest one to the other day of its span."""
    found = calculation_asked(with_absolute_dates(request_, _TODAY))
    assert found == {"date": first, "until": second}


@pytest.mark.parametrize(
    "request_",
    [
        "How many orders were there yesterday?",
        "What should I cook for Christmas?",
        "Write today to a.txt",
        "How many days are in orders.csv?",
        "How many days until the party?",
        "My son was born on 14 June 2019. How old am I?",
        "How many days was it until 24 December?",
        "What is the weather today?",
        "list the files changed in 3 days",
    ],
)
def test_other_requests_with_such_words_are_no_calculation(request_: str) -> None:
    """Only what is a question of dates as a whole is calculated."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) is None
