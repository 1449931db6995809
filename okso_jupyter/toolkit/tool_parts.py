"""Parts of a tool's declaration and of its result: examples, expansions, outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.plan.plan import Step


@dataclass(frozen=True, slots=True)
class Example:
    """A sample request for a tool, and the arguments that answer it.

    File names, addresses and quoted texts in both are patterns: the planner replaces them by those
    of the real request.
    """

    request: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """The steps that replace a step before its plan is scored.

    Attributes:
        steps: Returns the steps for given arguments, with ids local to them; raises PlanError
            if the arguments are invalid.
        tools: Names of the tools that are finally called.
        most_steps: Maximum number of steps.
    """

    steps: Callable[[Mapping[str, Any]], Iterable[Step]]
    tools: frozenset[str]
    most_steps: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """Result of a call.

    Attributes:
        value: The observation: text or a JSON value.
        text: The human-readable form; for a text value the text itself.
        exit_code: 0 is success; any other value fails the step.
        error: Reason of the failure, in one line; empty on success.
        changes: Files and commands, for ledger and undo.
    """

    value: Any
    text: str = ""
    exit_code: int = 0
    error: str = ""
    changes: Changes = field(default_factory=Changes)
