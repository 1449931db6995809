"""Questions for a setting, for open tasks and for facts of a text, none of which names a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled, steps_of

_FILES = {
    "boat/engine.json": (
        '{"fuel": "diesel", "maxKnots": 9, "crew": ["Ana", "Leo"], '
        '"pump": {"rpm": 3, "pause_s": 9}}'
    ),
    "boat/radio.toml": '[radio]\nchannel = 16\nowner = "Ana"\nspares = 4\n',
    "boat/sails.yaml": "mainsail:\n  reefs: 2\njib:\n  colour: red\n",
    "broken.json": '{"fuel": ',
    "voyage.md": "# Voyage\n\nThe cook is called Leo.\nPhone of the marina: +34 5550 1\n\n"
    "## To mend\n\n- [ ] rope\n- [x] hatch\n\n## Done\n",
    "port.log": "10:00 ERROR pump\n10:01 INFO ok\n10:02 ERROR fuel\n",
    "old/one.jpg": "1",
    "old/two.jpg": "2",
    "old/three.txt": "3",
    "hail.py": "import sys\nprint(sys.argv[1:])\n",
    "later.py": "from __future__ import annotations\nprint(1)\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def _step(folder: Path, request: str) -> dict[str, Any] | None:
    steps = Environment().text_question(request, Workspace(folder))
    return dict(steps[0]) if steps else None


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("What fuel does the engine use?", "diesel"),
        ("What is the channel of the radio?", "16"),
        ("What's the max knots?", "9"),
        ("Which crew do we have?", "Ana\nLeo"),
        ("How many crew does the boat have?", "2"),
        ("What is the rpm of the pump?", "3"),
        ("What is the pump pause?", "9"),
        ("How long is the pause of the pump?", "9"),
        ("How many spares does the radio have?", "4"),
        ("Which crew is in the engine?", "Ana\nLeo"),
    ],
)
def test_a_setting_is_printed(
    request_: str,
    answer: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The one key that is called so, in the file that has the other words too."""
    step = _step(folder, request_)
    assert step is not None
    monkeypatch.chdir(folder)
    exec(step["args"]["input"], {})  # noqa: S102  the code that is planned
    assert capsys.readouterr().out.strip() == answer


def test_a_setting_in_yaml_is_the_line_of_its_key(folder: Path) -> None:
    """Its value is not parsed: the line tells it."""
    step = _step(folder, "How many reefs does the mainsail have?")
    assert step is not None
    assert step["args"] == {"query": "reefs:", "paths": ["boat/sails.yaml"]}
    assert _step(folder, "How many colours does the jib have?") is None
    step = _step(folder, "What colour is the jib?")
    assert step is not None
    assert step["args"] == {"query": "colour:", "paths": ["boat/sails.yaml"]}


@pytest.mark.parametrize(
    "request_",
    [
        "What fuel does the train use?",  # no file has a train
        "What is the owner of the pump?",  # not in that file
        "How many channels does the radio have?",  # one number, and no list
        "What is the weather?",
    ],
)
def test_other_questions_ask_for_no_setting(request_: str, folder: Path) -> None:
    """A word that is in no such file makes it another question."""
    assert _step(folder, request_) is None


def test_a_file_that_is_nested_deeply_is_no_settings(folder: Path) -> None:
    """It is passed over, however deep it is."""
    for depth in (400, 900, 5000):
        (folder / f"deep{depth}.json").write_text('{"a":' * depth + "1" + "}" * depth, "utf-8")
    step = _step(folder, "What fuel does the engine use?")
    assert step is not None
    assert "boat/engine.json" in step["args"]["input"]


def test_what_is_left_to_do_is_the_list_beneath_its_heading(folder: Path) -> None:
    """The heading has the verb: "To mend"."""
    for request in (
        "What do I still have to mend?",
        "What do we still need to mend",
        "what is left to mend",
    ):
        step = _step(folder, request)
        assert step is not None
        assert step["args"] == {"query": "- [ ]", "paths": ["voyage.md"]}
    assert _step(folder, "What do I have to sell?") is None


def test_a_line_says_number_and_name_in_other_words(folder: Path) -> None:
    """The phone of the marina is its phone number."""
    for request in ("What is the phone number of the marina?", "What's the cook called?"):
        step = _step(folder, request)
        assert step is not None
        assert step["args"] == {"path": "voyage.md"}


def test_lines_go_into_a_file_that_is_named_at_once(folder: Path) -> None:
    """They are saved there."""
    steps = steps_of(folder, "Extract all the error lines of port.log into faults.txt")
    assert [step["tool"] for step in steps] == ["terminal", "file_write"]
    assert steps[1]["args"]["path"] == "faults.txt"


def test_entries_are_called_as_their_list(folder: Path) -> None:
    """The question for them is about the only list of that name."""
    (folder / "knots.txt").write_text("bowline\nreef\nbowline\n", "utf-8")
    for request in ("Which knot is listed twice?", "How many different knots do I have?"):
        (step,) = steps_of(folder, request)
        assert "knots.txt" in step["args"]["input"]
    assert steps_of(folder, "Which rope is listed twice?") == []


def test_files_of_a_kind_are_moved_from_a_folder(folder: Path) -> None:
    """Those of another kind stay there."""
    steps = steps_of(folder, "Move all jpg files from old to pictures")
    assert [step["args"]["args"] for step in steps] == [
        ["pictures"],
        ["old/one.jpg", "old/two.jpg", "pictures"],
    ]


def test_a_program_is_given_arguments(folder: Path) -> None:
    """They stand in the code that is shown."""
    (step,) = steps_of(folder, "Run hail.py with the arguments Ana 12")
    assert step["args"]["input"].startswith("import sys\n\nsys.argv = ['hail.py', 'Ana', '12']\n")
    assert steps_of(folder, "Run later.py with the argument 3") == []


def test_a_text_is_made_of_a_heading_and_entries(folder: Path) -> None:
    """In Markdown the heading is marked; tasks are boxes to tick."""
    (step,) = steps_of(folder, "Create ideas.md with the heading Trips and the items fjord, reef")
    assert step["args"]["content"] == "# Trips\n\n- fjord\n- reef\n"
    (step,) = steps_of(
        folder, "Make a new file jobs.md with a title Jobs and the tasks sand, paint"
    )
    assert step["args"]["content"] == "# Jobs\n\n- [ ] sand\n- [ ] paint\n"


def test_a_version_is_bumped(folder: Path) -> None:
    """As a value is set."""
    (step,) = steps_of(folder, "Bump the channel in boat/radio.toml to 12")
    assert step["args"]["new_text"] == "channel = 12"


def test_a_value_is_set_of_a_key_with_a_unit(folder: Path) -> None:
    """The pause is the key pause_s, where no key is called pause."""
    (step,) = steps_of(folder, "Set pause to 4 in engine.json")
    assert (step["args"]["old_text"], step["args"]["new_text"]) == ('"pause_s": 9', '"pause_s": 4')
    (folder / "both.toml").write_text("pause = 1\npause_s = 2\n", "utf-8")
    (exact,) = steps_of(folder, "Set pause to 4 in both.toml")
    assert exact["args"]["new_text"] == "pause = 4"


def test_how_much_is_told_by_a_text_with_both_words(folder: Path) -> None:
    """In one line of it."""
    (folder / "costs.md").write_text("Mooring costs 12 EUR.\n", "utf-8")
    step = _step(folder, "How much does mooring cost?")
    assert step is not None
    assert step["args"] == {"path": "costs.md"}
    assert _step(folder, "How much does diesel cost?") is None
