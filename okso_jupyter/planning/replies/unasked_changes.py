"""Unasked changes: a plan that changes something for a request that only asks."""

from __future__ import annotations

from collections.abc import Mapping

from okso_jupyter.effects.effect import LASTING
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.request.only_asked import only_asks
from okso_jupyter.toolkit.tool import Tool


def changes_unasked(plan: Plan, request: str, tools: Mapping[str, Tool]) -> bool:
    """Return whether a step changes something, and the request only asks.

    A tool with an example that asks as well may change something for its answer.
    """
    return only_asks(request) and any(
        step.tool in tools
        and bool(tools[step.tool].effect_of(step.args) & LASTING)
        and not _is_asked(tools[step.tool])
        for step in plan.steps
        if not step.is_final
    )


def _is_asked(tool: Tool) -> bool:
    """Return whether an example of a tool that changes something only asks."""
    return any(
        tool.effect_of(example.args) & LASTING and only_asks(example.request)
        for example in tool.examples
    )
