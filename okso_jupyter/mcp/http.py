"""A server at an address: streamable HTTP, with a bound on what it may send."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.mcp.stdio import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    import httpx2

_CONNECT_TIMEOUT_S: Final = 10.0
#: Seconds without a byte after which a request is given up; servers that work send pings.
_READ_TIMEOUT_S: Final = 300.0


@asynccontextmanager
async def connected(url: str, headers: Mapping[str, str]) -> AsyncIterator[Any]:
    """Yield the streams of messages of a server; redirects to elsewhere are not followed.

    Args:
        url: Its address.
        headers: Sent with every request.
    """
    import httpx2  # noqa: PLC0415  comes with the SDK, an extra
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415  the same

    async def check(response: httpx2.Response) -> None:
        _bound(response)

    async with (
        httpx2.AsyncClient(
            headers=dict(headers),
            timeout=httpx2.Timeout(_CONNECT_TIMEOUT_S, read=_READ_TIMEOUT_S),
            trust_env=False,
            event_hooks={"response": [check]},
        ) as client,
        streamable_http_client(
            url, http_client=client, max_sse_event_size=MAX_MESSAGE_BYTES
        ) as streams,
    ):
        yield streams


def _bound(response: httpx2.Response) -> None:
    """Have reading a response fail after MAX_MESSAGE_BYTES, unless it is a stream of events."""
    import httpx2  # noqa: PLC0415  see connected

    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return  # its events are bounded one by one
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101  of an AsyncClient
    inner: httpx2.AsyncByteStream = response.stream

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = MAX_MESSAGE_BYTES
            async for chunk in inner:
                left -= len(chunk)
                if left < 0:
                    msg = f"it sent a message of more than {MAX_MESSAGE_BYTES >> 20} MB"
                    raise httpx2.ReadError(msg, request=response.request)
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()

    response.stream = Bounded()
