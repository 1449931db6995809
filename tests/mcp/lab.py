"""Sessions with an MCP server, for tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import psutil

from okso_jupyter.magic import line_magic
from okso_jupyter.plan.plan import Plan
from okso_jupyter.session.session import Session
from tests import npm
from tests.bench import END, Bench

SERVER: Final = str(Path(__file__).with_name("misbehaving_server.py"))
TIME: Final = {"command": sys.executable, "args": ["-m", "mcp_server_time"]}
ARGS: Final = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
CONVERT: Final[dict[str, Any]] = {"tool": "time.convert_time", "args": ARGS}
ACT: Final = [{"tool": "bad.act", "args": {"text": "a"}}, END]

#: Version of the servers that the authors of the protocol publish on npm.
_NPM_VERSION: Final = "2026.8.31"


def npm_server(name: str, *args: str) -> dict[str, Any]:
    """Return the entry of a server from npm; skip the test if it cannot be installed."""
    package = f"@modelcontextprotocol/server-{name}"
    script = npm.installed(f"{package}@{_NPM_VERSION}", f"{package}/dist/index.js")
    return {"command": "node", "args": [str(script), *args]}


def session_of(bench: Bench, servers: dict[str, Any] | None, **settings: Any) -> Session:
    """Return a session with servers and no model; None for those in files."""
    given = {"OKSO_HOME": str(bench.home), "PLANNER_MODEL_SPEC": "/no.gguf", **settings}
    return Session(given, root=bench.root, mcp=servers)


def misbehaving(bench: Bench, way: str, **settings: Any) -> Session:
    """Return a session with the server that misbehaves in a way, called `bad`."""
    return session_of(
        bench, {"bad": {"command": sys.executable, "args": [SERVER, way]}}, **settings
    )


def approve(_plan: Plan) -> str:
    """Approve, as a person does."""
    return "approve"


def calls(bench: Bench) -> int:
    """Return how many calls arrived at the server."""
    file = bench.root / "calls"
    return file.read_text().count("call") if file.exists() else 0


def programs() -> list[str]:
    """Return the command lines of running time servers that this process started."""
    children = psutil.Process().children(recursive=True)
    lines = [" ".join(child.cmdline()) for child in children if child.status() != "zombie"]
    return [line for line in lines if "mcp_server_time" in line]


def okso(line: str) -> Any:
    """Run a line of `%okso`."""
    return line_magic.run(line, None, {}, variables={}, display=lambda *_: None)
