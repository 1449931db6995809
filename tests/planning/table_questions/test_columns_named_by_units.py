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
