"""A server on loopback that answers as an ideal model would, within the schema of the request."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from benchmarks.quality.answers import Answer, Key
from benchmarks.quality.cases import Case
from benchmarks.quality.contestants import Contestant
from benchmarks.quality.ideal import ForbiddenError, Ideal


@dataclass(slots=True)
class IdealServer:
    """Speaks the chat protocol while its `with` block runs.

    Attributes:
        case: What it is asked about; set before every request.
        forbidden: What the schema of the last request forbade; empty where nothing.
    """

    case: Case | None = None
    forbidden: str = ""
    _http: ThreadingHTTPServer = field(init=False)

    @property
    def spec(self) -> str:
        """A model spec that leads here."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1#ideal"

    def __enter__(self) -> Self:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                reply = json.dumps(server.reply(json.loads(self.rfile.read(length)))).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_args: object) -> None:
                """Say nothing."""

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
        self._http.shutdown()
        self._http.server_close()

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one request; an empty one where no right one is allowed."""
        form = body["response_format"]["json_schema"]
        ideal, answer = Ideal(form["schema"]), None
        if form["name"] != "planner":  # what else is asked on the way to a plan
            answer = ideal.anything()
        elif self.case is not None:
            try:
                answer = ideal.answer(self.case)
            except ForbiddenError as forbidden:
                self.forbidden = str(forbidden)
        text = "" if answer is None else json.dumps(answer, ensure_ascii=False)
        message = {"role": "assistant", "content": text}
        return {
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }


@dataclass(frozen=True, slots=True)
class AskingIdeal:
    """A contestant whose model is the ideal server, which is told the case beforehand.

    Attributes:
        contestant: Who asks.
        server: Who answers.
    """

    contestant: Contestant
    server: IdealServer

    @property
    def key(self) -> Key:
        """That of the contestant."""
        return self.contestant.key

    def answer(self, case: Case, *, plain_too: bool = False) -> Answer:  # noqa: ARG002  no time
        """Return the contestant's answer; where the schema forbade the right one, that is said."""
        self.server.case, self.server.forbidden = case, ""
        answer = self.contestant.answer(case)
        if not self.server.forbidden:
            return answer
        return replace(answer, calls=(), error=f"the schema forbids it: {self.server.forbidden}")
