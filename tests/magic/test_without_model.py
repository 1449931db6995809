"""A cell without a model: every alternative works through the magic."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.errors import ModelUnavailableError

MISSING = "--yes --quiet --model /nowhere/there-is-none.gguf"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--set PLANNER_FALLBACK=keyword", "sales.csv"),
        ("--set PLANNER_FALLBACK=direct", "no language model"),
        ("--set TESTING_PASSTHROUGH=true", "sales.csv"),
    ],
)
def test_a_cell_runs_without_a_model(shell: Any, options: str, said: str) -> None:
    """The plan is made from keywords and run, or the answer says that there is no model."""
    shell.run_cell_magic("okso", f"done << {MISSING} {options}", "list files")

    assert said in shell.user_ns["done"].answer
    assert len(shell.user_ns["done"].ranking) > 0


def test_a_cell_without_a_model_is_an_error(shell: Any) -> None:
    """By default the cell is an error whose hint names the alternatives."""
    with pytest.raises(ModelUnavailableError) as caught:
        shell.run_cell_magic("okso", MISSING, "list files")

    assert "PLANNER_FALLBACK=keyword" in caught.value.hint
