"""Decompression of a server's answer in pieces of bounded size.

Requests ask for uncompressed answers, but a server may compress one. Single compression is undone
here a little at a time; nested compression, which could expand some kilobytes to gigabytes before
any size check, is refused.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import httpx

from okso_jupyter.errors import ModelError

#: Request header that asks for uncompressed answers.
UNPACKED: Final = {"accept-encoding": "identity"}
_PIECE_BYTES: Final = 1 << 16
#: Window sizes of zlib: gzip or zlib, as the header states; and deflate without a header.
_ANY_HEADER, _NO_HEADER = 47, -15


async def unpacked(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the decompressed bytes of an answer in pieces of bounded size.

    Raises:
        ModelError: It is compressed in an unsupported way, or damaged.
        httpx.TransportError: The connection broke off.
    """
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in {"", "identity"}:
        async for part in response.aiter_raw():
            yield part
        return
    if coding not in {"gzip", "x-gzip", "deflate"}:
        msg = f"the server packs its answer ({coding[:40]}) although it was asked not to"
        raise ModelError(msg, hint="the server may not be a model server")
    unpacker = _Unpacker()
    async for part in response.aiter_raw():
        for piece in unpacker.pieces(part):
            yield piece
    yield unpacker.end()


class _Unpacker:
    """Decompresses gzip or deflate, at most one piece at a time."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(_ANY_HEADER)
        self._has_begun = False

    def pieces(self, part: bytes) -> Iterator[bytes]:
        """Yield the decompressed content of a part."""
        left = part
        while left:
            yield self._piece(left)
            left = self._decoder.unconsumed_tail

    def end(self) -> bytes:
        """Return the rest of the output: less than one match of the format."""
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
