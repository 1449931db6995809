"""Memory that this process can use: physical, and free now.

psutil states what the machine has. Linux control groups, which psutil leaves out, may allow less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Memory figures; None where the system does not state them.

    Attributes:
        physical_bytes: Physical memory, or the limit of the control group if that is less.
        free_percent: Memory that programs could still get, in percent of it, as macOS counts it.
        headroom: Memory that is free at once, as a share of it from 0 to 1.
    """

    physical_bytes: int | None = None
    free_percent: float | None = None
    headroom: float | None = None

    @property
    def free_bytes(self) -> int | None:
        """Memory that programs could still get; None if unknown."""
        if self.physical_bytes is None or self.free_percent is None:
            return None
        return int(self.physical_bytes * self.free_percent / 100)


@dataclass(frozen=True, slots=True)
class _Group:
    """Memory limit and use of a control group, without the file cache."""

    limit_bytes: int
    used_bytes: int


def measure(root: Path = Path("/")) -> Memory:
    """Return this machine's current figures.

    Caches of files count as free, because the system gives them up at once; macOS keeps
    memory as inactive that it has to clear first, which is free and not headroom.

    Args:
        root: Folder that holds the /proc and /sys of the control groups.
    """
    try:
        machine = psutil.virtual_memory()
    except (OSError, RuntimeError):  # such as a /proc that is hidden
        return Memory()
    physical, free, at_once = machine.total, machine.available, machine.available
    if psutil.MACOS:
        at_once = machine.free
    for group in _groups(root):
        left = max(0, group.limit_bytes - group.used_bytes)
        physical, free, at_once = (
            min(physical, group.limit_bytes), min(free, left), min(at_once, left)
        )  # fmt: skip
    return Memory(
        physical_bytes=physical,
        free_percent=100 * min(1.0, free / physical),
        headroom=min(1.0, at_once / physical),
    )


def _groups(root: Path) -> Iterator[_Group]:
    """Yield the control groups of this process that limit memory, the innermost one first."""
    mounts = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0":
            yield from _limits(mounts, path, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _limits(mounts / "memory", path, *files)


def _limits(mount: Path, path: str, limit: str, usage: str, cache: str) -> Iterator[_Group]:
    """Yield the groups with a limit, from a path up to its mount; "max" means no limit."""
    inner = mount / path.strip("/")
    for folder in (inner, *inner.parents):
        allowed = _number(r"(\d+)\s*", _text(folder / limit))
        if allowed:
            used = _number(r"(\d+)\s*", _text(folder / usage)) or 0
            cached = _number(rf"^{cache} (\d+)", _text(folder / "memory.stat")) or 0
            yield _Group(allowed, max(0, used - cached))
        if folder == mount:
            return


def _number(pattern: str, text: str) -> int | None:
    match = re.search(pattern, text, re.MULTILINE)
    return int(match[1]) if match else None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
