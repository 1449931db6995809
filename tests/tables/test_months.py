"""Columns of months: dates without a day, compared and sorted as such, shown as written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from okso_jupyter.tables import charts
from okso_jupyter.tables.cells import kind_of
from okso_jupyter.tables.query import Measure, Query
from tests.tables.live import Opened

_RAIN = (Measure("sum", "rain"),)
#: The same four months, out of order, as files write them.
WRITTEN = {
    "iso": ("2024-02", "2023-12", "2024-01", "2024-10"),
    "numbers": ("02/2024", "12/2023", "01/2024", "10/2024"),
    "short names": ("Feb 2024", "Dec 2023", "Jan 2024", "Oct 2024"),
    "names": ("February 2024", "December 2023", "January 2024", "October 2024"),
}


def rain(months: tuple[str, ...]) -> str:
    """Return a file with the rain of these months, and a row without any."""
    rows = zip((*months, "-"), (30, 40, 10, 20, 5), strict=True)
    return "month,rain\n" + "".join(f"{month},{mm}\n" for month, mm in rows)


@pytest.mark.parametrize("months", WRITTEN.values(), ids=WRITTEN)
def test_months_are_dates(tmp_path: Path, months: tuple[str, ...]) -> None:
    """Filters by year, quarter, month, day and two ends; order, groups, and the first and last."""
    feb, dec, jan, octo = months
    table = Opened(tmp_path, rain(months))
    assert table.kinds == {"month": "date", "rain": "number"}

    def chosen(comparison: str, value: Any, part: str = "") -> list[str]:
        return [row[0] for row in table.rows(("month", comparison, value, part))]

    assert chosen("=", 2024, "year") == [feb, jan, octo]
    assert chosen("<=", 1, "quarter") == [feb, jan]
    assert chosen("=", "2024-01") == chosen("=", jan) == [jan]
    assert chosen("!=", "2024-01") == [feb, dec, octo]
    assert chosen("between", ("2023-12", "2024-01")) == [dec, jan]
    assert chosen("<", "2024-02") == [dec, jan]
    assert chosen(">", "2024-01") == chosen(">", "2024-01-31") == [feb, octo]
    in_order = table.rows(order="month", columns=("month",))
    assert in_order == [[dec], [jan], [feb], [octo]]
    by = table.rows(by="month", measures=_RAIN, order="month")
    assert by == [[dec, 40], [jan, 10], [feb, 30], [octo, 20]]
    assert table.rows(by="month", part="year", measures=_RAIN, order="month") == [
        [2023, 40],
        [2024, 60],
    ]
    assert table.value("minimum", "month") == dec
    assert table.value("maximum", "month") == octo
    assert table.ask(by="month", measures=_RAIN)["dates"] == []


def test_a_month_of_days(tmp_path: Path) -> None:
    """A value without a day means the whole month."""
    table = Opened(tmp_path, "day,n\n2024-01-31,1\n2024-02-01,2\n2024-02-29,3\n2024-03-01,4\n")

    def chosen(comparison: str, value: Any) -> list[int]:
        return [row[1] for row in table.rows(("day", comparison, value))]

    assert chosen("=", "2024-02") == [2, 3]
    assert chosen("<=", "Feb 2024") == [1, 2, 3]
    assert chosen(">", "02/2024") == [4]


@pytest.mark.parametrize(
    "cells",
    [("2009-10", "2010-11", "2011-12"), ("4711-01", "4712-02"), ("2024-13", "2024-14")],
    ids=["seasons", "articles", "no months"],
)
def test_what_only_looks_like_months_is_none(cells: tuple[str, ...]) -> None:
    """Seasons and numbers of articles stay what they were."""
    assert kind_of(cells) != "date"


@pytest.mark.parametrize("months", WRITTEN.values(), ids=WRITTEN)
def test_a_line_of_months_stands_in_time(tmp_path: Path, months: tuple[str, ...]) -> None:
    """Between December and January lies one month, between February and October lie eight."""
    places = _places(Opened(tmp_path, rain(months)), "month")
    assert [(place.year, place.month) for place in places] == [
        (2023, 12),
        (2024, 1),
        (2024, 2),
        (2024, 10),
    ]


def test_a_line_of_seasons_stands_side_by_side(tmp_path: Path) -> None:
    """2009-10 is no October."""
    table = Opened(tmp_path, rain(("2009-10", "2010-11", "2011-12", "2008-09")))
    assert [*_places(table, "month")] == [0, 1, 2, 3]


def _places(table: Opened, column: str) -> Any:
    """Return where the points of a line over a column stand."""
    parts: dict[str, Any] = {"by": column, "measures": _RAIN, "order": column}
    axes = Figure().subplots()
    charts._line(axes, Query(source="t.csv", chart="line", **parts), table.ask(**parts))
    [line] = axes.get_lines()
    return line.get_xdata(orig=True)
