"""Classifying failures, including the pitfalls of classifying by message text."""

from __future__ import annotations

import asyncio
import concurrent.futures
import errno
import http.client
import http.server
import json
import socket
import ssl
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import httpx
import jsonschema
import pytest

from okso_jupyter.errors import (
    ErrorClass,
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.execution.failure_classes import classify, classify_text
from tests.each_row import each_row


def _raised_from(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause  # as `raise error from cause` does
    return error


@pytest.mark.parametrize(
    ("error", "cause", "expected"),
    [
        (RuntimeError("no luck"), ConnectionError(), "transient"),
        (RuntimeError("no luck"), RuntimeError("rate limit"), "transient"),
        (ValueError("wrong"), ConnectionError(), "logic"),
        (RuntimeError("timed out"), PermissionError(), "fatal"),
    ],
)
def test_a_cause_classifies_a_generic_wrapper(
    error: Exception, cause: Exception, expected: ErrorClass
) -> None:
    """An error of a generic type is classified by its cause, before any message text."""
    assert classify(_raised_from(error, cause)) == expected


def test_a_cycle_of_causes_terminates() -> None:
    """Two errors that are each other's cause are still classified."""
    one, other = RuntimeError("a"), RuntimeError("b")
    one.__cause__, other.__cause__ = other, one
    assert classify(one) == "unknown"


class _Answers(http.server.BaseHTTPRequestHandler):
    """Responds with the HTTP status given in the path."""

    def do_GET(self) -> None:
        """Respond to a GET request."""
        self.send_response(int(self.path[1:]))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), _Answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _by_httpx(url: str) -> None:
    httpx.get(url, trust_env=False).raise_for_status()


def _by_urllib(url: str) -> None:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5)


@pytest.mark.parametrize("fetch", [_by_httpx, _by_urllib])
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (429, "transient"), (502, "transient"), (503, "transient"), (504, "transient"),
        (529, "transient"), (401, "fatal"), (403, "fatal"), (404, "fatal"), (422, "logic"),
        (500, "unknown"),
    ],
)  # fmt: skip
def test_an_http_status_determines_the_class(
    server: str, fetch: Callable[[str], None], status: int, expected: ErrorClass
) -> None:
    """The status sent by a real server determines the class, whichever client is used."""
    with pytest.raises(Exception, match=str(status)) as caught:
        fetch(f"{server}/{status}")
    if isinstance(caught.value, urllib.error.HTTPError):
        caught.value.close()
    assert classify(caught.value) == expected


def _json_error() -> Exception:
    try:
        json.loads("{")
    except json.JSONDecodeError as error:
        return error
    raise AssertionError


