"""`%okso mcp add` and `remove` change the user's file, and nothing else in it."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import OksoError
from okso_jupyter.mcp.approved import ApprovedServers
from okso_jupyter.mcp.config import user_file
from okso_jupyter.mcp.servers import SHARED
from tests.bench import Bench
from tests.mcp.lab import okso, programs

ADD_TIME = f"mcp add time -- {sys.executable} -m mcp_server_time"


@pytest.fixture(autouse=True)
def _notebook(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("OKSO_HOME", str(bench.home))
    monkeypatch.chdir(bench.root)


def write(document: Any) -> None:
    """Write the user's file."""
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(json.dumps(document), "utf-8")


def read() -> Any:
    """Return what the user's file holds."""
    return json.loads(user_file().read_text("utf-8"))


@pytest.mark.process
@pytest.mark.peer
def test_an_added_server_is_offered_until_it_is_removed() -> None:
    """It is started when its tools are wanted, and ended when it is removed."""
    said = str(okso(ADD_TIME))
    assert said.startswith("time is added: it starts ")
    (row,) = okso("mcp").to_dict("records")
    assert (row["server"], row["state"]) == ("time", "running")
    assert len(programs()) == 1
    okso("mcp pin time.convert_time none")
    assert "time is removed" in str(okso("mcp remove time"))
    assert programs() == []
    assert len(okso("mcp")) == 0
    assert ApprovedServers.of_user().read() == {}
    SHARED.close()


def test_all_else_in_the_file_is_kept() -> None:
    """Other members, servers, their order and their letters stay; the file is private."""
    other = {"command": "x", "env": {"A": "é"}, "alwaysAllow": ["y"], "disabled": True}
    write({"theme": "dark", "mcpServers": {"zeta": other}, "inputs": [1]})
    okso("mcp add sums http://127.0.0.1:8000/mcp")
    okso("mcp add git TOKEN=${MY_TOKEN} -- git --version")
    added = {"command": "git", "args": ["--version"], "env": {"TOKEN": "${MY_TOKEN}"}}
    sums = {"url": "http://127.0.0.1:8000/mcp"}
    servers = {"zeta": other, "sums": sums, "git": added}
    assert read() == {"theme": "dark", "mcpServers": servers, "inputs": [1]}
    assert list(read()) == ["theme", "mcpServers", "inputs"]
    assert "é" in user_file().read_text("utf-8")
    assert stat.S_IMODE(user_file().stat().st_mode) == 0o600
    okso("mcp remove zeta")
    assert list(read()["mcpServers"]) == ["sums", "git"]


def test_a_link_in_place_of_the_file_stays_one(tmp_path: Path) -> None:
    """What it points to is written."""
    write({})
    target = tmp_path / "dotfiles.json"
    user_file().rename(target)
    user_file().symlink_to(target)
    okso("mcp add sums http://127.0.0.1:8000/mcp")
    assert user_file().is_symlink()
    assert list(json.loads(target.read_text())["mcpServers"]) == ["sums"]


@pytest.mark.process
def test_a_secret_is_written_and_not_shown() -> None:
    """The answer and the table name the variable alone."""
    secret = "correct-horse-battery-staple"  # noqa: S105  an example
    key = "ghp_" + "a1B2c3D4e5" * 4
    said = str(okso(f"mcp add git TOKEN={secret} -- git --version {key}"))
    assert secret not in said
    assert key not in said
    assert "TOKEN" in said
    assert secret not in okso("mcp").to_string()
    assert read()["mcpServers"]["git"]["env"] == {"TOKEN": secret}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mcp add", "it takes a name, then a command behind -- or an address"),
        ("mcp add git", "it takes a name, then a command behind -- or an address"),
        ("mcp add git git --version", "it takes a name, then a command behind -- or an address"),
        ("mcp add git --", "it takes a name, variables as NAME=VALUE, -- and a command"),
        ("mcp add git token -- git", "it takes a name, variables as NAME=VALUE"),
        ("mcp add git -- no-such-program", "there is no program 'no-such-program'"),
        ("mcp add a.b -- git", "a server's name has only letters, digits, '_' and '-'"),
        ("mcp add a ftp://example.org", "'ftp://example.org' is not an http or https address"),
        ("mcp add Zeta -- git", "there is a server 'zeta' already"),
        ("mcp remove", "remove takes one name"),
        ("mcp remove git", "there is no server 'git' in your own mcp.json"),
        ("mcp remove ZETA", "there is no server 'ZETA' in your own mcp.json"),
    ],
)
def test_what_cannot_be_done_changes_nothing(line: str, said: str) -> None:
    """The error is one sentence with the way out."""
    write({"mcpServers": {"zeta": {"command": "x", "disabled": True}}})
    before = user_file().read_bytes()
    with pytest.raises(OksoError) as caught:
        okso(line)
    assert said in str(caught.value)
    assert caught.value.hint
    assert user_file().read_bytes() == before


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "{'a': 1}", "\ufffe"])
def test_a_damaged_file_is_left_as_it_is(text: str) -> None:
    """It is not replaced by one with the new server alone."""
    user_file().parent.mkdir(parents=True)
    user_file().write_text(text, "utf-8")
    with pytest.raises(OksoError, match=r"mcp\.json' cannot be changed: it "):
        okso("mcp add sums http://127.0.0.1:8000/mcp")
    assert user_file().read_text("utf-8") == text
