"""Questions of fact whose answer stands in a line of a note or a letter."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.file_commands.text_questions import told_by_text
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled, steps_of

_FILES = {
    "kita/elternbrief.txt": "Kindergarten Regenbogen\nLeitung: Frau Ohlsen\n\nLiebe Eltern,\n"
    "die Kita ist vom 24.12. bis zum 2. Januar geschlossen.\n"
    "Der Beitrag beträgt ab Februar 215 € im Monat.\n"
    "Ab 7:30 Uhr ist die Frühgruppe besetzt.\n"
    "Gartentor-Kennung: 8812\n"
    "Bei Fragen erreichen Sie das Büro unter 0451 77 120.\n",
    "allotment.md": "# Allotment\n\n## Colours\n- Shed: Moss Green 4\n- Fence: Pearl Grey 11\n\n"
    "## People\n- Warden: Ines Falk, 07700 900177\n- Treasurer: Noel Adair\n\n"
    "## Rent\nThe deposit is 40 pounds. The rent of 95 pounds is due on 1 March.\n"
    "The greenhouse has been approved by plot 12.\n",
    "log_2026.txt": "2026-03-02 Rufus dug up the leeks.\n2026-04-18 Sold the mower to Mr Baines.\n"
    "2026-05-30 Bees swarmed near the gate.\n2026-06-11 The tap leaks again.\n"
    "2026-07-09 Ordered 3 water butts.\n2026-08-20 Ada won the marrow prize.\n",
    "protokolle/maerz.md": "# Sitzung März\n\nAnwesend: Olga, Bernd, Enno\n\n- Tor streichen\n"
    "- Hecke schneiden\n- [ ] Olga: Farbe kaufen\n- [x] Bernd: Schlüssel nachmachen\n"
    "TODO enno: Wasseruhr ablesen\n",
    "fees.txt": "small plot 30 pounds\nlarge plot 55 pounds\nshared shed 8 pounds\nwater free\n"
    "late payment 5 pounds\n",
    "list_a.txt": "spade\nrake\n",
    "list_b.txt": "spade\nhoe\n",
    "plots.csv": "plot,holder,size,paid\n1,Ada,200,yes\n2,Rufus,150,no\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    filled(tmp_path, _FILES)
    return tmp_path


def _steps(folder: Path, request: str) -> list[tuple[str, Any]]:
    steps = Environment().text_question(request, Workspace(folder))
    return [(step["tool"], step["args"]) for step in steps]


def _told(folder: Path, request: str) -> list[str]:
    """Return the lines that the one step of a question shows."""
    ((tool, args),) = _steps(folder, request)
    assert tool == "file_search"
    wanted = args["query"].lower()
    texts = [(folder / path).read_text("utf-8") for path in args["paths"]]
    return [line for text in texts for line in text.splitlines() if wanted in line.lower()]


@each_row(
    ("request_", "answer"),
    [
        # one word that the sentence has the amount, time or number of
        ("wie hoch ist der beitrag", "215 €"),
        ("how high is the deposit", "40 pounds"),
        ("what is the deposit?", "40 pounds"),
        ("wie lautet die gartentor kennung", "8812"),
        ("ab wann ist die frühgruppe besetzt", "7:30"),
        ("telefonnummer vom büro", "0451 77 120"),
        ("phone number of the warden", "07700 900177"),
        ("warden phone number", "07700 900177"),
        ("gartentor kennung", "8812"),
        # other forms of the words, names in small letters
        ("when did rufus dig up the leeks", "2026-03-02"),
        ("when did bees swarm near the gate", "2026-05-30"),
        ("to whom did we sell the mower", "Mr Baines"),
        ("who won the marrow prize", "Ada"),
        ("wie lange bleibt die kita geschlossen", "2. Januar"),
        # the words of the heading, in another spelling
        ("what color is the fence", "Pearl Grey"),
        ("which colour do we want for the shed", "Moss Green"),
        ("who is the treasurer", "Noel Adair"),
        ("what happened on 11 June", "tap leaks"),
        # two things in one line
        ("when is the rent due and how much is it", "95 pounds is due on 1 March"),
    ],
)
def test_the_line_that_says_it_is_shown(folder: Path, request_: str, answer: str) -> None:
    """Alone, and not the whole of a text of several lines."""
    (line,) = _told(folder, request_)
    assert answer in line


@each_row(
    ("request_", "tasks"),
    [
        ("what does enno have to do", {"TODO enno: Wasseruhr ablesen"}),
        ("was muss olga noch machen?", {"- [ ] Olga: Farbe kaufen"}),
        ("welche aufgaben sind erledigt", {"- [x] Bernd: Schlüssel nachmachen"}),
        (
            "list all todos in the protokolle",
            {"- [ ] Olga: Farbe kaufen", "TODO enno: Wasseruhr ablesen"},
        ),
        (
            "welche aufgaben vom märz sind noch offen",
            {"- [ ] Olga: Farbe kaufen", "TODO enno: Wasseruhr ablesen"},
        ),
    ],
)
def test_tasks_are_those_of_whom_and_where(folder: Path, request_: str, tasks: set[str]) -> None:
    """They are marked by TODO or by a box."""
    found = set()
    for tool, args in _steps(folder, request_):
        assert tool == "file_search"
        text = (folder / args["paths"][0]).read_text("utf-8")
        found |= {line for line in text.splitlines() if args["query"] in line}
    assert found == tasks


@each_row(
    "request_",
    [
        "wie hoch ist der strompreis",
        "how high is the fence tax",
        "what does the greenhouse cost",  # the line has no price of it
        "when did rufus bite the postman",
        "phone number of the plumber",
        "wie heißt der bürgermeister von lübeck",
        "what is the wifi password",
        "what does bertha have to do",
        "list all todos in the archive",
        "wann hat enno geburtstag",
        "how many people may use the pool",
        # what is to be done is not looked up
        "call the warden",
        "sell the mower",
        "pay the rent",
        "rufus: dig up the leeks",
        "order water butts",
        "kaufe farbe",
        "send the rent to the treasurer",
        "when is the rent due and remind me of it",
        "book the shed for the marrow prize",
        "email the warden",
        "add farbe kaufen to the todos",
    ],
)
def test_what_no_line_says_is_not_shown(folder: Path, request_: str) -> None:
    """Nor is a request looked up that acts."""
    assert _steps(folder, request_) == []


@each_row(
    "request_",
    [
        "summarize the minutes of March",
        "give me the gist of the Sitzung",
        "fasse die Sitzung im März zusammen",
        "in which files does the deposit not occur",
        "in welchem Text kommt Olga nicht vor",
    ],
)
def test_a_text_in_fewer_words_or_without_a_word_is_none_of_a_line(
    folder: Path, request_: str
) -> None:
    """Lines with the words were shown."""
    assert _steps(folder, request_) == []


def test_a_title_is_no_answer(folder: Path) -> None:
    """The whole text is shown: its first line only says what it is about."""
    text = "Team meeting, 12 May\nPresent: Ada, Rufus\n\n1. The gate stays.\n2. Water butts.\n"
    (folder / "team.txt").write_text(
        text + "4. The fence is mended in June by Mr Baines and Ada.\n" * 3
    )
    asked = "who was present at the meeting on 12 may?"
    assert _steps(folder, asked) == [("file_read", {"path": "team.txt"})]


def test_several_lines_of_a_short_text_answer_together(folder: Path) -> None:
    """Prices are added by who reads them."""
    asked = "how much is a large plot with a shared shed"
    assert _steps(folder, asked) == [("file_read", {"path": "fees.txt"})]


@each_row(
    ("request_", "cells", "is_told"),
    [
        ("ab wann ist die frühgruppe besetzt", ["2026-01-01"], True),
        ("when did rufus dig up the leeks", ["Rufus", "2020-01-02", "eats leeks"], True),
        ("when did rufus dig up the leeks", ["Rufus", "leeks dug up"], False),
        ("how high is the deposit", ["deposit"], False),
        ("when did rufus pay", ["Rufus", "paid"], False),
        ("sell the mower", [], False),
    ],
)
def test_a_table_keeps_what_it_has_the_words_of(
    folder: Path, request_: str, cells: list[str], is_told: object
) -> None:
    """A line takes a question from it where it has clearly more of them."""
    view = FolderView(Workspace(folder))
    assert told_by_text(request_, view, cells) == is_told


@each_row(
    "request_",
    [
        "what is different between list_a and list_b",
        "compare list a and list b",
        "difference between list_a and list_b",
        "was ist der Unterschied zwischen list_a und list_b?",
        "worin unterscheiden sich list_a und list_b",
        "what has changed between list_a.txt and list_b.txt",
    ],
)
def test_two_files_are_compared_by_their_words(folder: Path, request_: str) -> None:
    """Without their endings, in the order in which they are called."""
    (step,) = steps_of(folder, request_)
    assert step["tool"] == "python_repl"
    assert re.findall(r"list_[ab]\.txt", step["args"]["input"])[:2] == ["list_a.txt", "list_b.txt"]


@pytest.mark.parametrize("request_", ["compare list_a and list_c", "compare the plots and ada"])
def test_what_is_no_pair_of_files_is_not_compared(folder: Path, request_: str) -> None:
    """One of them alone is not meant."""
    assert list(steps_of(folder, request_)) == []
