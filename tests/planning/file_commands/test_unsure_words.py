"""Words that leave it open which file, which text or which entry is meant: there is no plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled, values_of

_FILES = {
    "draft_letter.txt": "Dear Ann\n",
    "draft_speech.txt": "Hello\n",
    "letter_ann.txt": "Ann\n",
    "rechnung_1.txt": "1\n",
    "rechnung_2.txt": "2\n",
    "entwurf_1.md": "eins\n",
    "entwurf_2.md": "zwei\n",
    "notes.txt": "Ann\nBen\n",
    "shopping.txt": "butter\neggs\n",
    "liste.txt": "Milch\nBrot\n",
    "einkaufsliste.txt": "Brot\nSenf\n",
    "notizen.txt": "Frau Weber\n",
    "Texte/a.csv": "x\n",
    "Texte/b.csv": "y\n",
    "archive/z.md": "z\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@each_row(
    "request_",
    [
        "move the draft to archive",
        "copy my draft into a new folder safe",
        "put the letter in a new folder called mail",
        "move the csv file to archive",
        "delete the csv file",
        "verschiebe die Rechnung nach archive",
        "kopiere meine Rechnung in einen neuen Ordner namens safe",
        "verschiebe den Entwurf nach archive",
    ],
)
def test_a_word_for_one_file_is_none_for_several(folder: Path, request_: str) -> None:
    """Which of them is meant is left open."""
    assert values_of(folder, request_) == []


_DRAFTS = ["draft_letter.txt", "draft_speech.txt", "archive"]
_BILLS = ["rechnung_1.txt", "rechnung_2.txt", "archive"]


@each_row(
    ("request_", "files"),
    [
        ("move the drafts to archive", _DRAFTS),
        ("move every draft to archive", _DRAFTS),
        ("verschiebe die Rechnungen nach archive", _BILLS),
        ("verschiebe alle Rechnungen nach archive", _BILLS),
        ("move every csv file to archive", ["Texte/a.csv", "Texte/b.csv", "archive"]),
    ],
)
def test_a_word_for_several_files_is_all_of_them(
    folder: Path, request_: str, files: list[str]
) -> None:
    """So is one of them with "every"."""
    assert values_of(folder, request_) == [["mv", files]]


@each_row(
    "request_",
    [
        "change Ann to Ben and Ben to Ann in notes.txt",
        "replace butter with margarine and eggs with tofu on the shopping list",
        "replace 'Ann' with 'Eve' and 'Ben' with 'Bob' in notes.txt",
        "replace butter with margarine; eggs with tofu in shopping.txt",
        "replace butter with margarine but eggs with tofu in shopping.txt",
        "ersetze Milch durch Hafermilch und Brot durch Kuchen in liste.txt",
        "ersetze in liste.txt Milch durch Hafermilch, Brot durch Kuchen",
        "tausche Milch gegen Saft und Brot gegen Kuchen in liste.txt aus",
        "replace Ann with Eve in notes.txt and in letter_ann.txt",
    ],
)
def test_a_second_replacement_is_no_part_of_the_new_text(folder: Path, request_: str) -> None:
    """Nor is another file."""
    assert values_of(folder, request_) == []


def test_a_new_text_of_several_words_is_one(folder: Path) -> None:
    """Where it holds no word between an old and a new text."""
    found = values_of(folder, "replace Ann with Eve and gin in notes.txt")
    assert found == [["notes.txt", "Ann", "Eve and gin", True]]


@each_row(
    "request_",
    [
        "erstelle einen Ordner Texte2 und kopiere die Texte hinein und lösche sie",
        "make a folder safe and copy the drafts there and delete them",
        "copy notes.txt to archive and delete it",
        "make a backup of notes.txt and delete it",
    ],
)
def test_what_a_copy_leaves_is_two_files(folder: Path, request_: str) -> None:
    """It is not said whether the file or its copy goes."""
    assert values_of(folder, request_) == []


@each_row(
    "request_",
    [
        "finde alle Zeilen mit Weber und speichere sie in notizen.txt",
        "finde alle Zeilen mit Weber und lösche sie in notizen.txt",
        "finde alle Zeilen mit Weber und füge sie in notizen.txt",
        "find the lines with butter and put them on the shopping list",
        "find all lines with butter and delete them in shopping.txt",
        "search shopping.txt for butter and remove it",
    ],
)
def test_what_is_to_be_done_with_lines_is_not_looked_for(folder: Path, request_: str) -> None:
    """It is another clause, although it cannot be read."""
    assert values_of(folder, request_) == []


def test_and_may_be_looked_for(folder: Path) -> None:
    """Where it leads to nothing that is done with what is found."""
    found = values_of(folder, "search notes.txt for search and replace")
    assert found == [["search and replace", ["notes.txt"]]]


@each_row(
    "request_",
    [
        "schreib Butter nicht auf die Einkaufsliste",
        "schreib nichts auf die Einkaufsliste",
        "schreib etwas auf die Einkaufsliste",
        "schreib noch was auf die Einkaufsliste",
        "setze alles außer Milch auf die Einkaufsliste",
        "setze Milch wieder auf die Einkaufsliste",
        "schreib Butter ganz oben auf die Einkaufsliste",
        "schreib morgen Milch auf die Einkaufsliste",
        "schreib Milch statt Brot auf die Einkaufsliste",
        "setze Milch auf 2 Euro in der Einkaufsliste",
        "füge Mehl und Zucker aus dem Rezept zur Einkaufsliste hinzu",
        "add milk back to the shopping list",
        "put everything but milk on the shopping list",
        "put nothing on the shopping list",
        "put no milk on the shopping list",
        "add milk tomorrow to the shopping list",
        "add flour and sugar from the recipe to the shopping list",
    ],
)
def test_an_entry_that_says_more_is_not_added(folder: Path, request_: str) -> None:
    """Not, something, all but, where, when, for how much and where from are no entries."""
    assert values_of(folder, request_) == []


@each_row(
    ("request_", "content"),
    [
        ("schreib Käse und noch Wein auf die Einkaufsliste", "Käse\nWein\n"),
        ("schreib Käse auch auf die Einkaufsliste", "Käse\n"),
        ("schreib Käse, dann noch Wein auf die Einkaufsliste", "Käse\nWein\n"),
        ("schreib Aufschnitt auf die Einkaufsliste", "Aufschnitt\n"),
    ],
)
def test_too_is_no_part_of_an_entry(folder: Path, request_: str, content: str) -> None:
    """It stands before or behind one."""
    assert values_of(folder, request_) == [["einkaufsliste.txt", content, "append"]]


@each_row(
    "request_",
    [
        "in which files do names occur",
        "in welchen Dateien kommen Namen vor",
        "which files contain names",
        "welche Dateien enthalten Namen",
    ],
)
def test_things_of_a_kind_are_not_looked_for_as_a_word(folder: Path, request_: str) -> None:
    """No text has the word: what it stands for is meant."""
    assert values_of(folder, request_) == []


@each_row(
    ("request_", "word"),
    [
        ("in which files do eggs occur", "eggs"),
        ('which files contain "names"', "names"),
        ("which files contain the word names", "names"),
        ("in welchen Dateien kommt Weber vor", "Weber"),
    ],
)
def test_a_word_of_a_text_is_looked_for(folder: Path, request_: str, word: str) -> None:
    """So is one in quotation marks, or one that is called a word."""
    assert values_of(folder, request_) == [[word]]
