"""Whether a request suits the mode: told, and never decided upon."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.planning.suits import remark
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings

TOOLS = Session().tools
ONE = "How many lines has data/weather.csv?"
TWO = "Read notes.md and then count the lines of data/log.txt"
MANY = ". ".join(f"Read the file part{n}.txt" for n in range(6))


@pytest.mark.parametrize(
    ("request_", "settings", "said"),
    [
        (ONE, {}, ""),
        (TWO, {}, ""),
        (MANY, {}, "6 things, and a plan has 5 calls at most"),
        (MANY, {"PLANNER_MAX_PLAN_STEPS": 7}, ""),
        ("Thank you", {}, "no tool is needed"),
        (ONE, {"EXECUTOR_MODE": "react"}, "--mode plan"),
        (TWO, {"EXECUTOR_MODE": "react"}, ""),
        (ONE, {"PLAN_ENABLED": False}, ""),
        (TWO, {"PLAN_ENABLED": False}, "2 things, and without planning one call is made"),
    ],
)
def test_what_is_said_of_a_request(request_: str, settings: dict[str, Any], said: str) -> None:
    """Too many parts, too few, or nothing to say."""
    told = remark(request_, TOOLS, Settings.of(settings))
    assert (said in told) if said else told == ""
