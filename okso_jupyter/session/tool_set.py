"""Tools and workflows that a session offers to plans."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from okso_jupyter import tools as builtin_tools
from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.errors import SettingError, ToolDefinitionError, UsageError
from okso_jupyter.legible import sentence
from okso_jupyter.log import LOGGER, warn_once
from okso_jupyter.personal.mail import mail_settings
from okso_jupyter.personal.personal_options import KINDS, elsewhere_kinds, offered_kinds
from okso_jupyter.plan.holes import MISSING
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.settings import Settings, standing_values
from okso_jupyter.toolkit.catalog import ToolCatalog, from_entry_points, from_package
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools import personal as personal_tools
from okso_jupyter.trust import TrustList
from okso_jupyter.workflow.library import (
    Folder,
    WorkflowEntry,
    WorkflowLibrary,
    named,
    offered,
    shipped,
)

#: Names that a user's tool may not have, and why.
_RESERVED: Final[Mapping[str, str]] = {
    FINAL_TOOL: "every plan ends with the built-in one, and yours would never be called",
    MISSING: "a model says with it that it could not choose a tool",
}
#: Group of the tools for mail.
_MAIL: Final = "mail"
#: The tool for mail that writes where drafts are kept.
_DRAFT: Final = "mail_draft"
#: The folder of workflows beside a notebook.
BESIDE: Final = "workflows"


def catalog(tools: object, settings: Settings | None = None) -> ToolCatalog:
    """Return the tools that can be called, without `final_answer`.

    Args:
        tools: Tools in place of the built-in ones; None for those.
        settings: They say whether the tools for personal data are built in; None: they are not.

    Raises:
        UsageError: `tools` is not an iterable.
        ToolDefinitionError: An element is not a Tool, or has a reserved name.
    """
    if tools is not None and not isinstance(tools, Iterable):
        msg = f"tools is a {type(tools).__name__}, not an iterable of Tool"
        raise UsageError(msg, hint="write tools=[...]")
    final_answer = _final_answer()
    found = _every_tool(settings) if tools is None else list(tools)
    offered = ToolCatalog(tool for tool in found if tool is not final_answer)
    for name in offered.keys() & _RESERVED.keys():
        msg = f"no tool can be called {name!r}: {_RESERVED[name]}"
        raise ToolDefinitionError(msg, hint="give it another name")
    return offered


def beside(tools: ToolCatalog, others: Iterable[Tool], told: set[str]) -> ToolCatalog:
    """Return a catalogue with more tools; one whose name is taken is left out, and logged once.

    Args:
        tools: The catalogue.
        others: The tools beside it.
        told: The warnings that were given already.
    """
    found = dict(tools)
    for tool in others:
        if tool.name in found or tool.name in _RESERVED:
            warn_once("a tool was left out", f"{tool.name} is taken", told)
        else:
            found[tool.name] = tool
    return ToolCatalog(found.values())


def _every_tool(settings: Settings | None) -> list[Tool]:
    """Return the built-in tools and those of installed packages; log each broken one."""
    built_in = from_package(builtin_tools)
    if settings is not None and (kinds := offered_kinds(settings)):
        built_in += _personal_tools(settings, kinds)
    if settings is not None and mail_settings.is_offered(settings):
        built_in += _mail_tools(settings)
    others, problems = from_entry_points({tool.name for tool in built_in} | _RESERVED.keys())
    for problem in problems:
        LOGGER.warning("tools were left out", extra={"detail": sentence(problem)})
    return [*built_in, *others]


def _personal_tools(settings: Settings, kinds: Collection[str]) -> list[Tool]:
    """Return the tools of some kinds of data; those of a server or a package use the network."""
    elsewhere = elsewhere_kinds(settings)
    found = [(tool.name.partition("_")[0], tool) for tool in from_package(personal_tools)]
    return [
        _by_network(tool) if kind in elsewhere else tool for kind, tool in found if kind in kinds
    ]


def _mail_tools(settings: Settings) -> list[Tool]:
    """Return the tools for mail; those whose mails are on a server use the network."""
    found = [tool for tool in from_package(personal_tools) if _MAIL in tool.groups]
    mail = mail_settings.MailSettings.of(settings)
    if mail.store_name in {"", "maildir"}:
        return found
    return [
        _by_network(tool)
        if tool.effect_of({}) == {Effect.READS}
        or (tool.name == _DRAFT and not mail.has_draft_files)
        else tool
        for tool in found
    ]


def _by_network(tool: Tool) -> Tool:
    """Return a tool whose store is not in a folder: no forecast of the folder shows its changes."""

    def effect(args: Mapping[str, object]) -> Effects:
        return tool.effect_of(args) | {Effect.NETWORK}

    return replace(tool, effect=effect, rehearses=False)


def offer(
    settings: Settings, root: Path, tools: ToolCatalog, told: set[str], *, shipped_too: bool
) -> tuple[WorkflowLibrary, ToolCatalog]:
    """Return the workflows of a session and all tools that it offers to plans.

    Args:
        settings: The settings.
        root: Folder that the tools work in; a workflow file there is used only if trusted.
        tools: The tools that can be called.
        told: The warnings that were given already.
        shipped_too: Whether to use the workflows of this and other packages; False where the
            tools that they call were replaced.
    """
    places = _places(settings, root, shipped_too=shipped_too)
    library = WorkflowLibrary.load(places, tools, trusted_hashes(), told)
    return library, ToolCatalog([*tools.values(), *library.tools, _final_answer()])


def _final_answer() -> Tool:
    """Return the tool that ends every plan.

    It is imported here because its declaration is checked by jsonschema, which takes time to load.
    """
    from okso_jupyter.tools.final_answer import final_answer  # noqa: PLC0415  see above

    return final_answer


def _places(
    settings: Settings, root: Path, *, shipped_too: bool
) -> Iterator[WorkflowEntry | Folder]:
    """Yield the places of workflows, the notebook's folder last: it cannot take a known name."""
    folders = settings.workflows_dir
    if shipped_too:
        yield Folder(shipped())
        if offered_kinds(settings) >= KINDS.keys():
            has_mail = mail_settings.is_offered(settings)
            yield Folder(shipped() / ("weekly_with_mail" if has_mail else "weekly"))
        yield from offered()
    if folders is not None:
        # a relative folder in the environment or config.env is a different one for each notebook
        yield from named(folders, root, is_own=folders not in standing_values("WORKFLOWS_DIR"))
    elif shipped_too:
        yield Folder(root / BESIDE, BESIDE)


def trusted_hashes() -> frozenset[str]:
    """Return the hashes of the files that the user trusts; none if the list cannot be read."""
    try:
        return TrustList.of_user().hashes()
    except SettingError as error:
        LOGGER.warning("no file is trusted", extra={"detail": str(error)})
        return frozenset()
