"""KnownSamples: beginnings of tables that were read, for the next question about the same texts.

What is found out about a column, such as its kind, its dates and its values, takes longer than the
rest of a question about a large table.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import TableSample

_MOST_BYTES: Final = 8 << 20


class KnownSamples:
    """Samples by their file and its bytes; those asked for longest ago are forgotten.

    Args:
        read: Reads a table, or None, from a file's name, its first bytes, and whether it has more.
        most_bytes: The most bytes of files whose samples are kept.
    """

    def __init__(
        self, read: Callable[[str, bytes, bool], TableSample | None], most_bytes: int = _MOST_BYTES
    ) -> None:
        self._read = read
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._samples: OrderedDict[tuple[str, bytes, bool], tuple[int, TableSample | None]]
        self._samples = OrderedDict()

    def of(self, file: str, data: bytes, has_more: bool) -> TableSample | None:  # noqa: FBT001  as `read`
        """Return the table that the first bytes of a file are; None if they are none."""
        key = file, hashlib.sha256(data).digest(), has_more
        with self._lock:
            if key in self._samples:
                self._samples.move_to_end(key)
                return self._samples[key][1]
        sample = self._read(file, data, has_more)
        with self._lock:
            self._samples[key] = len(data), sample
            while sum(size for size, _ in self._samples.values()) > self._most_bytes:
                self._samples.popitem(last=False)
        return sample
