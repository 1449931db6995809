"""The planner's messages: first the catalogue, then the most similar examples, then the request.

What stays the same comes first, so that the model computes its state once. The examples are turns
of the conversation, the most similar one last: a small model follows the closest pattern.
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

#: Words that add the date to the prompt; without one the prompt is the same on every day.
_ABOUT_TIME: Final = frozenset("today now date time tomorrow yesterday week month year".split())

#: Maximum characters of a shortened tool description.
_SHORT_CHARS: Final = 40

#: Maximum characters of a parameter's description.
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
    has_thoughts: bool = False,
) -> tuple[Message, ...]:
    """Return the conversation that asks for a plan.

    Args:
        tools: The whole catalogue, in its own order.
        shown: Example plans, the most similar one last; each is one match per step.
        request: The request.
        feedback: The user's feedback on an earlier plan; empty at first.
        variables: Notebook variables passed to Python, in words; empty if there are none.
        values: Values that the request names, between marks; empty if there are none.
        found: Web search results, between marks; empty without a search.
        now: Local time; only included if the request has a word of time.
        short: Names of tools whose description is shortened.
        has_thoughts: Whether the steps of the example plans have thoughts.
    """
    turns = [Message("system", assets.prompt("planner", tools=catalogue(tools, short)))]
    for matches in shown:
        turns.append(Message("user", " Then ".join(match.example.request for match in matches)))
        turns.append(Message("assistant", example_plan(matches, has_thoughts=has_thoughts)))
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
    """Return one line per tool: name, arguments, description and safety note.

    A tool in `short` gets only its name and a shortened description. A tool without examples gets
    a further line for each parameter that has a description.
    """
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
    """Return a parameter's description, shortened."""
    return textwrap.shorten(str(part.get("description") or ""), _DETAIL_CHARS, placeholder=" ...")


def example_plan(matches: Sequence[Match], *, has_thoughts: bool = False) -> str:
    """Return the plan of an example as JSON, as the model should write it."""
    steps = [
        {
            "tool": match.tool,
            "args": match.example.args,
            **({"thought": _thought(match)} if has_thoughts else {}),
        }
        for match in matches
    ]
    return json.dumps([*steps, _FINAL], separators=(",", ":"), ensure_ascii=False)


def _thought(match: Match) -> str:
    """Return the example's request as the thought of its step."""
    return match.example.request.rstrip("?.!")
