"""The modes through the magic, with the bundled model and real files."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.errors import UsageError
from tests.bench import bodies

REQUEST = "How many lines has notes.txt?"


@pytest.mark.model
@pytest.mark.parametrize("mode", ["react", "call"])
def test_the_bundled_model_makes_the_calls(shell: Any, mode: str) -> None:
    """The model proposes or writes exactly the approved call, and the answer is right."""
    shell.run_cell_magic("okso", f"done << --yes --quiet --seed 1 --mode {mode}", REQUEST)
    run = shell.user_ns["done"]
    assert run.answer.split()[0] == "3"
    asked = [body for body in bodies(run, "completion") if body["role"] == "executor"]
    assert len(asked) == 1
    assert len(run.decisions) == 1


@pytest.mark.model
def test_without_planning_the_model_makes_one_call(shell: Any) -> None:
    """After `%okso plan off` the model is called once; the call is approved and run."""
    assert "off" in shell.run_line_magic("okso", "plan off")
    shell.run_cell_magic("okso", "done << --yes --quiet", REQUEST)
    run = shell.user_ns["done"]
    assert run.answer.split()[0] == "3"
    assert (len(run.candidates), len(run.decisions)) == (1, 1)
    assert len(list(bodies(run, "completion"))) == 1


def test_planning_is_turned_on_and_off(shell: Any) -> None:
    """The switch holds for later cells, and `%okso settings` shows it."""
    for word, value in (("off", False), ("on", True)):
        shell.run_line_magic("okso", f"plan {word}")
        assert shell.run_line_magic("okso", "settings").loc["PLAN_ENABLED", "value"] is value
        assert f"planning is {word} " in shell.run_line_magic("okso", "plan status")


@pytest.mark.parametrize(
    ("word", "way_out"), [("statu", "did you mean status?"), ("nope", "%okso runs lists the runs")]
)
def test_an_unknown_argument_of_plan_is_refused(shell: Any, word: str, way_out: str) -> None:
    """The error names the allowed words, and the argument is not taken for a run."""
    with pytest.raises(UsageError, match="neither on, off, status nor the id of a run") as told:
        shell.run_line_magic("okso", f"plan {word}")
    assert told.value.hint == way_out


def test_an_unknown_mode_is_refused(shell: Any) -> None:
    """The message names the known modes."""
    with pytest.raises(UsageError, match=r"plan.*react.*call"):
        shell.run_cell_magic("okso", "--yes --mode fast", REQUEST)
