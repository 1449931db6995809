"""Texts that are called by the words of their names, and what is written or replaced in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled, values_of

_FILES = {
    "boat_log.txt": "1 May: rain all day, stayed in the harbour.\n",
    "packliste.txt": "Zelt\nKaffee\nKocher\n",
    "drinks.txt": "juice\ncoffee\n",
    "crew.csv": "name\nBo\n",
    "trip.md": "# Trip\n\nDate: 3 May\nWe meet by the updated map at 9.\n",
    "songs.txt": "a\n",
    "songs.md": "a\n",
    "ideas/one.txt": "a\n",
    "soup.txt": "Brot mit Käse\nrice with beans\nbake with oil by hand\nback to front\n",
    "port.txt": "port = 3\nport = 4\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@each_row(
    ("request_", "args"),
    [
        (
            'please append "2 May: sun, sailed north." to the boat log',
            ["boat_log.txt", "2 May: sun, sailed north.\n", "append"],
        ),
        ('Add "x, y" to the end of our boat log', ["boat_log.txt", "x, y\n", "append"]),
        ("Schreib Milch auf die Packliste", ["packliste.txt", "Milch\n", "append"]),
        ("Setze Milch und Brot auf die Packliste", ["packliste.txt", "Milch\nBrot\n", "append"]),
        ("Setz bitte noch Milch auf die Packliste", ["packliste.txt", "Milch\n", "append"]),
        ("Füge Seife zur Packliste hinzu", ["packliste.txt", "Seife\n", "append"]),
        ("put lemonade on the drinks", ["drinks.txt", "lemonade\n", "append"]),
        (
            "Ersetze auf der Packliste Kaffee durch Tee",
            ["packliste.txt", "Kaffee", "Tee", True],
        ),
    ],
)
def test_a_text_is_called_by_its_words(folder: Path, request_: str, args: list[object]) -> None:
    """The words are all of the stem of one file, whether an article is before them or not."""
    assert values_of(folder, request_) == [args]


@each_row(
    "request_",
    [
        'Append "x" to the songs',  # there are two
        'Append "x" to the log',  # a part of the name
        'Append "x" to the crew',  # a table
        'Append "x" to the ideas',  # a folder
        "Delete the boat log",
        "Add a summary to the boat log",
        'Write "add it to the boat log" in the evening',
    ],
)
def test_a_name_in_doubt_is_left_to_the_model(folder: Path, request_: str) -> None:
    """Several files, a table, a folder, a part of a name; and nothing is deleted by such words."""
    assert values_of(folder, request_) == []


@each_row(
    ("request_", "args"),
    [
        ("Ersetze in packliste.txt Kaffee durch Tee", ["packliste.txt", "Kaffee", "Tee", True]),
        ("Ersetze Kaffee in packliste.txt durch Tee", ["packliste.txt", "Kaffee", "Tee", True]),
        ("Replace coffee in drinks.txt with tea", ["drinks.txt", "coffee", "tea", True]),
        ("In drinks.txt, change coffee to mint tea", ["drinks.txt", "coffee", "mint tea", True]),
        ("Change coffee to tea in drinks.txt", ["drinks.txt", "coffee", "tea", True]),
        ("Ändere in packliste.txt Zelt in Plane", ["packliste.txt", "Zelt", "Plane", True]),
        ("Tausche in packliste.txt Zelt gegen Plane aus", ["packliste.txt", "Zelt", "Plane", True]),
        (
            "Ersetze in packliste.txt Kaffee durch Tee mit Milch",
            ["packliste.txt", "Kaffee", "Tee mit Milch", True],
        ),
        (
            "Ersetze in soup.txt Brot mit Käse durch Reis",
            ["soup.txt", "Brot mit Käse", "Reis", True],
        ),
        (
            "Replace rice with beans by lentils in soup.txt",
            ["soup.txt", "rice with beans", "lentils", True],
        ),
        (
            "In soup.txt, change back to front to upside down",
            ["soup.txt", "back to front", "upside down", True],
        ),
    ],
)
def test_old_and_new_text_are_told_apart(folder: Path, request_: str, args: list[object]) -> None:
    """The file stands before, between or behind them."""
    assert values_of(folder, request_) == [args]


@each_row(
    "request_",
    [
        "Change Date to 5 May in trip.md",  # a key
        "Change date to Sunday in trip.md",  # only a part of a word
        "Change map to 10 in trip.md",
        "Change port to mooring in port.txt",
        "Change whisky to tea in drinks.txt",
        "Ersetze in packliste.txt Wein durch Tee",
        "Replace rice with oil by butter in soup.txt",  # rice, or rice with oil
        "Ersetze in packliste.txt Kaffee durch Tee und speichere sie als neu.txt",
        "In drinks.txt, replace coffee with tea and rename it",
        "In drinks.txt, change coffee to tea, then email it to Bo and add sugar",
    ],
)
def test_a_value_or_a_part_of_a_word_is_not_replaced(folder: Path, request_: str) -> None:
    """What stands in the text as such is changed, and nothing else."""
    assert values_of(folder, request_) == []
