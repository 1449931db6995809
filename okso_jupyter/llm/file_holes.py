"""Holes of a model's file: stretches of zeros, as an interrupted copy or download leaves them."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path
from typing import Final

_BLOCK_BYTES: Final = 1 << 16
#: What is looked at of every block; of one where it is zero, the rest too.
_PAGE_BYTES: Final = 1 << 12


def zeroed_bytes(path: Path) -> int:
    """Return how many bytes of a file, in blocks of 64 KiB, are zero.

    llama.cpp loads them. Some models hold zeros of their own, such as the rows of unused tokens.
    The file is not mapped: its pages would count as memory of this process, beside the model's.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        return _BLOCK_BYTES * sum(
            _is_zero(file, start, _PAGE_BYTES) and _is_zero(file, start, _BLOCK_BYTES)
            for start in range(0, size - size % _BLOCK_BYTES, _BLOCK_BYTES)
        )


def _is_zero(file: FileIO, start: int, size: int) -> bool:
    file.seek(start)
    data = file.read(size)
    return data.count(0) == len(data)
