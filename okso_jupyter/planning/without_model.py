"""Planning without a model: a plan from keywords, or a plan that only says there is no model.

Each tool gets 0 to 5 points: by okso's keywords for a few tools, 4 for a tool named in the
request, and up to 5 for the tool whose example resembles the request. The plan calls the best
tools in order of points, with arguments taken from the request; a tool for which the request has
no arguments is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.examples.adaptation import adapt_example
from okso_jupyter.planning.examples.index import ExampleIndex, index_of
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.prompt.builder import Ranked
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.slot_filling.tool_match import NEED
from okso_jupyter.planning.unsampled import unsampled
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

_MOST_POINTS: Final = 5.0
_LEAST_POINTS: Final = 2.0
_BY_NAME: Final = 4.0
_MOST_TOOLS: Final = 3


@dataclass(frozen=True, slots=True)
class _Cue:
    """A pattern in the request that gives a tool points."""

    tool: str
    points: float
    pattern: re.Pattern[str]


def _cue(tool: str, points: float, *words: str) -> _Cue:
    """Return a cue that matches any of the patterns as whole words."""
    return _Cue(tool, points, re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(words)})(?![\w-])"))


_COMMANDS: Final = "ls|cd|cat|grep|find|pwd|rg"
_LISTING: Final = r"(?:list|show)(?: me)?(?: all| the| my)? (?:files|director(?:y|ies)|folders?)"
_CUES: Final = (
    _Cue("terminal", 5, re.compile(r"`[^`\n]+`")),
    _cue("terminal", 5, rf"(?:{_COMMANDS})"),
    _cue("terminal", 4, _LISTING, "search files", "look around", r"what(?:'s| is) here", "folder"),
    _cue("terminal", 3, "files?"),
    _cue("reminders_create", 5, "remind me", "(?:set|add) a reminder", "remember to"),
    _cue("reminders_create", 3, "reminder"),
    _cue("reminders_list", 4, "(?:show|list|what)(?: are)?(?: all| the| my)? reminders"),
    _cue("notes_create", 5, "note", "write this down", "jot", "save this"),
    _cue("notes_append", 4, "note", "notes"),
    _cue("notes_list", 4, "notes"),
)  # fmt: skip
_BACKTICKS: Final = re.compile(r"`([^`\n]+)`")
_COMMAND: Final = re.compile(rf"(?<![\w-])({_COMMANDS})(?![\w-])")
_LIST: Final = re.compile(rf"(?i)\b{_LISTING}\b")
_TODO: Final = re.compile(r"(?i)\btodos?\b")
#: The text after these words is the tool's argument.
_AFTER: Final[Mapping[str, re.Pattern[str]]] = {
    "reminders_create": re.compile(r"(?i)\bremind me(?: to)?\s+(.+)"),
    "notes_create": re.compile(r"(?i)\bnote\b:?\s+(.+)"),
}


@dataclass(frozen=True, slots=True)
class _Pick:
    """A tool, its points, and its arguments from the request; None if there are none."""

    tool: str
    points: float
    args: Mapping[str, Any] | None


def plan_without_model(  # noqa: PLR0913  named at every call
    request: str,
    *,
    tools: Mapping[str, Tool],
    settings: Settings,
    workspace: Workspace | None,
    turned_down: Sequence[RejectedPlan] = (),
    reason: str,
    environment: Environment | None = None,
) -> Planning:
    """Return the planning that PLANNER_FALLBACK selects: a plan by keywords, or a direct answer.

    Args:
        request: The request in plain words.
        tools: The catalogue.
        settings: The settings; PLANNER_FALLBACK is "keyword" or "direct".
        workspace: The folder whose file names and table headers are read.
        turned_down: Rejected earlier plans, with the user's feedback.
        reason: Why there is no model, in one sentence.
        environment: Provides the folder listing.
    """
    said = " ".join([request, *(earlier.feedback for earlier in turned_down[-1:])])
    facts = (environment or Environment()).facts(said, workspace)
    picks = _ranked(said, tools, facts)
    chosen = _chosen(picks) if settings.fallback == "keyword" else []
    names = {pick.tool for pick in chosen}
    return unsampled(
        request,
        steps=[{"tool": pick.tool, "args": dict(pick.args or {})} for pick in chosen],
        answer="" if chosen else _says_so(request, reason, settings.fallback),
        how=f"planned without a model ({settings.fallback}: {reason})",
        tools=tools,
        settings=settings,
        turned_down=[earlier.plan for earlier in turned_down],
        ranked=[
            Ranked(tool=p.tool, lexical=p.points / _MOST_POINTS, offered=p.tool in names)
            for p in picks
        ],
    )


def _says_so(request: str, reason: str, fallback: str) -> str:
    """Return the answer of a plan without tools: that there is no model, and why."""
    why = "" if fallback == "direct" else " and no keyword of a tool stands in the request"
    return f"There is no language model to plan with ({reason}){why}. The request was: {request}"


def _chosen(picks: Sequence[_Pick]) -> list[_Pick]:
    """Return the tools that the plan calls, best first."""
    good = [pick for pick in picks if pick.points >= _LEAST_POINTS and pick.args is not None]
    return good[:_MOST_TOOLS]


def _ranked(request: str, tools: Mapping[str, Tool], facts: Facts) -> list[_Pick]:
    """Return every tool with its points, best first."""
    index = index_of(tools)
    nearest = _nearest(index, facts)
    picks = [
        _pick(tool, request, nearest if nearest and nearest.tool == name else None)
        for name, tool in index.tools.items()
    ]
    return sorted(picks, key=lambda pick: -pick.points)


def _nearest(index: ExampleIndex, facts: Facts) -> _Pick | None:
    """Return the tool of the nearest example that can be adapted to the request's values."""
    for match in index.nearest(facts):
        if match.similarity < NEED:
            return None
        fitted = adapt_example(match, facts, index)
        if fitted.whole:
            points = _MOST_POINTS * match.similarity
            return _Pick(match.tool, points, fitted.example.args)
    return None


