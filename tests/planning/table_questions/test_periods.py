"""Periods: days and months that a question names become comparisons of dates."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.periods import period_filters
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Comparison, Filter, Query
from okso_jupyter.tables.query_wording import sentence
from tests.each_row import each_row

_DAYS = [
    f"{day} 10:30:00"
    for day in ("2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01", "2026-03-15")
]


@each_row(
    ("question", "expected"),
    [
        ("sales after February 2026", Filter("d", ">", "2026-02-28")),
        ("sales since Feb 2026", Filter("d", ">=", "2026-02-01")),
        ("sales before March 2026", Filter("d", "<", "2026-03-01")),
        ("sales until May 2025", Filter("d", "<=", "2025-05-31")),
        ("sales in March 2026", Filter("d", "between", ("2026-03-01", "2026-03-31"))),
        ("due after 2026-03-15", Filter("d", ">", "2026-03-15")),
        ("Verkäufe nach Juni 2025", Filter("d", ">", "2025-06-30")),
        ("Verkäufe vor dem 01.03.2026", Filter("d", "<", "2026-03-01")),
        ("on the 3rd of May 2025", Filter("d", "between", ("2025-05-03", "2025-05-03"))),
        ("on May 3, 2025", Filter("d", "between", ("2025-05-03", "2025-05-03"))),
        (
            "between January 2026 and February 2026",
            Filter("d", "between", ("2026-01-01", "2026-02-28")),
        ),
    ],
)
def test_a_period_is_compared_as_the_word_before_it_says(question: str, expected: Filter) -> None:
    """After a month is after its last day, before it is before its first."""
    assert [found for found, _ in period_filters(QuestionWords(question), "d")] == [expected]


@pytest.mark.parametrize(
    "question",
    [
        "sales in March",
        "sales in 2026",
        "may the mean of 2025 be shown",
        "on 2026-02-31",
        "1.5 2026",
    ],
)
def test_what_is_no_day_and_no_month_of_a_year_is_no_period(question: str) -> None:
    """A month or a year alone is compared as such."""
    assert not list(period_filters(QuestionWords(question), "d"))


@pytest.mark.parametrize(
    ("comparison", "value", "count"),
    [
        (">", "2026-02-28", 2),
        (">=", "2026-02-28", 3),
        ("<", "2026-02-01", 1),
        ("between", ("2026-02-01", "2026-02-28"), 2),
    ],
)
def test_days_are_compared_whatever_the_time(
    comparison: Comparison, value: str | tuple[str, str], count: int
) -> None:
    """The 28th of February at 10:30 is not after the 28th."""
    table = TableSample("a.csv", ["d", "n"], [[day, "1"] for day in _DAYS])
    found = Filter("d", comparison, value)
    assert len(Answers(table).of(Query("a.csv", (found,)))) == count


def test_a_comparison_of_days_reads_as_one() -> None:
    """The form says after and before, not more and less."""
    query = Query("a.csv", (Filter("d", ">", "2026-02-28"),))
    assert "d is after 2026-02-28" in sentence(query)
