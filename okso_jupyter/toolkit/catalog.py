"""ToolCatalog: the tools of a session, by name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint
from types import ModuleType

from okso_jupyter.errors import ToolDefinitionError
from okso_jupyter.toolkit.entry_points import entry_points
from okso_jupyter.toolkit.tool import Tool

#: Entry-point group of packages that offer tools: a Tool, or a function that returns several.
ENTRY_POINT_GROUP = "okso_jupyter.tools"


class ToolCatalog(Mapping[str, Tool]):
    """Tools by name, in the given order.

    Raises:
        ToolDefinitionError: An item is not a Tool, or two tools share a name.
    """

    def __init__(self, tools: Iterable[object]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if not isinstance(tool, Tool):
                msg = f"{tool!r} is not a Tool: make one with Tool.from_schema or @tool"
                raise ToolDefinitionError(msg)
            if tool.name in self._tools:
                msg = f"two tools are called {tool.name!r}"
                raise ToolDefinitionError(msg)
            self._tools[tool.name] = tool

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)


def from_package(package: ModuleType) -> list[Tool]:
    """Return every Tool that the modules of a package define, sorted by module."""
    found: list[Tool] = []
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda i: i.name):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        found.extend(value for value in vars(module).values() if isinstance(value, Tool))
    return found


def from_entry_points(taken: Iterable[str] = ()) -> tuple[list[Tool], list[str]]:
    """Return the tools of installed packages, and the faults of packages that do not work.

    A broken package does not affect the tools of the others.

    Args:
        taken: Names that are already in use; a package cannot override them.

    Returns:
        The tools, and one sentence for each entry point that does not work.
    """
    found: dict[str, Tool] = {}
    problems = []
    for point in sorted(entry_points(ENTRY_POINT_GROUP), key=lambda p: (p.name, p.value)):
        try:
            fresh = _offered(point, {*taken, *found})
        except ToolDefinitionError as error:
            package = point.dist.name if point.dist is not None else "unknown"
            problems.append(f"the tools of package {package} ({point.value}): {error.message}")
        else:
            found.update((tool.name, tool) for tool in fresh)
    return list(found.values()), problems


def _offered(point: EntryPoint, taken: set[str]) -> list[Tool]:
    """Load the tools of one entry point.

    Raises:
        ToolDefinitionError: It cannot be loaded, or does not return tools with unused names.
    """
    try:
        offered = point.load()
        given = offered if isinstance(offered, Tool) else offered()
        tools = [given] if isinstance(given, Tool) else list(given)
    except (Exception, SystemExit) as error:
        msg = f"{type(error).__name__}: {error}"
        raise ToolDefinitionError(msg) from error
    for tool in tools:
        if not isinstance(tool, Tool):
            msg = f"{tool!r} is not a Tool"
            raise ToolDefinitionError(msg)
        if tool.name in taken:
            msg = f"the name {tool.name!r} is taken"
            raise ToolDefinitionError(msg)
        taken.add(tool.name)
    return tools
