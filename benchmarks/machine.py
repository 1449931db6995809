"""What a figure depends on beside the code: processor, cores, load, versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_LIBRARIES: Final = ("okso-jupyter", "llama-cpp-python", "llguidance", "numpy")
_CPU_INFO: Final = Path("/proc/cpuinfo")


def describe() -> list[str]:
    """Return one line per fact about machine and versions."""
    return [
        f"cpu: {_cpu()}, {cores()} cores usable",
        f"load: {', '.join(f'{load:.2f}' for load in os.getloadavg())} (1, 5, 15 minutes)",
        f"system: {platform.system()} {platform.release()}, Python {platform.python_version()}",
        f"versions: {', '.join(f'{name} {_version(name)}' for name in _LIBRARIES)}",
    ]


def cores() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _cpu() -> str:
    """Return the processor's name, as far as the system tells it."""
    if _CPU_INFO.exists():
        for line in _CPU_INFO.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
