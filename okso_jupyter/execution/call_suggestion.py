"""Suggester: asks a model for the next call, with a schema of the possible calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.execution.model_calls import ModelCalls, Question
from okso_jupyter.execution.run_transcript import within_budget
from okso_jupyter.plan.holes import MISSING
from okso_jupyter.plan.plan import FINAL_TOOL, Step
from okso_jupyter.plan.records import Observation
from okso_jupyter.toolkit.tool import Tool

_SCHEMA: Final = "tool_call.schema.json"
_MAX_TOKENS: Final = 256
#: Longer values stay as approved: a small model copies them slowly and with errors.
_LONGEST_VALUE: Final = 400
#: Schema keywords that are passed to a sampler. It refuses unknown keywords, and one such tool
#: would block all others; the other keywords are checked when the call is made.
_ENFORCED: Final = frozenset(
    "type enum const properties required additionalProperties items minItems maxItems minLength "
    "maxLength minimum maximum exclusiveMinimum exclusiveMaximum anyOf".split()
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A call that a model proposes.

    Attributes:
        tool: Name of the tool; `__MISSING__` if the model could not choose one.
        args: The arguments; `__MISSING__` for unknown values.
        flaw: Why the completion is not a call; empty if it is.
    """

    tool: str
    args: Mapping[str, Any]
    flaw: str = ""


@dataclass(frozen=True, slots=True)
class Suggester:
    """Asks a model for calls.

    Attributes:
        model_calls: Calls the model.
        tools: The tools that it may propose, including `final_answer`.
    """

    model_calls: ModelCalls
    tools: Mapping[str, Tool]

    def next_call(
        self,
        step: Step,
        observations: Sequence[Observation],
        *,
        offered: Sequence[str],
        told: Sequence[str] = (),
    ) -> Suggestion:
        """Return the model's proposal for a pending step.

        Args:
            step: The pending step; its open arguments, which are filled later, and very long ones,
                which stay as they are, are not asked for.
            observations: The observations so far.
            offered: Names of the tools offered besides the step's own.
            told: The outcomes of its earlier proposals.

        Raises:
            ModelError: The model could not be asked.
        """
        asked_for = _short(_closed(step))
        text = within_budget(
            lambda shown: assets.prompt(
                "react",
                pending=_as_json(step.tool, asked_for),
                request=self.model_calls.asked,
                observations=shown,
                others=", ".join(offered) or "none",
                told="".join(f"\n{line}" for line in told),
            ),
            observations,
            self.model_calls.settings,
            max_tokens=_MAX_TOKENS,
        )
        others_of_step = [name for name in step.args if name not in asked_for]
        own = _call_schema(self.tools[step.tool], without=others_of_step, known=asked_for)
        others = [_call_schema(self.tools[name]) for name in offered]
        suggestion = self._ask(text, {"anyOf": [own, *others]}, step)
        if suggestion.flaw or suggestion.tool in {step.tool, *offered}:
            return suggestion
        return replace(suggestion, flaw=f"{suggestion.tool!r} is no tool at hand")

    def this_call(self, step: Step) -> Suggestion:
        """Return the call of a step as written by the model, with a mark for unknown values.

        Raises:
            ModelError: The model could not be asked.
        """
        tool = self.tools[step.tool]
        marked = {**_short(step.args), **dict.fromkeys(step.open_args, MISSING)}
        kept = [name for name in step.args if name not in marked]
        text = assets.prompt(
            "call",
            pending=_as_json(step.tool, marked),
            request=self.model_calls.asked,
            tool=tool.name,
            description=tool.description,
        )
        schema = _call_schema(tool, without=kept, known=marked, may_miss=True)
        return self._ask(text, schema, step)

    def _ask(self, text: str, schema: Mapping[str, Any], step: Step) -> Suggestion:
        """Ask the model, with enough tokens for the step's own arguments."""
        most = max(_MAX_TOKENS, len(json.dumps(_short(step.args))))
        completion = self.model_calls.complete(
            Question(text=text, schema=schema, max_tokens=most, step_id=step.id)
        )
        return _flawed(completion.flaw) if completion.flaw else _read(completion.text)


def _read(text: str) -> Suggestion:
    """Return the call parsed from a completion, or its flaw."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        return _flawed(f"what the model wrote is not JSON: {error}")
    problem = assets.first_violation(_SCHEMA, document)
    if problem is not None:
        return _flawed(f"what the model wrote is no call: {problem.message}")
    args = document["args"]
    return Suggestion(document["tool"], args if isinstance(args, dict) else {})


def _flawed(reason: str) -> Suggestion:
    return Suggestion("", {}, flaw=reason)


def _closed(step: Step) -> dict[str, Any]:
    return {name: value for name, value in step.args.items() if name not in step.open_args}


def _short(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments short enough for a model to write."""
    return {
        name: value
        for name, value in args.items()
        if len(json.dumps(value, ensure_ascii=False)) <= _LONGEST_VALUE
    }


def _as_json(tool: str, args: Mapping[str, Any]) -> str:
    call = {"tool": tool, "args": dict(args)}
    return json.dumps(call, ensure_ascii=False, separators=(",", ":"))


def _call_schema(
    tool: Tool,
    *,
    without: Sequence[str] = (),
    known: Mapping[str, Any] | None = None,
    may_miss: bool = False,
) -> dict[str, Any]:
    """Return the schema of the calls of one tool.

    Args:
        tool: The tool.
        without: Arguments to leave out.
        known: Arguments of the pending step: always included, in their order.
        may_miss: Whether a mark may replace a value.
    """
    known = known or {}
    args = _args_schema(tool, without, known, may_miss=may_miss)
    return _object({"tool": {"const": tool.name}, "args": args}, ["tool", "args"])


def _args_schema(
    tool: Tool, without: Sequence[str], known: Mapping[str, Any], *, may_miss: bool
) -> dict[str, Any]:
    """Return the schema of a tool's arguments, without the parts for people and planners."""
    if tool.name == FINAL_TOOL:
        return _object({}, [])
    offered = [n for n, p in tool.properties.items() if n in known or not p.get("x-omit")]
    order = [*known, *(name for name in offered if name not in known)]
    properties = {
        name: _plain(tool.properties.get(name, {})) for name in order if name not in without
    }
    if may_miss:
        properties = {n: _or_missing(p, known.get(n)) for n, p in properties.items()}
    required = [name for name in properties if name in tool.required or name in known]
    return _object(properties, required)


def _or_missing(schema: Mapping[str, Any], planned: object) -> dict[str, Any]:
    """Return the schema of a value or the mark; only the mark if open in the plan."""
    mark = {"const": MISSING}
    return mark if planned == MISSING else {"anyOf": [schema, mark]}


def _plain(schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return the part of a schema that every sampler enforces."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {key: part for key, part in schema.items() if key in _ENFORCED}
    for key in {"items", "additionalProperties", "anyOf"} & found.keys():
        found[key] = _plain(found[key])
    if "properties" in found:
        found["properties"] = {name: _plain(part) for name, part in found["properties"].items()}
    return found


def _object(properties: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
