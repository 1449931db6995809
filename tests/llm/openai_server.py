"""A real HTTP server on loopback with the chat protocol, correct or with faults."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

#: Answers one request; `reply.body` is what was asked.
Answer = Callable[["Reply"], None]


@dataclass(frozen=True, slots=True)
class Seen:
    """One received request; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class Reply:
    """The connection that an answer writes its response to."""

    def __init__(self, handler: BaseHTTPRequestHandler, seen: Seen, ended: threading.Event) -> None:
        self._handler = handler
        self._ended = ended
        self.body = seen.body

    def head(self, status: int = 200, **headers: str) -> None:
        """Write status and headers; the connection ends with the body."""
        self._handler.send_response(status)
        for name, value in {"connection": "close", **headers}.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()

    def write(self, data: bytes) -> None:
        """Write a part of the body at once."""
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def event(self, **event: Any) -> None:
        """Write one event of a stream."""
        self.write(b"data: " + json.dumps(event).encode() + b"\n\n")

    def piece(self, text: str) -> None:
        """Write one piece of text."""
        self.event(choices=[{"index": 0, "delta": {"content": text}}])

    def pause(self, duration_s: float) -> bool:
        """Wait; return whether the server is still running."""
        return not self._ended.wait(duration_s)


def pieces_of(text: str) -> list[str]:
    """Return a text in pieces of four characters."""
    return [text[start : start + 4] for start in range(0, len(text), 4)]


def says(text: str, *, usage: Mapping[str, Any] | None = None, finish: str = "stop") -> Answer:
    """Return an answer that streams a text."""

    def answer(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        for piece in pieces_of(text):
            reply.piece(piece)
        reply.event(choices=[{"index": 0, "delta": {}, "finish_reason": finish}])
        if usage is not None:
            reply.event(choices=[], usage=usage, system_fingerprint="fp-7")
        reply.write(b"data: [DONE]\n\n")

    return answer


def drips(text: str, pause_s: float) -> Answer:
    """Return an answer that streams a text with a pause before every piece."""

    def answer(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        for piece in pieces_of(text):
            if not reply.pause(pause_s):
                return
            reply.piece(piece)
        reply.event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
        reply.write(b"data: [DONE]\n\n")

    return answer


def calls(arguments: str, **more: Any) -> Answer:
    """Return an answer that streams the arguments of one function call, in pieces."""

    def answer(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        for piece in pieces_of(arguments):
            call = {"index": 0, "function": {"name": "answer", "arguments": piece}, **more}
            reply.event(choices=[{"index": 0, "delta": {"tool_calls": [call]}}])
        reply.event(choices=[{"index": 0, "delta": {}, "finish_reason": "tool_calls"}])
        reply.write(b"data: [DONE]\n\n")

    return answer


def breaks_off(text: str) -> Answer:
    """Return an answer whose stream ends in the middle."""

    def answer(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        reply.piece(text)

    return answer


def falls_silent(text: str = "") -> Answer:
    """Return an answer that sends a text, or not even a status, and then stalls.

    It stalls until the server ends, or for a minute.
    """

    def answer(reply: Reply) -> None:
        if text:
            reply.head(content_type="text/event-stream")
            reply.piece(text)
        reply.pause(60)

    return answer


def stays_alive(reply: Reply) -> None:
    """Keep the connection alive without ever writing a text."""
    reply.head(content_type="text/event-stream")
    while reply.pause(0.05):
        reply.write(b": still here\n\n")
        reply.event(choices=[{"index": 0, "delta": {"role": "assistant"}}])


def sends(data: bytes, content_type: str = "application/json") -> Answer:
    """Return an answer that sends these bytes."""

    def answer(reply: Reply) -> None:
        reply.head(content_type=content_type, content_length=str(len(data)))
        reply.write(data)

    return answer


def at_once(text: str) -> Answer:
    """Return an answer in one document, as from a server that cannot stream."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return sends(json.dumps({"object": "chat.completion", "choices": [choice]}).encode())


def refuses(status: int, message: str = "no", /, *, code: str = "", **headers: str) -> Answer:
    """Return an answer with an error in the format of these servers."""
    body = json.dumps({"error": {"message": message, "code": code}}).encode()

    def answer(reply: Reply) -> None:
        reply.head(status, content_type="application/json", **headers)
        reply.write(body)

    return answer


def is_probe(body: Mapping[str, Any]) -> bool:
    """Return whether a question only asks what the server can do."""
    return bool(body["messages"][-1]["content"].startswith("Say yes."))


@dataclass(slots=True)
class OpenAIServer:
    """A server that runs within its `with` block.

    Attributes:
        answers: One per request, in order; the last one for all further ones.
        key: The bearer token that it requires; empty for none.
        seen: The requests for completions so far.
        told: What it tells of its models, by the path.
        asked: The paths of the requests for that, so far.
        refuses_probes: Whether the short questions for what it can do are refused, and not counted.
    """

    answers: list[Answer]
    key: str = ""
    seen: list[Seen] = field(default_factory=list)
    told: Mapping[str, object] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    refuses_probes: bool = False
    _http: ThreadingHTTPServer = field(init=False)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def host(self) -> str:
        """The address and port."""
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def spec(self) -> str:
        """A model spec for this server."""
        return f"http://{self.host}/v1#tiny"

    def __enter__(self) -> Self:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.tell(self)

            def do_POST(self) -> None:
                is_question = "/chat/completions" in self.path
                server.handle(self) if is_question else server.tell(self)

            def log_message(self, *_args: object) -> None:
                """Log nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._http.shutdown()
        self._http.server_close()

    def tell(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request for what is known of the models."""
        self.asked.append(handler.path)
        is_told = handler.path in self.told
        body = json.dumps(self.told[handler.path] if is_told else {"error": "no"}).encode()
        handler.send_response(200 if is_told else 404)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request with the next answer."""
        length = int(handler.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        seen = Seen(handler.path, headers, json.loads(handler.rfile.read(length)))
        if self.refuses_probes and is_probe(seen.body):
            refuses(400)(Reply(handler, seen, self._ended))
            return
        with self._lock:
            self.seen.append(seen)
            answer = self.answers[min(len(self.seen), len(self.answers)) - 1]
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            answer = refuses(401, f"Incorrect API key: {headers.get('authorization', '')}")
        with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked has left
            answer(Reply(handler, seen, self._ended))
