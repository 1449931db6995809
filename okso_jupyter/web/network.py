"""The machine's network, and what one fetch may still take of time and bytes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from okso_jupyter.errors import ToolFailedError, ToolRefusedError, ToolTimeoutError

if TYPE_CHECKING:
    from httpcore2 import NetworkStream


class Network(Protocol):
    """Name lookup and connections; the tests replace it to control where names lead."""

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a name; raise OSError if there are none."""

    def connect(self, address: str, port: int, timeout_s: float) -> NetworkStream:
        """Return a connection to an IP address."""


class SystemNetwork:
    """The machine's network; proxies named in the environment are not used."""

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a name, in the system's order of preference."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    def connect(self, address: str, port: int, timeout_s: float) -> NetworkStream:
        """Return a connection to an IP address."""
        import httpcore2  # noqa: PLC0415  25 ms, and few runs use the internet

        return httpcore2.SyncBackend().connect_tcp(address, port, timeout=timeout_s)


class WireLimitError(ToolFailedError):
    """More bytes were received than one response may have."""


@dataclass(slots=True)
class Budget:
    """Remaining budget of one fetch, redirects and retries included.

    Attributes:
        deadline: Value of `time.monotonic()` at which it must end.
        wire_bytes: Bytes that may still be received, including headers and compression.
        cancelled: Set by another thread to stop it.
        has_sent: Whether any byte of a request was sent.
    """

    deadline: float
    wire_bytes: int
    cancelled: threading.Event
    has_sent: bool = False

    def left_s(self) -> float:
        """Return the seconds left.

        Raises:
            ToolTimeoutError: There are none left.
            ToolRefusedError: It was cancelled.
        """
        if self.cancelled.is_set():
            msg = "stopped"
            raise ToolRefusedError(msg)
        left_s = self.deadline - time.monotonic()
        if left_s <= 0:
            msg = "the answer was not there in time"
            raise ToolTimeoutError(msg, hint="WEB_HTTP_TIMEOUT sets the seconds")
        return left_s

    def spend(self, count: int) -> None:
        """Charge received bytes.

        Raises:
            WireLimitError: There were not enough left.
        """
        self.wire_bytes -= count
        if self.wire_bytes < 0:
            msg = "the answer does not end"
            raise WireLimitError(msg)
