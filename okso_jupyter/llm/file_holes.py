"""Holes of a model's file: stretches of zeros, as an interrupted copy or download leaves them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

_BLOCK_BYTES: Final = 1 << 16
#: What is looked at of every block; of one where it is zero, the rest too.
_PAGE_BYTES: Final = 1 << 12


def zeroed_bytes(path: Path) -> int:
    """Return how many bytes of a file, in blocks of 64 KiB, are zero.

    llama.cpp loads them. Some models hold zeros of their own, such as the rows of unused tokens.

    Raises:
        OSError: It cannot be read.
        ValueError: It is empty.
    """
    data = np.memmap(path, dtype=np.uint8, mode="r")
    blocks = data[: len(data) // _BLOCK_BYTES * _BLOCK_BYTES].reshape(-1, _BLOCK_BYTES)
    suspects = np.flatnonzero(~blocks[:, :_PAGE_BYTES].any(axis=1))
    return _BLOCK_BYTES * sum(not blocks[place].any() for place in suspects)
