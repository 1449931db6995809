"""`%okso mcp`: the MCP servers; add, try or remove one, accept its changes, pin effects."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.effects.effect import as_effects, in_words
from okso_jupyter.errors import ToolDefinitionError, UsageError
from okso_jupyter.legible import visible
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.magic.subcommands import MCP_WORDS, check_part
from okso_jupyter.magic.tables import servers_table
from okso_jupyter.mcp import config_edit
from okso_jupyter.mcp.approved import ApprovedServers
from okso_jupyter.mcp.config import ServerEntry
from okso_jupyter.session.session import Session

if TYPE_CHECKING:
    import pandas as pd

#: A variable of a program's environment with its value.
_PAIR: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def mcp(asked: CommandContext) -> pd.DataFrame | str:
    """The MCP servers and their tools; add or try one, accept its changes, pin a tool's effects."""
    with asked.session() as session:
        if not asked.words:
            return servers_table(session.servers.states(session.root, may_start=True))
        part, *words = asked.words
        check_part("mcp", part, MCP_WORDS)
        return visible(_PARTS[part](session, words))


def _entry(session: Session, name: str) -> ServerEntry:
    """Return a configured server; UsageError if there is none of this name."""
    entries = {entry.name: entry for entry in session.servers.config(session.root).entries}
    if name not in entries:
        msg = f"%okso mcp: there is no server {name!r}"
        raise UsageError(msg, hint="%okso mcp lists the servers")
    return entries[name]


def _add(session: Session, words: Sequence[str]) -> str:
    """Add a server to the user's file.

    Raises:
        UsageError: The words name none that can be used.
    """
    name, *rest = words or [""]
    if "--" in rest:
        at = rest.index("--")
        pairs, command = rest[:at], rest[at + 1 :]
        given = _program(pairs, command)
    elif len(rest) == 1 and "://" in rest[0]:
        given = {"url": rest[0]}
    else:
        why = "it takes a name, then a command behind -- or an address"
        raise _not_added(why)
    taken = {entry.name: entry.source for entry in session.servers.config(session.root).entries}
    entry = config_edit.add(name, given)
    also = f"; it counts in place of that in {taken[name]}" if name in taken else ""
    does = "connects to" if entry.url else "starts"
    return f"{name} is added{also}: it {does} {entry.words}\n%okso mcp try {name} lists its tools"


def _program(pairs: Sequence[str], command: Sequence[str]) -> dict[str, Any]:
    """Return the entry of a program; UsageError if there is none of that name."""
    if not command or not all(_PAIR.match(pair) for pair in pairs):
        why = "it takes a name, variables as NAME=VALUE, -- and a command"
        raise _not_added(why)
    if shutil.which(os.path.expanduser(command[0])) is None:  # noqa: PTH111  a text
        why = f"there is no program {command[0]!r}"
        raise _not_added(why)
    env = dict(pair.split("=", 1) for pair in pairs)
    return {
        "command": command[0],
        **({"args": list(command[1:])} if command[1:] else {}),
        **({"env": env} if env else {}),
    }


def _not_added(why: str) -> UsageError:
    hint = "%okso mcp add NAME [VARIABLE=VALUE ...] -- COMMAND ..., or add NAME URL"
    return UsageError(f"%okso mcp add: {why}", hint=hint)


def _remove(session: Session, words: Sequence[str]) -> str:
    """Remove a server from the user's file, end it, and forget what was approved of it."""
    name = _one(words, "remove SERVER")
    entries = session.servers.config(session.root).entries
    config_edit.remove(name)
    for entry in entries:
        if entry.name == name:
            session.servers.servers.stop(entry)
    ApprovedServers.of_user().forget(name)
    return f"{name} is removed, with the effects that you pinned for its tools"


def _try(session: Session, words: Sequence[str]) -> str:
    """Start a server anew, and return its tools."""
    entry = _entry(session, _one(words, "try SERVER"))
    definitions = session.servers.servers.start(entry, session.root)
    lines = (f"{entry.name}.{one.name}: {one.shown_description}" for one in definitions)
    return "\n".join([f"{entry.name} is running", *lines])


def _accept(session: Session, words: Sequence[str]) -> str:
    """Accept the present tools of a server, and return what changed."""
    entry = _entry(session, _one(words, "accept SERVER"))
    changed = session.servers.servers.accept(entry, session.root)
    lines = (f"{entry.name}.{name}: {how}" for name, how in changed.items())
    return "\n".join([f"the tools of {entry.name} are accepted as they are", *lines])


def _pin(session: Session, words: Sequence[str]) -> str:
    """Pin the effects of a tool.

    Raises:
        UsageError: The words are not a tool of a server and effects.
    """
    if len(words) < 2:  # noqa: PLR2004  a tool and an effect
        msg = "%okso mcp pin takes a tool and its effects"
        raise UsageError(msg, hint="%okso mcp pin SERVER.TOOL EFFECT ...")
    entry, tool = _tool(session, words[0])
    try:
        effects = as_effects(words[1:])
    except ToolDefinitionError as error:
        msg = f"%okso mcp pin: {error.message}"
        raise UsageError(msg, hint="%okso mcp pin SERVER.TOOL EFFECT ...") from error
    ApprovedServers.of_user().pin(entry, tool, tuple(words[1:]))
    return f"{words[0]}: {in_words(effects)}, until its definition changes"


def _unpin(session: Session, words: Sequence[str]) -> str:
    """Remove the pinned effects of a tool."""
    name = _one(words, "unpin TOOL")
    ApprovedServers.of_user().pin(*_tool(session, name), ())
    return f"{name}: effects not declared"


def _tool(session: Session, name: str) -> tuple[ServerEntry, str]:
    """Return the server of an offered tool, and the tool's name there; UsageError if none."""
    server, _, tool = name.partition(".")
    entry = _entry(session, server)
    states = session.servers.states(session.root, may_start=True)
    if not any(one.name == name for state in states for one in state.tools):
        msg = f"%okso mcp: {server} offers no tool {name!r}"
        raise UsageError(msg, hint="%okso mcp lists the tools")
    return entry, tool


def _one(words: Sequence[str], usage: str) -> str:
    """Return the only word; UsageError if there is none or more."""
    if len(words) != 1:
        msg = f"%okso mcp {usage.split(maxsplit=1)[0]} takes one name"
        raise UsageError(msg, hint=f"%okso mcp {usage}")
    return words[0]


_PARTS: Final[Mapping[str, Callable[[Session, Sequence[str]], str]]] = {
    "add": _add,
    "remove": _remove,
    "try": _try,
    "accept": _accept,
    "pin": _pin,
    "unpin": _unpin,
}
