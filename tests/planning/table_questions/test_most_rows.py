"""Rows by their name: the most orders are rows, and "visits per hour" asks for a number of each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_ORDERS: Final = (
    "{key},ordered_at,customer,total,channel\n7,2026-05-01 09:10,Ada,4.50,web\n"
    "8,2026-05-01 17:30,Bo,20.00,shop\n9,2026-05-02 09:45,Ada,7.25,web\n"
    "10,2026-05-08 09:20,Cleo,3.00,web\n11,2026-05-09 12:00,Bo,9.90,shop\n"
)
_READINGS: Final = (
    "Zeitpunkt;Sensor;Temperatur\n01.06.2026 05:10;Dach;9,5\n01.06.2026 18:30;Dach;21,0\n"
    "02.06.2026 06:00;Keller;12,5\n02.06.2026 23:15;Dach;15,0\n"
)
_VISITS: Final = (
    "visit,started,pages\n1,2026-05-01T09:10:00,3\n2,2026-05-01T09:40:00,8\n"
    "3,2026-05-02T10:00:00,1\n4,2026-05-03T10:30:00,5\n"
)


@pytest.mark.parametrize("key", ["order", "order_id", "Order No"])
@pytest.mark.parametrize(
    ("request_text", "by", "part"),
    [
        ("which customer has the most orders", "customer", ""),
        ("who has the most orders?", "customer", ""),
        ("which channel had the fewest orders", "channel", ""),
        ("which hour has the most orders", "ordered_at", "hour"),
        ("which customer has the most web orders", "customer", ""),
    ],
)
def test_the_most_of_what_rows_are_called_are_rows(
    tmp_path: Path, key: str, request_text: str, by: str, part: str
) -> None:
    """Whatever the numbers are that tell them apart."""
    query = query_of(filled(tmp_path, {"orders.csv": _ORDERS.format(key=key)}), request_text)
    assert (query.by, query.part, query.measures) == (by, part, (Measure("count"),))


@pytest.mark.parametrize("orders", [(12, 31, 7), (5, 6, 7)])
def test_the_most_of_a_column_are_no_rows(tmp_path: Path, orders: tuple[int, ...]) -> None:
    """It may hold how many there are, though no two rows have as many, or they count up."""
    shops = zip(("North", "South", "East"), orders, strict=True)
    counted = "\n".join(("shop,orders", *(f"{shop},{count}" for shop, count in shops)))
    query = query_of(filled(tmp_path, {"shops.csv": counted}), "which shop has the most orders")
    assert query.order == "orders"
    assert query.columns == ("shop",)


@pytest.mark.parametrize(
    ("request_text", "measure"),
    [
        ("how many km did Ann run", Measure("sum", "km")),
        ("km per runner", Measure("sum", "km")),
        ("heart rate per runner", Measure("mean", "heart_rate")),
        ("combined heart rate per runner", Measure("sum", "heart_rate")),
    ],
)
def test_amounts_that_count_up_are_added_up(
    tmp_path: Path, request_text: str, measure: Measure
) -> None:
    """They number no rows; and rates are no amounts."""
    runs = "week,runner,km,heart_rate\n1,Ann,5,140\n2,Bo,6,150\n3,Ann,7,130\n4,Bo,8,128\n"
    query = query_of(filled(tmp_path, {"training.csv": runs}), request_text)
    assert query.measures == (measure,)


def test_numbers_of_rows_are_added_up_only_where_that_is_said(tmp_path: Path) -> None:
    """The word for it may be the name of another column: "total"."""
    folder = filled(tmp_path, {"orders.csv": _ORDERS.format(key="order")})
    asked = query_of(folder, "what was the total of orders before noon")
    assert asked.measures == (Measure("sum", "total"),)
    numbers = filled(tmp_path, {"n.csv": "x,y\n1,4\n2,9\n3,1\n4,7\n"})
    assert query_of(numbers, "what is the sum of x in n.csv").measures == (Measure("sum", "x"),)


@pytest.mark.parametrize(
    ("request_text", "by", "part", "measure"),
    [
        ("visits per hour", "started", "hour", Measure("count")),
        ("visits per weekday", "started", "weekday", Measure("count")),
        ("pages per hour", "started", "hour", Measure("sum", "pages")),
        ("Messwerte pro Sensor", "Sensor", "", Measure("count")),
        ("Messwerte je Tag", "Zeitpunkt", "calendar day", Measure("count")),
        ("Temperatur pro Sensor", "Sensor", "", Measure("mean", "Temperatur")),
        ("total Temperatur per Sensor", "Sensor", "", Measure("sum", "Temperatur")),
    ],
)
def test_a_phrase_with_per_asks_for_a_number_of_each(
    tmp_path: Path, request_text: str, by: str, part: str, measure: Measure
) -> None:
    """Degrees are not added up, unless that is said."""
    query = query_of(
        filled(tmp_path, {"visits.csv": _VISITS, "messwerte.csv": _READINGS}), request_text
    )
    assert (query.by, query.part, query.measures) == (by, part, (measure,))


def test_a_phrase_with_per_of_no_table_is_none_of_it(tmp_path: Path) -> None:
    """What it names must be in a table."""
    sources = TableSources(Workspace(filled(tmp_path, {"visits.csv": _VISITS})))
    assert not Environment().readings("kilometers per hour", sources, 1)
