"""A hub on loopback with the API that a download needs, and faults on demand."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPO = "acme/tiny-GGUF"


@dataclass
class Hub:
    """The files of the hub and its faults.

    Attributes:
        files: Content by name.
        claimed: Sizes to claim in place of the true ones.
        sent: Contents to send in place of the true ones; one is used up per download.
        cut_after: Bytes after which a transfer breaks off; one is used up per download.
        headers: Headers that override the true ones.
        answer: Status and error code of every response; None for ordinary responses.
        token: The required token; empty if none is required.
        log: Method, path and headers of every request.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    claimed: dict[str, int] = field(default_factory=dict)
    sent: list[bytes] = field(default_factory=list)
    cut_after: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    answer: tuple[int, str] | None = None
    token: str = ""
    log: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    commit: str = COMMIT
    address: str = ""

    def gets(self, name: str = "/resolve/") -> list[dict[str, str]]:
        """Return the headers of every request for content."""
        return [headers for method, path, headers in self.log if method == "GET" and name in path]

    def listing(self) -> dict[str, Any]:
        """Return the response of `/api/models/...`."""
        siblings = []
        for name, data in self.files.items():
            size = self.claimed.get(name, len(data))
            sha256 = hashlib.sha256(data).hexdigest()
            lfs = {"size": size, "sha256": sha256, "pointerSize": 1}
            siblings.append({"rfilename": name, "size": size, "lfs": lfs, "blobId": "0"})
        return {"id": REPO, "sha": self.commit, "siblings": siblings}


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args: Any) -> None:
        """Log nothing on standard error."""

    def do_HEAD(self) -> None:
        self._handle()

    def do_GET(self) -> None:
        self._handle()

    def _handle(self) -> None:
        hub = self.hub
        hub.log.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
        path = self.path.partition("?")[0]
        if hub.answer is not None:
            return self._refuse(*hub.answer)
        if hub.token and self.headers.get("Authorization") != f"Bearer {hub.token}":
            return self._refuse(401, "GatedRepo")
        if path.startswith("/api/models/"):
            return self._metadata(path)
        if path.startswith(f"/{REPO}/resolve/{hub.commit}/"):
            return self._content(path.rpartition("/")[2])
        return self._refuse(404, "EntryNotFound")

    def _metadata(self, path: str) -> None:
        repo, _, revision = path.removeprefix("/api/models/").partition("/revision/")
        if repo != REPO:
            return self._refuse(401, "RepoNotFound")
        if revision not in ("main", "v2", self.hub.commit):
            return self._refuse(404, "RevisionNotFound")
        return self._reply(200, json.dumps(self.hub.listing()).encode(), {})

    def _content(self, name: str) -> None:
        hub, data = self.hub, self.hub.files[name]
        sha256 = hashlib.sha256(data).hexdigest()
        headers = {"X-Repo-Commit": hub.commit, "ETag": f'"{sha256}"', "Accept-Ranges": "bytes"}
        headers |= hub.headers
        if self.command == "GET" and hub.sent:
            data = hub.sent.pop(0)
        first = int(self.headers.get("Range", "bytes=0-").split("=")[1].rstrip("-"))
        if first:
            headers["Content-Range"] = f"bytes {first}-{len(data) - 1}/{len(data)}"
        self._reply(206 if first else 200, data[first:], headers)

    def _refuse(self, status: int, code: str) -> None:
        self._reply(status, b"{}", {"X-Error-Code": code})

    def _reply(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers.items(), ("Content-Length", str(len(data)))):
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        if self.hub.cut_after and "ETag" in headers:
            data = data[: self.hub.cut_after.pop(0)]
            self.close_connection = True
        self.wfile.write(data)


@contextmanager
def serving(hub: Hub) -> Iterator[str]:
    """Serve a hub and yield its address."""
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub.address
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
