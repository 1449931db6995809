"""SessionServers: the MCP servers of a session, from files or from its argument `mcp`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter.errors import RecordingError
from okso_jupyter.mcp.approved import Approved
from okso_jupyter.mcp.config import McpConfig
from okso_jupyter.mcp.servers import SHARED, McpServers, ServerState, replayed
from okso_jupyter.replay.recording_file import Recording
from okso_jupyter.session.tool_set import trusted_hashes
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool

_NONE: Final = McpConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionServers:
    """The servers whose tools a session offers.

    Attributes:
        given: Servers of the session itself; None for those in the files.
        servers: Starts and ends them.
        recording: The recording that is replayed; then no server is started.
    """

    given: McpConfig | None
    servers: McpServers
    recording: str | None

    @classmethod
    def of(
        cls,
        mcp: Mapping[str, Any] | str | Path | None,
        settings: Settings,
        *,
        are_own_tools: bool,
    ) -> Self:
        """Return the servers of a session.

        Args:
            mcp: The argument of the session.
            settings: The settings.
            are_own_tools: Whether the session has tools in place of all others: then servers in
                files are not offered.

        Raises:
            UsageError: A server in `mcp` cannot be used.
        """
        given = McpConfig.of_argument(mcp) if mcp is not None else None
        if given is None and are_own_tools:
            given = _NONE
        servers = SHARED if given is None else McpServers()
        return cls(given=given, servers=servers, recording=settings.okso_replay)

    def config(self, root: Path) -> McpConfig:
        """Return the configured servers, as the files are now."""
        return McpConfig.of_files(root, trusted_hashes()) if self.given is None else self.given

    def states(self, root: Path, *, may_start: bool) -> list[ServerState]:
        """Return the state of every server, with its tools.

        Args:
            root: Working folder of their programs.
            may_start: Whether servers may be started whose tools are not known yet.
        """
        return self.servers.offer(
            self.config(root), root, may_start=may_start and not self.recording
        )

    def tools(self, root: Path, *, may_start: bool) -> list[Tool]:
        """Return the tools of all servers, see `states`; in a replay, those that were recorded.

        Pins may have changed between two runs of a recording: those of the same definitions that
        the user has here count, which a replayed notebook sets as it did when it was recorded.
        """
        states = self.states(root, may_start=may_start)
        recorded = _recorded(self.recording) if self.recording else []
        if not recorded:
            return [tool for state in states for tool in state.tools]
        here = {state.name: state.offered for state in states}
        return replayed(_pinned_as(one, here.get(one.server)) for one in recorded)

    def offered(self, root: Path) -> list[dict[str, Any]]:
        """Return what a replay needs to offer the same tools, as JSON data."""
        states = self.states(root, may_start=False)
        return [state.offered.to_json() for state in states if state.offered and state.tools]

    def environments(self, root: Path) -> list[dict[str, str]]:
        """Return what each entry names of the environment of its program."""
        return [entry.given_env() for entry in self.config(root).entries]

    def header_values(self, root: Path) -> list[str]:
        """Return the values of all headers, and their words: "Bearer" and a token."""
        headers = (entry.given_headers() for entry in self.config(root).entries)
        values = [value for sent in headers for value in sent.values()]
        return [part for value in values for part in (value, *value.split())]

    def close(self) -> None:
        """End the servers that belong to the session."""
        if self.given is not None:
            self.servers.close()


def _pinned_as(recorded: Approved, here: Approved | None) -> Approved:
    """Return a recorded server with the pins that its definitions have here, if they are known."""
    if here is not None and here.definitions == recorded.definitions:
        return here
    return recorded


def _recorded(recording: str) -> list[Approved]:
    """Return the servers whose tools were offered to the runs of a recording.

    Of two with one name, the later; none if it cannot be read, which its replay says.
    """
    try:
        runs = Recording.open(recording).runs
    except RecordingError:
        return []
    entries = (entry for run in runs for entry in run.entries if entry.kind == "servers")
    found = (Approved.of_json(one) for entry in entries for one in entry.gave)
    return list({one.server: one for one in found}.values())
