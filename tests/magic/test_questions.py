"""A question mark at the end of a line: `%okso` lines are calls, others ask IPython."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import UsageError
from okso_jupyter.magic.subcommands import is_request
from tests.each_row import each_row

OURS = {
    "%okso what is in notes.txt?": "what is in notes.txt?",
    "  %okso what is in notes.txt?": "what is in notes.txt?",
    "x = 1\n%okso what's in notes.txt?\ny = 2": "what's in notes.txt?",
    "if True:\n    %okso why-not 2?": "why-not 2?",
    "%okso is it \"this\" or 'that'?  ": "is it \"this\" or 'that'?",
    "%okso report??": "report??",
}
OTHERS = [
    "%okso?",
    "%%okso?",
    "%okso??",
    "%oksometer what?",
    "%time?",
    "print?",
    "%time what?",
    "%okso tools",
    "x = '''\n%okso what?\n'''",
    "# %okso what?",
    "!ls what?",
]


@pytest.mark.parametrize("cell", OURS)
def test_an_okso_line_with_a_question_mark_is_a_call(shell: Any, cell: str) -> None:
    """The text reaches the magic unchanged, wherever the line is in the cell."""
    made = shell.transform_cell(cell)
    assert f"get_ipython().run_line_magic('okso', {OURS[cell]!r})" in made
    assert "pinfo" not in made


@pytest.mark.parametrize("cell", OTHERS)
def test_other_lines_with_a_question_mark_are_unchanged(shell: Any, cell: str) -> None:
    """IPython transforms other lines the same way with and without the extension."""
    loaded = shell.transform_cell(cell)
    shell.run_line_magic("unload_ext", "okso_jupyter")
    assert shell.transform_cell(cell) == loaded


def test_without_the_extension_the_line_is_help_of_ipython(shell: Any) -> None:
    """After unloading, a question mark shows IPython's help again."""
    shell.run_line_magic("unload_ext", "okso_jupyter")
    assert "pinfo" in shell.transform_cell("%okso what is in notes.txt?")


def test_a_request_that_ends_in_a_question_mark_is_a_request(shell: Any) -> None:
    """In a `%%okso` cell the last line may end in a question mark, also with options."""
    for cell in ("%%okso\nwhat is in notes.txt?", "%%okso --yes --seed 1\n\nWhich?\n\nwhat?\n"):
        made = shell.transform_cell(cell)
        assert made.startswith("get_ipython().run_cell_magic('okso', ")
        assert "pinfo" not in made


def test_a_question_on_the_line_is_a_request(shell: Any) -> None:
    """A line that is not a subcommand is planned and answered as a cell is."""
    shell.run_line_magic("config", "OksoMagics.approve = 'auto'")
    shell.run_line_magic("config", "OksoMagics.settings = {'TESTING_PASSTHROUGH': True}")
    done = shell.run_cell("%okso what's in notes.txt?")
    assert done.error_in_exec is None
    assert (done.result.request, done.result.state) == ("what's in notes.txt?", "completed")
    assert shell.user_ns["_okso"] is done.result


def test_a_single_word_is_meant_to_be_a_subcommand(shell: Any) -> None:
    """A misspelt subcommand or argument is refused and does not reach a model."""
    lines = ("reprot", "reprot?", "tools terminl?", "resme 20261123T041014Z-1 2=again", "undoo 7")
    for line in lines:
        with pytest.raises(UsageError):
            shell.run_line_magic("okso", line)


@each_row(
    ("line", "is_one"),
    [
        ("how many rows has sales.csv?", True),  # nearly "show"
        ("how many?", True),
        ("run the report", True),
        ("tool or weapon", True),
        ("show me the files", False),
        ("export the bills to b.csv", True),
        ("export 20261123T041014Z-1", False),
        ("export --format jsonl", False),
        ("export", False),
        ("undoo 7", False),
        ("hello", False),
        ("--yes how many rows", False),
        ("", False),
    ],
)
def test_a_request_is_told_from_a_subcommand(line: str, *, is_one: bool) -> None:
    """A word that only resembles a subcommand begins a request where plain words follow."""
    assert is_request(line) == is_one


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show me the files", "a request that begins with 'show' stands below %%okso"),
        ("report on sales.csv", "a request that begins with 'report' stands below %%okso"),
        ("use the file notes.txt", "a request that begins with 'use' stands below %%okso"),
        ("--yes how many rows", "options stand on the line of %%okso, the request below it"),
        ("hallo", "a request of one word stands below %%okso"),
    ],
)
def test_a_mistaken_request_says_where_it_stands(shell: Any, line: str, words: str) -> None:
    """The hint says how a sentence that begins like a subcommand is asked."""
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("okso", line)
    assert words in caught.value.hint


@pytest.mark.process
def test_a_typing_mistake_is_said_before_anything_is_loaded() -> None:
    """A subcommand that does not exist is an error without the import of pandas."""
    code = (
        "import sys\n"
        "from okso_jupyter.magic.subcommands import words_of\n"
        "try:\n    words_of('ruuns')\n"
        "except Exception as error:\n    print(error.hint, 'pandas' in sys.modules)"
    )
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "did you mean runs? False\n"
