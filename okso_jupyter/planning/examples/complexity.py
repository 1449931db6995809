"""Checks whether a request is too simple or too complex for the mode; only advises the user."""

from __future__ import annotations

from collections.abc import Mapping

from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.examples.index import ExampleIndex, clauses, index_of
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.slot_filling.tool_match import NEED
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool


def remark(request: str, plan: Plan, tools: Mapping[str, Tool], settings: Settings) -> str:
    """Return why a request is too simple or too complex for the mode, in words; else empty.

    Args:
        request: The request in plain words.
        plan: The plan for it; if it calls a tool, a tool is needed.
        tools: The catalogue; a part of the request that resembles no tool needs no call.
        settings: PLAN_ENABLED, EXECUTOR_MODE and PLANNER_MAX_PLAN_STEPS.
    """
    calls = _calls(request, index_of(tools))
    most = settings.planner_max_plan_steps - 1
    if not settings.plan_enabled:
        many = f"this looks like {calls} things, and without planning one call is made"
        return f"{many}: %okso plan on" if calls > 1 else ""
    if calls > most:
        return f"this looks like {calls} things, and a plan has {most} calls at most: ask in parts"
    if calls == 0 and all(step.is_final for step in plan.steps):
        return "this looks as if no tool is needed: %okso plan off asks the model once"
    if calls == 1 and settings.executor_mode == "react":
        return "this looks like one call: --mode plan makes it without asking a model again"
    return ""


def _calls(request: str, index: ExampleIndex) -> int:
    """Return the number of parts of a request that seem to need a tool."""
    examples = [example for tool in index.tools.values() for example in tool.examples]
    return sum(_needs_tool(part, index) for part in clauses(request, examples))


def _needs_tool(part: str, index: ExampleIndex) -> bool:
    facts = gather(part, None)
    return bool(facts.named) or max(index.rank(facts).values(), default=0.0) >= NEED
