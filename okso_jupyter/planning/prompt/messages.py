"""The planner's conversation: the catalogue first, then the nearest examples, then the request.

What stays the same comes first, so that its state is computed once. The examples are turns of
the conversation, the most similar one last: a small model follows the nearest pattern.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.llm.protocol import Message
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.examples.index import Match
from okso_jupyter.toolkit.tool import Tool

#: Words that make the date matter; without one the prompt is the same on every day.
_ABOUT_TIME: Final = frozenset("today now date time tomorrow yesterday week month year".split())

#: Characters of the description of a tool that gets a few words only.
_SHORT_CHARS: Final = 40

#: Characters of the description of a parameter.
_DETAIL_CHARS: Final = 160

_FINAL: Final[Mapping[str, Any]] = {"tool": FINAL_TOOL, "args": {}}


def messages(  # noqa: PLR0913  the parts of a prompt
    tools: Mapping[str, Tool],
    shown: Sequence[Sequence[Match]],
    request: str,
    *,
    feedback: str = "",
    variables: str = "",
    values: str = "",
    found: str = "",
    now: datetime,
    short: Container[str] = (),
) -> tuple[Message, ...]:
    """Return the conversation that asks for a plan.

    Args:
        tools: The whole catalogue, in its own order.
        shown: Example plans, the most similar one last; each is one match per step.
        request: The request.
        feedback: What a person wants to be different; empty at first.
        variables: Variables of the notebook that Python gets, in words; empty without any.
        values: Values that the request names, between marks; empty without any.
        found: What a search of the web found, between marks; empty without one.
        now: Local time; only told when the request speaks of time.
        short: Names of tools that get a few words only.
    """
    turns = [Message("system", assets.prompt("planner", tools=catalogue(tools, short)))]
    for matches in shown:
        turns.append(Message("user", " Then ".join(match.example.request for match in matches)))
        turns.append(Message("assistant", example_plan(matches)))
    asked = set(request.lower().replace("?", " ").split())
    date = now.strftime("\nIt is %A, %Y-%m-%d %H:%M.") if asked & _ABOUT_TIME else ""
    wish = f"\nA first plan was turned down: {feedback}" if feedback else ""
    data = assets.prompt("planner_data", variables=variables) if variables else ""
    web = assets.prompt("planner_web", found=found) if found else ""
    asked_for = request + date + values + data + web
    turns.append(
        Message("user", assets.prompt("planner_request", request=asked_for, feedback=wish))
    )
    return tuple(turns)


def catalogue(tools: Mapping[str, Tool], short: Container[str] = ()) -> str:
    """Return one line per tool: name, arguments, description, safety note; or a few words only."""
    lines = []
    for tool in tools.values():
        if tool.name in short:
            words = textwrap.shorten(tool.description, _SHORT_CHARS, placeholder=" ...")
            lines.append(f"- {tool.name}: {words}")
            continue
        names = ", ".join(name for name, part in tool.properties.items() if not part.get("x-omit"))
        safety = f" {tool.safety}" if tool.safety else ""
        lines.append(f"- {tool.name}({names}): {tool.description}{safety}")
        if not tool.examples:
            lines += [
                f"  {n}: {_detail(part)}" for n, part in tool.properties.items() if _detail(part)
            ]
    return "\n".join(lines)


def _detail(part: Mapping[str, Any]) -> str:
    """Return what a parameter is for; no example of the tool says it."""
    return textwrap.shorten(str(part.get("description") or ""), _DETAIL_CHARS, placeholder=" ...")


def example_plan(matches: Sequence[Match]) -> str:
    """Return the plan that an example stands for, as the model should write it."""
    steps: list[Mapping[str, Any]] = [
        {"tool": m.tool, "args": m.example.args, "thought": _thought(m)} for m in matches
    ]
    return json.dumps([*steps, _FINAL], separators=(",", ":"), ensure_ascii=False)


def _thought(match: Match) -> str:
    """Return the example's request as the thought behind its step."""
    return match.example.request.rstrip("?.!")
