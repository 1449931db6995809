"""The tools of okso's measured score table, with the effects okso gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.effects.effect import Effect, Effects, as_effects
from okso_jupyter.toolkit.declaration import EffectOf
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools.terminal import terminal

ANYTHING: Final[Mapping[str, Any]] = {"type": "object"}


def _answer(**args: object) -> str:
    """Return the names of the arguments; stands in for any tool of a scored plan."""
    return ", ".join(args)


def declared(name: str, effect: str | list[str] | EffectOf | None) -> Tool:
    """Return a tool with these effects that takes any arguments."""
    return Tool.from_schema(name, f"{name} of okso", ANYTHING, _answer, effect=effect)


def _python_effect(args: Mapping[str, Any]) -> Effects:
    """Return okso's verdict: it ignores `input`, so code passed there counts as writing."""
    return as_effects("runs_code") if "code" in args else frozenset({Effect.WRITES})


TOOLS: Final = (
    terminal,
    declared("web_search", "network"),
    declared("web_fetch", "network"),
    declared("notes_create", "writes"),
    declared("mail_search", "writes"),
    declared("python_repl", _python_effect),
)
