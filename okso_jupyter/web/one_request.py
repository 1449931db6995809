"""One request to a host and its response, bounded in bytes and time, never repeated."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from importlib.metadata import version
from typing import Final

import httpcore2

from okso_jupyter.errors import (
    ToolError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.web.addresses import Target
from okso_jupyter.web.content_encoding import ACCEPTED, unpacked
from okso_jupyter.web.guarded_backend import GuardedBackend
from okso_jupyter.web.http_messages import REDIRECTS, Fetched, Request
from okso_jupyter.web.network import Budget, Network, WireLimitError

#: Maximum length of a reason, which may contain text of the server.
_MAX_REASON_CHARS: Final = 200


def sent(  # noqa: PLR0913  all but the first are named at every call
    request: Request,
    *,
    network: Network,
    budget: Budget,
    connect_timeout_s: float,
    max_bytes: int,
    any_address: bool = False,
    tls: ssl.SSLContext | None = None,
) -> Fetched:
    """Send a request over a new connection and return the response; an HTTP error is one too.

    Args:
        request: The request.
        network: Name lookup and connections.
        budget: Remaining budget; it says afterwards whether anything was sent.
        connect_timeout_s: Seconds for connecting to the host.
        max_bytes: Maximum size of the decoded body; the rest is cut off.
        any_address: Whether the host may be anywhere, because the user trusts it.
        tls: Checks the certificate; None for the authorities that the system trusts.

    Raises:
        ToolError: There is no host, it may not be reached, or there was no complete response.
    """
    target = request.target
    backend = GuardedBackend(
        network=network,
        budget=budget,
        connect_timeout_s=connect_timeout_s,
        any_address=any_address,
    )
    origin = httpcore2.Origin(target.scheme.encode(), target.host.encode(), target.port)
    try:
        with (
            httpcore2.HTTPConnection(
                origin, network_backend=backend, ssl_context=tls
            ) as connection,
            connection.stream(
                request.method,
                _url(target),
                headers=_headers(request),
                content=request.body or None,
            ) as response,
        ):
            return _answer(target, response, max_bytes)
    except httpcore2.TimeoutException as error:
        msg = f"{target.host} did not answer in time"
        raise ToolTimeoutError(msg, hint="WEB_HTTP_TIMEOUT sets the seconds") from error
    except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
        raise _explained(target, error) from error


def _answer(target: Target, response: httpcore2.Response, max_bytes: int) -> Fetched:
    headers = _by_name(response.headers)
    is_redirect = response.status in REDIRECTS and "location" in headers
    body, truncated = b"", False
    if not is_redirect:
        pieces = unpacked(response.iter_stream(), headers.get("content-encoding", ""))
        body, truncated = _body(pieces, max_bytes)
    return Fetched(
        final_url=target.url,
        status=response.status,
        headers=headers,
        body=body,
        truncated=truncated,
    )


def _body(pieces: Iterable[bytes], max_bytes: int) -> tuple[bytes, bool]:
    """Return the body up to the allowed size, and whether there is more."""
    body = bytearray()
    try:
        for piece in pieces:
            body += piece
            if len(body) > max_bytes:
                return bytes(body[:max_bytes]), True
    except WireLimitError:
        return bytes(body), True
    return bytes(body), False


def _url(target: Target) -> httpcore2.URL:
    return httpcore2.URL(
        scheme=target.scheme.encode(),
        host=target.host.encode(),
        port=target.port,
        target=target.path.encode("ascii"),
    )


def _headers(request: Request) -> list[tuple[bytes | str, bytes | str]]:
    host = request.target.origin.removeprefix(f"{request.target.scheme}://")
    headers = {
        "Host": host,
        "Accept-Encoding": ACCEPTED,
        "User-Agent": f"okso-jupyter/{version('okso-jupyter')}",
        "Connection": "close",
        **dict(request.headers),
    }
    return list(headers.items())


def _by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers as text by lower-case name."""
    found: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name = raw_name.decode("ascii").lower()
        try:
            value = raw_value.decode("utf-8")
        except UnicodeDecodeError:
            value = raw_value.decode("latin-1")
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def _explained(target: Target, error: Exception) -> ToolError:
    """Return a connection failure as a tool error."""
    if isinstance(error.__cause__, ssl.SSLError):
        reason = getattr(error.__cause__, "verify_message", "") or error.__cause__.reason
        msg = f"no trustworthy connection to {target.host}: {reason}"
        return ToolRefusedError(msg)
    msg = f"{target.host} broke off, or speaks no HTTP: {str(error)[:_MAX_REASON_CHARS]}"
    return ToolUnavailableError(msg)
