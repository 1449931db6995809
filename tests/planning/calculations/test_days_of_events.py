"""The time up to an event whose day is said, and since one."""

from __future__ import annotations

from datetime import date

from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from okso_jupyter.planning.calculations.relative_dates import with_absolute_dates
from tests.each_row import each_row

_TODAY = date(2026, 11, 30)


@each_row(
    ("request_", "args"),
    [
        (
            "how many days until the christmas concert on 12 december 2026",
            {"date": "2026-11-30", "until": "2026-12-12"},
        ),
        (
            "Wie viele Tage sind es bis zum Weihnachtskonzert am 12. Dezember 2026?",
            {"date": "2026-11-30", "until": "2026-12-12"},
        ),
        (
            "Wie viele Wochen noch bis zur Hochzeit am 5.6.2027?",
            {"date": "2026-11-30", "until": "2027-06-05", "to": "week"},
        ),
        ("How long until our trip on 14 May?", {"date": "2026-11-30", "until": "2027-05-14"}),
        (
            "how many days since the spring concert on 21 march 2026",
            {"date": "2026-03-21", "until": "2026-11-30"},
        ),
        (
            "how many days are between the meeting on 3 May 2026 and the party on 10 June 2026",
            {"date": "2026-05-03", "until": "2026-06-10"},
        ),
    ],
)
def test_what_is_on_a_day_is_that_day(request_: str, args: dict[str, str]) -> None:
    """Christmas in the name of a concert is no day of its own."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) == args


@each_row(
    "request_",
    [
        "how many days until two days before the concert on 12 december 2026",
        "how many days until the week after the fair on 3 may 2027",
        "how many bookings until the concert on 12 december 2026",
        "how many days until the christmas concert",
    ],
)
def test_a_day_near_an_event_is_left_alone(request_: str) -> None:
    """Neither is an event without its day, or what is no time, a calculation."""
    assert calculation_asked(with_absolute_dates(request_, _TODAY)) is None
