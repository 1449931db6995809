"""Memory that this process can use: physical, and free now.

Linux states it in /proc/meminfo and in control groups, which may allow less than the machine has.
macOS states it through `sysctl`, `memory_pressure` and `vm_stat`; the parsers of their output are
tested on recorded texts, and were never tried on a Mac.
"""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_KIB: Final = 1024
_COMMAND_TIMEOUT_S: Final = 5.0


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

    Args:
        root: Folder that holds /proc and /sys.
    """
    if platform.system() == "Darwin":
        return read_macos(
            _said("sysctl", "-n", "hw.memsize"), _said("memory_pressure", "-Q"), _said("vm_stat")
        )
    return _linux(root)


def read_macos(memsize: str, memory_pressure: str, vm_stat: str) -> Memory:
    """Return the figures from the output of `sysctl`, `memory_pressure` and `vm_stat`."""
    physical = _number(r"\s*(\d+)\s*", memsize)
    page = _number(r"page size of (\d+) bytes", vm_stat)
    free = _number(r"^Pages free:\s+(\d+)", vm_stat)
    speculative = _number(r"^Pages speculative:\s+(\d+)", vm_stat) or 0
    known = physical and page and free is not None
    return Memory(
        physical_bytes=physical,
        free_percent=_number(r"memory free percentage:\s*(\d+)", memory_pressure),
        headroom=(free + speculative) * page / physical if known else None,  # type: ignore[operator]  # `known` says so
    )


def _linux(root: Path) -> Memory:
    """Return the figures of Linux.

    Linux caches files that were read, so free memory is always nearly used up. `MemAvailable` is
    used instead: memory that is free or can be freed at once.
    """
    text = _text(root / "proc/meminfo")
    total = _number(r"^MemTotal:\s+(\d+) kB", text)
    available = _number(r"^MemAvailable:\s+(\d+) kB", text)
    if not total:
        return Memory()
    physical = total * _KIB
    if available is None:
        return Memory(physical_bytes=physical)
    frees = [available * _KIB]
    for group in _groups(root):
        physical = min(physical, group.limit_bytes)
        frees.append(max(0, group.limit_bytes - group.used_bytes))
    share = min(1.0, min(frees) / physical)
    return Memory(physical_bytes=physical, free_percent=100 * share, headroom=share)


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


def _said(*command: str) -> str:
    """Return the output of a system command, or ""."""
    try:
        done = subprocess.run(  # noqa: S603  fixed command lines
            command, capture_output=True, text=True, check=False, timeout=_COMMAND_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout
