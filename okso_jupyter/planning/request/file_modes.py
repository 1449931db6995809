"""File modes: arguments that select whether a tool creates, extends or replaces a file.

A tool declares such an argument by "x-file-effects": what each of its values does to the file that
the argument of kind "path" names. A value is offered only with paths that it may be applied to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.permission import Permission
from okso_jupyter.toolkit.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class FileModes:
    """The file-mode argument of a tool, with the values and paths that one request allows.

    Attributes:
        name: Name of the argument.
        effects: What each value does: "create", "add" or "replace".
        path: Name of the argument that names the file.
        facts: What the request names.
        permission: What the request lets a plan do to existing files.
    """

    name: str
    effects: Mapping[str, str]
    path: str
    facts: Facts
    permission: Permission

    @classmethod
    def of(cls, tool: Tool, facts: Facts, whole: str = "") -> Self | None:
        """Return the file modes of a tool; None for a tool without such an argument.

        Args:
            tool: The tool.
            facts: What the request, or its part, names.
            whole: The whole request, if `facts` are those of a part.
        """
        for name, schema in tool.properties.items():
            if "x-file-effects" in schema:
                paths = (n for n, s in tool.properties.items() if s.get("x-ground") == "path")
                return cls(
                    name=name,
                    effects=schema["x-file-effects"],
                    path=next(paths),
                    facts=facts,
                    permission=Permission(whole or facts.request),
                )
        return None

    def paths(self, value: str) -> list[str]:
        """Return the paths that one value may be applied to."""
        match self.effects[value]:
            case "replace":
                return [file for file in self.facts.files if self.permission.replaces(file)]
            case "add":
                files = [file for file in self.facts.files if self.permission.adds(file)]
                return [*files, *self.facts.new_paths]
            case _:
                there = [file for file in self.facts.files if self.permission.makes(file)]
                new = [*self.facts.new_paths, *there, *self.facts.folders]
                return new or ([] if self.facts.files else [*self.facts.words])

    def contents(self, value: str, texts: list[str]) -> list[str]:
        """Return the texts that may be written; only a quoted text may replace a file."""
        return [*self.facts.quotes] if self.effects[value] == "replace" else texts

    def fitted(self, args: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return an example's arguments with a mode that suits its path; None if none does.

        A file that the example creates may already exist in this folder, and vice versa.
        """
        path, wanted = args.get(self.path), self.effects.get(str(args.get(self.name)))
        if wanted is None or path not in (*self.facts.files, *self.facts.new_paths):
            return args
        if path in self.facts.files and wanted == "create":
            wanted = "replace" if self.permission.replaces(path) else "create"
        elif path not in self.facts.files and wanted == "replace":
            wanted = "create"
        fitting = next((name for name, effect in self.effects.items() if effect == wanted), None)
        if fitting is None or path not in self.paths(fitting):
            return None
        return {**args, self.name: fitting}


def replacing(facts: Facts, tools: Mapping[str, Tool], whole: str = "") -> frozenset[str]:
    """Return the tools that replace a file if a request asks for it and quotes the content.

    `Permission` recognizes such requests; the tools' examples have only some of the wordings.

    Args:
        facts: What the request, or its part, names.
        tools: The catalogue.
        whole: The whole request, if `facts` are those of a part.
    """
    if len(facts.quotes) != 1 or not facts.files:
        return frozenset()
    found = {name: FileModes.of(tool, facts, whole) for name, tool in tools.items()}
    return frozenset(
        name
        for name, modes in found.items()
        if modes is not None
        and any(modes.paths(value) for value, does in modes.effects.items() if does == "replace")
    )
