"""Questions about a table whose dates are months."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.tables.query import Filter, Measure, Query
from tests.planning.table_questions.read_query import query_of

_CHANCE = random.Random(8)  # noqa: S311  no secrets are made
_MONTHS = [f"{year}-{month:02}" for year in (2022, 2023, 2024) for month in range(1, 13)]
_MOST = (400, 20, 300)
_READINGS = "month,gas_m3,water_m3,cost_eur\n" + "".join(
    f"{month},{','.join(str(_CHANCE.randrange(1, most)) for most in _MOST)}\n" for month in _MONTHS
)
_IN_2023 = (Filter("month", "=", 2023, "year"),)
_SPRING = (Filter("month", "between", ("2023-03", "2023-05")),)


def _asked(folder: Path, question: str) -> Query:
    (folder / "meters.csv").write_text(_READINGS)
    return query_of(folder, question)


@pytest.mark.parametrize(
    "question",
    [
        "Which month of 2023 had the highest gas_m3 in meters.csv?",
        "In which month of 2023 was the most gas used according to meters.csv?",
        "In welchem Monat 2023 war gas_m3 am höchsten in meters.csv?",
    ],
)
def test_the_month_of_a_year_with_the_most(tmp_path: Path, question: str) -> None:
    """It is one of the months of the column."""
    query = _asked(tmp_path, question)
    assert query.filters == _IN_2023
    assert query.columns == ("month",)
    assert query.limit == 1
    assert (query.by, query.order, query.descending) == ("", "gas_m3", True)


@pytest.mark.parametrize(
    ("question", "filters", "function"),
    [
        ("total water_m3 March to May 2023 in meters.csv", _SPRING, "sum"),
        ("total water_m3 from March to May 2023 in meters.csv", _SPRING, "sum"),
        ("Summe von water_m3 März bis Mai 2023 in meters.csv", _SPRING, "sum"),
        ("average cost_eur in 2023 in meters.csv", _IN_2023, "mean"),
        (
            "total cost_eur since October 2024 in meters.csv",
            (Filter("month", ">=", "2024-10"),),
            "sum",
        ),
        (
            "total cost_eur before March 2022 in meters.csv",
            (Filter("month", "<", "2022-03"),),
            "sum",
        ),
        (
            "average cost_eur in May in meters.csv",
            (Filter("month", "=", 5, "month"),),
            "mean",
        ),
    ],
)
def test_months_that_are_named(
    tmp_path: Path, question: str, filters: tuple[Filter, ...], function: Any
) -> None:
    """They are compared as months."""
    query = _asked(tmp_path, question)
    [measure] = query.measures
    assert (query.filters, measure.function) == (filters, function)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("average gas_m3 per month in meters.csv", ""),
        ("monthly total of gas_m3 in meters.csv", ""),
        ("durchschnittliche gas_m3 je Monat in meters.csv", ""),
        ("seasonal average of gas_m3 per month in meters.csv", "month"),
        ("total gas_m3 per year in meters.csv", "year"),
        ("average gas_m3 per quarter in meters.csv", "calendar quarter"),
    ],
)
def test_groups(tmp_path: Path, question: str, part: str) -> None:
    """Per month is each row's own month."""
    query = _asked(tmp_path, question)
    assert (query.by, query.part, query.order) == ("month", part, "month")
    assert query.measures[0].column == "gas_m3"


@pytest.mark.parametrize(
    ("question", "chart"),
    [
        ("bar chart of water_m3 per month in 2023 in meters.csv", "bar"),
        ("Balkendiagramm von water_m3 pro Monat 2023 in meters.csv", "bar"),
        ("line chart of water_m3 per month in 2023 in meters.csv", "line"),
    ],
)
def test_charts_are_in_the_order_of_time(tmp_path: Path, question: str, chart: str) -> None:
    """One bar or point for each month of the year."""
    query = _asked(tmp_path, question)
    assert (query.chart, query.by, query.part, query.order) == (chart, "month", "", "month")
    assert query.filters == _IN_2023
    assert query.measures == (Measure("sum", "water_m3"),)
