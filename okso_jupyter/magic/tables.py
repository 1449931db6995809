"""Tables of settings, tools, workflows, trusted files and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any

from okso_jupyter.effects.effect import in_words
from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.journal.overview import RunOverview, overview
from okso_jupyter.journal.store import Journal
from okso_jupyter.mcp.servers import ServerState
from okso_jupyter.session.file_trust import FileTrust
from okso_jupyter.settings import Settings, describe_range, sources
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workflow.library import WorkflowEntry
from okso_jupyter.workflow.spec import Workflow

if TYPE_CHECKING:
    import pandas as pd


def settings_table(settings: Settings, config: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row per setting, its name as the index.

    Args:
        settings: The effective settings.
        config: The settings that `%config` set, by name in capitals.
    """
    values, places, defaults = settings.to_dict(), sources(config), Settings()
    columns: tuple[Column[Field[Any]], ...] = (
        Column("name", "object", "", lambda s: s.name.upper()),
        Column("value", "object", "", lambda s: _shown(values[s.name.upper()], s)),
        Column("source", "object", "", lambda s: places.get(s.name, "default")),
        Column("default", "object", "", lambda s: _shown(getattr(defaults, s.name), s)),
        Column("unit", "object", "", lambda s: s.metadata.get("unit", "")),
        Column("range", "object", "", lambda s: describe_range(s.metadata, s.type)),
        Column("meaning", "object", "", lambda s: s.metadata["meaning"]),
    )
    return frame(fields(Settings), columns).set_index("name")


def _shown(value: object, spec: Field[Any]) -> object:
    """Return a value; for None, the word that the setting has for it, if any."""
    return spec.metadata["unset"] or None if value is None else value


def effects_in_words(tool: Tool) -> str:
    """Return the effects of a tool's examples, or of a call without arguments, in words."""
    calls: list[Mapping[str, Any]] = [example.args for example in tool.examples] or [{}]
    return in_words(frozenset().union(*map(tool.effect_of, calls)))


_TOOLS: tuple[Column[Tool], ...] = (
    Column("tool", "object", "", lambda t: t.name),
    Column("description", "object", "", lambda t: t.description),
    Column("arguments", "object", "", lambda t: ", ".join(t.properties)),
    Column("effect", "object", "", effects_in_words),
    Column("groups", "object", "", lambda t: ", ".join(t.groups)),
    Column("safety", "object", "", lambda t: t.safety),
)


def tools_table(tools: Iterable[Tool]) -> pd.DataFrame:
    """Return one row per tool, its name as the index."""
    return frame(list(tools), _TOOLS).set_index("tool")


def used_table(tools: Iterable[Tool]) -> pd.DataFrame:
    """Return one row per tool that was taken from the notebook, its name as the index."""
    nothing = "No tool of the notebook is in use: %okso use NAME offers the one in a variable."
    return frame(list(tools), _TOOLS, nothing=nothing).set_index("tool")


def _of(
    read: Callable[[Workflow], object], otherwise: object = ""
) -> Callable[[WorkflowEntry], object]:
    """Return a function that reads a loaded workflow, and gives `otherwise` for a skipped one."""
    return lambda entry: read(entry.workflow) if entry.workflow else otherwise


_WORKFLOWS: tuple[Column[WorkflowEntry], ...] = (
    Column("name", "object", "", _of(lambda w: w.name)),
    Column("description", "object", "", _of(lambda w: w.description)),
    Column("parameters", "object", "", _of(lambda w: list(w.properties), [])),
    Column("steps", "object", "", _of(lambda w: [step.tool for step in w.steps], [])),
    Column("intents", "object", "", _of(lambda w: list(w.intents), [])),
    Column("file", "object", "", lambda entry: entry.file),
    Column("problem", "object", "", lambda entry: entry.problem),
)


def workflows_table(entries: Iterable[WorkflowEntry]) -> pd.DataFrame:
    """Return one row per workflow file, skipped files included."""
    return frame(list(entries), _WORKFLOWS, nothing="No workflow was found (WORKFLOWS_DIR).")


_TRUST: tuple[Column[FileTrust], ...] = (
    Column("file", "object", "", lambda t: t.file),
    Column("kind", "object", "", lambda t: t.kind),
    Column("trusted", "bool", "", lambda t: t.is_trusted),
    Column("does", "object", "", lambda t: list(t.does)),
    Column("problem", "object", "", lambda t: t.problem),
)


def trust_table(files: Iterable[FileTrust]) -> pd.DataFrame:
    """Return one row per file that is used only if it is trusted."""
    nothing = "No file beside the notebook needs to be trusted."
    return frame(list(files), _TRUST, nothing=nothing)


_SERVERS: tuple[Column[ServerState], ...] = (
    Column("server", "object", "", lambda s: s.name),
    Column("state", "object", "", lambda s: s.state),
    Column("tools", "object", "", lambda s: [tool.name for tool in s.tools]),
    Column("problem", "object", "", lambda s: s.problem),
    Column("does", "object", "", lambda s: s.does),
    Column("source", "object", "", lambda s: s.source),
)


def servers_table(states: Iterable[ServerState]) -> pd.DataFrame:
    """Return one row per configured MCP server."""
    return frame(list(states), _SERVERS, nothing="No MCP server is configured (mcp.json).")


def _files(run: RunOverview) -> str:
    """Return what became of files, in words."""
    return f"{run.changes.words} (taken back)" if run.is_undone else run.changes.words


_RUNS: tuple[Column[RunOverview], ...] = (
    Column("request", "object", "", lambda r: r.request),
    Column("answer", "object", "", lambda r: r.answer),
    Column("state", "object", "", lambda r: str(r.state)),
    Column("files", "object", "", _files),
    Column("run", "object", "", lambda r: r.id),
    Column("started_at", "utc", "UTC", lambda r: r.started_at),
    Column("created", "object", "", lambda r: list(r.changes.created)),
    Column("changed", "object", "", lambda r: list(r.changes.changed)),
    Column("removed", "object", "", lambda r: list(r.changes.removed)),
    Column("undone", "bool", "", lambda r: r.is_undone),
)


def runs_table(journal: Journal) -> pd.DataFrame:
    """Return one row per run of a journal, the newest first."""
    table = frame(overview(journal), _RUNS, nothing="The journal holds no run yet.")
    # the id of a run has its time, and `files` what was created, changed and removed
    table.attrs["aside"] = ("started_at", "created", "changed", "removed", "undone")
    return table
