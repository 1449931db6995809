"""Local servers that send what a test defines, and a network that resolves to them."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from unittest.mock import patch

import httpcore2

#: A public number; nothing is ever sent there.
PUBLIC = "93.184.216.34"
Talk = Callable[[socket.socket, str], None]


#: How long a connection may be silent before it counts, and what ZeroMQ sends first.
_SILENT_S = 0.05
_ZEROMQ = b"\xff"


def _is_of_zeromq(connection: socket.socket) -> bool:
    """Return whether a client of a kernel that has ended connects to what was its port."""
    connection.settimeout(_SILENT_S)
    try:
        return connection.recv(1, socket.MSG_PEEK) == _ZEROMQ
    except OSError:
        return False
    finally:
        connection.settimeout(None)


class Host:
    """A server with one request per connection, which `talk` answers.

    `talk` gets the first line of the request.
    """

    def __init__(
        self, talk: Talk, *, family: int = socket.AF_INET, tls: ssl.SSLContext | None = None
    ) -> None:
        self._talk = talk
        self._tls = tls
        self._socket = socket.create_server(
            ("::1" if family == socket.AF_INET6 else "127.0.0.1", 0),
            family=socket.AddressFamily(family),
        )
        self.port: int = self._socket.getsockname()[1]
        self.requests: list[str] = []
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                if _is_of_zeromq(connection):
                    connection.close()
                    continue
                self.connections += 1
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        # the client leaves whenever it has had enough
        with connection, suppress(OSError):
            if self._tls is None:
                self._talk_to(connection)
                return
            with self._tls.wrap_socket(connection, server_side=True) as secure:
                self._talk_to(secure)

    def _talk_to(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(65536)
            if not data:
                return
            head += data
        self.requests.append(head.decode("latin-1"))
        self._talk(connection, self.requests[-1].partition("\r\n")[0])
        connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Stop listening, so that further connections are refused."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def answer(
    body: bytes = b"", *, status: str = "200 OK", length: int | None = None, **headers: str
) -> bytes:
    """Return a complete response; underscores in header names stand for hyphens."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def says(*answers: bytes) -> Talk:
    """Return a talk that sends these answers in turn and repeats the last one."""
    left = list(answers)

    def talk(connection: socket.socket, _: str) -> None:
        connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    return talk


def by_path(pages: Mapping[str, bytes]) -> Talk:
    """Return a talk that sends a fixed answer for each path."""

    def talk(connection: socket.socket, line: str) -> None:
        connection.sendall(pages.get(line.split()[1], answer(status="404 Not Found")))

    return talk


def endless(head: bytes, piece: bytes) -> Talk:
    """Return a talk that sends without end."""

    def talk(connection: socket.socket, _: str) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(piece)

    return talk


def drip(head: bytes, piece: bytes) -> Talk:
    """Return a talk that sends a small piece at intervals, without end."""

    def talk(connection: socket.socket, _: str) -> None:
        connection.sendall(head)
        pause = threading.Event()
        while not pause.wait(0.02):
            connection.sendall(piece)

    return talk


def late(connection: socket.socket, _: str) -> None:
    """Answer after a delay of half a second."""
    threading.Event().wait(0.5)
    connection.sendall(answer())


@dataclass(slots=True)
class LabNetwork:
    """A network whose names and connections are defined by a test.

    Attributes:
        host: Receives all connections to public addresses.
        names: The results of each name's look-ups, in turn; the last one repeats.
        looked_up: Names that were looked up.
        connected: Addresses and ports that were connected to.
    """

    host: Host
    names: Mapping[str, list[Sequence[str]]] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses that the test defines for a name.

        An IP address resolves to itself.
        """
        self.looked_up.append(host)
        if host[0].isdigit() or ":" in host:
            return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port)]
        answers = self.names.get(host, [[PUBLIC]])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def connect(self, address: str, port: int, timeout_s: float) -> httpcore2.NetworkStream:
        """Connect to the test's host, whatever the address."""
        self.connected.append((address, port))
        return httpcore2.SyncBackend().connect_tcp("127.0.0.1", self.host.port, timeout=timeout_s)


@contextmanager
def internet(host: Host, connect_times_s: list[float] | None = None) -> Iterator[None]:
    """Patch name look-ups and connections, so that all names lead to one host.

    Args:
        host: Receives all connections.
        connect_times_s: Collects the time-out of each connection.
    """
    connect = socket.create_connection

    def look_up(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, 80))]

    def reach(_: object, timeout_s: float | None = None, **__: object) -> socket.socket:
        if connect_times_s is not None and timeout_s is not None:
            connect_times_s.append(timeout_s)
        with patch("socket.getaddrinfo", real_look_up):
            return connect(("127.0.0.1", host.port), timeout_s)

    real_look_up = socket.getaddrinfo
    with patch("socket.getaddrinfo", look_up), patch("socket.create_connection", reach):
        yield
