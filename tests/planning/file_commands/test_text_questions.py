"""Questions that name no file: which of the folder's texts they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.file_commands.read_steps import filled

_FILES = {
    "committee.md": "# Committee\n\nPresent: Rhea, Ivo\n\n- [ ] Ivo: order seeds\n",
    "letters/aunt.txt": "Dear Milo,\n\nthe train leaves on 4 July.\n\nYours, Rhea\n",
    "garden_plan.md": "Beans in May.\n",
    "long.txt": "Zoe waters.\n" * 400,
    "club.toml": 'treasurer = "Rhea"\ncolours = ["red"]\n',
    "pump.yaml": "pump: broken\n",
    "seeds.txt": "beans\n",
    "staff.csv": "name,team\nMilo,Garden\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    filled(tmp_path, _FILES)
    return tmp_path


def _step(folder: Path, request: str) -> tuple[str, Any] | None:
    steps = Environment().text_question(request, Workspace(folder))
    return (steps[0]["tool"], steps[0]["args"]) if steps else None


@each_row(
    ("request_", "path"),
    [
        ("What was decided in the committee?", "committee.md"),
        ("Who was at the last committee?", "committee.md"),
        ("what does the garden plan say about beans?", "garden_plan.md"),
        ("What does Ivo have to do?", "committee.md"),
        ("When does Milo's train leave?", "letters/aunt.txt"),
        ("when does the train leave?", "letters/aunt.txt"),
        ("What time is the train on 4 July?", "letters/aunt.txt"),
        ("Who orders the seeds?", "committee.md"),
        ("When do we leave?", "letters/aunt.txt"),
        ("Who is the treasurer?", "club.toml"),
        ("Is the pump broken?", "pump.yaml"),
        ("What did we decide about the train?", "letters/aunt.txt"),
        ("What leaves in July?", "letters/aunt.txt"),
    ],
)
def test_a_short_text_is_shown(folder: Path, request_: str, path: str) -> None:
    """The one that is called so, or the only one that mentions who is named."""
    assert _step(folder, request_) == ("file_read", {"path": path})


def test_several_or_long_texts_are_searched(folder: Path) -> None:
    """For the lines with the name."""
    found = _step(folder, "What did Rhea write?")
    assert found is not None
    tool, args = found
    assert (tool, args["query"]) == ("file_search", "Rhea")
    assert sorted(args["paths"]) == ["committee.md", "letters/aunt.txt"]
    found = _step(folder, "What is known of Zoe?")
    assert found is not None
    assert found[1]["paths"] == ["long.txt"]


@pytest.mark.parametrize(
    "request_",
    [
        "What is the capital of Peru?",  # in no text
        "Write to Milo",
        "What is in committee.md?",  # named: read as ever
        "How many letters are there?",
        "What can you tell me of Rhea?",
        "Which day is it in May?",
        "What is love?",
        "Which train leaves in August?",
        "When does the ferry leave?",  # in no text
        "Is the engine broken?",
        "What is the train?",  # of no time, place or person
    ],
)
def test_other_requests_are_about_no_text(folder: Path, request_: str) -> None:
    """What no text is called for or mentions, and what is no question."""
    assert _step(folder, request_) is None


def test_how_long_is_told_by_the_text_of_that_name(tmp_path: Path) -> None:
    """Its lines are not counted."""
    filled(tmp_path, {"bean_soup.md": "Takes an hour.\n"})
    step = _step(tmp_path, "How long does the bean soup take?")
    assert step == ("file_read", {"path": "bean_soup.md"})


def test_what_i_need_is_asked_of_a_text_that_is_named(tmp_path: Path) -> None:
    """Other questions about the person are not about a text that has their words."""
    filled(tmp_path, {"bean_soup.md": "What I need: beans.\n"})
    step = _step(tmp_path, "What do I need for the bean soup?")
    assert step == ("file_read", {"path": "bean_soup.md"})
    assert _step(tmp_path, "What beans do I need?") is None
