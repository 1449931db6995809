"""Tail: the last complete lines of a call's output so far.

Only complete lines are kept: half a line may hold half a secret, which would not be recognised.
More lines are kept than shown for the same reason: a secret may span several lines.
"""

from __future__ import annotations

import codecs
import threading
from collections import deque
from typing import Final

from okso_jupyter.legible import visible

_MAX_KEPT_CHARS: Final = 16 * 1024
_MAX_KEPT_LINE_CHARS: Final = 4 * 1024
_MAX_SHOWN_LINES: Final = 5
_MAX_SHOWN_LINE_CHARS: Final = 200


class Tail:
    """Collects output on the thread of a call; its end can be read from any thread."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._kept_chars = 0
        self._version = 0
        self._shown = (0, "")
        self._lock = threading.Lock()

    def add(self, line: str) -> None:
        """Append one complete line, without its line end."""
        kept = line[-_MAX_KEPT_LINE_CHARS:]
        with self._lock:
            self._lines.append(kept)
            self._kept_chars += len(kept)
            self._version += 1
            while self._kept_chars > _MAX_KEPT_CHARS:
                self._kept_chars -= len(self._lines.popleft())

    def text(self) -> str:
        """Return the last lines, printable and without secrets; long ones lose their beginning."""
        with self._lock:
            version, kept = self._version, "\n".join(self._lines)
        if version != self._shown[0]:
            lines = visible(kept).splitlines()[-_MAX_SHOWN_LINES:]
            self._shown = (version, "\n".join(_end_of(line) for line in lines))
        return self._shown[1]


class LineWriter:
    """Splits the output of one stream into lines; a carriage return ends a line, too."""

    def __init__(self, tail: Tail) -> None:
        self._tail = tail
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def write_bytes(self, part: bytes) -> None:
        """Append bytes; a character may be split across several pieces."""
        self.write(self._decoder.decode(part))

    def write(self, text: str) -> None:
        """Append text."""
        *lines, rest = (self._rest + text).replace("\r", "\n").split("\n")
        self._rest = rest[-_MAX_KEPT_LINE_CHARS:]
        for line in lines:
            if line.strip():
                self._tail.add(line)


def _end_of(line: str) -> str:
    return line if len(line) <= _MAX_SHOWN_LINE_CHARS else f"…{line[-_MAX_SHOWN_LINE_CHARS:]}"
