"""Parses drafts, plans cut off by the time limit, into plans of their finished first steps.

A step is finished if its JSON object is closed. The finished steps form a plan up to the first
one that the plan schema does not allow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter import assets
from okso_jupyter.errors import PlanError
from okso_jupyter.llm.protocol import Completion
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.sampling.read_plans import read_plan
from okso_jupyter.planning.tree.schemas import Schema, head_schema
from okso_jupyter.toolkit.tool import Tool

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

#: Keys under which an object holds the list of steps, in order of preference.
_KEYS: Final = ("steps", "plan")
_DECODER: Final = json.JSONDecoder()
_BLANKS: Final = re.compile(r"[ \t\n\r]*")
#: Raised by the decoder for a text that ends too early; the second for very deep nesting.
_CUT: Final = (ValueError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The beginning of a plan.

    Attributes:
        plan: The finished steps followed by `final_answer`.
        finished: Number of steps that the model had finished.
    """

    plan: Plan
    finished: int


def read_heads(
    completions: Sequence[Completion], schema: Schema, request: str, tools: Mapping[str, Tool]
) -> dict[int, Head]:
    """Return the beginnings of plans among unfinished completions, by index, from 1.

    Args:
        completions: The model's completions; those that are not drafts are ignored.
        schema: The schema of whole plans.
        request: The request.
        tools: The catalogue.
    """
    drafts = {
        index: steps
        for index, completion in enumerate(completions, start=1)
        if completion.finish == "draft" and not completion.flaw
        if (steps := finished_steps(completion.text))
    }
    if not drafts:
        return {}
    validator = assets.validator_for(dict(head_schema(schema)))
    heads = {
        index: list(_heads(steps, validator, request, tools)) for index, steps in drafts.items()
    }
    return {index: found[-1] for index, found in heads.items() if found}


def _heads(
    steps: Sequence[Any], validator: Validator, request: str, tools: Mapping[str, Tool]
) -> Iterator[Head]:
    """Yield the first step, the first two, and so on as plans, while the schema allows them.

    A step may bring a thought that the schema does not ask for.
    """
    bare = [{name: part for name, part in one.items() if name != "thought"} for one in steps]
    for count in range(1, len(steps) + 1):
        if not any(validator.is_valid(found[:count]) for found in (steps, bare)):
            return
        try:
            plan = read_plan(json.dumps(steps[:count]), request, tools)
        except (PlanError, RecursionError):
            return
        yield Head(plan=plan, finished=count)


def finished_steps(text: str) -> list[dict[str, Any]]:
    """Return the complete objects at the start of the list of steps in a possibly cut-off text.

    The list is the text itself or a member "steps" or "plan"; prose before it is skipped.
    """
    start = next((at for at, char in enumerate(text) if _begins_plan(text, at, char)), None)
    if start is None:
        return []
    found = _items(text, start) if text[start] == "[" else _listed(_members(text, start))
    steps = []
    for step in found:
        if not isinstance(step, dict):
            break
        steps.append(step)
    return steps


def _begins_plan(text: str, at: int, char: str) -> bool:
    """Return whether an array of objects, or an object, may begin at this position."""
    inside = {"[": "{", "{": '"'}.get(char)
    return inside is not None and text[_behind_blanks(text, at + 1) :][:1] == inside


def _listed(members: Mapping[str, Any]) -> list[Any]:
    """Return the list of steps among the members of an object."""
    found = next((members[key] for key in _KEYS if key in members), None)
    return found if isinstance(found, list) else []


def _items(text: str, start: int) -> list[Any]:
    """Return the complete items of a possibly cut-off array that begins at `start`."""
    items: list[Any] = []
    at = start
    while at < len(text) and text[at] == ("," if items else "["):
        try:
            item, at = _DECODER.raw_decode(text, _behind_blanks(text, at + 1))
        except _CUT:
            break
        items.append(item)
        at = _behind_blanks(text, at)
    return items


def _members(text: str, start: int) -> dict[str, Any]:
    """Return the complete members of a possibly cut-off object that begins at `start`.

    A cut-off array is returned with its complete items.
    """
    members: dict[str, Any] = {}
    at = start
    while at < len(text) and text[at] == ("," if members else "{"):
        try:
            name, at = _DECODER.raw_decode(text, _behind_blanks(text, at + 1))
            at = _behind_blanks(text, at)
            if not isinstance(name, str) or text[at : at + 1] != ":":
                break
            at = _behind_blanks(text, at + 1)
            members[name] = _items(text, at)
            members[name], at = _DECODER.raw_decode(text, at)
        except _CUT:
            break
        at = _behind_blanks(text, at)
    return members


def _behind_blanks(text: str, at: int) -> int:
    """Return the first position from `at` on that is not JSON whitespace."""
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()
