"""Entry points of the installed packages, read again only after a package came or went."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import metadata

#: A folder of `sys.path`, and its packages with the times of their last changes in ns.
_Folder = tuple[str, tuple[tuple[str, int], ...]]


def entry_points(group: str) -> metadata.EntryPoints:
    """Return the entry points of a group.

    Args:
        group: Its name, such as "okso_jupyter.tools".
    """
    return _installed(group, tuple(_folders()))


@lru_cache(maxsize=8)  # reading the metadata of 200 packages takes 25 ms, and every cell asks twice
def _installed(group: str, _folders: tuple[_Folder, ...]) -> metadata.EntryPoints:
    return metadata.entry_points(group=group)


def _folders() -> Iterator[_Folder]:
    """Yield the folders that packages are in, each with its packages."""
    for folder in sys.path:
        with suppress(OSError):
            yield folder, _packages(folder or os.getcwd(), os.stat(folder or ".").st_mtime_ns)  # noqa: PTH109, PTH116  of a text


@lru_cache(maxsize=64)  # a notebook's own folder changes often, and its packages seldom
def _packages(folder: str, _changed_ns: int) -> tuple[tuple[str, int], ...]:
    """Return the names of a folder's packages, each with the time of its last change in ns."""
    with os.scandir(folder) as files:
        found = [one for one in files if one.name.endswith((".dist-info", ".egg-info"))]
    return tuple(sorted((one.name, one.stat().st_mtime_ns) for one in found))
