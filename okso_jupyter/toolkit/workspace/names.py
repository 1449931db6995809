"""The names in a folder, for those who look for one that is like another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from okso_jupyter.toolkit.workspace.files import Workspace

_MAX_DEPTH: Final = 4
_MAX_ENTRIES: Final = 2000


def names_in(workspace: Workspace, *, folders: bool = False) -> Iterator[str]:
    """Yield the files beneath the root that can be named, hidden ones left out.

    Args:
        workspace: The folder.
        folders: Whether folders are named too.
    """
    walk = workspace.walk(
        max_depth=_MAX_DEPTH,
        max_entries=_MAX_ENTRIES,
        skip=lambda entry: entry.name.startswith("."),
    )
    return (
        entry.path for entry in walk if (folders or not entry.is_dir) and entry.path.isprintable()
    )
