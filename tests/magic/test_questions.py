"""A question mark at the end of a line: of ours it reaches okso, of others it asks IPython."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.errors import UsageError

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
def test_a_question_of_ours_is_a_call(shell: Any, cell: str) -> None:
    """The words reach the magic as they were written, wherever the line stands."""
    made = shell.transform_cell(cell)
    assert f"get_ipython().run_line_magic('okso', {OURS[cell]!r})" in made
    assert "pinfo" not in made


@pytest.mark.parametrize("cell", OTHERS)
def test_what_is_not_ours_stays_what_it_was(shell: Any, cell: str) -> None:
    """With the extension and without it IPython makes the same of such a line."""
    loaded = shell.transform_cell(cell)
    shell.run_line_magic("unload_ext", "okso_jupyter")
    assert shell.transform_cell(cell) == loaded


def test_without_the_extension_the_line_is_ipythons(shell: Any) -> None:
    """What is unloaded listens no more."""
    shell.run_line_magic("unload_ext", "okso_jupyter")
    assert "pinfo" in shell.transform_cell("%okso what is in notes.txt?")


def test_a_request_that_ends_in_a_question_mark_is_a_request(shell: Any) -> None:
    """In a cell, whatever its last line; with options, too."""
    for cell in ("%%okso\nwhat is in notes.txt?", "%%okso --yes --seed 1\n\nWhich?\n\nwhat?\n"):
        made = shell.transform_cell(cell)
        assert made.startswith("get_ipython().run_cell_magic('okso', ")
        assert "pinfo" not in made


def test_a_question_on_the_line_is_a_request(shell: Any) -> None:
    """It is planned and answered as a cell is: what is no subcommand is asked for."""
    shell.run_line_magic("config", "OksoMagics.approve = 'auto'")
    shell.run_line_magic("config", "OksoMagics.settings = {'TESTING_PASSTHROUGH': True}")
    done = shell.run_cell("%okso what's in notes.txt?")
    assert done.error_in_exec is None
    assert (done.result.request, done.result.state) == ("what's in notes.txt?", "completed")
    assert shell.user_ns["_okso"] is done.result


def test_a_single_word_is_meant_to_be_a_subcommand(shell: Any) -> None:
    """As is one behind a known word: a slip of the finger asks no model."""
    lines = ("reprot", "reprot?", "tools terminl?", "resme 20261123T041014Z-1 2=again", "undoo 7")
    for line in lines:
        with pytest.raises(UsageError):
            shell.run_line_magic("okso", line)
