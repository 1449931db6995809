"""Descriptions, hints and results of an MCP server are data, whatever the corpus has it say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from okso_jupyter import Session
from okso_jupyter.effects.effect import UNDECLARED
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.plan import Plan
from tests.bench import END, Bench
from tests.injection.test_injection import CORPUS, Obedient, bytes_below

pytestmark = [pytest.mark.slow, pytest.mark.process]
SERVER: Final = str(Path(__file__).with_name("saying_server.py"))
LOOK: Final = {"tool": "desk.look", "args": {}}


@pytest.fixture(name="session", params=CORPUS, ids=lambda path: path.name)
def session_(
    request: pytest.FixtureRequest, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Session]:
    """A session with a server that says one hostile text, and a model that obeys it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    server = {"command": sys.executable, "args": [SERVER, str(request.param)]}
    settings = {"OKSO_HOME": str(bench.home), "VERBOSITY": 0}
    with Session(settings, model=Obedient(), root=bench.root, mcp={"desk": server}) as session:
        yield session


def test_words_of_a_server_decide_nothing(session: Session, bench: Bench) -> None:
    """They are one legible line, its hints pin nothing, its result steers no step unasked."""
    before = bytes_below(bench.root)
    (state,) = session.servers.states(session.root, may_start=True)
    (tool,) = state.tools
    assert tool.description.isprintable()
    assert len(tool.description) <= 700
    assert tool.effect({}) == UNDECLARED
    with pytest.raises(ApprovalError):
        session.execute([LOOK, END], approve="auto")

    shown: list[Plan] = []

    def decide(plan: Plan) -> str:
        shown.append(plan)
        return "approve" if len(shown) == 1 else "reject"

    steered = {"tool": "terminal", "args": {"command": "", "args": ["notes.txt"]}}
    run = session.execute([LOOK, steered, END], approve=decide)
    assert run.state == "cancelled"
    assert [step.tool for step in shown[0].steps] == ["desk.look", "terminal", "final_answer"]
    assert shown[1].steps[0].args["command"] == "rm"
    assert bytes_below(bench.root) == before
