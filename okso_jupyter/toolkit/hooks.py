"""Calls of a tool's hooks (effects, paths, problems); their exceptions become text or defaults.

Hooks are foreign code that runs during planning, editing and execution. Stop
(KeyboardInterrupt) goes through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from okso_jupyter.effects.effect import UNDECLARED, Effects, as_effects
from okso_jupyter.effects.named_paths import Paths, PathsOf
from okso_jupyter.errors import ToolDefinitionError, ToolError, error_text
from okso_jupyter.toolkit.declaration import EffectOf

Args = Mapping[str, Any]


def declared_effects(effect: EffectOf, args: Args) -> Effects:
    """Return the effects of a call; undeclared if the hook fails.

    Raises:
        ToolDefinitionError: The tool names an unknown effect.
    """
    try:
        return as_effects(effect(deepcopy(dict(args))))
    except ToolDefinitionError:
        raise
    except (Exception, SystemExit):  # noqa: BLE001  the arguments may be open
        return UNDECLARED


def declared_problem(lint: Callable[[Args], str], args: Args) -> str:
    """Return why a call would fail, or an empty string."""
    try:
        return str(lint(deepcopy(dict(args))) or "")
    except (Exception, SystemExit) as error:  # noqa: BLE001  it may raise anything at all
        return f"its lint failed with {error_text(error)}"


def declared_paths(paths: PathsOf, args: Args) -> Paths:
    """Return the paths of a call; if the hook fails, the call may create any file."""
    try:
        said: object = paths(deepcopy(dict(args)))
    except (Exception, SystemExit):  # noqa: BLE001  the arguments may be anything
        return Paths(is_open=True)
    return said if isinstance(said, Paths) else Paths(is_open=True)


def declared_parts(name: str, apart: Callable[[Args], Sequence[Args]], args: Args) -> list[Args]:
    """Return the parts of a call that each need a separate decision.

    Args:
        name: Name of the tool.
        apart: Splits the call.
        args: Arguments of the call.

    Raises:
        ToolError: The arguments do not form a call.
        ToolDefinitionError: There are no parts, so there is nothing to decide.
    """
    try:
        parts: list[object] = list(apart(deepcopy(dict(args))))
    except ToolError:
        raise
    except (Exception, SystemExit) as error:
        msg = f"tool {name}: its apart failed with {error_text(error)}"
        raise ToolDefinitionError(msg) from error
    found = [part for part in parts if isinstance(part, Mapping)]
    if len(found) < len(parts):
        msg = f"tool {name}: its apart returned something other than arguments"
        raise ToolDefinitionError(msg)
    return found
