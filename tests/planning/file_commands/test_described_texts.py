"""Texts that are called by what they are and whose, and what is taken out of them or added."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled, steps_of, values_of

_FILES = {
    "notizen/kiosk_einkauf.txt": "Einkauf Kiosk\nMilch 24 Liter\nMückenspray 10 Dosen\nEis 80\n",
    "notizen/todo.md": "# To do\n- [ ] call Ravi\n- [ ] ask neighbour about roof\n",
    "letter_fischer.txt": "Dear Leo,\n\nplease pay 96 euro by 15 November 2026.\n\nJo\n",
    "letter_price.txt": "Dear Ms Price,\n\nsee you on 2 May.\n",
    "shopping.md": "# Shopping\n- bags 500\n- treats 2 kg\n- towels 4\n- rain jacket for Ben\n",
    "diary/november.txt": "2026-11-05 Rain.\n",
    "diary/march_trip.txt": "Sun.\n",
    "plans/march_trip.txt": "Sun.\n",
    "clients.csv": "name,street\nLeo,Canal\n",
}
_KIOSK = "notizen/kiosk_einkauf.txt"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@each_row(
    ("request_", "args"),
    [
        (
            'schreib "Klopapier 60 Rollen" ans ende der einkaufsliste vom kiosk',
            [_KIOSK, "Klopapier 60 Rollen\n", "append"],
        ),
        ('Setz "Senf 6 Gläser" auf die Einkaufsliste', [_KIOSK, "Senf 6 Gläser\n", "append"]),
        ("Schreib Senf auf die Einkaufsliste vom Kiosk", [_KIOSK, "Senf\n", "append"]),
        (
            'häng "- [ ] order new doorbell" an die todo liste an',
            ["notizen/todo.md", "- [ ] order new doorbell\n", "append"],
        ),
        ('put "gloves 2" on the shopping list', ["shopping.md", "gloves 2\n", "append"]),
        (
            'add "P.S. Bring the lead." to the end of the letter to Leo',
            ["letter_fischer.txt", "P.S. Bring the lead.\n", "append"],
        ),
    ],
)
def test_a_text_is_added_to_what_is_described(
    folder: Path, request_: str, args: list[object]
) -> None:
    """Each word but the one for its kind stands in its path or at its beginning."""
    assert values_of(folder, request_) == [args]


@each_row(
    ("request_", "file", "old", "new"),
    [
        (
            "change 15 november to 30 november in the letter to leo",
            "letter_fischer.txt",
            "15 November",
            "30 November",
        ),
        (
            "In the letter to Leo, change 96 euro to 90 euro",
            "letter_fischer.txt",
            "96 euro",
            "90 euro",
        ),
        ("ändere im brief an leo 96 euro in 98 euro", "letter_fischer.txt", "96 euro", "98 euro"),
        (
            "ändere in dem Brief an Herrn Leo 96 euro in 98 euro",
            "letter_fischer.txt",
            "96 euro",
            "98 euro",
        ),
        ("change roof to fence in the todo list", "notizen/todo.md", "roof", "fence"),
    ],
)
def test_words_change_in_what_is_described(
    folder: Path, request_: str, file: str, old: str, new: str
) -> None:
    """A month in the words names no file, and the text keeps its capitals."""
    assert values_of(folder, request_) == [[file, old, new, True]]


@each_row(
    ("request_", "file", "gone"),
    [
        ("streich towels von der shopping liste", "shopping.md", "- towels 4\n"),
        ("remove the line with towels from shopping.md", "shopping.md", "- towels 4\n"),
        ("cross treats off the shopping list", "shopping.md", "- treats 2 kg\n"),
        ("Delete the line about Ben from the shopping list", "shopping.md", "- rain jacket"),
        ("Streiche Mückenspray von der Einkaufsliste vom Kiosk", _KIOSK, "Mückenspray"),
        ("Lösche die Zeile mit Eis aus der Einkaufsliste", _KIOSK, "Eis 80\n"),
        ("nimm Milch von der Einkaufsliste runter", _KIOSK, "Milch 24 Liter\n"),
    ],
)
def test_one_line_is_taken_out(folder: Path, request_: str, file: str, gone: str) -> None:
    """An entry is called without its amount, or a line by a word of it."""
    (step,) = steps_of(folder, request_)
    args = step["args"]
    assert (step["tool"], args["path"]) == ("file_edit", file)
    assert args["old_text"].removeprefix(args["new_text"]).startswith(gone)
    assert args["old_text"].startswith(args["new_text"])


@each_row(
    "request_",
    [
        "delete the letter to leo",  # not a line of it
        'add "x" to the letter',  # there are two
        'add "x" to the letter to Anna',
        'add "x" to the plan of the march trip',  # in two folders
        "remove the line with a from the shopping list",
        "remove the line with o from the letter to leo",
        "streich Seife von der shopping liste",
        "remove the line with about from clients.csv",
        "change 5 may to 6 may in the letter to leo",
        "change the trip to Tuesday in the letter to leo",  # a thing, and no words
        "remove rain and towels from the shopping list",
        "create people.txt with the names of men and women over 60",
        "make people.txt with everyone who is late and everyone who is ill",
    ],
)
def test_what_a_word_leaves_open_is_not_planned(folder: Path, request_: str) -> None:
    """Several texts, none, no such line, a row of a table, or words that say what to find."""
    assert values_of(folder, request_) == []


@each_row(
    ("request_", "step"),
    [
        (
            "put call Harriet at the end of plain.txt",
            ("file_write", "plain.txt", "call Harriet\n"),
        ),
        (
            "schreibe Senf kaufen ans Ende von plain.txt",
            ("file_write", "plain.txt", "Senf kaufen\n"),
        ),
        (
            "erstelle eine Datei lampen.txt mit dem Text Ersatzlampe bestellen",
            ("file_write", "lampen.txt", "Ersatzlampe bestellen"),
        ),
        (
            'make a new text file called later.txt with the text "see you"',
            ("file_write", "later.txt", "see you"),
        ),
    ],
)
def test_where_and_what_to_write_are_told_apart(
    folder: Path, request_: str, step: tuple[str, str, str]
) -> None:
    """The name of the file was written into it, or a word of the text refused."""
    (folder / "plain.txt").write_text("Lamp\nChair\n")
    (found,) = steps_of(folder, request_)
    assert (found["tool"], found["args"]["path"], found["args"]["content"]) == step


@each_row(
    "request_",
    [
        "create a file b.txt with the content of shopping.md",
        "create a file b.txt with the text everyone who paid",
    ],
)
def test_a_text_that_is_only_described_is_not_written(folder: Path, request_: str) -> None:
    """It stands elsewhere."""
    assert not [step for step in steps_of(folder, request_) if step["tool"] == "file_write"]


def test_words_in_small_letters_are_replaced_as_they_are_spelt(folder: Path) -> None:
    """A day of the week keeps its capital."""
    (folder / "plan.txt").write_text("Am Donnerstag ist Probe.\n")
    (step,) = steps_of(folder, "ersetze donnerstag durch freitag in plan.txt")
    assert (step["args"]["old_text"], step["args"]["new_text"]) == ("Donnerstag", "Freitag")
    (again,) = steps_of(folder, "in plan.txt Donnerstag durch Montag ersetzen")
    assert (again["args"]["old_text"], again["args"]["new_text"]) == ("Donnerstag", "Montag")


def test_a_copy_may_be_called_als(folder: Path) -> None:
    """It was taken for a folder."""
    (step,) = steps_of(folder, "kopiere shopping.md als einkauf_alt.md")
    assert step["args"] == {"command": "cp", "args": ["shopping.md", "einkauf_alt.md"]}
