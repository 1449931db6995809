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
    ],
)
def test_a_date_relative_to_today(request_: str, args: dict[str, str]) -> None:
    """A day without its year is the next one."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) == args


@pytest.mark.parametrize(
    "request_",
    [
        "How many orders were there yesterday?",
        "What should I cook for Christmas?",
        "Write today to a.txt",
        "How many days are in orders.csv?",
        "How many days until the party?",
        "What is the weather today?",
        "list the files changed in 3 days",
    ],
)
def test_other_requests_with_such_words_are_no_calculation(request_: str) -> None:
    """Only what is a question of dates as a whole is calculated."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) is None
