"""UsedTools: tools made in the notebook that `%okso use` offers to the cells that follow."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from okso_jupyter.errors import UsageError

if TYPE_CHECKING:
    from okso_jupyter.toolkit.tool import Tool

#: The option of `%okso use` that leaves tools out again.
OFF: Final = "--off"


@dataclass(slots=True)
class UsedTools:
    """Names of notebook variables that hold tools.

    The variables are read at every cell, so that a tool that is defined anew counts as it is now.

    Attributes:
        names: The names, in the order in which they came into use.
    """

    names: tuple[str, ...] = ()

    def changed(self, words: Sequence[str]) -> UsedTools:
        """Return the tools in use with those that the words name, or without them after `--off`.

        Args:
            words: Names of variables, or `--off` and names; none after it means all.

        Raises:
            UsageError: A tool that is to be left out is not in use.
        """
        if words[:1] != [OFF]:
            return UsedTools(tuple(dict.fromkeys((*self.names, *words))))
        for name in words[1:]:
            if name not in self.names:
                msg = f"%okso use {OFF}: {name!r} is not in use"
                raise UsageError(msg, hint="%okso use lists the tools in use")
        return UsedTools(tuple(n for n in self.names if words[1:] and n not in words[1:]))

    def tools(self, variables: Mapping[str, object]) -> list[Tool]:
        """Return the tools in use, as the variables hold them now.

        Raises:
            UsageError: A variable holds no tool, or none any more.
        """
        return [_tool_of(name, variables) for name in self.names]


def _tool_of(name: str, variables: Mapping[str, object]) -> Tool:
    """Return the tool that a variable holds, such as `lookup` or `my_tools.lookup`.

    Raises:
        UsageError: There is no such variable, or it holds something else.
    """
    from okso_jupyter.toolkit.tool import Tool  # noqa: PLC0415  keeps %load_ext quick

    first, *parts = name.split(".")
    if first not in variables:
        near = difflib.get_close_matches(first, variables, n=1)
        msg = f"%okso use: there is no variable {first!r} in the notebook"
        hint = f"did you mean {near[0]}?" if near else "run the cell that makes the tool first"
        hint += f"; if it is in use, %okso use {OFF} {name} leaves it out"
        raise UsageError(msg, hint=hint)
    value = variables[first]
    for part in parts:
        value = getattr(value, part, None)
    if not isinstance(value, Tool):
        msg = f"%okso use: {name} is a {type(value).__name__}, not a tool"
        raise UsageError(msg, hint=_how_to_make(value))
    return value


def _how_to_make(value: object) -> str:
    if callable(value):
        return (
            "write @tool(parameters={'properties': {...}}, effect='none') above the function, "
            "after: from okso_jupyter import tool"
        )
    return "a tool is made by @tool above a function, or by Tool.from_schema"
