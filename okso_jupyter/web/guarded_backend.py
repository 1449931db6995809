"""Connections of httpcore2: a name is resolved once, its addresses checked, all traffic metered."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any, Final

import httpcore2

from okso_jupyter.errors import (
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.web.addresses import is_public
from okso_jupyter.web.network import Budget, Network

#: Without a network every lookup fails with the same error as for an unknown name.
_NO_NAME: Final = "check how it is spelt, and whether this machine is online"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedBackend(httpcore2.NetworkBackend):
    """Connects by name, to public addresses only.

    Attributes:
        network: Name lookup and connections.
        budget: Remaining budget of the fetch.
        connect_timeout_s: Seconds for connecting, however many addresses a name has.
        any_address: Whether the host may be anywhere, because the user trusts it.
    """

    network: Network
    budget: Budget
    connect_timeout_s: float
    any_address: bool

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  the fetch's own time counts
        local_address: str | None = None,  # noqa: ARG002  the system's choice
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002  none are wanted
    ) -> httpcore2.NetworkStream:
        """Return a connection to the first address of the host that answers.

        Raises:
            ToolRefusedError: An address is not public; no connection was tried.
            ToolNotFoundError: The name has no addresses.
            ToolUnavailableError: None of the addresses answered.
        """
        addresses = self._addresses(host, port)
        give_up = time.monotonic() + self.connect_timeout_s
        problem: Exception | None = None
        for place, address in enumerate(addresses):
            left_s = min(self.budget.left_s(), give_up - time.monotonic())
            share_s = max(left_s, 0.01) / (len(addresses) - place)
            try:
                stream = self.network.connect(address, port, share_s)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
                continue
            return MeteredStream(stream, self.budget)
        msg = f"{host} did not answer: {problem}"
        raise ToolUnavailableError(msg) from problem

    def _addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of a host: looked up once, and all of them public."""
        try:
            addresses = _in_time(self.network, host, port, self.budget.left_s())
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN:
                msg = f"the name {host} could not be looked up: {error.strerror}"
                raise ToolUnavailableError(msg, hint=_NO_NAME) from error
            msg = f"there is no host {host}"
            raise ToolNotFoundError(msg, hint=_NO_NAME) from error
        if not addresses:
            msg = f"there is no host {host}"
            raise ToolNotFoundError(msg, hint=_NO_NAME)
        closed = [a for a in addresses if not is_public(a)]
        if closed and not self.any_address:
            msg = f"{host} leads to {closed[0]}, which is not on the public internet"
            raise ToolRefusedError(msg)
        return addresses


def _in_time(network: Network, host: str, port: int, timeout_s: float) -> Sequence[str]:
    """Look up a name in another thread: the system call has no time-out."""
    future: Future[Sequence[str]] = Future()

    def look_up() -> None:
        try:
            future.set_result(network.resolve(host, port))
        except (OSError, UnicodeError) as error:
            future.set_exception(error)

    threading.Thread(target=look_up, name="okso-resolve", daemon=True).start()
    try:
        return future.result(timeout_s)
    except FutureTimeoutError as error:
        msg = f"the name {host} could not be looked up in time"
        raise ToolTimeoutError(msg) from error


class MeteredStream(httpcore2.NetworkStream):
    """A connection that charges all received bytes to the budget, including TLS."""

    def __init__(self, stream: httpcore2.NetworkStream, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget

    def read(
        self,
        max_bytes: int,
        timeout: float | None = None,  # noqa: ARG002  the fetch's own time counts
    ) -> bytes:
        """Return received bytes, within the time left for the fetch."""
        data = self._stream.read(max_bytes, timeout=self._budget.left_s())
        self._budget.spend(len(data))
        return data

    def write(
        self,
        buffer: bytes,
        timeout: float | None = None,  # noqa: ARG002  the fetch's own time counts
    ) -> None:
        """Send everything."""
        left_s = self._budget.left_s()
        self._budget.has_sent = True
        self._stream.write(buffer, timeout=left_s)

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002  the fetch's own time counts
    ) -> httpcore2.NetworkStream:
        """Return the same connection with TLS."""
        secure = self._stream.start_tls(ssl_context, server_hostname, self._budget.left_s())
        return MeteredStream(secure, self._budget)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401  as the library declares it
        """Return a property of the connection to the library."""
        return self._stream.get_extra_info(info)