def _pick(tool: Tool, request: str, nearest: _Pick | None) -> _Pick:
    """Return a tool with its arguments and the highest points any cue gives it."""
    points = [cue.points for cue in _CUES if cue.tool == tool.name and cue.pattern.search(request)]
    if _names(request, tool.name):
        points.append(_BY_NAME)
    args = nearest.args if nearest else _derived(tool, request)
    if nearest:
        points.append(nearest.points)
    if args is not None and tool.violations(args):
        args = None
    return _Pick(tool.name, max(points, default=0.0), args)


def _names(request: str, name: str) -> bool:
    """Return whether a request names a tool, as "file_read" or "file read"."""
    spaced = re.escape(name).replace("_", "[_ ]")
    return re.search(rf"(?i)(?<![\w-]){spaced}(?![\w-])", request) is not None


def _derived(tool: Tool, request: str) -> Mapping[str, Any] | None:
    """Return the arguments that okso derives from a request; None if there are none."""
    if tool.name == "terminal":
        return _command(request)
    pattern = _AFTER.get(tool.name)
    match = pattern.search(request) if pattern else None
    text_args = [name for name, part in tool.properties.items() if part.get("type") == "string"]
    if match and len(text_args) == 1:
        return {text_args[0]: match[1].strip()}
    return None if tool.required else {}


def _command(request: str) -> Mapping[str, Any]:
    """Return the terminal's arguments: text in backticks, a command named, or "status"."""
    if quoted := _BACKTICKS.search(request):
        command, _, rest = quoted[1].strip().partition(" ")
        return {"command": command, "args": rest.split()}
    if _TODO.search(request):
        return {"command": "grep", "args": ["-rn", "TODO", "."]}
    if _LIST.search(request):
        return {"command": "ls", "args": ["-la"]}
    if bare := _COMMAND.search(request):
        return {"command": bare[1], "args": []}
    return {"command": "status", "args": []}
