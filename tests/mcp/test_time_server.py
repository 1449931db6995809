"""The tools of a real server, `mcp-server-time`, from configuration to journal and replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.effects.effect import UNDECLARED
from okso_jupyter.errors import ApprovalError, RecordingError, UsageError
from okso_jupyter.mcp.config import user_file
from okso_jupyter.mcp.servers import SHARED
from tests.bench import END, Bench
from tests.mcp.lab import ARGS, CONVERT, TIME, approve, okso, programs, session_of

pytestmark = [pytest.mark.process, pytest.mark.peer]


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_tool_is_listed_asked_about_called_and_journalled(bench: Bench) -> None:
    """Its effects are not declared, so a person is asked; the program ends with the session."""
    asked: list[Any] = []

    def decide(plan: Any) -> str:
        asked.append(plan)
        return "approve"

    with session_of(bench, {"time": TIME}) as session:
        run = session.execute([CONVERT, END], approve=decide)
        names = [name for name in session.tools if name.startswith("time.")]
        assert names == ["time.get_current_time", "time.convert_time"]
        tool = session.tools["time.convert_time"]
        assert tool.effect(ARGS) == UNDECLARED
        assert "effects not pinned by you" in tool.safety
        assert len(programs()) == 1
        loaded = session.load_run(run.id)
    assert len(asked) == 1
    seen = loaded.steps_seen[0]
    assert (run.state, seen.status, seen.call.tool) == ("completed", "completed", CONVERT["tool"])
    assert "T21:00:00+09:00" in seen.text
    assert programs() == []


def test_auto_never_approves_it(bench: Bench) -> None:
    """An undeclared effect needs a person."""
    with session_of(bench, {"time": TIME}) as session, pytest.raises(ApprovalError):
        session.execute([CONVERT, END], approve="auto")


@pytest.fixture(name="_in_file")
def _in_file_(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server in the user's file, in a notebook; it is ended afterwards."""
    user_file().parent.mkdir(parents=True)
    user_file().write_text(json.dumps({"mcpServers": {"time": TIME}}))
    monkeypatch.chdir(bench.root)
    monkeypatch.setenv("OKSO_HOME", str(bench.home))
    yield
    SHARED.close()
    assert programs() == []


@pytest.mark.usefixtures("_in_file")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mcp tri time", "there is no 'tri' (did you mean try?;"),
        ("mcp try", "try takes one name"),
        ("mcp try tome", "there is no server 'tome'"),
        ("mcp accept tome", "there is no server 'tome'"),
        ("mcp pin time.convert_time", "pin takes a tool and its effects"),
        (
            "mcp pin time.convert_time harmless",
            "'harmless' is not a valid Effect",
        ),
        ("mcp pin time.travel none", "time offers no tool 'time.travel'"),
        ("mcp unpin file_read", "there is no server 'file_read'"),
    ],
)
def test_a_command_that_cannot_be_done_says_why(line: str, said: str) -> None:
    """The error is one sentence with the way out, and changes nothing."""
    with pytest.raises(UsageError) as caught:
        okso(line)
    assert said in str(caught.value)
    assert caught.value.hint


@pytest.mark.usefixtures("_in_file")
def test_a_pinned_effect_counts_until_unpinned(bench: Bench) -> None:
    """`%okso mcp` lists and tries a server of the user's file, pins an effect and removes it."""
    (row,) = okso("mcp").to_dict("records")
    assert (row["server"], row["state"], row["problem"]) == ("time", "running", "")
    assert row["tools"] == ["time.get_current_time", "time.convert_time"]
    assert str(okso("mcp try time")).startswith("time is running\ntime.get_current_time: Get")
    assert str(okso("mcp accept time")) == "the tools of time are accepted as they are"

    assert "no effect" in str(okso("mcp pin time.convert_time none"))
    with session_of(bench, None) as session:
        assert session.execute([CONVERT, END], approve="auto").state == "completed"
        assert "effects pinned by you" in session.tools["time.convert_time"].safety
    okso("mcp unpin time.convert_time")
    with session_of(bench, None) as session, pytest.raises(ApprovalError):
        session.execute([CONVERT, END], approve="auto")


def test_a_run_is_replayed_without_the_server(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recorded result is used, and no program is started, here or on another machine."""
    file = tmp_path / "demo.json"
    with session_of(bench, {"time": TIME}, OKSO_RECORD=str(file)) as session:
        run = session.execute([CONVERT, END], approve=approve)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    for servers in ({"time": TIME}, None):
        with session_of(bench, servers, OKSO_REPLAY=str(file)) as session:
            again = session.execute([CONVERT, END], approve=approve)
            assert programs() == []
        assert again.steps_seen[0].text == run.steps_seen[0].text
        assert again.state == "completed"


def test_an_exported_run_is_replayed_without_the_server(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal, too, holds the definitions of the tools that were offered."""
    file = tmp_path / "demo.json"
    with session_of(bench, {"time": TIME}) as session:
        run = session.execute([CONVERT, END], approve=approve)
    monkeypatch.chdir(bench.root)
    monkeypatch.setenv("OKSO_HOME", str(bench.home))
    okso(f"record {file} {run.id}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    with session_of(bench, None, OKSO_REPLAY=str(file)) as session:
        again = session.execute([CONVERT, END], approve=approve)
    assert again.steps_seen[0].text == run.steps_seen[0].text


@pytest.mark.parametrize(
    "damage",
    [{"gave": 7}, {"gave": [{"server": "time"}]}, {"gave": [{"server": 1, "tools": 2, "pins": 3}]}],
)
def test_a_recording_with_damaged_definitions_is_refused(
    bench: Bench, tmp_path: Path, damage: dict[str, Any]
) -> None:
    """The error says so; nothing is offered."""
    file = tmp_path / "demo.json"
    with session_of(bench, {"time": TIME}, OKSO_RECORD=str(file)) as session:
        session.execute([CONVERT, END], approve=approve)
    document = json.loads(file.read_text())
    for entry in document["runs"][0]["entries"]:
        if entry["kind"] == "servers":
            entry.update(damage)
    file.write_text(json.dumps(document))
    with (
        session_of(bench, None, OKSO_REPLAY=str(file)) as session,
        pytest.raises(RecordingError, match="it is damaged"),
    ):
        session.execute([CONVERT, END], approve=approve)
