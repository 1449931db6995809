"""Parses completions into plans, and gives the reason for each that is not a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import PlanError
from okso_jupyter.llm.protocol import Completion
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.sampling.normalize import normalize
from okso_jupyter.toolkit.step_expansion import expanded
from okso_jupyter.toolkit.tool import Tool

_UNFINISHED: Final = "it was not finished within PLAN_PLANNING_TIMEOUT_S"
_CUT: Final = "it was cut off by PLANNER_MAX_OUTPUT_TOKENS or the end of the model's context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """A sample that is not a usable plan, and why."""

    index: int
    response: str
    reason: str


def is_cut_off(completion: Completion) -> bool:
    """Return whether a completion is unfinished because the time was up."""
    return completion.finish in {"time", "draft"}


def read_plan(text: str, request: str, tools: Mapping[str, Tool]) -> Plan:
    """Return the plan that a text holds, with every workflow expanded into its steps.

    Raises:
        PlanError: The text holds no valid plan.
    """
    inputs = frozenset(name for name, tool in tools.items() if set(tool.properties) == {"input"})
    return expanded(normalize(text, request=request, inputs=inputs), tools)


def read_plans(
    completions: Sequence[Completion], request: str, tools: Mapping[str, Tool]
) -> tuple[dict[int, Plan], list[Unusable]]:
    """Return the plans by completion index, from 1, and the other completions with a reason."""
    plans, unusable = {}, []
    for index, completion in enumerate(completions, start=1):
        reason = _UNFINISHED if is_cut_off(completion) else completion.flaw
        try:
            if not reason:
                plans[index] = read_plan(completion.text, request, tools)
        except PlanError as error:
            reason = _CUT if completion.finish == "length" else error.message
        if reason:
            unusable.append(Unusable(index=index, response=completion.text, reason=reason))
    return plans, unusable
