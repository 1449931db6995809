"""Remarks on whether a request suits the mode; they never change a decision."""

from __future__ import annotations

from typing import Any

from okso_jupyter import Plan
from okso_jupyter.planning.examples.complexity import remark
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool
from tests.each_row import each_row

TOOLS = Session().tools
ONE = "How many lines has data/weather.csv?"
TWO = "Read notes.md and then count the lines of data/log.txt"
MANY = ". ".join(f"Read the file part{n}.txt" for n in range(6))
END = {"tool": "final_answer", "args": {}}
ANSWERED = Plan.from_dict({"steps": [END]})
CALLED = Plan.from_dict({"steps": [{"tool": "weather", "args": {"city": "Oslo"}}, END]})


@each_row(
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
def test_a_remark_on_the_number_of_parts(
    request_: str, settings: dict[str, Any], said: str
) -> None:
    """A remark says that a request has too many or too few parts; otherwise it is empty."""
    told = remark(request_, ANSWERED, TOOLS, Settings.of(settings))
    assert (said in told) if said else told == ""


def test_no_remark_on_a_plan_that_calls_a_tool() -> None:
    """A plan that calls a tool without examples is not reported as needing no tool."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    tool = Tool.from_schema("weather", "Forecast for a city", schema, lambda **_: "")
    tools = {**TOOLS, "weather": tool}
    assert remark("Do I need an umbrella?", CALLED, tools, Settings()) == ""