@each_row(
    ("error", "expected"),
    [
        (TimeoutError(), "transient"),
        (ConnectionRefusedError("permission denied"), "transient"),
        (ConnectionResetError(), "transient"),
        (BrokenPipeError(), "transient"),
        (PermissionError(13, "Permission denied"), "fatal"),
        (FileNotFoundError(2, "No such file"), "fatal"),
        (ModuleNotFoundError("No module named 'x'"), "fatal"),
        (ValueError("wrong shape"), "logic"),
        (TypeError("timeout must be a number"), "logic"),
        (SyntaxError("invalid syntax"), "logic"),
        (KeyError("not found"), "logic"),
        (ZeroDivisionError("division by zero"), "logic"),
        (_json_error(), "logic"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "invalid start byte"), "logic"),
        (EOFError("EOF when reading a line"), "transient"),
        (asyncio.IncompleteReadError(b"", 10), "transient"),
        (http.client.IncompleteRead(b"half"), "transient"),
        (http.client.BadStatusLine("\0"), "transient"),
        (socket.gaierror(-2, "Name or service not known"), "transient"),
        (socket.gaierror(-3, "Temporary failure in name resolution"), "transient"),
        (urllib.error.URLError(socket.gaierror(-3, "Temporary failure")), "transient"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "transient"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "transient"),
        (ssl.SSLEOFError(8, "EOF occurred in violation of protocol"), "transient"),
        (OSError(errno.ENOSPC, "No space left on device"), "fatal"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "fatal"),
        (OSError(errno.EIO, "Input/output error"), "unknown"),
        (RuntimeError("503 Service Unavailable"), "transient"),
        (RuntimeError("boom"), "unknown"),
        (KeyboardInterrupt(), "cancelled"),
        (asyncio.CancelledError(), "cancelled"),
        (concurrent.futures.CancelledError(), "cancelled"),
        (subprocess.TimeoutExpired("sleep", 3), "transient"),
        (FileExistsError(17, "File exists"), "logic"),
        (ssl.SSLCertVerificationError("certificate verify failed"), "fatal"),
        (httpx.ConnectError("nobody there"), "transient"),
        (httpx.ReadTimeout("too slow"), "transient"),
        (httpx.UnsupportedProtocol("ftp"), "logic"),
        (jsonschema.ValidationError("3 is not a string"), "logic"),
        (urllib.error.URLError(ConnectionRefusedError()), "transient"),
        (urllib.error.URLError("no host given"), "unknown"),
        (ToolInputError("timeout"), "logic"),
        (ToolFailedError("not found"), "logic"),
        (ToolRefusedError("timeout"), "fatal"),
        (ToolNotFoundError("x"), "fatal"),
        (ToolTimeoutError("x"), "transient"),
        (ToolUnavailableError("forbidden"), "transient"),
        (ToolError("timeout"), "unknown"),
    ],
)
def test_the_type_takes_precedence_over_the_message(
    error: BaseException, expected: ErrorClass
) -> None:
    """The exception type outranks its message, which counts only for generic types."""
    assert classify(error) == expected


@each_row(
    ("message", "expected"),
    [
        ("HTTP 429", "transient"),
        ("502 Bad Gateway", "transient"),
        ("Rate limit exceeded", "transient"),
        ("rate_limit_error", "transient"),
        ("Too Many Requests", "transient"),
        ("the model is overloaded", "transient"),
        ("request timed out", "transient"),
        ("step timed out", "transient"),
        ("Timeout", "transient"),
        ("context deadline exceeded", "transient"),
        ("dial tcp: connection refused", "transient"),
        ("connection reset by peer", "transient"),
        ("unexpected EOF", "transient"),
        ("eof", "transient"),
        ("curl: (6) Could not resolve host: example.org", "transient"),
        ("dial tcp: lookup example.org: no such host", "transient"),
        ("[Errno -2] Name or service not known", "transient"),
        ("Temporary failure in name resolution", "transient"),
        ("[Errno 101] Network is unreachable", "transient"),
        ("IncompleteRead(4 bytes read, 6 more expected)", "transient"),
        ("[Errno 28] No space left on device", "fatal"),
        ("unexpected EOF while parsing", "unknown"),
        ("permission denied", "fatal"),
        ("Access Denied", "fatal"),
        ("403 Forbidden", "fatal"),
        ("page not found", "fatal"),
        ("No such file or directory", "fatal"),
        ("permission denied: connection refused", "fatal"),
        ("validation error in field x", "logic"),
        ("invalid argument", "logic"),
        ("syntax error near x", "logic"),
        ("parse error", "logic"),
        ("typeof x is undefined", "unknown"),
        ("geoforecast failed", "unknown"),
        ("error code 1502", "unknown"),
        ("room 5031", "unknown"),
        ("timeouts are set in the file", "unknown"),
        ("the wrong trousers", "unknown"),
        ("canceled", "unknown"),
        ("", "unknown"),
    ],
)
def test_only_whole_words_are_matched(message: str, expected: ErrorClass) -> None:
    """Numbers and words inside longer ones are ignored; fatal text outranks transient."""
    assert classify_text(message) == expected
