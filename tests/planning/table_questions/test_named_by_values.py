"""The table that a question is about because it names its values, in whatever form."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.table_questions.meant_table import table_meant
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "rentals.csv": (
        "day,guest,boat,place,euros,kind,note\n"
        "2025-05-03,Nora Lind,Blue Heron,lake,30,row boat,\n"
        "2025-05-09,Omar Haas,Red Kite,river,45,paddle-board,wind too strong\n"
        "2025-06-11,Nora Lind,Red Kite,lake,40,paddle-board,\n"
        "2025-06-30,Pia Wolf,Blue Heron,river,25,two-seat kayak,\n"
    ),
    "kasse.csv": (
        "Datum;Laden;Summe;Art\n03.01.2025;Bäcker Ott;4,20;bar\n05.01.2025;Markt;12,00;Karte\n"
        "09.01.2025;Markt;7,50;bar\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def _meant(request: str, folder: Path) -> str:
    workspace = Workspace(folder)
    return table_meant(gather(request, workspace), TableSources(workspace))


@pytest.mark.parametrize(
    ("request_text", "source"),
    [
        ("How much did the row boats bring in?", "rentals.csv"),
        ("avrage euros for the Red Kite?", "rentals.csv"),
        ("How many paddleboards went out in June?", "rentals.csv"),
        ("How much is a kayak two seat?", "rentals.csv"),
        ("When did Pia Wolf join?", "rentals.csv"),
        ("In welchem Laden haben wir am häufigsten eingekauft?", "kasse.csv"),
        ("On which day was the wind too strong?", "rentals.csv"),
        ("How far is the river from the lake?", ""),
        ("When did Columbus join the navy?", ""),
        ("Book a row boat for Saturday", ""),
    ],
)
def test_values_in_another_form_tell_the_table(
    request_text: str, source: str, folder: Path
) -> None:
    """A value of several words tells as much as a file's name; one of a single word does not."""
    assert _meant(request_text, folder) == source


@pytest.mark.parametrize(
    ("request_text", "value"),
    [
        ("How many row boats are in rentals.csv?", "row boat"),
        ("How many paddleboards are in rentals.csv?", "paddle-board"),
        ("euros of the kayak two seat in rentals.csv", "two-seat kayak"),
        ("How often was the Kite Red out, in rentals.csv?", "Red Kite"),
        ("total euros of row-boats in rentals.csv", "row boat"),
    ],
)
def test_a_value_in_another_form_is_a_filter(request_text: str, value: str, folder: Path) -> None:
    """With other endings, in another order, as one word or as several."""
    assert Filter(_column(value), "=", value) in query_of(folder, request_text).filters


def _column(value: str) -> str:
    return "boat" if value == "Red Kite" else "kind"


def test_a_site_is_a_value_and_no_file(tmp_path: Path) -> None:
    """Beside a file, what looks like the name of a site is a value, unless there is such a file."""
    (tmp_path / "stays.csv").write_text(
        "guest,via,nights\nPohl,Booking.com,3\nDijk,phone,2\nRoth,Booking.com,5\n", "utf-8"
    )
    query = query_of(tmp_path, "How many stays via booking.com in stays.csv?")
    assert query.filters == (Filter("via", "=", "Booking.com"),)
    (tmp_path / "booking.com").write_text("one line", "utf-8")
    workspace = Workspace(tmp_path)
    assert gather("Read booking.com", workspace).files == ("booking.com",)
    assert gather("Read other.com", workspace).new_paths == ("other.com",)
    workspace.close()
