"""Predictions: the state of a path after steps have run, as far as it is known in advance."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from okso_jupyter.effects.file_changes import FileState
from okso_jupyter.effects.file_effects import Extent
from okso_jupyter.errors import ToolFailedError

#: Larger contents are not kept, only their size.
MAX_HELD_BYTES: Final = 16 << 20
#: Maximum bytes of all contents that one forecast keeps.
MAX_ALL_BYTES: Final = 64 << 20
FOLDER_MODE: Final = 0o755
FILE_MODE: Final = 0o644
#: A change that leaves less than one of as many parts of a file empties it.
_LEAST_PARTS_LEFT: Final = 10
_MODES: Final = {
    "file": stat.S_IFREG | FILE_MODE,
    "folder": stat.S_IFDIR | FOLDER_MODE,
    "link": stat.S_IFLNK | 0o777,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """Predicted state of a path.

    Attributes:
        what: "file", "folder" or "link"; empty if there is none.
        target: Where a link leads.
        data: Content of a file; None if not known.
        size_bytes: Its size; None if not known.
        is_own: Whether the run itself created it.
    """

    what: str = "file"
    target: str = ""
    data: bytes | None = None
    size_bytes: int | None = None
    is_own: bool = True


class UnknownContentError(ToolFailedError):
    """The requested content is not known until an earlier step has run."""


def fingerprint_of(state: FileState | None) -> str:
    """Return a fingerprint of a state: its hash, else kind and size; empty if there is none."""
    if state is None:
        return ""
    if state.what == "file":
        return state.sha256 or f"{state.size_bytes} bytes"
    return f"{state.what} {state.target}".strip()


def extent_of(data: bytes | None, size_bytes: int | None) -> Extent:
    """Return the extent of a content; lines are counted for text."""
    if data is None or b"\0" in data:
        return Extent(size_bytes=size_bytes)
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    return Extent(size_bytes=len(data), lines=lines)


def is_same(before: FileState | None, after: Predicted | None) -> bool:
    """Return whether a file is known to be unchanged."""
    if before is None or after is None or after.data is None:
        return False
    return before.sha256 == sha256(after.data).hexdigest()


def is_emptied(before: bytes, after: bytes) -> bool:
    """Return whether a change leaves less than a tenth of a content, blanks not counted."""
    held, left = (len(b"".join(data.split())) for data in (before, after))
    return left * _LEAST_PARTS_LEFT < held


def stat_of(known: Predicted) -> os.stat_result:
    """Return a stat result for a prediction, without a number of the entry."""
    return os.stat_result((_MODES[known.what], 0, 0, 1, 0, 0, known.size_bytes or 0, 0, 0, 0))


def is_below(path: str, folder: str, max_depth: int) -> bool:
    """Return whether a path is beneath a folder, at most `max_depth` levels."""
    prefix = "" if folder == "." else f"{folder}/"
    return path.startswith(prefix) and path.removeprefix(prefix).count("/") < max_depth
