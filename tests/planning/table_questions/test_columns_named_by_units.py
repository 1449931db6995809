"""Columns that are named by a unit alone: what is measured in kg is a weight."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "parcels.csv": (
        "parcel,origin,kg,km,eur\nP1,Kiel,2.5,420,12.5\nP2,Ulm,11,130,30\nP3,Kiel,0.5,900,18\n"
        "P4,Jena,7,310,22\n"
    ),
    "stations.csv": (
        "station,celsius,mm,kmh\nNorth,12.5,3.5,20\nSouth,18,0,12\nHarbour,14,7.2,55\n"
        "North,11,1,31\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "function", "column"),
    [
        ("What is the average distance per origin in parcels.csv?", "mean", "km"),
        ("What is the mean weight by origin in parcels.csv?", "mean", "kg"),
        ("How many kilos were sent from Kiel?", "sum", "kg"),
        ("What is the average price in parcels.csv?", "mean", "eur"),
        ("How much did all parcels cost?", "sum", "eur"),
        ("What is the highest temperature in stations.csv?", "maximum", "celsius"),
        ("What was the total rainfall per station?", "sum", "mm"),
        ("What was the highest wind speed at each station?", "maximum", "kmh"),
    ],
)
def test_a_quantity_is_the_column_of_its_unit(
    request_: str, function: str, column: str, folder: Path
) -> None:
    """Though the column's name does not hold the word for what it measures."""
    query = query_of(folder, request_)
    assert [(m.function, m.column) for m in query.measures] == [(function, column)]


@pytest.mark.parametrize(
    ("request_", "column"),
    [
        ("Which parcel was the heaviest?", "kg"),
        ("Which parcel went the farthest?", "km"),
        ("What is the warmest station?", "celsius"),
    ],
)
def test_an_adjective_orders_by_the_column_of_its_unit(
    request_: str, column: str, folder: Path
) -> None:
    """The heaviest has the most kg."""
    query = query_of(folder, request_)
    assert (query.order, query.descending, query.limit) == (column, True, 1)


@pytest.mark.parametrize(
    ("request_", "function", "column", "held"),
    [
        ("How many miles did the parcels from Kiel travel?", "sum", "miles", "km"),
        ("What is the average distance in miles per origin in parcels.csv?", "mean", "miles", "km"),
        ("What is the total weight in grams in parcels.csv?", "sum", "grams", "kg"),
    ],
)
def test_another_unit_is_computed(
    request_: str, function: str, column: str, held: str, folder: Path
) -> None:
    """Of the column that holds the quantity."""
    query = query_of(folder, request_)
    assert [(m.function, m.column) for m in query.measures] == [(function, column)]
    assert [(c.name, c.left) for c in query.computed] == [(column, held)]


def test_a_unit_alone_is_meant_before_another_length(tmp_path: Path) -> None:
    """The miles of a hike are its km, and not its metres of ascent."""
    filled(tmp_path, {"hikes.csv": "hike,km,ascent_m\nCastle Loop,8,240\nDune Walk,16,30\n"})
    query = query_of(tmp_path, "How many miles is Castle Loop?")
    assert [(c.name, c.left) for c in query.computed] == [("miles", "km")]


@pytest.mark.parametrize(
    ("request_", "descending"),
    [
        ("show the parcels ordered by distance", False),
        ("show the parcels sorted by distance, farthest first", True),
        ("list the parcels sorted by km, smallest first", False),
    ],
)
def test_rows_are_sorted_by_what_is_named_or_measured(
    request_: str, *, descending: bool, folder: Path
) -> None:
    """All of them are shown."""
    query = query_of(folder, request_)
    assert (query.order, query.descending, query.limit) == ("km", descending, 0)
