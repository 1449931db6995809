"""Programs that have nothing to do with a request, or leave out numbers that it says."""

from __future__ import annotations

from typing import Final

import pytest

from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.replies.copied_code import is_copied_code
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools.python_repl import python_repl

TOOLS: Final[dict[str, Tool]] = {"python_repl": python_repl}
WAGES: Final = "64 euros an hour plus 19 percent VAT makes how much for 2.75 hours?"


def _is_copied(code: str, request: str) -> bool:
    step = {"tool": "python_repl", "args": {"input": code}}
    plan = Plan.from_dict({"steps": [step, {"tool": "final_answer", "args": {}}]})
    return is_copied_code(plan, request, TOOLS)


@pytest.mark.parametrize(
    "code",
    ["print(5 / 4)", "print(64 * 2.75)", "print(round(64 * 19, 2))", "64 + 19"],
)
def test_arithmetic_without_a_number_is_no_answer(code: str) -> None:
    """The request says three numbers."""
    assert _is_copied(code, WAGES)


@pytest.mark.parametrize(
    ("code", "request_"),
    [
        ("print(64 * 1.19 * 2.75)", WAGES),
        ("print(64 * 2.75 * (1 + 19 / 100))", WAGES),
        ("print(round(64 * 2.75 + 0.19 * 64 * 2.75, 2))", WAGES),
        ("hours = 2.75\nprint(hours)", WAGES),  # more than arithmetic is left to its author
        ("print(12)", "Print the number of months"),
        ("print(3 * 4)", "What is 3 times four?"),
    ],
)
def test_other_programs_are_kept(code: str, request_: str) -> None:
    """A share may stand in several forms, and one number is not several."""
    assert not _is_copied(code, request_)
