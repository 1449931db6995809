"""The planner's prompt for a server: the tools that are needed, and one definition of each step.

A model in this process samples within a grammar, whose size costs no tokens; a server may read
the schema as a part of the prompt, once for each candidate.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.llm.protocol import CompletionRequest, Message, ServedQuestion
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.prompt.builder import PlannerPrompt
from okso_jupyter.planning.prompt.messages import catalogue
from okso_jupyter.planning.schema.plan_schema import only_steps

Schema = Mapping[str, Any]

#: The example plans that are shown, the most similar ones: a larger model copies less.
_EXAMPLES: Final = 2
#: Characters of a reason: it may quote what the model wrote.
_MOST_REASON: Final = 500
#: Further fields of a step, each stated once; which earlier steps there are is left to the reader.
_FIELDS: Final[Mapping[str, Schema]] = {
    "parallel": {"type": "boolean"},
    "condition": {"type": "string", "pattern": "^(step_[0-9]+_(failed|succeeded))?$"},
    "depends_on": {"type": "array", "items": {"type": "integer", "minimum": 1}},
    "timeout_s": {"type": "integer", "minimum": 1},
    "max_retries": {"type": "integer", "minimum": 0},
}


def for_server(brief: PlannerPrompt, calls: str = "") -> PlannerPrompt:
    """Return a prompt that a server may be sent in fewer words.

    Args:
        brief: The whole prompt, for a model that is offered the tools' own schemas.
        calls: The calls of the run so far, for a plan of the rest.
    """
    names = [tool.name for tool in brief.needed]
    tools = {tool.name: tool for tool in brief.needed}
    system = Message("system", assets.prompt("planner_served", tools=catalogue(tools)))
    *shown, last = brief.messages[1:][-1 - 2 * _EXAMPLES :]
    shown.append(replace(last, content=f"{last.content}{calls}"))
    served = ServedQuestion((system, *map(_as_object, shown)), small_schema(brief.schema, names))
    ranked = tuple(replace(one, offered=one.tool in tools) for one in brief.ranked)
    return replace(brief, served=served, ranked=ranked)


def for_small_model(brief: PlannerPrompt) -> PlannerPrompt:
    """Return a prompt whose words and schema a server is sent as they are.

    A small model needs what the schema says of each place: which values exist, and where the plan
    ends. Its text is read as generously as that of any server. Where only one step is possible,
    its arguments alone are asked for: a server writes what the schema forces token by token.
    """
    only = only_steps(brief.schema)
    served = ServedQuestion(brief.messages, brief.schema)
    if only is not None and len(only) == 1 and only[0]["properties"].keys() == {"tool", "args"}:
        served = _of_arguments(brief.messages, only[0]["properties"])
    return replace(brief, served=served)


def _of_arguments(messages: Sequence[Message], step: Schema) -> ServedQuestion:
    """Return the question for the arguments of the only step; the plan around them is known."""
    name = json.dumps(step["tool"]["const"], ensure_ascii=False)
    return ServedQuestion(
        tuple(messages),
        step["args"],
        before=f'[{{"tool":{name},"args":',
        after=f'}},{{"tool":"{FINAL_TOOL}","args":{{}}}}]',
    )


def asked_again(
    question: CompletionRequest, text: str, reason: str, seed: int
) -> CompletionRequest:
    """Return the question that tells a model why its text is not a plan that can run.

    Args:
        question: The question that the text answers; it has a form for a server.
        text: The model's text.
        reason: What is wrong with it.
        seed: Seed of the new answer.
    """
    words = assets.prompt("planner_again", reason=reason[:_MOST_REASON])
    more = (Message("assistant", text), Message("user", words))
    served = question.served
    return replace(
        question,
        messages=(*question.messages, *more),
        seeds=(seed,),
        served=served and replace(served, messages=(*served.messages, *more)),
    )


def _as_object(turn: Message) -> Message:
    """Return a turn whose plan, if it is one, has the form of the schema."""
    return (
        replace(turn, content=f'{{"steps":{turn.content}}}') if turn.role == "assistant" else turn
    )


def small_schema(schema: Schema, names: Container[str]) -> dict[str, Any]:
    """Return a schema of the same plans that has one definition per tool.

    That the last step is `final_answer`, and a step refers to earlier ones only, is left to the
    reader.

    Args:
        schema: The result of `plan_schema`, maybe `with_fields`.
        names: The tools to keep.
    """
    steps = {name: step for name, step in _steps(schema) if name in names or name == FINAL_TOOL}
    used = {name for step in steps.values() for name in step["properties"]}
    fields = {name: dict(part) for name, part in _FIELDS.items() if name in used}
    plan = {
        "type": "array",
        "items": {"anyOf": [_reference(name) for name in steps]},
        "minItems": min(way["minItems"] for way in schema["anyOf"]),
        "maxItems": max(way["maxItems"] for way in schema["anyOf"]),
    }
    return {
        "type": "object",
        "properties": {"steps": plan},
        "required": ["steps"],
        "additionalProperties": False,
        "$defs": {name: _small(step) for name, step in steps.items()} | fields,
    }


def _steps(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the schema of each tool's step; of several, the widest is the last."""
    for kind in schema["$defs"].values():
        yield from _named(kind["anyOf"])
    yield from _named(way["prefixItems"][-1] for way in schema["anyOf"])


def _named(steps: Sequence[Schema] | Iterator[Schema]) -> Iterator[tuple[str, Schema]]:
    for step in steps:
        yield step["properties"]["tool"]["const"], step


def _small(step: Schema) -> dict[str, Any]:
    """Return a step's schema whose further fields are references."""
    properties = {
        name: _reference(name) if name in _FIELDS else part
        for name, part in step["properties"].items()
    }
    return {**step, "properties": properties}


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}
