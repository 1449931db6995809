"""Requests about files: the steps that they are read as, and what is not read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_FILES = {
    "config.json": '{"port": 8080, "debug": true}',
    "server.log": "started",
    "notes/ideas.txt": "Build a bird house.",
    "notes/meeting.md": "# Meeting",
    "src/util.py": "def clamp(): ...",
    "my report.txt": "A report.",
    "notes/same.txt": "one",
    "src/same.txt": "two",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name, content in _FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, "utf-8")
    (tmp_path / "backup").mkdir()
    return tmp_path


def _steps(folder: Path, request: str) -> list[Any]:
    """Return each step as its words: those of a terminal command, or the arguments."""
    steps = Environment().file_commands(request, Workspace(folder))
    return [_words(step["tool"], step["args"]) for step in steps]


def _words(tool: str, args: dict[str, Any]) -> str | list[Any]:
    if tool == "terminal":
        return " ".join([args["command"], *args["args"]])
    return [tool, *args.values()]


def _edit(path: str, old: str, new: str) -> list[Any]:
    return ["file_edit", path, old, new, True]


def _write(path: str, content: str, mode: str) -> list[Any]:
    return ["file_write", path, content, mode]


@each_row(
    ("request_", "steps"),
    [
        ("Copy config.json to backup/config.json", ["cp config.json backup/config.json"]),
        ("please copy config.json to backup", ["cp config.json backup"]),
        ("Copy config.json as old.json.", ["cp config.json old.json"]),
        ("Copy server.log and config.json into backup", ["cp server.log config.json backup"]),
        ("Create a backup copy of config.json called config.bak", ["cp config.json config.bak"]),
        ("Could you move server.log into the folder old?", ["mkdir old", "mv server.log old"]),
        (
            "Make a folder called archive and move server.log into it",
            ["mkdir archive", "mv server.log archive"],
        ),
        (
            "Move ideas.txt to backup and delete it",
            ["mv notes/ideas.txt backup", "rm backup/ideas.txt"],
        ),
        ("Rename notes/ideas.txt to plans.txt", ["mv notes/ideas.txt notes/plans.txt"]),
        (
            "Rename server.log to a.log, then copy it to backup",
            ["mv server.log a.log", "cp a.log backup"],
        ),
        ("Copy notes to backup", ["cp -r notes backup"]),
        ("Move notes to backup", ["mv notes backup"]),
        (
            "Replace bird house with 'x.txt' in notes/ideas.txt",
            [_edit("notes/ideas.txt", "bird house", "x.txt")],
        ),
        (
            "Replace 'a.txt' with 'b.txt' in notes/ideas.txt",
            [_edit("notes/ideas.txt", "a.txt", "b.txt")],
        ),
        ("delete src/util.py and server.log", ["rm src/util.py server.log"]),
        (
            "Delete server.log and write 'new' to server.log",
            ["rm server.log", _write("server.log", "new", "create")],
        ),
        ("Create the folders a, b and c", ["mkdir a b c"]),
        ("Create a new folder 2026 in notes", ["mkdir notes/2026"]),
        ("Replace 8080 with 9090 in config.json", [_edit("config.json", "8080", "9090")]),
        (
            "replace all occurrences of 'bird house' by 'dog house' in ideas.txt",
            [_edit("notes/ideas.txt", "bird house", "dog house")],
        ),
        ("In config.json, change 'debug' to 'quiet'", [_edit("config.json", "debug", "quiet")]),
        ("Append 'the end' to notes/ideas.txt", [_write("notes/ideas.txt", "\nthe end", "append")]),
        (
            "Write 'the end' as a last line into notes/ideas.txt",
            [_write("notes/ideas.txt", "\nthe end", "append")],
        ),
        (
            "put 'the end' at the end of notes/ideas.txt",
            [_write("notes/ideas.txt", "\nthe end", "append")],
        ),
        ('Write "a, b" to list.txt', [_write("list.txt", "a, b", "create")]),
        ("Make a file x.txt that says 'hi'", [_write("x.txt", "hi", "create")]),
        ("Is there a file called secrets.txt?", ["find . -name secrets.txt"]),
        ("Does notes/meeting.md exist?", ["find notes -name meeting.md"]),
        ("Delete 'my report.txt'", ["rm my report.txt"]),
        (
            "Copy config.json to 'my backup/x.json'",
            ["mkdir my backup", "cp config.json my backup/x.json"],
        ),
        ("Kopiere config.json nach backup", ["cp config.json backup"]),
        ("Benenne server.log in alt.log um", ["mv server.log alt.log"]),
        ("Ersetze 8080 durch 9090 in config.json", [_edit("config.json", "8080", "9090")]),
        ("Bitte lösche server.log", ["rm server.log"]),
    ],
)
def test_a_command_is_read_as_its_steps(
    folder: Path, request_: str, steps: Sequence[object]
) -> None:
    """Every word of the request is understood, and the names are those of the folder."""
    assert _steps(folder, request_) == steps


@each_row(
    "request_",
    [
        "Copy config.json to server.log",  # it is there
        "Rename server.log to config.json",
        "Move notes/ideas.txt and backup/ideas.txt to src",  # two of one name
        "Copy server.log to old",  # a file or a folder
        "Copy server.log to directory-list",
        "Move notes into notes",
        "Copy notes to notes/copy",
        "Delete same.txt",  # there are two
        "Copy same.txt to backup",
        "Write 'x' to config.json",  # in its place or at the end
        "Append 'x' to new.txt",
        "Create a folder called notes",
        "Delete the notes folder",
        "Delete *.log",
        "Copy config.json",
        "Change the colour to red in config.json",
        "Replace the header with a picture in notes/meeting.md",  # no such text
        "Copy the second line of server.log to backup",
        "Rename the function clamp to cut in src/util.py",
        "Move server.log into it",
        "Delete it",
        "Delete missing.txt",
        "Delete ~/server.log",
        "Copy ../server.log to backup",
        "Delete /etc/hosts",
        "Copy missing.txt to backup",
        "Copy config.json to 'my/new backup/x.json'",  # two folders are missing
        "Write 'x' to nowhere/x.txt",
        "Rename server.log to server.log",
        "Copy config.json to backup and summarize notes/meeting.md",
        "Copy -r to backup",
        "Copy <p0> to backup",
        "Write a haiku about rain to haiku.txt",
        "How many lines has server.log?",
        "",
        "copy " * 100,
    ],
)
def test_what_is_not_wholly_understood_is_left_to_the_model(folder: Path, request_: str) -> None:
    """A word without a meaning, a file that would be replaced, a doubt: no steps."""
    assert _steps(folder, request_) == []


def test_a_text_that_looks_like_a_command_is_data(folder: Path) -> None:
    """What stands in quotation marks is written, not done."""
    request = "Write 'delete server.log and copy config.json to backup' to todo.txt"
    said = "delete server.log and copy config.json to backup"
    assert _steps(folder, request) == [_write("todo.txt", said, "create")]


def test_a_path_outside_the_folder_is_not_taken(folder: Path) -> None:
    """What the workspace refuses counts as taken, so that nothing is written there."""
    assert _steps(folder, "Copy config.json to ../config.json") == []
    assert _steps(folder, "Move config.json to /tmp/config.json") == []
