"""What some hours or nights cost at the rate that a table gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.table_questions.meant_table import table_meant
from okso_jupyter.planning.table_questions.other_units import is_in_other_unit
from okso_jupyter.planning.table_questions.rate_times import rate_times
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_FILES = {
    "contacts.csv": (
        "Name,Trade,Hourly rate,Day rate\nGwen Hart,Carpenter,58,400\nPete Novak,Plumber,65,\n"
        "Tina Moss,Carpenter,62,410\n"
    ),
    "plaetze.csv": "Platz;Art;Preis pro Nacht\nB2;Wohnwagen;28,50 €\nA1;Zelt;14,50 €\n",
    "costs.csv": "Item,Room,Amount\nTiles,Living room,20\nPaint,Hall,30\nLamp,Living room,5\n",
}


@pytest.fixture(name="sources")
def _sources(tmp_path: Path) -> Iterator[TableSources]:
    for name, content in _FILES.items():
        (tmp_path / name).write_text(content, "utf-8")
    workspace = Workspace(tmp_path)
    yield TableSources(workspace)
    workspace.close()


@each_row(
    ("request_", "expression"),
    [
        ("what would 6 hours of gwen hart cost", "6 * 58"),
        ("How much does Pete Novak charge for 2.5 hours?", "2.5 * 65"),
        ("Was kosten 3 Stunden mit Gwen Hart?", "3 * 58"),
        ("what do 2 days with tina moss cost", "2 * 410"),
        ("what is the price of platz A1 for 3 nights", "3 * 14.5"),
        ("Was kosten 4 Nächte auf Platz B2?", "4 * 28.5"),
    ],
)
def test_a_rate_is_multiplied(sources: TableSources, request_: str, expression: str) -> None:
    """The unit of time is that of the column, and the name that of one row."""
    step = rate_times(request_, sources)
    assert step is not None
    assert step["args"] == {"expression": expression}


@each_row(
    "request_",
    [
        "what would 6 hours of a carpenter cost",  # two rows
        "what would 1,500 hours of gwen hart cost",  # which may be 1.5 elsewhere
        "Was kosten 1.500 Stunden mit Gwen Hart?",
        "what would 6 hours of bob cost",
        "what would 3 weeks of gwen hart cost",
        "what do 2 days with pete novak cost",  # he has no such rate
        "was kosten 9 nächte für 28 euro",
        "how much did gwen hart cost",
    ],
)
def test_no_rate_is_guessed(sources: TableSources, request_: str) -> None:
    """Neither one of several rows nor one for another unit of time."""
    assert rate_times(request_, sources) is None


@each_row(
    ("request_", "source"),
    [
        ("wie groß ist das Living room in Quadratmetern", ""),
        ("how big is the living room in square feet", ""),
        ("what is the total amount for the living room", "costs.csv"),
    ],
)
def test_a_table_of_amounts_has_no_areas(sources: TableSources, request_: str, source: str) -> None:
    """No column of it is in square feet."""
    assert table_meant(gather(request_, sources.workspace), sources) == source


@each_row(
    ("request_", "columns", "is_other"),
    [
        ("what is the mean weight in pounds", ["dog", "weight kg"], True),
        ("what is the mean weight in kg", ["dog", "weight kg"], False),
        ("what is the mean weight in kilos", ["dog", "weight_kg"], False),
        ("what is the mean weight in kg", ["dog", "weight"], False),
        ("wie groß ist Platz A1 in Quadratmetern", ["Platz", "Größe m²"], False),
        ("wie groß ist Platz A1 in Quadratfuß", ["Platz", "Größe m²"], True),
        ("how large is the hall in square feet", ["Room", "Amount"], True),
        ("how much did we pay in may", ["Room", "Amount"], False),
        ("what was the total in euros", ["Room", "Amount"], False),
    ],
)
def test_a_unit_is_another_than_the_columns(
    request_: str, columns: list[str], *, is_other: bool
) -> None:
    """A column without a unit may be in any."""
    assert is_in_other_unit(request_, columns) == is_other
