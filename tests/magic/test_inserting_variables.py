"""`{{name}}` in a cell of a real shell: variables are inserted, others are refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from okso_jupyter.errors import UsageError
from okso_jupyter.planning.outcome import Planning


@pytest.mark.model
def test_variables_are_inserted_into_a_request(shell: Any) -> None:
    """A path and a column are inserted as if typed; a table is passed beside the request."""
    shell.user_ns |= {"path": "sales.csv", "column": "amount", "sales": pd.DataFrame({"a": [1]})}
    cell = "%%okso --plan-only --samples 1 --seed 1\nWhat is the mean of {{column}} in {{ path }}?"
    planning = shell.run_cell(cell).result

    assert isinstance(planning, Planning)
    assert planning.request == "What is the mean of amount in sales.csv?"
    mean = {"source": "sales.csv", "measures": [{"function": "mean", "column": "amount"}]}
    assert planning.plan.steps[0].args == mean
    table = shell.run_cell("%%okso --plan-only --samples 1 --seed 1\nDescribe {{sales}}").result
    assert table.notebook_variables.data.inserted[0].about == "DataFrame, 1 row, 1 column"


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("Count {{rian}}", "there is no variable rian"),
        ("Count {{shell}}", "shell is a "),
        ("Count {{print}}", "there is no variable print"),
        ("Count {{nope}}", "there is no variable nope"),
    ],
)
def test_a_variable_that_cannot_be_inserted_is_refused(
    shell: Any, capsys: pytest.CaptureFixture[str], request_text: str, said: str
) -> None:
    """The error is one sentence; no model is loaded, bound or shown as planning."""
    shell.user_ns |= {"rain": 1, "shell": shell}
    cell = f"%%okso x << --yes --model nowhere.gguf\n{request_text}"
    error = shell.run_cell(cell).error_in_exec

    assert isinstance(error, UsageError)
    assert said in error.message
    assert "did you mean open?" not in error.hint
    assert not {"x", "_okso"} & set(shell.user_ns)
    assert "Planning" not in capsys.readouterr().out


def test_other_braces_are_unchanged(shell: Any) -> None:
    """A cell with many other braces is a normal request."""
    text = 'Put {"a": {1}} and {x} and {{a.b}} and \\{{ no }} into f.txt'
    cell = f"%%okso --plan-only --set PLANNER_FALLBACK=keyword --model nowhere.gguf\n{text}"

    assert shell.run_cell(cell).result.request == text.replace("\\{{", "{{")
