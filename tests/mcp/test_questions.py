"""A server that asks in the middle of a call: a person answers, or the question is declined."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter.runs import run_context
from tests.bench import END, Bench
from tests.mcp.lab import SERVER, approve, npm_server, session_of

pytestmark = pytest.mark.process
ASKING: Final = str(Path(__file__).with_name("asking_server.py"))


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(name="person")
def person_(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """What was asked, and what a person will answer, in order."""
    asked: list[str] = []
    answers: list[str] = []

    def line(question: str, _timeout_s: float) -> str:
        asked.append(question)
        return answers.pop(0)

    monkeypatch.setattr(run_context, "ask_line", line)
    return asked, answers


def text_of(bench: Bench, entry: dict[str, Any], tool: str) -> str:
    """Call a tool of a server, and return its result."""
    with session_of(bench, {"desk": entry}) as session:
        plan = [{"tool": f"desk.{tool}", "args": {}}, END]
        run = session.execute(plan, approve=approve)
    assert run.state == "completed"
    return run.steps_seen[0].text


def book(bench: Bench) -> str:
    """Call the tool of a server that speaks the stateless revision."""
    return text_of(bench, {"command": sys.executable, "args": [ASKING]}, "book")


def act(bench: Bench, way: str) -> str:
    """Call the tool of a server with a session that asks in a way."""
    return text_of(bench, {"command": sys.executable, "args": [SERVER, way]}, "act")


def test_a_person_fills_in_the_fields(bench: Bench, person: tuple[list[str], list[str]]) -> None:
    """Each is asked for by name; what does not fit is asked again; the journal has the question."""
    asked, answers = person
    answers += ["Ann", "77", "7", "window", ""]
    text = book(bench)
    assert text.startswith("[the server asked 'Which seat?⟨U+202E⟩': answered]\nbooked ")
    assert '"name":"Ann","row":7,"side":"window","has_luggage":null' in text
    assert asked[0].startswith("MCP server desk asks: 'Which seat?⟨U+202E⟩'. name: Name: Who ")
    assert asked[1] == "row: Row (integer; leave it empty to decline): "
    assert asked[2].startswith("'77' does not fit. row: ")
    assert "(window or aisle; or leave it empty)" in asked[3]


@pytest.mark.parametrize("answers", [[""], ["Ann", ""], ["Ann", "a", "b", "41"]])
def test_a_person_declines(
    bench: Bench, person: tuple[list[str], list[str]], answers: list[str]
) -> None:
    """A needed field is left empty, or nothing that fits is typed."""
    person[1].extend(answers)
    assert book(bench).endswith(": declined]\ndecline")
    assert len(person[0]) == len(answers)


def test_where_nobody_can_be_asked_it_is_declined(bench: Bench) -> None:
    """The call goes on without an answer."""
    assert book(bench).endswith(": declined]\ndecline")


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("asks_for_a_secret", "a form must not ask for a secret"),
        ("asks_to_open_a_file", "its link is no web address"),
    ],
)
def test_what_nobody_should_be_asked_is_declined(
    bench: Bench, person: tuple[list[str], list[str]], way: str, reason: str
) -> None:
    """No person is asked, and the result says why."""
    text = act(bench, way)
    assert person[0] == []
    assert f"declined, since {reason}]" in text
    assert '"action": "decline"' in text


@pytest.mark.parametrize(
    ("said", "action"), [("yes", "accept"), ("no", "decline"), ("", "decline")]
)
def test_a_link_is_shown_and_not_opened(
    bench: Bench, person: tuple[list[str], list[str]], said: str, action: str
) -> None:
    """Its host stands first; a person opens it, or does not."""
    asked, answers = person
    answers.append(said)
    assert f'"action": "{action}"' in act(bench, "asks_for_a_payment")
    (question,) = asked
    assert "Its link to pay.example.org: https://pay.example.org/7 (nothing opens it" in question


def test_a_server_that_asks_on_and_on_is_declined(
    bench: Bench, person: tuple[list[str], list[str]]
) -> None:
    """A person is asked ten times at most in one call."""
    person[1].extend([""] * 10)
    assert act(bench, "asks_on_and_on").count('"decline"') == 30
    assert len(person[0]) == 10


@pytest.mark.peer
def test_a_server_of_others_asks(bench: Bench, person: tuple[list[str], list[str]]) -> None:
    """The form of `server-everything` with fields of each kind is filled in."""
    asked, answers = person
    answers += ["Ann", "yes", "", "ann@example.org", "", "", "7", "2.5", "Joey", "Piano, Bass"]
    answers += ["hero-2", "fish-1,fish-3", ""]
    text = text_of(bench, npm_server("everything"), "trigger-elicitation-request")
    assert len(asked) == 13
    sent = json.loads(text.partition("Raw result: ")[2])
    assert sent["content"] == {
        "name": "Ann",
        "check": True,
        "email": "ann@example.org",
        "integer": 7,
        "number": 2.5,
        "untitledSingleSelectEnum": "Joey",
        "untitledMultipleSelectEnum": ["Piano", "Bass"],
        "titledSingleSelectEnum": "hero-2",
        "titledMultipleSelectEnum": ["fish-1", "fish-3"],
    }
