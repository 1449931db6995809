"""PartialCompletion: a chat completion read from server-sent events or one JSON document.

A server's answer is read up to a bound and never trusted: an answer that is not a completion
raises ModelError.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import httpx

from okso_jupyter.errors import ModelError
from okso_jupyter.llm.unpacking import unpacked

#: Bytes that a server may spend on one token with its wrapping, and on everything else.
_BYTES_PER_TOKEN: Final = 4096
_BYTES_BESIDE: Final = 1 << 20
#: No token of any vocabulary is longer.
_CHARACTERS_PER_TOKEN: Final = 256
_MOST_COUNTED: Final = 1 << 40
_END: Final = b"[DONE]"
_NO_COMPLETION: Final = "the server answered with JSON that is not a completion"
_IS_IT_ONE: Final = "is it an OpenAI-compatible server, and its address complete?"


@dataclass(slots=True, kw_only=True)
class PartialCompletion:
    """One completion while it is received.

    Attributes:
        seed: Seed of its random stream.
        max_tokens: Most tokens that it may have.
        schema: The schema that it obeys; None if any text will do.
        end: Properties that are added to it, since the schema that was asked for determines them.
        text: The text so far.
        arguments: The arguments of the function that the model calls; empty if it calls none.
        pieces: Pieces in which it arrived, about one per token.
        finish: Why the server ended it; None until then.
        usage: Token counts of the server; empty if it gives none.
        build: The server's name for its own build.
        model: The server's name for the model that answers.
        duration_s: Seconds that it took.
        error: Why there is no completion, or only part of it.
        is_certain: Whether the schema determines its text, so that no server is asked.
        silence_s: Longest wait for the next piece of text, in seconds; a server may keep the
            connection alive meanwhile.
    """

    seed: int
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    end: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    arguments: str = ""
    pieces: int = 0
    finish: Literal["stop", "length"] | None = None
    usage: Mapping[str, Any] = field(default_factory=dict)
    build: str = ""
    model: str = ""
    duration_s: float = 0.0
    error: ModelError | None = None
    is_certain: bool = False
    silence_s: float = math.inf
    started: float = field(default_factory=time.monotonic)
    _heard: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> bool:
        """Whether the completion has ended or failed."""
        return self.finish is not None or self.error is not None

    @property
    def answer(self) -> str:
        """What the model wrote: the arguments of its call, if it called a function."""
        return self.arguments or self.text

    def settle(self, text: str | None) -> None:
        """Take the only text that the schema allows as the completion; None if there are others."""
        if text is not None:
            self.text, self.finish, self.is_certain = text, "stop", True

    def begin(self) -> None:
        """Discard the text of an earlier attempt."""
        self.text, self.arguments, self.pieces, self.finish = "", "", 0, None
        self._heard = time.monotonic()

    async def read(self, response: httpx.Response) -> None:
        """Read a whole answer.

        Raises:
            ModelError: It is not a completion, or longer than permitted.
            httpx.TransportError: The connection broke off, or no text comes over it.
        """
        parts = self._bounded(response)
        if "text/event-stream" not in response.headers.get("content-type", "").lower():
            self._take(b"".join([part async for part in parts]), "message")
            if self.finish is None:
                raise ModelError(_NO_COMPLETION, hint=_IS_IT_ONE)
            return
        async for data in _events(parts):
            if data == _END:
                self.finish = self.finish or "stop"
                return
            self._take(data, "delta")
        if self.finish is None:
            msg = "the connection broke off before the answer was whole"
            raise httpx.RemoteProtocolError(msg)

    async def _bounded(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """Yield the bytes of an answer, up to the most that its tokens can need."""
        left = _BYTES_BESIDE + self.max_tokens * _BYTES_PER_TOKEN
        async for part in unpacked(response):
            left -= len(part)
            written = len(self.text) + len(self.arguments)
            if left < 0 or written > self.max_tokens * _CHARACTERS_PER_TOKEN:
                msg = f"the server sends more than {self.max_tokens} tokens can need"
                raise ModelError(msg, hint="it may ignore max_tokens")
            if time.monotonic() - self._heard > self.silence_s:
                msg = "the connection is kept alive without any text"
                raise httpx.ReadTimeout(msg)
            yield part

    def _take(self, data: bytes, part: Literal["delta", "message"]) -> None:
        """Process one event of a stream, or the only document."""
        event = _object(data)
        error = event.get("error") or (event if event.get("object") == "error" else None)
        if error:
            msg = f"the server gave up: {_words(error)}"
            raise ModelError(msg)
        usage, build = event.get("usage"), event.get("system_fingerprint")
        self.usage = usage if isinstance(usage, Mapping) else self.usage
        self.build = build if isinstance(build, str) else self.build
        model = event.get("model")
        self.model = model if isinstance(model, str) else self.model
        choices = event.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return
        message = choices[0].get(part)
        message = message if isinstance(message, Mapping) else {}
        if any(value for name, value in message.items() if name != "role"):
            self._heard = time.monotonic()  # a model's thinking and calls of tools count too
        content = message.get("content")
        if isinstance(content, str) and content:
            self.text += content
            self.pieces += 1
        if said := _arguments(message.get("tool_calls")):
            self.arguments += said
            self.pieces += 1
        self._end(choices[0].get("finish_reason"), whole=part == "message")

    def _end(self, reason: object, *, whole: bool) -> None:
        """Record why the server ended the text, if it did."""
        if reason == "content_filter":
            msg = "the server withholds the answer (content_filter)"
            raise ModelError(msg)
        if reason == "length":
            self.finish = "length"
        elif reason or whole:
            self.finish = "stop"

    def count(self, *names: str) -> int:
        """Return one figure of the usage by its path of keys; 0 if it is missing.

        A figure larger than any plausible count is treated as missing.
        """
        value: object = self.usage
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value if isinstance(value, int) and 0 <= value <= _MOST_COUNTED else 0


async def _events(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the data of server-sent events; keep-alive comments have none."""
    rest = b""
    async for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[len(b"data:") :].strip()


def _arguments(calls: object) -> str:
    """Return what a message adds to the arguments of the first call; empty if nothing."""
    first = calls[0] if isinstance(calls, list) and calls else None
    if not isinstance(first, Mapping) or first.get("index", 0) != 0:
        return ""
    function = first.get("function")
    said = function.get("arguments") if isinstance(function, Mapping) else None
    if isinstance(said, Mapping):  # some servers send what the text would mean
        return json.dumps(said)
    return said if isinstance(said, str) else ""


def _object(data: bytes) -> Mapping[str, Any]:
    """Return a JSON object; raise ModelError if the data is not one."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        msg = "the server answered with something that is not JSON"
        raise ModelError(msg, hint=_IS_IT_ONE) from error
    if not isinstance(value, Mapping):
        raise ModelError(_NO_COMPLETION, hint=_IS_IT_ONE)
    return value


def _words(error: object) -> str:
    """Return the server's message for its own error."""
    message = error.get("message") if isinstance(error, Mapping) else error
    return str(message)
