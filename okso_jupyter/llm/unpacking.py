"""Unpacking: the bytes of a server's answer, unpacked in bounded pieces.

We ask for answers that are not packed. A server may pack one all the same; what is packed once is
unpacked here a little at a time, and what is packed again and again, so that some kilobytes become
gigabytes before anybody can count them, is refused.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import httpx

from okso_jupyter.errors import ModelError

#: What we say that we read.
UNPACKED: Final = {"accept-encoding": "identity"}
_PIECE_BYTES: Final = 1 << 16
#: Window sizes of zlib: gzip or zlib, whichever the header says; and deflate without a header.
_ANY_HEADER, _NO_HEADER = 47, -15


async def unpacked(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the bytes of an answer in pieces of bounded size.

    Raises:
        ModelError: It is packed in a way that nobody asked for.
        httpx.TransportError: The connection broke off.
    """
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in {"", "identity"}:
        async for part in response.aiter_raw():
            yield part
        return
    if coding not in {"gzip", "x-gzip", "deflate"}:
        msg = f"the server packs its answer ({coding[:40]}) although it was asked not to"
        raise ModelError(msg, hint="what answers may be no model server")
    unpacker = _Unpacker()
    async for part in response.aiter_raw():
        for piece in unpacker.pieces(part):
            yield piece
    yield unpacker.end()


class _Unpacker:
    """Unpacks gzip or deflate; never more than a piece at once."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(_ANY_HEADER)
        self._has_begun = False

    def pieces(self, part: bytes) -> Iterator[bytes]:
        """Yield what a part of the packed bytes holds."""
        left = part
        while left:
            yield self._piece(left)
            left = self._decoder.unconsumed_tail

    def end(self) -> bytes:
        """Return what was taken in and not given out: less than one match of the format."""
        return self._decoder.flush()

    def _piece(self, data: bytes) -> bytes:
        try:
            piece = self._decoder.decompress(data, _PIECE_BYTES)
        except zlib.error as error:
            if self._has_begun:
                msg = "the server's answer is packed and damaged"
                raise ModelError(msg) from error
            self._decoder = zlib.decompressobj(_NO_HEADER)
            self._has_begun = True
            return self._piece(data)
        self._has_begun = True
        return piece
