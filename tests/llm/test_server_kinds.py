"""A plan comes through Ollama, vLLM and LM Studio as they document themselves; their refusals."""

from __future__ import annotations

import json

import pytest

from okso_jupyter.errors import ModelError, OksoError
from okso_jupyter.session.session import Session
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.llm.asking import KEY, ROME, model_at, question
from tests.llm.openai_server import OpenAIServer, Reply, sends
from tests.llm.server_kinds import (
    KINDS,
    LM_STUDIO,
    LM_STUDIO_WITH_TOOLS,
    OLD_OLLAMA,
    OLLAMA,
    THOUGHT,
    VLLM,
    VLLM_WITH_GRAMMARS,
    ServerKind,
    serves,
)

_PLAN = json.dumps({"steps": [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]})
_WAYS = {
    OLLAMA.name: "json_schema",
    OLD_OLLAMA.name: "json_mode",
    VLLM.name: "json_schema",
    VLLM_WITH_GRAMMARS.name: "structured_outputs",
    LM_STUDIO.name: "json_schema",
    LM_STUDIO_WITH_TOOLS.name: "tools",
}


def _named(kind: ServerKind) -> str:
    return kind.name


@pytest.mark.parametrize("kind", KINDS, ids=_named)
@pytest.mark.parametrize("is_streamed", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("thought", ["", THOUGHT], ids=["plain", "thinking"])
def test_a_plan_comes_through(
    bench: Bench,
    kind: ServerKind,
    is_streamed: bool,  # noqa: FBT001  pytest names it
    thought: str,
) -> None:
    """Streamed or whole, after a thought or without one, as a text or as a call."""
    answer = serves(kind, _PLAN, is_streamed=is_streamed, thought=thought)
    with OpenAIServer([answer], told=kind.told) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            planning = session.plan("Read 'notes.txt'")

    assert [step.tool for step in planning.plan.steps] == ["file_read", "final_answer"]
    assert THOUGHT not in planning.chosen.response
    assert planning.chosen.output_tokens == kind.usage["completion_tokens"]


@pytest.mark.parametrize("kind", KINDS, ids=_named)
def test_what_each_can_do_is_found_out(kind: ServerKind) -> None:
    """The second question is asked at once in the way that worked."""
    with OpenAIServer([serves(kind, ROME)], told=kind.told) as server:
        model = model_at(server.spec)
        model.complete(question())
        asked = len(server.seen)
        (second,) = model.complete(question())

    assert (second.text, second.flaw) == (ROME, "")
    assert model.dialect == _WAYS[kind.name]
    assert len(server.seen) == asked + 1


def test_counts_are_read_where_there_are_any() -> None:
    """One tells how much of a prompt it had; others leave that out."""
    for kind, cached in ((VLLM, 64), (OLLAMA, 0)):
        with OpenAIServer([serves(kind, ROME)], told=kind.told) as server:
            (one,) = model_at(server.spec).complete(question())
        assert (one.prompt_tokens, one.cached_tokens, one.output_tokens) == (90, cached, 30)


_LONG = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."
#: Status and body of a refusal, and the words of it that the user reads.
_REFUSALS = {
    "Ollama": (
        404,
        {"error": {"message": 'model "tiny" not found', "type": "not_found_error", "code": None}},
        'answered 404: model "tiny" not found not_found_error',
    ),
    "Ollama's own API": (500, {"error": "model requires more memory"}, "requires more memory"),
    "vLLM": (
        400,
        {"error": {"message": _LONG, "type": "BadRequestError", "param": None, "code": 400}},
        f"the prompt does not fit into tiny: ADDRESS answered 400: {_LONG}",
    ),
    "older vLLM": (
        400,
        {"object": "error", "message": _LONG, "type": "BadRequestError", "param": None,
         "code": 400},
        f"the prompt does not fit into tiny: ADDRESS answered 400: {_LONG} BadRequestError",
    ),
    "vLLM, a field": (
        422,
        {"detail": [{"type": "missing", "loc": ["body", "messages"], "msg": "Field required"}]},
        "ADDRESS answered 422: Field required missing",
    ),
    "a proxy": (
        403,
        "<html><head><title>403 Forbidden</title></head><body><h1>403</h1></body></html>",
        "ADDRESS answered 403: 403 Forbidden",
    ),
    "a masked key": (403, {"error": f"{KEY[:12]}*** is unknown"}, "403: [redacted] is unknown"),
    "LM Studio": (400, {"error": "No models loaded"}, "ADDRESS answered 400: No models loaded"),
}  # fmt: skip


@each_row("case", _REFUSALS)
def test_a_refusal_is_told_in_its_words(case: str) -> None:
    """One sentence with the address and the server's message, without JSON and key."""
    status, body, words = _REFUSALS[case]

    def answer(reply: Reply) -> None:
        reply.head(status, content_type="application/json", retry_after="0")
        reply.write((body if isinstance(body, str) else json.dumps(body)).encode())

    with OpenAIServer([answer]) as server, pytest.raises(ModelError) as raised:
        model_at(server.spec, key=KEY).complete(question(schema=None))

    address = server.spec.partition("#")[0]
    assert words.replace("ADDRESS", address) in raised.value.message
    assert address in raised.value.message
    assert KEY[:8] not in str(raised.value)
    assert not {"{", "<", "\n"} & set(raised.value.message)


@pytest.mark.parametrize(
    "event",
    [
        b'data: {"error": {"message": "out of memory", "type": "server_error", "code": 500}}\n\n',
        b'event: error\ndata: {"error": {"message": "out of memory"}}\n\n',
        b'data: {"error": "out of memory"}\n\ndata: [DONE]\n\n',
        b'data: {"object": "error", "message": "out of memory", "code": 500}\n\ndata: [DONE]\n\n',
    ],
)
def test_an_error_within_a_stream_is_told(event: bytes) -> None:
    """After the first piece of a text there is no other status to tell it by."""
    begun = b'data: {"choices": [{"index": 0, "delta": {"content": "{"}}]}\n\n'
    with (
        OpenAIServer([sends(begun + event, "text/event-stream")]) as server,
        pytest.raises(OksoError) as raised,
    ):
        model_at(server.spec, key=KEY).complete(question())

    address = server.spec.partition("#")[0]
    assert raised.value.message == f"{address}: the server gave up: out of memory"
