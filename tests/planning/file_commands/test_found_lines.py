"""Lines that are looked for in the texts of the folder, and saved: what the steps are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled, steps_of

_FILES = {
    "plan.md": "# Plan\n- TODO: paint the boat\n- Heating is off\n",
    "box/ideas.txt": "TODO sail north\nthe heating costs 40\nsee todo.txt\n",
    "days.md": "the dates are open\n",
    "rows.csv": "a,b\n1,2\n",
    "garten.txt": "FIXME: Zaun\nHeizung im Gewächshaus\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@each_row(
    ("request_", "searched", "target"),
    [
        (
            "Find all TODO lines and save them to todo.txt",
            ["-h", "-F", "-e", "TODO", "box/ideas.txt", "plan.md"],
            "todo.txt",
        ),
        (
            "Collect every todo line and write them to a new file called open.md",
            ["-h", "-F", "-e", "TODO", "box/ideas.txt", "plan.md"],
            "open.md",
        ),
        (
            "Save all lines that mention heating to warm.txt",
            ["-h", "-F", "-i", "-e", "heating", "box/ideas.txt", "plan.md"],
            "warm.txt",
        ),
        (
            "Find all lines with a TODO and save them to todo.txt",
            ["-h", "-F", "-e", "TODO", "box/ideas.txt", "plan.md"],
            "todo.txt",
        ),
        (
            "Find the lines with heating in plan.md and store them in warm.txt",
            ["-h", "-F", "-i", "-e", "heating", "plan.md"],
            "warm.txt",
        ),
        (
            "Find all TODO lines in box and save them to todo.txt",
            ["-h", "-F", "-e", "TODO", "box/ideas.txt"],
            "todo.txt",
        ),
        (
            "Suche alle FIXME-Zeilen und speichere sie in fehler.txt",
            ["-h", "-F", "-e", "FIXME", "garten.txt"],
            "fehler.txt",
        ),
        (
            "Finde alle Zeilen mit Heizung und schreibe sie in die Datei warm.txt",
            ["-h", "-F", "-i", "-e", "Heizung", "garten.txt"],
            "warm.txt",
        ),
        (
            "Speichere alle Zeilen, in denen Zaun vorkommt, unter zaun.txt",
            ["-h", "-F", "-i", "-e", "Zaun", "garten.txt"],
            "zaun.txt",
        ),
    ],
)
def test_the_found_lines_are_saved_in_the_new_file(
    folder: Path, request_: str, searched: list[str], target: str
) -> None:
    """The files that have the text are searched, and what is found is written, without places."""
    found, saved = steps_of(folder, request_)
    assert found["args"] == {"command": "grep", "args": searched}
    assert saved["args"] == {"path": target, "content": "", "mode": "create"}
    assert saved["depends_on"] == [1]


@each_row(
    "request_",
    [
        "Find all TODO lines and save them to plan.md",  # it is there
        "Find all TODO lines and save them to nowhere/todo.txt",
        "Find all TODO lines and save them to todo.xlsx",
        "Find all lines that mention whales and save them to whales.txt",  # no such text
        "Find all TODO lines and save them to the file",
        "Save all lines with a heating to warm.txt",  # something of a kind
        "Save all lines with dates to days.txt",
        "Add all TODO lines to garten.txt",
    ],
)
def test_what_is_not_certain_is_left_to_the_model(folder: Path, request_: str) -> None:
    """No file is replaced, and nothing is written that is not found."""
    assert steps_of(folder, request_) == []


def test_lines_that_would_be_saved_in_part_are_left(folder: Path) -> None:
    """Of an output of more than 64 KiB only the beginning is kept."""
    (folder / "long.log").write_text("TODO " + "x" * 90 + "\n" + "TODO again and again\n" * 4000)
    assert steps_of(folder, "Find all TODO lines and save them to todo.txt") == []


def test_a_text_that_cannot_be_searched_is_not_left_out(folder: Path) -> None:
    """Else the lines of the others would be taken for all of them."""
    (folder / "old.txt").write_bytes(b"TODO: caf\xe9\n")
    assert steps_of(folder, "Find all TODO lines and save them to todo.txt") == []
