"""Parses completions into plans, and gives the reason for each that is not a plan.

Tolerant in form (a bare array, an object, JSON inside prose, okso's older spellings), strict in
substance: a plan without steps or without tool names is rejected.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from okso_jupyter.errors import PlanError
from okso_jupyter.llm.protocol import Completion
from okso_jupyter.plan.holes import MISSING, is_mark
from okso_jupyter.plan.plan import FINAL_TOOL, FROM_MODEL, Plan, Step
from okso_jupyter.toolkit.step_expansion import expanded
from okso_jupyter.toolkit.tool import Tool

_FINAL_THOUGHT = "Answer from what was observed"
_FINAL_STEP: Final[Mapping[str, Any]] = {
    "tool": FINAL_TOOL,
    "args": {},
    "thought": _FINAL_THOUGHT,
}
#: okso's older names of a tool's only text argument.
_OLD_INPUT_KEYS = ("code", "snippet", "text")
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
    document = _find_json(completion)
    if isinstance(document, Mapping):
        document = next((document[key] for key in ("steps", "plan") if key in document), None)
    if not isinstance(document, list) or not document:
        msg = "the completion holds no list of steps"
        raise PlanError(msg, rule="no_plan")
    steps = [_step(raw, place, inputs) for place, raw in enumerate(document, start=1)]
    if not any(step["tool"] == FINAL_TOOL for step in steps):
        steps.append({**_FINAL_STEP, **_free_id(steps)})
    if all(step["tool"] == FINAL_TOOL for step in steps):
        steps = [_from_model(step) for step in steps]
    return Plan.from_dict({"request": request, "steps": steps})


def _find_json(text: str) -> Any:  # noqa: ANN401  whatever JSON holds
    """Return the whole text as JSON, else the first JSON array or object inside it."""
    decoder = json.JSONDecoder()
    for start in (0, *(place for place, char in enumerate(text) if char in "[{")):
        try:
            return decoder.raw_decode(text[start:].lstrip())[0]
        except (json.JSONDecodeError, RecursionError):  # the latter: very deep nesting
            continue
    msg = "the completion holds no JSON"
    raise PlanError(msg, rule="no_json")


def _free_id(steps: list[dict[str, Any]]) -> dict[str, int]:
    """Return an unused step id if the model numbered its steps; else an empty dict."""
    ids = [step["id"] for step in steps if isinstance(step.get("id"), int)]
    return {"id": max(*ids, len(steps)) + 1} if ids else {}


def _step(raw: object, place: int, inputs: frozenset[str]) -> dict[str, Any]:
    """Return one step with the fields that the plan schema defines."""
    tool = raw.get("tool") if isinstance(raw, Mapping) else None
    if not isinstance(raw, Mapping) or not isinstance(tool, str) or not tool.strip():
        msg = f"step {place}: it names no tool"
        raise PlanError(msg, step=place, rule="no_tool")
    if tool == MISSING:
        msg = f"step {place}: the model left the tool open"
        raise PlanError(msg, step=place, rule="no_tool")
    args = raw.get("args")
    known = {name: value for name, value in raw.items() if name in _STEP_FIELDS}
    step = {
        **known,
        "tool": tool.strip(),
        "args": dict(args) if isinstance(args, Mapping) and not is_mark(args) else {},
    }
    if step["tool"] in inputs:
        step["args"] = with_input(step["args"])
    if step["tool"] == FINAL_TOOL:
        step.setdefault("thought", _FINAL_THOUGHT)
    return step


def _from_model(step: dict[str, Any]) -> dict[str, Any]:
    """Return the final step of a plan without tool calls, its answer marked as the model's."""
    words = step["args"].get("input")
    if not isinstance(words, str) or not words.strip() or is_mark(words):
        return step
    return {**step, "args": {**step["args"], "input": FROM_MODEL + words}}


def with_input(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with okso's older names of `input` replaced."""
    for key in _OLD_INPUT_KEYS:
        if key in args and "input" not in args:
            return {("input" if name == key else name): value for name, value in args.items()}
    return dict(args)


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
    inputs = frozenset(name for name, tool in tools.items() if set(tool.properties) == {"input"})
    plan = normalize(text, request=request, inputs=inputs)
    unknown = next((step for step in plan.steps if step.tool not in tools), None)
    if only_known and unknown is not None:
        msg = f"step {unknown.id}: there is no tool {unknown.tool!r}"
        raise PlanError(msg, step=unknown.id, rule="unknown_tool")
    return expanded(plan, tools)


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
