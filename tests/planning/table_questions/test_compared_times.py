"""Times: months up to months, halves, quarters and weekdays, compared or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure, Part
from tests.planning.table_questions.read_query import query_of

_RIDES = "day,rider,zone,parcels,fare_eur\n" + "".join(
    f"2025-{month:02}-{day:02},{rider},{zone},{month + day},{day * 1.5}\n"
    for month in range(1, 13)
    for day, rider, zone in ((3, "Ines", "A"), (14, "Omar", "B"), (23, "Ines", "B"))
)
_FARES = (Measure("sum", "fare_eur"),)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Return a folder with the table of a courier."""
    (tmp_path / "rides.csv").write_text(_RIDES, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "filter_"),
    [
        ("total fare march to may", Filter("day", "between", ("2025-03-01", "2025-05-31"))),
        ("number of rides from June till August 2025",
         Filter("day", "between", ("2025-06-01", "2025-08-31"))),
        ("total parcels in the first half of 2025",
         Filter("day", "between", ("2025-01-01", "2025-06-30"))),
        ("average fare in the second half of 2025",
         Filter("day", "between", ("2025-07-01", "2025-12-31"))),
        ("Wie viele rides in der zweiten Jahreshälfte 2025?",
         Filter("day", "between", ("2025-07-01", "2025-12-31"))),
        ("how many rides before April", Filter("day", "<", "2025-04-01")),
        ("total fare in the last three months", Filter("day", "between",
         ("2025-10-01", "2025-12-31"))),
        ("total fare in the last 2 years", Filter("day", "between",
         ("2024-01-01", "2025-12-31"))),
        ("total fare in the last 10 days", Filter("day", "between", ("2025-12-14", "2025-12-23"))),
        ("how many rides in Q3", Filter("day", "=", 3, "quarter")),
        ("how many rides in the second quarter", Filter("day", "=", 2, "quarter")),
        ("how many rides were on Mondays", Filter("day", "=", 1, "weekday")),
        ("Wie viele rides waren freitags?", Filter("day", "=", 5, "weekday")),
        ("how many rides in july", Filter("day", "=", 7, "month")),
    ],
)  # fmt: skip
def test_a_time_is_a_condition(folder: Path, request_: str, filter_: Filter) -> None:
    """Times without their year are those of the only year that has them."""
    query = query_of(folder, request_)
    assert query.filters == (filter_,)
    assert query.measures


@pytest.mark.parametrize(
    ("request_", "values", "part", "measures", "combine"),
    [
        ("how many more rides were there in may than in april", (5, 4), "month",
         (Measure("count"),), "difference"),
        ("how much more fare did we take in may than in april", (5, 4), "month", _FARES,
         "difference"),
        ("total fare in Q1 vs Q2", (1, 2), "quarter", _FARES, ""),
        ("compare the fares of January and February", (1, 2), "month", _FARES, ""),
    ],
)  # fmt: skip
def test_two_times_are_compared(  # noqa: PLR0913, PLR0917  what is expected
    folder: Path,
    request_: str,
    values: tuple[int, int],
    part: Part,
    measures: tuple[Measure, ...],
    combine: str,
) -> None:
    """They are groups of the dates, beside each other or subtracted."""
    query = query_of(folder, request_)
    assert query.filters == (Filter("day", "in", values, part),)
    assert (query.by, query.part, query.measures) == ("day", part, measures)
    assert query.combine == combine


@pytest.mark.parametrize(
    ("request_", "filters"),
    [
        ("how many rides between March and June", (Filter("day", "between", (3, 6), "month"),)),
        ("how many rides were between Monday and Friday",
         (Filter("day", "between", (1, 5), "weekday"),)),
        ("how many rides are done and may be paid", ()),
        ("total fare in the last 99999 months", None),
    ],
)  # fmt: skip
def test_a_range_is_no_pair(
    folder: Path, request_: str, filters: tuple[Filter, ...] | None
) -> None:
    """All between two months are meant; "may" is a verb, and no list is that long."""
    with (folder / "rides.csv").open("a") as file:  # of two years
        file.writelines(f"2024-{month:02}-05,Omar,A,3,5\n" for month in range(1, 13))
    query = query_of(folder, request_)
    assert filters is None or query.filters == filters


def test_compared_to_is_no_span(folder: Path) -> None:
    """Two months that are compared are not all between them."""
    query = query_of(folder, "how many rides in May 2025 compared to July 2025")
    assert Filter("day", "between", ("2025-05-01", "2025-07-31")) not in query.filters


def test_one_of_two_times_has_more(folder: Path) -> None:
    """The larger one is told, by its sum."""
    query = query_of(folder, "did we take more fares in march or in june?")
    assert query.filters == (Filter("day", "in", (3, 6), "month"),)
    assert (query.measures, query.limit, query.descending) == (_FARES, 1, True)


def test_a_weekday_that_is_a_value_is_one(tmp_path: Path) -> None:
    """A column of weekdays' names is no date."""
    rows = "date,weekday,visits\n2025-01-06,Monday,4\n2025-01-07,Tuesday,5\n2025-01-13,Monday,6\n"
    (tmp_path / "visits.csv").write_text(rows, "utf-8")
    query = query_of(tmp_path, "how many visits on Monday")
    assert query.filters == (Filter("weekday", "=", "Monday"),)
