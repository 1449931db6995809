"""What a tool's declaration and its outcome are made of: examples, expansions, outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.plan.plan import Step


@dataclass(frozen=True, slots=True)
class Example:
    """What asking for a tool sounds like, and the arguments that answer it.

    File names, addresses and quoted texts in both are patterns: the planner puts those of the
    real request in their place.
    """

    request: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What a step gives way to before its plan is scored.

    Attributes:
        steps: Gives the steps for some arguments, with ids that count within them; raises a
            PlanError for arguments that stand for none.
        tools: Names of the tools that are called in the end.
        most_steps: How many steps it gives at most.
    """

    steps: Callable[[Mapping[str, Any]], Iterable[Step]]
    tools: frozenset[str]
    most_steps: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a call gives back.

    Attributes:
        value: The observation: text or a JSON value.
        text: How a person reads it; for a text value the text itself.
        exit_code: 0 is success; anything else fails the step.
        error: Why it failed, in one line; empty on success.
        changes: Files and commands, for ledger and undo.
    """

    value: Any
    text: str = ""
    exit_code: int = 0
    error: str = ""
    changes: Changes = field(default_factory=Changes)
