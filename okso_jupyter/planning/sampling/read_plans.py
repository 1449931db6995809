"""Parses completions into plans, and gives the reason for each that is not a plan.

Tolerant in form (a bare array, an object, JSON inside prose, okso's older spellings), strict in
substance: a plan without steps or without tool names is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from okso_jupyter.errors import PlanError
from okso_jupyter.llm.protocol import Completion
from okso_jupyter.plan.holes import MISSING, is_mark
from okso_jupyter.plan.plan import FINAL_TOOL, FROM_MODEL, Plan, Step
from okso_jupyter.planning.sampling.steps_in_text import (
    old_input_key,
    steps_in_text,
    with_input,
    with_known_names,
)
from okso_jupyter.toolkit.step_expansion import expanded
from okso_jupyter.toolkit.tool import Tool

_FINAL_THOUGHT = "Answer from what was observed"
_FINAL_STEP: Final[Mapping[str, Any]] = {
    "tool": FINAL_TOOL,
    "args": {},
    "thought": _FINAL_THOUGHT,
}
_STEP_FIELDS = frozenset(field.name for field in fields(Step))


def normalize(completion: str, *, request: str, inputs: frozenset[str] = frozenset()) -> Plan:
    """Read a completion as a plan that ends with `final_answer`.

    Args:
        completion: The model's text.
        request: The request that the plan is for.
        inputs: Tools whose only argument is a text called `input`.

    Raises:
        PlanError: The completion holds no plan, or one that breaks a rule.
    """
    steps = _steps(completion, inputs)[0]
    if all(step["tool"] == FINAL_TOOL for step in steps):
        steps = [_from_model(step) for step in steps]
    return Plan.from_dict({"request": request, "steps": steps})


def mended_in(completion: str, tools: Mapping[str, Tool]) -> str:
    """Return what was mended in a completion to read it as a plan, in words; empty if nothing."""
    return "; ".join(_steps(completion, _with_input_alone(tools))[1])


def _steps(completion: str, inputs: frozenset[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the steps of a plan that ends with `final_answer`, and what was mended.

    Raises:
        PlanError: The completion holds no steps.
    """
    found = steps_in_text(completion)
    mended = list(found.mended)
    steps = []
    for place, raw in enumerate(found.steps, start=1):
        step, notes = _step(raw, place, inputs)
        steps.append(step)
        mended += [f"step {place}: {note}" for note in notes]
    if not any(step["tool"] == FINAL_TOOL for step in steps):
        steps.append({**_FINAL_STEP, **_free_id(steps)})
        mended.append("no final step")
    return steps, mended


def _free_id(steps: list[dict[str, Any]]) -> dict[str, int]:
    """Return an unused step id if the model numbered its steps; else an empty dict."""
    ids = [step["id"] for step in steps if isinstance(step.get("id"), int)]
    return {"id": max(*ids, len(steps)) + 1} if ids else {}


def _step(raw: object, place: int, inputs: frozenset[str]) -> tuple[dict[str, Any], list[str]]:
    """Return one step with the fields that the plan schema defines, and what was mended."""
    named, mended = with_known_names(raw) if isinstance(raw, Mapping) else ({}, [])
    tool = named.get("tool")
    if not isinstance(tool, str) or not tool.strip():
        msg = f"step {place}: it names no tool"
        raise PlanError(msg, step=place, rule="no_tool")
    if tool == MISSING:
        msg = f"step {place}: the model left the tool open"
        raise PlanError(msg, step=place, rule="no_tool")
    args = named.get("args")
    known = {name: value for name, value in named.items() if name in _STEP_FIELDS}
    step = {
        **known,
        "tool": tool.strip(),
        "args": dict(args) if isinstance(args, Mapping) and not is_mark(args) else {},
    }
    if step["tool"] in inputs and (key := old_input_key(step["args"])):
        step["args"] = with_input(step["args"])
        mended.append(f"{key!r} for 'input'")
    if step["tool"] == FINAL_TOOL:
        step.setdefault("thought", _FINAL_THOUGHT)
    return step, mended


def _from_model(step: dict[str, Any]) -> dict[str, Any]:
    """Return the final step of a plan without tool calls, its answer marked as the model's."""
    words = step["args"].get("input")
    if not isinstance(words, str) or not words.strip() or is_mark(words):
        return step
    return {**step, "args": {**step["args"], "input": FROM_MODEL + words}}


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


def read_plan(
    text: str, request: str, tools: Mapping[str, Tool], *, only_known: bool = False
) -> Plan:
    """Return the plan that a text holds, with every workflow expanded into its steps.

    Args:
        text: The model's text.
        request: The request that the plan is for.
        tools: The catalogue.
        only_known: Whether a tool outside the catalogue makes the text unusable.

    Raises:
        PlanError: The text holds no valid plan.
    """
    plan = normalize(text, request=request, inputs=_with_input_alone(tools))
    unknown = next((step for step in plan.steps if step.tool not in tools), None)
    if only_known and unknown is not None:
        msg = f"step {unknown.id}: there is no tool {unknown.tool!r}"
        raise PlanError(msg, step=unknown.id, rule="unknown_tool")
    return expanded(plan, tools)


def _with_input_alone(tools: Mapping[str, Tool]) -> frozenset[str]:
    """Return the tools whose only argument is `input`."""
    return frozenset(name for name, tool in tools.items() if set(tool.properties) == {"input"})


def read_plans(
    completions: Sequence[Completion],
    request: str,
    tools: Mapping[str, Tool],
    *,
    only_known: bool = False,
) -> tuple[dict[int, Plan], list[Unusable]]:
    """Return the plans by completion index, from 1, and the other completions with a reason."""
    plans, unusable = {}, []
    for index, completion in enumerate(completions, start=1):
        reason = _UNFINISHED if is_cut_off(completion) else completion.flaw
        try:
            if not reason:
                plans[index] = read_plan(completion.text, request, tools, only_known=only_known)
        except PlanError as error:
            reason = _CUT if completion.finish == "length" else error.message
        if reason:
            unusable.append(Unusable(index=index, response=completion.text, reason=reason))
    return plans, unusable
