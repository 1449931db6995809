"""Servers are read from the user's `mcp.json`, and from a trusted one beside the notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.errors import UsageError
from okso_jupyter.mcp.config import FILE, McpConfig, user_file
from okso_jupyter.session.file_trust import change_trust, file_trusts, inspect_file
from okso_jupyter.session.session import Session
from okso_jupyter.session.tool_set import trusted_hashes

TIME: Final = {"command": "mcp-server-time"}


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def write(file: Path, servers: Any) -> None:
    """Write servers into a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"mcpServers": servers}))


def read(root: Path) -> McpConfig:
    """Return the servers of both files."""
    return McpConfig.of_files(root, trusted_hashes())


def reasons(config: McpConfig) -> dict[str, str]:
    """Return the reasons of problems by name."""
    return {problem.name: problem.reason for problem in config.problems}


def test_without_files_there_is_no_server(tmp_path: Path) -> None:
    """Nothing is configured, and nothing is wrong."""
    assert read(tmp_path) == McpConfig()


def test_servers_of_the_user_and_of_a_trusted_file_are_used(tmp_path: Path) -> None:
    """A file beside the notebook counts once its content is trusted, until it changes."""
    write(user_file(), {"time": TIME})
    write(tmp_path / FILE, {"git": {"command": "mcp-server-git", "args": ["-r", "."]}})
    untrusted = read(tmp_path)
    assert [entry.name for entry in untrusted.entries] == ["time"]
    assert reasons(untrusted) == {FILE: "not trusted: %okso trust mcp.json"}

    assert inspect_file(tmp_path, FILE).does == ("git: starts mcp-server-git -r .",)
    change_trust(tmp_path, FILE)
    assert [(one.file, one.kind, one.is_trusted) for one in file_trusts(tmp_path)] == [
        (FILE, "servers", True)
    ]
    found = read(tmp_path)
    assert [entry.name for entry in found.entries] == ["time", "git"]
    assert [entry.source for entry in found.entries] == [str(user_file()), str(tmp_path / FILE)]

    write(tmp_path / FILE, {"git": {"command": "rm"}})
    assert [entry.name for entry in read(tmp_path).entries] == ["time"]


def test_a_name_of_the_user_is_not_taken_by_a_file(tmp_path: Path) -> None:
    """The second server of a name is named, whatever its letter case."""
    write(user_file(), {"time": TIME})
    write(tmp_path / FILE, {"Time": {"command": "other"}})
    change_trust(tmp_path, FILE)
    found = read(tmp_path)
    assert [entry.command for entry in found.entries] == [("mcp-server-time",)]
    assert reasons(found) == {"Time": "the name is used in your own file"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is not JSON"),
        ("[]", "it has no object 'mcpServers'"),
        ('{"servers": {}}', "it has no object 'mcpServers'"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str, reason: str) -> None:
    """It hides no other file."""
    user_file().parent.mkdir(parents=True)
    user_file().write_text(text)
    assert reason in reasons(read(tmp_path))[FILE]


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("a", 7, "it is an object with either a command or a url"),
        ("a", {}, "it is an object with either a command or a url"),
        ("a", {"command": "x", "url": "https://h"}, "it is an object with either"),
        ("a", {"command": "x", "args": "y"}, "args: 'y' is not of type 'array'"),
        ("a.b", {"command": "x"}, "a server's name has only letters, digits, '_' and '-'"),
        ("a", {"url": "file:///etc/passwd"}, "is not an http or https address"),
        ("a", {"url": "http://[::"}, "is not an http or https address"),
        ("a", {"url": "http://example.org", "headers": {"A": "b"}}, "use https"),
    ],
)
def test_a_bad_entry_is_named_and_left_out(
    tmp_path: Path, name: str, given: object, reason: str
) -> None:
    """The other servers of its file are used; in Python it is an error at once."""
    write(user_file(), {name: given, "time": TIME})
    found = read(tmp_path)
    assert [entry.name for entry in found.entries] == ["time"]
    assert reason in reasons(found)[name]
    with pytest.raises(UsageError, match=f"mcp: {name}: ") as caught:
        Session(root=tmp_path, mcp={name: given})
    assert reason in caught.value.message


def test_headers_may_go_to_this_machine_and_over_https(tmp_path: Path) -> None:
    """No one else can read them there."""
    urls = ["https://example.org/mcp", "http://localhost:8000/mcp", "http://127.0.0.1/mcp"]
    write(user_file(), {f"s{n}": {"url": url, "headers": {"A": "b"}} for n, url in enumerate(urls)})
    assert [entry.url for entry in read(tmp_path).entries] == urls


def test_the_environment_is_what_the_entry_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Besides PATH, HOME, LANG and TMPDIR; a variable that is not set is named."""
    monkeypatch.setenv("MY_KEY", "k-123")
    monkeypatch.setenv("OTHER", "x")
    env = {"KEY": "${MY_KEY}", "MODE": "a ${env:MY_KEY}"}
    write(user_file(), {"a": {"command": "x", "env": env}})
    (entry,) = read(tmp_path).entries
    environ = entry.environ()
    assert set(environ) <= {"PATH", "HOME", "LANG", "TMPDIR", "KEY", "MODE"}
    assert (environ["KEY"], environ["MODE"]) == ("k-123", "a k-123")
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(UsageError, match="the variable MY_KEY is not set"):
        entry.environ()


def test_a_disabled_server_is_left_out(tmp_path: Path) -> None:
    """Other clients write `disabled` too."""
    write(user_file(), {"time": {**TIME, "disabled": True}, "git": {"command": "x"}})
    assert [entry.name for entry in read(tmp_path).entries] == ["git"]


def test_a_file_for_a_session_has_to_exist(tmp_path: Path) -> None:
    """A path that leads nowhere is an error; one that leads to a file names its servers."""
    with pytest.raises(UsageError, match="there is no file"):
        Session(root=tmp_path, mcp=tmp_path / "none.json")
    write(tmp_path / "some.json", {"time": TIME})
    (entry,) = McpConfig.of_argument(tmp_path / "some.json").entries
    assert entry.command == ("mcp-server-time",)
