"""Unpacking of bodies, piece by piece: a bomb never grows beyond one piece here."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from okso_jupyter.errors import ToolFailedError

#: What a server is asked for; zlib bounds each step of these two.
ACCEPTED: Final = "gzip, deflate"
_PIECE_BYTES: Final = 64 * 1024
_GZIP_OR_ZLIB: Final = 47
_BARE_DEFLATE: Final = -15
_GZIP_START: Final = b"\x1f"


def unpacked(chunks: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """Yield a body unpacked, in pieces of at most 64 KiB.

    Args:
        chunks: The body as it came.
        coding: The Content-Encoding header.

    Raises:
        ToolFailedError: The coding was not asked for, or the body is not packed by it.
    """
    names = [name for name in coding.lower().replace(" ", "").split(",") if name != "identity"]
    match [name for name in names if name]:
        case []:
            return iter(chunks)
        case ["gzip" | "x-gzip" | "deflate" as name]:
            return _inflated(chunks, is_deflate=name == "deflate")
    msg = f"the answer is packed as {coding[:40]!r}, which nobody asked for"
    raise ToolFailedError(msg)


def _inflated(chunks: Iterable[bytes], *, is_deflate: bool) -> Iterator[bytes]:
    inflater, parts = None, 0
    for chunk in chunks:
        rest = chunk
        while rest:
            if inflater is None:
                # gzip may have several parts; what else follows is padding
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
    """Return how zlib is to read "deflate", which some servers send without its frame."""
    has_frame = start[0] & 0x8F == zlib.DEFLATED
    return _GZIP_OR_ZLIB if has_frame else _BARE_DEFLATE


def _piece(inflater: zlib._Decompress, data: bytes) -> bytes:
    try:
        return inflater.decompress(data, _PIECE_BYTES)
    except zlib.error as error:
        msg = "the answer is not packed as it says"
        raise ToolFailedError(msg) from error
