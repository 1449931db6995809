"""Fetching: time and memory on hostile answers of a loopback server, against plain httpx.

Each fetch runs in a process of its own, whose largest memory is what it says at its end.
"""

from __future__ import annotations

import http.server
import importlib.util
import json
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

_MOST_S = 15.0
_GRACE_S = 30.0
_BOMB_BYTES = 256 << 20
_ENDLESS_BYTES = 512 << 20
_OURS = """
from okso_jupyter.web import FetchLimits, WebClient
client = WebClient(limits=FetchLimits(timeout_s=5, retries=0))
def fetch(url): client.get(url, trusted={url.rpartition("/")[0]})
"""
_HTTPX = """
import httpx
def fetch(url): httpx.get(url, timeout=5).content
"""
_MEASURE = """
import json, resource, sys, time
started, said = time.perf_counter(), "answered"
try: fetch(sys.argv[1])
except Exception as error: said = type(error).__name__
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([said, time.perf_counter() - started, peak / 1024]))
"""
_PATHS = ("page", "bomb", "endless", "drip")


class _Hostile(http.server.BaseHTTPRequestHandler):
    """Answers each path in its own bad way."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer until the client has had enough."""
        kind = self.path.strip("/")
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        if kind == "bomb":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with suppress(OSError):
            for part in _parts(kind):
                self.wfile.write(part)


def _parts(kind: str) -> Iterator[bytes]:
    """Yield a body; what has no end ends after all, before it hurts the machine."""
    if kind == "bomb":
        yield _bomb()
        return
    yield b"hello"
    deadline = time.monotonic() + _MOST_S
    while kind == "drip" and time.monotonic() < deadline:
        time.sleep(0.1)
        yield b"x"
    for _ in range(_ENDLESS_BYTES >> 16 if kind == "endless" else 0):
        yield bytes(1 << 16)


@cache
def _bomb() -> bytes:
    """Return zeros that are packed well."""
    packer = zlib.compressobj(1, wbits=31)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(_BOMB_BYTES >> 20)]
    return b"".join([*parts, packer.flush()])


def report() -> Iterator[str]:
    """Yield one line per answer and client."""
    yield (
        f"\nFetching what a hostile server sends (5 s asked for): a page; {_BOMB_BYTES >> 20} MiB"
        f" packed as gzip; {_ENDLESS_BYTES >> 20} MiB plain; a byte a tenth of a second"
    )
    if importlib.util.find_spec("okso_jupyter.web") is None:
        yield "  not measured: this version of okso_jupyter has no web client"
        return
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Hostile) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for path in _PATHS:
            url = f"http://127.0.0.1:{server.server_port}/{path}"
            for name, client in (("httpx", _HTTPX), ("okso_jupyter", _OURS)):
                yield f"  {path:<8} {name:<14} {_fetched(client, url)}"
        server.shutdown()


def _fetched(client: str, url: str) -> str:
    """Return how one fetch ended, in words."""
    words = [sys.executable, "-c", client + _MEASURE, url]
    try:
        done = subprocess.run(  # noqa: S603  our own words
            words, capture_output=True, text=True, timeout=_MOST_S + _GRACE_S, check=True
        )
    except subprocess.TimeoutExpired:
        return f"no end after {_MOST_S + _GRACE_S:g} s"
    said, duration_s, peak_mib = json.loads(done.stdout)
    return f"{said:<18} {duration_s:6.2f} s  {peak_mib:7.0f} MiB at most"
