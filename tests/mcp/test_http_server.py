"""A real server over streamable HTTP on loopback."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench import END, Bench
from tests.mcp.lab import TIME, approve, npm_server, session_of

pytestmark = pytest.mark.process
ADD = {"tool": "sums.add", "args": {"a": 2, "b": 3}}


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(name="url")
def url_() -> Iterator[str]:
    """The address of a running server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(Path(__file__).with_name("http_server.py")), str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:  # noqa: S603  our own
        while not _answers(port):
            assert server.poll() is None
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        server.kill()


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def test_a_tool_of_an_address_is_called(bench: Bench, url: str) -> None:
    """It is listed, asked about and called as one of a program."""
    with session_of(bench, {"sums": {"url": url}}) as session:
        run = session.execute([ADD, END], approve=approve)
    assert (run.state, run.steps_seen[0].text) == ("completed", "5")


@pytest.mark.peer
def test_the_revision_is_the_newest_that_a_server_speaks(bench: Bench, url: str) -> None:
    """The stateless one with servers of the SDK, by address or program; else one with a session."""
    entries = {"sums": {"url": url}, "time": TIME, "every": npm_server("everything")}
    with session_of(bench, entries) as session:
        session.servers.states(session.root, may_start=True)
        spoken = {
            entry.name: connection._client.protocol_version
            for entry, connection in session.servers.servers._connections.items()
            if connection._client is not None
        }
    assert spoken == {"sums": "2026-07-28", "time": "2026-07-28", "every": "2025-11-25"}


def test_an_address_where_nothing_answers_is_named(bench: Bench) -> None:
    """The server is left out, with a reason in one sentence."""
    with session_of(bench, {"sums": {"url": "http://127.0.0.1:9/mcp"}}) as session:
        (state,) = session.servers.states(session.root, may_start=True)
    assert (state.state, state.tools) == ("failed", ())
    assert state.problem == "All connection attempts failed"
