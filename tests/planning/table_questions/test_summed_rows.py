"""Follow-ups for the rows that were counted, what they come to, and another measure of groups."""

from __future__ import annotations

from dataclasses import replace

from okso_jupyter.planning.table_questions.follow_up import follow_up
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Filter, Measure, Query
from tests.each_row import each_row

_JOBS = TableSample(
    "jobs.csv",
    ["job no", "day", "tutor", "pupil", "hours", "fee", "weather", "state"],
    [
        ["J1", "2026-03-02", "Ada", "Tom", "1.5", "€30", "Storm", "open"],
        ["J2", "2026-03-09", "Bo", "Tom", "2", "€40", "Fog", "open"],
        ["J3", "2026-04-01", "Ada", "Mia", "1", "€20", "Fog", "settled"],
        ["J4", "2026-04-08", "Bo", "Mia", "2", "€44", "Rain", "open"],
        ["J5", "2026-04-22", "Ada", "Tom", "1", "€20", "Rain", "settled"],
    ],
)
_OPEN = Filter("state", "=", "open")
_COUNT = Query("jobs.csv", filters=(_OPEN,), measures=(Measure("count"),))
_ROWS = Query("jobs.csv", filters=(_OPEN,), columns=("pupil",))
_PER_TUTOR = Query("jobs.csv", by="tutor", measures=(Measure("count"),), order="tutor")


@each_row(
    "request_text",
    [
        "Which ones?",
        "which ones are they",
        "welche?",
        "Welche sind das?",
        "and which are those?",
        "list them",
        "zeig mir diese",
    ],
)
def test_the_rows_that_were_counted_are_shown(request_text: str) -> None:
    """They are told by what names a row, and what was summed stands beside it."""
    found = follow_up(request_text, _COUNT, _JOBS)
    assert found is not None
    assert found.query == replace(_COUNT, measures=(), columns=("job no", "tutor"))
    summed = replace(_COUNT, measures=(Measure("sum", "fee"),))
    found = follow_up(request_text, summed, _JOBS)
    assert found is not None
    assert found.query == replace(_COUNT, measures=(), columns=("job no", "tutor", "fee"))
    different = Query("jobs.csv", measures=(Measure("count distinct", "pupil"),))
    found = follow_up(request_text, different, _JOBS)
    assert found is not None
    assert found.query == Query("jobs.csv", columns=("pupil",), distinct=True)
    assert follow_up(request_text, _PER_TUTOR, _JOBS) is None


@each_row(
    ("request_text", "column"),
    [
        ("how much money is that", "fee"),
        ("and how much is that in total?", "fee"),
        ("und wie viel ist das zusammen", "fee"),
        ("was macht das insgesamt?", "fee"),
        ("what does that come to?", "fee"),
        ("and in total?", "fee"),
        ("how many hours is that altogether?", "hours"),
        ("wie viele hours sind das", "hours"),
    ],
)
def test_rows_come_to_the_sum_of_their_amount(request_text: str, column: str) -> None:
    """Rows that were shown or counted; nothing is summed of a few of them."""
    for last in (_ROWS, _COUNT):
        found = follow_up(request_text, last, _JOBS)
        assert found is not None
        assert found.query == replace(last, measures=(Measure("sum", column),), columns=())
    assert follow_up(request_text, replace(_ROWS, limit=2), _JOBS) is None


@each_row("request_text", ["what is that?", "how many pupils is that?", "how much is a boat"])
def test_nothing_else_is_summed(request_text: str) -> None:
    """A thing that is no amount of the rows has no sum."""
    assert follow_up(request_text, _ROWS, _JOBS) is None


@each_row(
    ("request_text", "measure"),
    [
        ("and how much money did each bring in", Measure("sum", "fee")),
        ("and how much did each tutor earn?", Measure("sum", "fee")),
        ("und wie viel Geld hat jeder eingenommen?", Measure("sum", "fee")),
        ("and how many hours?", Measure("sum", "hours")),
        ("and the average fee?", Measure("mean", "fee")),
    ],
)
def test_groups_that_were_counted_are_measured(request_text: str, measure: Measure) -> None:
    """The groups stay."""
    found = follow_up(request_text, _PER_TUTOR, _JOBS)
    assert found is not None
    assert found.query == replace(_PER_TUTOR, measures=(measure,))


def test_the_sum_of_all_groups() -> None:
    """Asked for in total, groups are taken away."""
    last = replace(_PER_TUTOR, measures=(Measure("sum", "fee"),))
    found = follow_up("and altogether?", last, _JOBS)
    assert found is not None
    assert found.query == Query("jobs.csv", measures=(Measure("sum", "fee"),))
