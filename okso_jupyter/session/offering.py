"""What a session offers to plans: the tools it was given or found, and where workflows are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from okso_jupyter import tools as builtin_tools
from okso_jupyter.errors import UsageError
from okso_jupyter.legible import sentence
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.catalog import ToolCatalog, from_entry_points, from_package
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workflow.library import Entry, named, offered, shipped


def catalog(tools: object) -> ToolCatalog:
    """Return the tools that can be called, `final_answer` left out."""
    if tools is not None and not isinstance(tools, Iterable):
        msg = f"tools is a {type(tools).__name__}, not an iterable of Tool"
        raise UsageError(msg, hint="write tools=[...]")
    found = _every_tool() if tools is None else list(tools)
    return ToolCatalog(tool for tool in found if getattr(tool, "name", None) != FINAL_TOOL)


def _every_tool() -> list[Tool]:
    """Return the built-in tools and those of installed packages; a broken one is named."""
    built_in = from_package(builtin_tools)
    others, problems = from_entry_points({tool.name for tool in built_in})
    for problem in problems:
        LOGGER.warning("tools were left out", extra={"detail": sentence(problem)})
    return [*built_in, *others]


def workflow_places(settings: Settings, root: Path, *, shipped_too: bool) -> Iterator[Entry | Path]:
    """Yield where workflows are: a file beside the notebook takes no known name for itself.

    Args:
        settings: The settings.
        root: Folder that the tools work in.
        shipped_too: Whether those count that come with the package or with others; not where
            the tools that they call were replaced.
    """
    folders = settings.workflows_dir
    if shipped_too:
        yield shipped()
        yield from offered()
    if folders is not None:
        yield from named(folders, root)
    elif shipped_too:
        yield root / "workflows"
