"""Requests to run, measure and convert files, and to find what a list holds twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import args_of, filled, steps_of

_PROGRAM = "total = sum([1, 2, 3])\nprint(total)\n"
_FILES = {
    "sum.py": _PROGRAM,
    "guests.txt": "Ana Lima\nBo\n\nAna Lima \nCy\n",
    "diary.txt": "today we went to the sea\ntoday we went to the sea\n",
    "plan.md": "# Plan\n\n- [ ] buy oak\n- [x] measure the wall\n- [ ] paint\n",
    "parts.csv": 'code,name,price,stock\n007,"bolt, long",1.5,10\n008,nut,0.25,\n',
    "parts.tsv": "a\tb\n1\t2\n",
    "flat.json": '[{"a": 1, "b": "x"}, {"a": null, "b": "y|z"}]',
    "deep.json": '{"a": {"b": 1}}',
    "ragged.csv": "a,b\n1\n",
    "old/keep.txt": "x\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    "request_",
    [
        "Run sum.py",
        "please run the script sum.py",
        "execute sum.py",
        "python sum.py",
        "Run sum.py with python",
        "Führe sum.py aus",
    ],
)
def test_a_program_is_run_as_it_is_shown(request_: str, folder: Path) -> None:
    """Its text is the code of the step."""
    assert args_of(folder, request_) == {"input": _PROGRAM}


@pytest.mark.parametrize(
    ("request_", "printed"),
    [
        ("Which names appear twice in guests.txt?", "Ana Lima: 2 times\n"),
        ("find duplicate lines in guests.txt", "Ana Lima: 2 times\n"),
        ("Are there any duplicates in guests.txt?", "Ana Lima: 2 times\n"),
        ("Does guests.txt have duplicate entries?", "Ana Lima: 2 times\n"),
        ("Welche Namen kommen doppelt in guests.txt vor?", "Ana Lima: 2 times\n"),
        ("How many different names are in guests.txt?", "3 different lines of 4\n"),
        ("count the unique lines in guests.txt", "3 different lines of 4\n"),
        ("List the distinct names in guests.txt", "Ana Lima\nBo\nCy\n"),
    ],
)
def test_a_list_is_compared_with_itself(
    request_: str, printed: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Line by line; empty lines and blanks at the ends do not count."""
    monkeypatch.chdir(folder)
    exec(args_of(folder, request_)["input"], {})  # noqa: S102  the code of the step
    assert capsys.readouterr().out == printed


@each_row(
    ("request_", "words"),
    [
        ("How big is this folder?", "du -s -h ."),
        ("how large is the old folder?", "du -s -h old"),
        ("How much space does old take up?", "du -s -h old"),
        ("What is the size of sum.py?", "ls -l sum.py"),
        ("Wie groß ist sum.py?", "ls -l sum.py"),
        ("How many words has guests.txt?", "wc -w guests.txt"),
        ("how many characters are there in guests.txt?", "wc -m guests.txt"),
        ("Count the words in diary.txt", "wc -w diary.txt"),
        ("word count of diary.txt", "wc -w diary.txt"),
    ],
)
def test_a_size_is_shown(request_: str, words: str, folder: Path) -> None:
    """Of a file, or of all that is in a folder; and how long a text is."""
    args = args_of(folder, request_)
    assert " ".join([args["command"], *args["args"]]) == words


@pytest.mark.parametrize(
    ("request_", "box"),
    [
        ("What is on my to-do list in plan.md?", "- [ ]"),
        ("list the open tasks in plan.md", "- [ ]"),
        ("Which tasks in plan.md are still open?", "- [ ]"),
        ("What is left to do in plan.md?", "- [ ]"),
        ("Which tasks are done in plan.md?", "- [x]"),
        ("show the finished tasks of plan.md", "- [x]"),
    ],
)
def test_tasks_are_found_by_their_boxes(request_: str, box: str, folder: Path) -> None:
    """In a list of Markdown."""
    assert args_of(folder, request_) == {"query": box, "paths": ["plan.md"]}


def test_a_table_becomes_json(folder: Path) -> None:
    """A column of numbers holds numbers; a code with zeros in front stays a text."""
    found = args_of(folder, "Convert parts.csv to JSON")
    assert (found["path"], found["mode"]) == ("parts.json", "create")
    assert json.loads(found["content"]) == [
        {"code": "007", "name": "bolt, long", "price": 1.5, "stock": 10},
        {"code": "008", "name": "nut", "price": 0.25, "stock": None},
    ]


@pytest.mark.parametrize(
    ("request_", "path", "content"),
    [
        (
            "convert flat.json to a markdown file",
            "flat.md",
            "| a | b |\n| --- | --- |\n| 1 | x |\n|  | y\\|z |\n",
        ),
        ("Konvertiere flat.json in CSV", "flat.csv", "a,b\n1,x\n,y|z\n"),
        ("convert parts.tsv to old/new.csv", "old/new.csv", "a,b\n1,2\n"),
        ("export flat.json as TSV", "flat.tsv", "a\tb\n1\tx\n\ty|z\n"),
    ],
)
def test_a_table_is_written_in_another_format(
    request_: str, path: str, content: str, folder: Path
) -> None:
    """Into a file of the same name, or the one that is named."""
    assert args_of(folder, request_) == {"path": path, "content": content, "mode": "create"}


@each_row(
    "request_",
    [
        "Run guests.txt",
        "How big is it?",
        "Run sum.py with 3",
        "run missing.py",
        "How big is the universe?",
        "which lines are repeated in diary.txt?",  # sentences are no list
        "How many unique words are in guests.txt?",
        "Which names appear twice in parts.csv?",
        "what is on my to-do list in guests.txt?",
        "Convert deep.json to CSV",
        "convert ragged.csv to JSON",
        "convert parts.csv to Excel",
        "convert parts.csv to parts.tsv",  # it is there
    ],
)
def test_what_is_not_understood_is_left_to_the_model(request_: str, folder: Path) -> None:
    """Other kinds of files, and what cannot be done without loss."""
    assert not steps_of(folder, request_)
