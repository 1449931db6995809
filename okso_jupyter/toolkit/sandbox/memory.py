"""How much memory a worker holds: limits of the system do not see what is shared or in tmpfs."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Final

MAX_RESIDENT_BYTES: Final = 1536 << 20
_PROC: Final = Path("/proc")


def excess(pid: int) -> str:
    """Say what is too much; "" while a process and its children hold less, or nobody can tell.

    Args:
        pid: The process that was started; in bubblewrap the worker is a child of its child.
    """
    if sum(map(_resident_bytes, _family(pid))) <= MAX_RESIDENT_BYTES:
        return ""
    return (
        f"the code held more than {MAX_RESIDENT_BYTES >> 20} MiB of memory:"
        " the worker was killed, and its variables are lost"
    )


def _family(pid: int) -> list[int]:
    """Return a process and all that come from it, as far as the system tells."""
    try:
        words = (_PROC / str(pid) / "task" / str(pid) / "children").read_text("ascii").split()
    except OSError:
        words = []
    return [pid, *(member for word in words for member in _family(int(word)))]


def _resident_bytes(pid: int) -> int:
    try:
        words = (_PROC / str(pid) / "statm").read_text("ascii").split()
    except OSError:
        return 0
    return int(words[1]) * resource.getpagesize()
