"""Tables as they are written: what the planner takes their cells for is what the engine does."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter
from okso_jupyter.workspace import Workspace
from tests.planning.table_questions.read_query import query_of

_ROOMS = (
    "Raum;Fläche (m²);Miete EUR/Monat\nKüche;12,5;1.150\nLaden;84,0;2.300\nKeller;30,25;3.400\n"
)


def _sample(folder: Path, name: str, content: bytes) -> TableSample:
    (folder / name).write_bytes(content)
    workspace = Workspace(folder)
    sample = TableSources(workspace).sample(name)
    workspace.close()
    assert sample is not None
    return sample


def test_signs_of_windows_1252(tmp_path: Path) -> None:
    """The euro sign and typographic quotes are no control characters."""
    table = _sample(tmp_path, "t.csv", "item;price\nPaper „A4“;1,50 €\n".encode("cp1252"))
    assert [column.cells for column in table.columns.values()] == [["Paper „A4“"], ["1,50 €"]]


def test_points_between_thousands(tmp_path: Path) -> None:
    """The whole table says what they are; decimal commas are numbers with points beside them."""
    table = _sample(tmp_path, "rooms.csv", _ROOMS.encode())
    assert table["Miete EUR/Monat"].numbers == [1150, 2300, 3400]
    assert table["Fläche (m²)"].numbers == [12.5, 84, 30.25]
    mixed = _sample(tmp_path, "sums.csv", b"a;b\nx;1.234,50\ny;0,5\n")
    assert mixed["b"].kind == "number"
    assert mixed["b"].numbers == [1234.5, 0.5]
    plain = _sample(tmp_path, "plain.csv", b"a,b\nx,1.150\ny,2.300\n")
    assert plain["b"].numbers == [1.15, 2.3]
    sensors = _sample(tmp_path, "sensors.csv", b"temp,pressure\n20.5,101.325\n22.5,100\n")
    assert sensors["pressure"].numbers == [101.325, 100]


def test_years_with_a_comma_between_them(tmp_path: Path) -> None:
    """They are no decimal number, though the table has decimal commas."""
    table = _sample(tmp_path, "rooms.csv", _ROOMS.encode())
    assert table.with_points("sum of 2023,2024 above 1,5") == "sum of 2023,2024 above 1.5"


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("sum of Miete EUR/Monat in rooms.csv", ()),
        ("Summe von Miete EUR/Monat in rooms.csv", ()),
        (
            "Welche Räume haben eine Miete über 1.200 EUR in rooms.csv?",
            (Filter("Miete EUR/Monat", ">", 1200),),
        ),
        (
            "Wie viele Räume haben mehr als 12,5 m² Fläche in rooms.csv?",
            (Filter("Fläche (m²)", ">", 12.5),),
        ),
    ],
)
def test_questions_write_numbers_as_the_table(
    tmp_path: Path, question: str, filters: tuple[Filter, ...]
) -> None:
    """A slash in a column's name makes no path of it."""
    (tmp_path / "rooms.csv").write_text(_ROOMS)
    query = query_of(tmp_path, question)
    assert query.filters == filters
    if not filters:
        assert [(each.function, each.column) for each in query.measures] == [
            ("sum", "Miete EUR/Monat")
        ]
