"""A receiver of OpenTelemetry's protocol over HTTP on loopback; it stores the spans that come."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


class Receiver(ThreadingHTTPServer):
    """Stores the requests that come.

    Attributes:
        status: The status that it answers with.
        requests: The decoded requests, in order.
        paths: Their paths.
        headers: Their headers.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.requests: list[ExportTraceServiceRequest] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        """The endpoint, without a path."""
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def spans(self) -> list[Any]:
        """All spans that came."""
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """Store one request."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.paths.append(self.path)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.server.requests.append(ExportTraceServiceRequest.FromString(body))
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the base names it
        """Log nothing."""


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Yield a receiver that listens."""
    with Receiver() as receiver:
        thread = Thread(target=receiver.serve_forever, args=(0.02,))
        thread.start()
        yield receiver
        receiver.shutdown()
        thread.join()


def facts(one: Any) -> dict[str, Any]:
    """Return the attributes of a span, event or resource as Python values."""
    return {pair.key: _python(pair.value) for pair in one.attributes}


def _python(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_python(one) for one in value.array_value.values]
    return getattr(value, kind)
