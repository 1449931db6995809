"""What leaves this machine is said before the first request, and SEND limits it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.protocol import ModelIdentity
from okso_jupyter.llm.sending import check_contents, may_send
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.testing import ScriptedModel
from tests.bench import END, Bench, bodies
from tests.llm.openai_server import OpenAIServer, says

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "Read it"}
PLAN = json.dumps({"steps": [READ, END]})
#: Stands for another machine: it is no loopback address, and still reaches this one.
ELSEWHERE = "0.0.0.0"  # noqa: S104  an address to connect to
RAIN = pd.DataFrame({"rain_mm": [1.0]})


class _Kept(logging.Handler):
    """A handler that keeps its records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)


@pytest.fixture(name="said")
def _said() -> Iterator[list[logging.LogRecord]]:
    """The notices that prompts leave this machine."""
    handler = _Kept()
    handler.addFilter(lambda record: "leave this machine" in record.getMessage())
    logger = logging.getLogger("okso_jupyter")
    logger.addHandler(handler)
    yield handler.records
    logger.removeHandler(handler)


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy between this test and its server."""
    monkeypatch.setenv("NO_PROXY", "*")


def run(bench: Bench, send: str) -> tuple[Run, list[str]]:
    """Run a request on a server elsewhere; return the run and the texts that were sent."""
    (bench.root / "notes.txt").write_text("a long line about quokkas\n" * 60)
    with OpenAIServer([says(PLAN), says("It tells of quokkas.")]) as server:
        spec = server.spec.replace("127.0.0.1", ELSEWHERE)
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1, "SEND": send}
        with Session(chosen, model=spec, root=bench.root) as session:
            done = session.run(
                "Read 'notes.txt' and describe them beside {{lot}} and rain",
                variables={"lot": ["wombat"] * 200},
                inputs={"rain": RAIN},
                approve="auto",
            )
        return done, [json.dumps(seen.body["messages"]) for seen in server.seen]


@pytest.mark.parametrize(
    ("send", "told"),
    [
        ("all", {"notes.txt", "rain_mm", "wombat", "quokkas"}),
        ("headers", {"notes.txt", "rain_mm"}),
        ("names", {"notes.txt"}),
    ],
)
def test_send_limits_what_is_sent(bench: Bench, send: str, told: set[str]) -> None:
    """Names, headers, values and contents are sent as far as SEND says; the run completes."""
    done, texts = run(bench, send)

    sent = " ".join(texts)
    assert {word for word in ("notes.txt", "rain_mm", "wombat", "quokkas") if word in sent} == told
    assert done.state == "completed"
    assert done.answer


def test_it_is_said_before_the_first_request(bench: Bench, said: list[logging.LogRecord]) -> None:
    """Host and kinds are logged once, and recorded before the first completion of the run."""
    done, _ = run(bench, "headers")

    assert [record.levelno for record in said] == [logging.WARNING]
    detail = vars(said[0])["detail"]
    assert detail["to"].startswith(f"{ELSEWHERE}:")
    assert detail["what"] == "the request, file names, table headers"
    (body,) = bodies(done, "prompts_sent")
    assert (body["host"], body["what"]) == (detail["to"], detail["what"].split(", "))
    kinds = [record.kind for record in done.records]
    assert kinds.index("prompts_sent") < kinds.index("completion")


def test_a_server_on_this_machine_needs_no_word(
    bench: Bench, said: list[logging.LogRecord]
) -> None:
    """Nothing is said of a loopback address, and SEND keeps nothing from it."""
    with OpenAIServer([says(PLAN)]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1, "SEND": "names"}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            session.plan("Read 'notes.txt'", variables={"lot": 1})

    assert said == []


class Elsewhere(ScriptedModel):
    """A model object of somebody else, with a server behind it."""

    @property
    def identity(self) -> ModelIdentity:
        """An identity with an address."""
        return ModelIdentity(spec="https://host.test/v1#m", name="m")


def test_the_error_names_host_and_setting() -> None:
    """What was observed is kept from it under SEND=names, with the way out in the hint."""
    model = Elsewhere([])
    assert may_send("contents", model, "all")
    assert may_send("file names", model, "names")
    with pytest.raises(ModelUnavailableError, match=r"is not sent to host\.test: SEND=names") as no:
        check_contents(model, "names")
    assert "SEND=all" in no.value.hint
