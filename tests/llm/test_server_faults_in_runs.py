"""A server with any fault ends the planning with one sentence; key unseen, journal usable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from okso_jupyter import Session
from okso_jupyter.errors import ModelError, NoCandidateError
from okso_jupyter.journal.events import RunStarted
from tests.bench import END, bodies
from tests.llm.asking import KEY
from tests.llm.openai_server import (
    Answer,
    OpenAIServer,
    Reply,
    breaks_off,
    falls_silent,
    refuses,
    says,
    sends,
    stays_alive,
)

PLAN = [{"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "Read the notes"}, END]
REQUEST = "Show me what notes.txt says"


def _streams_for_ever(reply: Reply) -> None:
    """Write pieces of text until whoever asked has left."""
    reply.head(content_type="text/event-stream")
    while reply.pause(0):
        reply.piece("and so on " * 400)


FAULTS: dict[str, Answer] = {
    "a shop's page": sends(b"<html>Buy now</html>", "text/html"),
    "JSON of something else": sends(b'{"weather": "fine"}'),
    "a redirect": refuses(307, location="http://127.0.0.1:9/v1/chat/completions"),
    "a refused key": refuses(401, f"Incorrect API key: {KEY}"),
    "silence": falls_silent(),
    "no end": _streams_for_ever,
    "a connection that is only kept alive": stays_alive,
    "no plan": says("I would read the notes."),
    "no words": says(""),
    "a connection that breaks off": breaks_off('[{"tool"'),
}

#: Those that only a time-out ends.
UNENDING = {"silence", "a connection that is only kept alive"}


def _session(tmp_path: Path, spec: str, timeout_s: float) -> Session:
    root = tmp_path / "notebook"
    root.mkdir(exist_ok=True)
    (root / "notes.txt").write_text("buy milk\n")
    given = {
        "PLANNER_MODEL_SPEC": spec, "OKSO_HOME": str(tmp_path / "home"), "OKSO_API_KEY": KEY,
        "PLANNER_SAMPLE_COUNT": 1, "LLAMA_TIMEOUT_S": timeout_s,
    }  # fmt: skip
    return Session(given, root=root)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_s_fault_is_one_sentence_and_the_journal_stays_usable(
    tmp_path: Path, fault: str
) -> None:
    """The error names the server; the run is recorded as failed; the next request is planned.

    The key is neither in the error nor in any file.
    """
    answers = [FAULTS[fault]]
    timeout_s = 2.0 if fault in UNENDING else 30.0
    with OpenAIServer(answers) as server, _session(tmp_path, server.spec, timeout_s) as session:
        with pytest.raises((ModelError, NoCandidateError)) as caught:
            session.plan(REQUEST)
        ((failed, _),) = session.journal.first_of_each(RunStarted)
        run = session.load_run(failed.run_id)
        answers[:] = [says(json.dumps(PLAN))]
        planned = session.plan(REQUEST)

    said = str(caught.value)
    assert server.host in said
    assert "\n" not in said
    assert run.state == "failed"
    assert next(iter(bodies(run, "error")))["message"] in said
    assert [step.tool for step in planned.plan.steps] == ["file_read", "final_answer"]
    held = b"".join(f.read_bytes() for f in (tmp_path / "home").rglob("*") if f.is_file())
    assert KEY not in said
    assert KEY.encode() not in held
