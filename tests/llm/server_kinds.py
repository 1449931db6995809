"""Ollama, vLLM and LM Studio as their documentation has them: whole chats, by a server on loopback.

Each kind states its list of models, which fields hold a text to a form, where it puts what its
model thought, how it counts, and how it refuses. The model behind it has one text for a plan.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.llm.openai_server import Answer, Reply, is_probe, pieces_of, sends

FORCED: Final = '{"word":"okso-7f3a"}'
THOUGHT: Final = "The user wants a file [1]. I {could} read it."
MODELS: Final = "/v1/models"
SHOW: Final = "/api/show"

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerKind:
    """A kind of server.

    Attributes:
        name: What the tests call it.
        told: Its answers to questions about models, by path.
        enforces: Returns whether it holds the text of a request to the form that is asked for.
        refusal: Returns why it refuses a request, as status and body; None if it does not.
        thinking: Name of the field of what the model thought.
        piece: Fields of every piece beside the usual ones.
        usage: Its counts.
    """

    name: str
    told: Mapping[str, object]
    enforces: Callable[[Body], bool]
    refusal: Callable[[Body], tuple[int, object] | None] = lambda _body: None
    thinking: str = "reasoning_content"
    piece: Mapping[str, Any] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(
        default_factory=lambda: {"prompt_tokens": 90, "completion_tokens": 30, "total_tokens": 120}
    )


def _format(body: Body) -> str:
    return str(body.get("response_format", {}).get("type", ""))


def _listed(owner: str, name: str = "tiny", **more: object) -> dict[str, object]:
    entry = {"id": name, "object": "model", "created": 1760000000, "owned_by": owner, **more}
    return {"object": "list", "data": [entry]}


def _of_lm_studio(body: Body) -> tuple[int, object] | None:
    if _format(body) in {"", "json_schema", "text"}:
        return None
    return 400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}


_OLLAMA_SHOW: Final = {
    "details": {"format": "gguf", "family": "llama", "parameter_size": "8.0B"},
    "model_info": {"general.architecture": "llama", "general.parameter_count": 8030261248},
}
OLLAMA: Final = ServerKind(
    name="Ollama",
    told={MODELS: _listed("library"), SHOW: _OLLAMA_SHOW},
    enforces=lambda body: _format(body) == "json_schema",
    thinking="reasoning",
    piece={"system_fingerprint": "fp_ollama"},
)
#: It reads `response_format` as plain JSON mode, and no `tool_choice`.
OLD_OLLAMA: Final = ServerKind(
    name="old Ollama",
    told=OLLAMA.told,
    enforces=lambda _body: False,
    thinking="reasoning",
    piece=OLLAMA.piece,
)
VLLM: Final = ServerKind(
    name="vLLM",
    told={MODELS: _listed("vllm", root="meta-llama/Llama-3.1-8B", max_model_len=32768)},
    enforces=lambda body: _format(body) == "json_schema" or "structured_outputs" in body,
    piece={"logprobs": None, "stop_reason": None, "token_ids": None},
    usage={
        "prompt_tokens": 90, "total_tokens": 120, "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 64},
    },
)  # fmt: skip
#: Started without a backend for schemas of `response_format`.
VLLM_WITH_GRAMMARS: Final = ServerKind(
    name="vLLM with grammars alone",
    told=VLLM.told,
    enforces=lambda body: "grammar" in body.get("structured_outputs", {}),
    refusal=lambda body: (
        (400, {"object": "error", "message": "response_format is not supported", "code": 400,
               "type": "BadRequestError", "param": None})
        if _format(body) or "tools" in body
        else None
    ),
    piece=VLLM.piece,
)  # fmt: skip
LM_STUDIO: Final = ServerKind(
    name="LM Studio",
    told={MODELS: _listed("organization_owner")},
    enforces=lambda body: _format(body) == "json_schema",
    refusal=_of_lm_studio,
    piece={"system_fingerprint": "tiny", "stats": {}},
)
#: A model of LM Studio that calls functions and is held to no schema.
LM_STUDIO_WITH_TOOLS: Final = ServerKind(
    name="LM Studio with tools alone",
    told=LM_STUDIO.told,
    enforces=lambda body: "tools" in body,
    refusal=lambda body: (400, {"error": "no response_format"}) if _format(body) else None,
    piece=LM_STUDIO.piece,
)
KINDS: Final = (
    OLLAMA, OLD_OLLAMA, VLLM, VLLM_WITH_GRAMMARS, LM_STUDIO, LM_STUDIO_WITH_TOOLS,
)  # fmt: skip


def serves(kind: ServerKind, text: str, *, is_streamed: bool = True, thought: str = "") -> Answer:
    """Return the answers of a server whose model writes a text.

    Args:
        kind: The server.
        text: The text, as the arguments of a call where a function has to be called.
        is_streamed: Whether it streams, or sends one document whatever is asked for.
        thought: What the model thinks before.
    """

    def answer(reply: Reply) -> None:
        refused = kind.refusal(reply.body)
        if refused is not None:
            status, body = refused
            reply.head(status, content_type="application/json")
            reply.write(json.dumps(body).encode())
            return
        said = text
        if is_probe(reply.body):
            is_json = kind is OLD_OLLAMA and _format(reply.body) == "json_object"
            said = FORCED if kind.enforces(reply.body) else "{}" if is_json else "Yes."
        elif _is_ignored(kind, reply.body):
            said = "{}"
        is_call = "tools" in reply.body and kind.enforces(reply.body)
        (_streams if is_streamed else _sends)(kind, reply, said, thought, is_call=is_call)

    return answer


def _is_ignored(kind: ServerKind, body: Body) -> bool:
    """Return whether a form is not told to the model in any way, which then writes any object."""
    return _format(body) == "json_schema" and not kind.enforces(body)


def _call(arguments: str) -> list[dict[str, Any]]:
    function = {"name": "answer", "arguments": arguments}
    return [{"index": 0, "id": "call_1", "type": "function", "function": function}]


def _streams(kind: ServerKind, reply: Reply, text: str, thought: str, *, is_call: bool) -> None:
    def piece(finish: str | None = None, **delta: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        event = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1760000000,
                 "model": "tiny", **kind.piece, "choices": [choice]}  # fmt: skip
        reply.event(**event)

    reply.head(content_type="text/event-stream; charset=utf-8")
    piece(role="assistant", content="")
    for part in pieces_of(thought):
        piece(content="", **{kind.thinking: part})
    for part in pieces_of(text):
        piece(tool_calls=_call(part)) if is_call else piece(content=part)
    piece("tool_calls" if is_call else "stop", content="")
    if reply.body.get("stream_options", {}).get("include_usage"):
        reply.event(object="chat.completion.chunk", choices=[], usage=kind.usage)
    reply.write(b"data: [DONE]\n\n")


def _sends(kind: ServerKind, reply: Reply, text: str, thought: str, *, is_call: bool) -> None:
    message: dict[str, Any] = {"role": "assistant", "content": None if is_call else text}
    if is_call:
        message["tool_calls"] = _call(text)
    if thought:
        message[kind.thinking] = thought
    finish = "tool_calls" if is_call else "stop"
    choice = {"index": 0, "message": message, "finish_reason": finish}
    document = {"id": "chatcmpl-1", "object": "chat.completion", "model": "tiny", **kind.piece,
                "choices": [choice], "usage": kind.usage}  # fmt: skip
    sends(json.dumps(document).encode())(reply)
