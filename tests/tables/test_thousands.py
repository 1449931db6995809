"""Points between thousands: "1.260" is 1260 where the table says so, and else 1.26."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.cells import thousands_columns
from okso_jupyter.tables.live_table import LiveTable
from okso_jupyter.tables.query import Join, Measure, Query
from tests.each_row import each_row
from tests.tables.live import Opened

#: A table in German, as CSV and as Markdown.
LAND = "Feld;Größe (ha);Pacht EUR/Jahr\nHang;1,35;1.260\nAue;2,10;1.470\nBerg;0,80;2.980\n"
#: Decimal points, as the other column or nothing says.
SENSORS = "sensor,temp,pressure\ns1,20.5,101.325\ns2,21.0,100.900\ns3,22.5,100\n"
CITIES = "name;lat;lon\nA;48.137;11.575\nB;52.520;13.405\n"
NOTES = """# Ernte

| Feld | Größe | Ertrag |
|---|---|---|
| A | 1,35 ha | 1.260 kg |
| B | 2,1 ha | 12.470 kg |
"""


@each_row(
    ("columns", "delimiter", "found"),
    [
        ([["1.260", "1.470"]], ",", set()),
        ([["1.260", "1.470"], ["0,5", "1,25"]], ",", {0}),
        ([["a", "b"], ["1.260", "1.470"]], ";", set()),
        ([["48.137", "52.520"], ["11.575", "13.405"]], ";", set()),
        ([["1.260", "980"], ["1.470", "1.520"]], ";", {0, 1}),
        ([["1.260", "980"], ["1.470", "1.520"]], ",", {0}),
        ([["1.234.567", "2.000"], ["1.470", "1.520"]], ";", {0, 1}),
        ([["20.5", "21.0"], ["101.325", "100"]], ",", set()),
        ([["20.5", "21.0"], ["101.325", "100"], ["0,5", "1,5"]], ";", set()),
        ([["20.5", "21.0"], ["1.234.567", "2.000"], ["1.260", "980"]], ",", {1}),
        ([["1.260", "1.470"], ["0.5", "1.25"]], ";", set()),
        ([["1.260", "12.5"], ["0,5", "1,25"]], ";", set()),
        ([["1.260", "0.125"]], ";", set()),
        ([["1.260", "980"]], ",", {0}),
        ([["1.260 €", "0 €", "980 €", "-"]], ",", {0}),
        ([["1.260", "2"]], ",", set()),
        ([["1.234.567", "2.000"]], ",", {0}),
        ([["980", "470"]], ";", set()),
        ([["12.05.2024", "31.12.2024"]], ";", set()),
    ],
)
def test_what_says_so(columns: list[list[str]], delimiter: str, found: set[int]) -> None:
    """Decimal commas and points of other columns, two points, and hundreds without any."""
    assert thousands_columns(columns, delimiter) == found


@pytest.mark.parametrize(
    ("name", "content", "column", "total"),
    [
        ("t.csv", LAND, "Pacht EUR/Jahr", 5710),
        ("t.md", NOTES, "Ertrag", 13730),
        ("t.csv", "a,m\nx,1.260\ny,980\n", "m", 2240),
        ("t.csv", "a,m\nx,1.260\ny,1.470\n", "m", 2.73),
        ("t.md", "| a | m |\n|---|---|\n| x | 1.260 |\n| y | 1.470 |\n", "m", 2.73),
    ],
)
def test_sums(tmp_path: Path, name: str, content: str, column: str, total: float) -> None:
    """They are of thousands in German tables alone."""
    table = Opened(tmp_path, content, name)
    assert table.value("sum", column) == pytest.approx(total)


@pytest.mark.parametrize(
    ("content", "column", "most"), [(SENSORS, "pressure", 101.325), (CITIES, "lat", 52.52)]
)
def test_decimal_points(tmp_path: Path, content: str, column: str, most: float) -> None:
    """Three digits behind each of them prove nothing."""
    assert Opened(tmp_path, content).value("maximum", column) == most


def test_comparisons(tmp_path: Path) -> None:
    """A number is compared as one; a text as the file would write it."""
    table = Opened(tmp_path, LAND)
    for value in (1260, "1.260", "1260"):
        rows = table.rows(("Pacht EUR/Jahr", "<=", value), columns=("Feld",))
        assert rows == [["Hang"]], value


def test_a_table_beside_another_one(tmp_path: Path) -> None:
    """Each is judged by itself: beside German prices, weights keep their points."""
    (tmp_path / "land.csv").write_text(LAND)
    (tmp_path / "soil.csv").write_text("Feld,density\nHang,1.260\nAue,1.470\n")
    names = ("land.csv", "soil.csv")
    request = {
        "tables": [{"name": name, "path": str(tmp_path / name)} for name in names],
        "joins": [{"source": "soil.csv", "column": "Feld"}],
        "scratch": str(tmp_path),
        "memory_mb": 512,
        "disk_mb": 512,
        "threads": 2,
        "progress_s": 1.0,
    }
    sums = (Measure("sum", "Pacht EUR/Jahr"), Measure("sum", "density"))
    query = Query("land.csv", measures=sums, joins=(Join("soil.csv", "Feld"),))
    assert LiveTable(request).answer(query.to_json())["rows"] == [[5710, pytest.approx(2.73)]]
