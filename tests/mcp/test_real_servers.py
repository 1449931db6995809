"""Servers of others, from PyPI and npm: listed, asked about, called, journalled and replayed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.effects.effect import UNDECLARED
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.tool import Tool
from tests.bench import END, Bench
from tests.mcp.lab import approve, npm_server, session_of

pytestmark = [pytest.mark.process, pytest.mark.peer]

#: A few tools that each server offers.
OFFERED: Final = {
    "git": {"git_status", "git_log", "git_commit", "git_reset"},
    "everything": {"echo", "get-sum", "get-tiny-image", "get-structured-content"},
    "files": {"read_text_file", "write_file", "move_file", "list_directory"},
}


def entry(name: str) -> dict[str, Any]:
    """Return the configuration of a server; skip the test if it cannot be installed."""
    if name == "git":
        return {"command": sys.executable, "args": ["-m", "mcp_server_git", "--repository", "."]}
    return npm_server("filesystem", ".") if name == "files" else npm_server(name)


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(autouse=True)
def _repository(bench: Bench) -> None:
    """The folder is a repository with one commit."""
    name = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    for line in (("init", "-q"), ("add", "."), (*name, "commit", "-q", "-m", "First notes")):
        subprocess.run(["git", *line], cwd=bench.root, check=True)  # noqa: S603, S607  our own line


@pytest.fixture(name="server", params=OFFERED)
def server_(request: pytest.FixtureRequest, bench: Bench) -> Iterator[tuple[str, Session]]:
    """A server's name, and a session with it."""
    name = request.param
    with session_of(bench, {name: entry(name)}) as session:
        yield name, session


def test_its_tools_are_offered_as_undeclared(server: tuple[str, Session]) -> None:
    """None is left out, and what the server claims about effects is a hint."""
    name, session = server
    (state,) = session.servers.states(session.root, may_start=True)
    assert (state.state, state.problem) == ("running", "")
    tools: dict[str, Tool] = {tool.name.partition(".")[2]: tool for tool in state.tools}
    assert set(tools) >= OFFERED[name]
    assert all(tool.effect({}) == UNDECLARED for tool in state.tools)
    hints = {tool.safety.partition("; ")[2].partition(": ")[0] for tool in state.tools}
    assert hints == {"the server's hint"}


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("git.git_log", {"repo_path": "."}, "First notes"),
        ("git.git_status", {"repo_path": "."}, "nothing to commit"),
        ("everything.get-sum", {"a": 2, "b": 3}, "The sum of 2 and 3 is 5."),
        ("everything.get-structured-content", {"location": "Chicago"}, '"temperature":'),
        ("everything.get-tiny-image", {}, "[picture "),
        ("everything.get-resource-links", {"count": 1}, "[link, not followed: demo://resource/"),
        ("everything.get-resource-reference", {}, "[demo://resource/dynamic/text/1]"),
        ("files.read_text_file", {"path": "notes.txt"}, "call Ann"),
        ("files.write_file", {"path": "new.txt", "content": "a"}, "Successfully wrote"),
    ],
)
def test_a_call_is_journalled_and_replayed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tool: str, args: dict[str, Any], said: str
) -> None:
    """A person is asked; the replay has the same result where no server is configured."""
    name = tool.partition(".")[0]
    file = bench.home.parent / "demo.json"
    with session_of(bench, {name: entry(name)}, OKSO_RECORD=str(file)) as session:
        run = session.execute([{"tool": tool, "args": args}, END], approve=approve)
        seen = session.load_run(run.id).steps_seen[0]
    assert (run.state, seen.status, seen.call.args) == ("completed", "completed", args)
    assert said in seen.text
    monkeypatch.setenv("XDG_CONFIG_HOME", str(bench.home.parent / "elsewhere"))
    with session_of(bench, None, OKSO_REPLAY=str(file)) as session:
        again = session.execute([{"tool": tool, "args": args}, END], approve=approve)
    assert again.steps_seen[0].text == seen.text


@pytest.mark.parametrize(
    ("tool", "args", "reason"),
    [
        ("git.git_status", {"repo_path": "/etc"}, "outside the allowed repository"),
        ("files.read_text_file", {"path": "/etc/passwd"}, "Access denied"),
        ("everything.simulate-research-query", {"topic": "a"}, "requires task augmentation"),
    ],
)
def test_what_a_server_refuses_is_a_failed_step(
    bench: Bench, tool: str, args: dict[str, Any], reason: str
) -> None:
    """Its reason is shown; nothing is uncertain."""
    name = tool.partition(".")[0]
    with session_of(bench, {name: entry(name)}) as session:
        run = session.execute([{"tool": tool, "args": args}, END], approve=approve)
    seen = run.steps_seen[0]
    assert (run.state, seen.status) == ("failed", "failed")
    assert reason in seen.error


@pytest.mark.model
@pytest.mark.parametrize(
    ("server", "request_", "said"),
    [
        ("everything", "Echo the message hello world", "Echo: hello world"),
        ("git", "What is the status of the git repository in this folder?", "nothing to commit"),
        ("files", "Show the text of the file notes.txt", "call Ann"),
    ],
)
def test_the_bundled_model_plans_with_its_tools(
    bench: Bench, server: str, request_: str, said: str
) -> None:
    """A request in plain words becomes a call that a person approves."""
    settings = {"OKSO_HOME": str(bench.home)}
    with Session(settings, root=bench.root, mcp={server: entry(server)}) as session:
        run = session.run(request_, seed=1, approve=approve)
    assert said in run.steps_seen[0].text
