"""Names in a folder, as candidates for a similar name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from okso_jupyter.workspace.files import Workspace

_MAX_DEPTH: Final = 4
_MAX_ENTRIES: Final = 2000


def names_in(workspace: Workspace, *, files: bool = True, folders: bool = False) -> Iterator[str]:
    """Yield the paths beneath the root, without hidden files and folders.

    Args:
        workspace: The folder.
        files: Whether files are included.
        folders: Whether folders are included.
    """
    walk = workspace.walk(
        max_depth=_MAX_DEPTH,
        max_entries=_MAX_ENTRIES,
        skip=lambda entry: entry.name.startswith("."),
    )
    return (
        entry.path
        for entry in walk
        if (folders if entry.is_dir else files) and entry.path.isprintable()
    )
