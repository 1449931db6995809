"""A calculation that is written out in a request is run exactly as written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from okso_jupyter import Session
from okso_jupyter.planning.prompt.builder import make_prompts
from okso_jupyter.planning.request.arithmetic import calculation
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

TOOLS = Session().tools


@each_row(
    ("request_text", "wanted"),
    [
        ("What is 37 * 89?", "37 * 89"),
        ("what's 17 plus 25", "17 + 25"),
        ("2+2", "2+2"),
        ("please calculate (3 + 4) * 2", "(3 + 4) * 2"),
        ("How much is 1,250 divided by 5 please", "1250 / 5"),
        ("12 x 12 =", "12 * 12"),
        ("Wie viel ist 3 mal 4?", "3 * 4"),
        ("3.5 - -2", "3.5 - -2"),
    ],
)
def test_a_written_calculation_is_recognized(request_text: str, wanted: str) -> None:
    """Operators are recognized as signs and as words, in English and German."""
    assert calculation(request_text) == wanted


@each_row(
    "request_text",
    [
        "What is the mean of 5 and 6?",
        "How many days are between 2024-01-01 and 2024-03-01?",
        "2024-01-01",
        "10 / (2",
        "007 + 1",
        "9 ** 9 ** 9",
        "2 to the power of 10",
        "What is 5 * 5 in sales.csv?",
        "print(5)",
        "5",
        "",
    ],
)
def test_other_requests_are_left_to_the_model(request_text: str) -> None:
    """A request that is not a plain calculation, or is unbounded, is left to the model."""
    assert calculation(request_text) == ""


@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
def test_no_other_calculation_can_be_planned(sign: str, tmp_path: Path) -> None:
    """The only code that a small model is offered is the written calculation."""
    workspace = Workspace(tmp_path)
    request = f"What is 37 {sign} 89?"
    brief = next(make_prompts(request, tools=TOOLS, workspace=workspace, budget=4))
    workspace.close()
    schema = json.dumps(dict(brief.schema))
    assert f'{{"enum": [{{"input": "print(37 {sign} 89)"}}]}}' in schema
    assert "python_repl" in {ranked.tool for ranked in brief.ranked if ranked.offered}
