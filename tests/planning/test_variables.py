"""Tables of the notebook in a plan: examples about files become code about variables."""

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
    """Return what the model is asked."""
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
        ("What is the mean of rain_mm in rain?", "d = rain; print(d['rain_mm'].mean())"),
        ("What is the mean of rain_mm?", "d = rain; print(d['rain_mm'].mean())"),
        ("How many rows has rain?", "d = rain; print(len(d))"),
        ("How many rows are in sales.csv?", "d = pd.read_csv('sales.csv'); print(len(d))"),
    ],
)
def test_code_works_on_the_variable(workspace: Workspace, request_text: str, code: str) -> None:
    """A table that is named, or meant by its columns, takes the place of a file."""
    asked = brief(request_text, workspace, rain=RAIN)
    assert code in json.dumps(asked.schema)
    assert "rain.csv" not in json.dumps(asked.schema) + str(asked.messages)


def test_the_model_is_told_names_columns_and_dtypes(workspace: Workspace) -> None:
    """The last turn says what is there, also what is no table."""
    asked = brief("What is the mean of rain_mm in rain?", workspace, "mean", rain=RAIN, n=[1, 2])
    told = asked.messages[-1].content
    assert "rain is a DataFrame, 2 rows, 2 columns, columns station (str), rain_mm (fl" in told
    assert "n is a list, 2 items" in told
    assert "mean = d['rain_mm'].mean(); print(mean)" in json.dumps(asked.schema)


def test_a_request_about_other_things_is_planned_as_ever(workspace: Workspace) -> None:
    """A table in the notebook does not turn every request into one about it."""
    offered = {r.tool for r in brief("List all files", workspace, rain=RAIN).ranked if r.offered}
    assert offered == {r.tool for r in brief("List all files", workspace).ranked if r.offered}
