"""McpServers: the configured servers of sessions; starts them, offers their tools, ends them."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter.errors import OksoError, SettingError, ToolUnavailableError
from okso_jupyter.legible import sentence
from okso_jupyter.log import LOGGER
from okso_jupyter.mcp.approved import Approved, ApprovedServers
from okso_jupyter.mcp.config import McpConfig, ServerEntry
from okso_jupyter.mcp.connection import START_TIMEOUT_S, Connection
from okso_jupyter.mcp.definitions import ToolDefinition, differences
from okso_jupyter.mcp.server_tools import Offered, tools_of
from okso_jupyter.toolkit.handler_threads import result_within
from okso_jupyter.toolkit.tool import Tool

#: Seconds beyond the time limit of a start, for its thread to say so.
_GRACE_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """One configured server as `%okso mcp` lists it.

    Attributes:
        name: Its name.
        source: The file that configures it.
        does: Its command or address.
        state: "running", "not started", "not listed yet", "failed", "changed" or "not trusted".
        tools: Its tools that are offered.
        problem: Why it, or some of its tools, are left out.
        offered: The definitions and pins behind its tools; None if it has none.
    """

    name: str
    source: str
    does: str
    state: str
    tools: tuple[Tool, ...] = ()
    problem: str = ""
    offered: Approved | None = None


class McpServers:
    """Starts servers when their tools are first wanted, and ends them when closed.

    Servers that are configured in files belong to the process, as loaded models do; those of
    `Session(mcp=...)` to their session. Its methods may be called from any thread.

    Args:
        start_timeout_s: Seconds for a server to start.
    """

    def __init__(self, *, start_timeout_s: float = START_TIMEOUT_S) -> None:
        self.start_timeout_s = start_timeout_s
        self._lock = threading.RLock()
        self._connections: dict[ServerEntry, Connection] = {}
        self._present: dict[ServerEntry, tuple[ToolDefinition, ...]] = {}
        self._failed: dict[ServerEntry, str] = {}
        self._told: set[str] = set()

    def offer(self, config: McpConfig, root: Path, *, may_start: bool) -> list[ServerState]:
        """Return the state of every configured server, with the tools that it offers.

        Args:
            config: The configured servers.
            root: Working folder of their programs.
            may_start: Whether to start servers whose tools were never listed.
        """
        approved = _approved()
        if may_start:
            self._list_new([e for e in config.entries if e.sha256 not in approved], root)
            approved = _approved()
        states = [self._state(entry, approved.get(entry.sha256), root) for entry in config.entries]
        states += [
            ServerState(
                name=problem.name,
                source=problem.source,
                does="",
                state="failed" if problem.is_trusted else "not trusted",
                problem=problem.reason,
            )
            for problem in config.problems
        ]
        self._tell(states)
        return states

    def start(self, entry: ServerEntry, root: Path) -> tuple[ToolDefinition, ...]:
        """Start a server anew and return its tools.

        Raises:
            ToolUnavailableError: It did not start.
        """
        self.stop(entry)
        with self._lock:
            self._failed.pop(entry, None)
        return self._listed(self._begun(entry, root))

    def accept(self, entry: ServerEntry, root: Path) -> dict[str, str]:
        """Approve the present tools of a server, and return what changed, by tool.

        Raises:
            ToolUnavailableError: It did not start.
            SettingError: The list of approved tools cannot be read or written.
        """
        present = self.start(entry, root)
        old = ApprovedServers.of_user().read().get(entry.sha256)
        ApprovedServers.of_user().approve(entry, present)
        with self._lock:
            self._present.pop(entry, None)
        return differences(old.definitions if old else (), present)

    def connection(self, entry: ServerEntry, root: Path) -> Connection:
        """Return the connection of a server, started if there is none.

        Raises:
            ToolUnavailableError: It does not start.
        """
        connection = self._begun(entry, root)
        self._listed(connection)
        return connection

    def changed(self, entry: ServerEntry, present: tuple[ToolDefinition, ...]) -> None:
        """Note that a server has other tools than those that were approved."""
        with self._lock:
            self._present[entry] = present

    def stop(self, entry: ServerEntry) -> None:
        """End a server, if it was started."""
        with self._lock:
            connection = self._connections.pop(entry, None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """End all servers; the next use starts them again."""
        with self._lock:
            entries = list(self._connections)
        for entry in entries:
            self.stop(entry)

    def _begun(self, entry: ServerEntry, root: Path) -> Connection:
        """Return the connection of a server, starting or started."""
        with self._lock:
            connection = self._connections.get(entry)
            if connection is None or not connection.is_alive:
                connection = Connection.begin(entry, root, start_timeout_s=self.start_timeout_s)
                self._connections[entry] = connection
            return connection

    def _listed(self, connection: Connection) -> tuple[ToolDefinition, ...]:
        try:
            return result_within(connection.listed, self.start_timeout_s + _GRACE_S)
        except TimeoutError as error:
            msg = f"MCP server {connection.entry.name}: it does not start"
            raise ToolUnavailableError(msg) from error

    def _list_new(self, entries: Iterable[ServerEntry], root: Path) -> None:
        """Start servers that were never listed, all at once, and approve their first lists."""
        new = [entry for entry in entries if entry not in self._failed]
        begun = [self._begun(entry, root) for entry in new]
        for entry, connection in zip(new, begun, strict=True):
            try:
                ApprovedServers.of_user().approve(entry, self._listed(connection))
            except OksoError as error:
                self._failed[entry] = error.message.removeprefix(f"MCP server {entry.name}: ")

    def _state(self, entry: ServerEntry, approved: Approved | None, root: Path) -> ServerState:
        connection = self._connections.get(entry)
        is_running = connection is not None and connection.is_alive
        failed = self._failed.get(entry, "")
        state = "running" if is_running else "not started"
        offered = Offered((), {})
        if approved is None:
            state = "failed" if failed else "not listed yet"
        else:
            present = self._present.get(entry, approved.definitions)
            offered = tools_of(approved, present, _Caller(self, entry, root))
        changed = (
            differences(approved.definitions, self._present[entry])
            if (approved and entry in self._present)
            else {}
        )
        problems = [f"{name}: {why}" for name, why in offered.problems.items()]
        return ServerState(
            name=entry.name,
            source=entry.source,
            does=entry.words,
            state="changed" if changed else state,
            tools=offered.tools,
            problem=sentence("; ".join([*([failed] if failed else []), *problems])),
            offered=approved.without(offered.problems) if approved else None,
        )

    def _tell(self, states: Iterable[ServerState]) -> None:
        """Log each problem once: every cell reads the configuration again."""
        for state in states:
            words = f"MCP server {state.name}: {state.problem}"
            if state.problem and words not in self._told:
                self._told.add(words)
                LOGGER.warning("MCP tools were left out", extra={"detail": words})


@dataclass(frozen=True, slots=True)
class _Caller:
    """Calls of the tools of one server."""

    servers: McpServers
    entry: ServerEntry
    root: Path

    def connection(self) -> Connection:
        """Return the connection, alive; ToolUnavailableError where the server does not start."""
        return self.servers.connection(self.entry, self.root)

    def changed(self, present: tuple[ToolDefinition, ...]) -> None:
        """Note that the server has other tools than those that were approved."""
        self.servers.changed(self.entry, present)


def replayed(recorded: Iterable[Approved]) -> list[Tool]:
    """Return the tools that a recording has kept; a replay never calls them."""
    return [tool for one in recorded for tool in tools_of(one, one.definitions, _NoCaller()).tools]


class _NoCaller:
    """The caller of tools in a replay, where results are recorded."""

    def connection(self) -> Connection:
        """Raise ToolUnavailableError."""
        msg = "a replay starts no MCP server"
        raise ToolUnavailableError(msg)

    def changed(self, present: tuple[ToolDefinition, ...]) -> None:
        """Do nothing: no server is asked."""


def _approved() -> Mapping[str, Approved]:
    """Return what is approved; nothing if the list cannot be read."""
    try:
        return ApprovedServers.of_user().read()
    except SettingError as error:
        LOGGER.warning("no MCP tool is approved", extra={"detail": str(error)})
        return {}


#: The servers that are configured in files; they end with this process.
SHARED: Final = McpServers()
atexit.register(SHARED.close)
