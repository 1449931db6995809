"""Streaming decompression of bodies: a bomb never expands beyond one piece."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from okso_jupyter.errors import ToolFailedError

#: The accepted encodings; for these two, zlib bounds each step.
ACCEPTED: Final = "gzip, deflate"
_PIECE_BYTES: Final = 64 * 1024
_GZIP_OR_ZLIB: Final = 47
_BARE_DEFLATE: Final = -15
_GZIP_START: Final = b"\x1f"


def unpacked(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """Yield a decompressed body in pieces of at most 64 KiB.

    Args:
        chunks: The body as received.
        coding: The Content-Encoding header.

    Raises:
        ToolFailedError: The encoding was not requested, or the body is not in this encoding.
    """
    names = [name for name in coding.lower().replace(" ", "").split(",") if name != "identity"]
    match [name for name in names if name]:
        case []:
            return iter(chunks)
        case ["gzip" | "x-gzip" | "deflate" as name]:
            return _inflated(chunks, is_deflate=name == "deflate")
    msg = f"the answer is packed as {coding[:40]!r}, which was not asked for"
    raise ToolFailedError(msg)


def _inflated(chunks: Iterable[bytes], *, is_deflate: bool) -> Iterator[bytes]:
    inflater, parts = None, 0
    for chunk in chunks:
        rest = chunk
        while rest:
            if inflater is None:
                # gzip may have several members; anything else that follows is padding
                if parts and (is_deflate or not rest.startswith(_GZIP_START)):
                    return
                inflater = zlib.decompressobj(_window(rest) if is_deflate else _GZIP_OR_ZLIB)
                parts += 1
            yield _piece(inflater, rest)
            rest = inflater.unconsumed_tail
            if inflater.eof:
                rest, inflater = inflater.unused_data, None
    if inflater is not None:
        yield inflater.flush()
        if not inflater.eof:
            msg = "the packed answer broke off"
            raise ToolFailedError(msg)


def _window(start: bytes) -> int:
    """Return the zlib window for "deflate", which some servers send without the zlib header."""
    has_frame = start[0] & 0x8F == zlib.DEFLATED
    return _GZIP_OR_ZLIB if has_frame else _BARE_DEFLATE


def _piece(inflater: zlib._Decompress, data: bytes) -> bytes:
    try:
        return inflater.decompress(data, _PIECE_BYTES)
    except zlib.error as error:
        msg = "the answer is not packed as it says"
        raise ToolFailedError(msg) from error
