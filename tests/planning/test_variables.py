"""Tables of the notebook in plans: examples about files become code about variables."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from okso_jupyter.planning.prompt.builder import PlannerPrompt, make_prompts
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.notebook_variables import pack
from okso_jupyter.workspace import Workspace

RAIN = pd.DataFrame({"station": ["a", "b"], "rain_mm": [1.0, 5.5]})


def brief(request: str, workspace: Workspace, *outputs: str, **inputs: object) -> PlannerPrompt:
    """Return the prompt that the model gets."""
    with Session({}) as session:
        return next(
            make_prompts(
                request,
                tools=session.tools,
                workspace=workspace,
                budget=4,
                data=pack(inputs, outputs).data,
            )
        )


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        ("Running total of rain_mm in rain", "d = rain; print(d['rain_mm'].cumsum())"),
        ("Running total of rain_mm", "d = rain; print(d['rain_mm'].cumsum())"),
        ("Transpose the table rain", "d = rain; print(d.T)"),
        ("Transpose the table in sales.csv", "d = pd.read_csv('sales.csv'); print(d.T)"),
    ],
)
def test_code_uses_the_variable(workspace: Workspace, request_text: str, code: str) -> None:
    """A table that is named, or implied by its columns, replaces a file in the code."""
    asked = brief(request_text, workspace, rain=RAIN)
    assert code in json.dumps(asked.schema)
    assert "rain.csv" not in json.dumps(asked.schema) + str(asked.messages)


def test_the_prompt_has_names_columns_and_dtypes(workspace: Workspace) -> None:
    """The last message describes all inputs, including those that are not tables."""
    request = "What is the running total of rain_mm in rain?"
    asked = brief(request, workspace, "total", rain=RAIN, n=[1, 2])
    told = asked.messages[-1].content
    text = RAIN["station"].dtype  # which pandas 3 calls str
    columns = f"columns station ({text}), rain_mm (fl"
    assert f"rain is a DataFrame, 2 rows, 2 columns, {columns}" in told
    assert "n is a list, 2 items" in told
    assert "total = d['rain_mm'].cumsum(); print(total)" in json.dumps(asked.schema)


def test_an_unrelated_request_is_planned_as_without_tables(workspace: Workspace) -> None:
    """A table in the notebook does not change the tools offered for an unrelated request."""
    offered = {r.tool for r in brief("List all files", workspace, rain=RAIN).ranked if r.offered}
    assert offered == {r.tool for r in brief("List all files", workspace).ranked if r.offered}
