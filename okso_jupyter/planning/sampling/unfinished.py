"""Drafts: plans that the model had not finished when the time was up, as far as they are whole.

A step counts when its JSON object is closed. The steps at the head of the list make a plan up to
the first one that no whole plan could hold.
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

#: Keys under which an object holds the list of steps, the first one before the second.
_KEYS: Final = ("steps", "plan")
_DECODER: Final = json.JSONDecoder()
_BLANKS: Final = re.compile(r"[ \t\n\r]*")
#: What the decoder raises for a text that ends too early; the second for brackets without end.
_CUT: Final = (ValueError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The beginning of a plan.

    Attributes:
        plan: The finished steps, with `final_answer` behind them.
        finished: How many steps the model had finished.
    """

    plan: Plan
    finished: int


def read_heads(
    completions: Sequence[Completion], schema: Schema, request: str, tools: Mapping[str, Tool]
) -> dict[int, Head]:
    """Return the beginnings of plans among unfinished completions, by index, from 1.

    Args:
        completions: What the model wrote; those that are no drafts are left out.
        schema: What whole plans obey.
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
    """Yield ever more of the steps as a plan, up to the first one that no whole plan could hold."""
    for count in range(1, len(steps) + 1):
        if not validator.is_valid(steps[:count]):
            return
        try:
            plan = read_plan(json.dumps(steps[:count]), request, tools)
        except (PlanError, RecursionError):
            return
        yield Head(plan=plan, finished=count)


def finished_steps(text: str) -> list[dict[str, Any]]:
    """Return the whole objects at the head of the list of steps in a text that may be cut off.

    The list is the text, or stands in it under "steps" or "plan"; prose before it is overlooked.
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
    """Say whether an array of objects, or an object, may begin at a place of a text."""
    inside = {"[": "{", "{": '"'}.get(char)
    return inside is not None and text[_behind_blanks(text, at + 1) :][:1] == inside


def _listed(members: Mapping[str, Any]) -> list[Any]:
    """Return the list of steps among the members of an object."""
    found = next((members[key] for key in _KEYS if key in members), None)
    return found if isinstance(found, list) else []


def _items(text: str, start: int) -> list[Any]:
    """Return the whole items of an array that begins at a place and may be cut off."""
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
    """Return the whole members of an object that begins at a place and may be cut off.

    Of an array that is cut off the whole items are returned.
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
    """Return the first place from one on where no blank of JSON stands."""
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()
