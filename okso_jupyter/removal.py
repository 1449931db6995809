"""Removal of folders that foreign code filled: any depth, without permissions, with links in them.

Links are removed, never followed. Any package may import this; it does not depend on okso.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWNER_ONLY: Final = 0o700


def remove(path: Path) -> bool:
    """Remove a file, link or folder with all its content; return whether nothing is left."""
    try:
        parent_fd = os.open(path.parent, _FOLDER & ~os.O_NOFOLLOW)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        return remove_at(parent_fd, path.name)
    finally:
        os.close(parent_fd)


def remove_at(parent_fd: int, name: str) -> bool:
    """Remove a name in an open folder, as `remove` does."""
    if _unlinked(parent_fd, name):
        return True
    try:
        folder_fd = _opened(parent_fd, name)
    except OSError:
        return False
    try:
        _clear(folder_fd)
    finally:
        os.close(folder_fd)
    with suppress(OSError):
        os.rmdir(name, dir_fd=parent_fd)
        return True
    return False


def clear(folder: Path) -> None:
    """Remove everything in a folder; entries that cannot be removed stay."""
    parent_fd = os.open(folder.parent, _FOLDER & ~os.O_NOFOLLOW)
    try:
        folder_fd = _opened(parent_fd, folder.name)
    finally:
        os.close(parent_fd)
    try:
        _clear(folder_fd)
    finally:
        os.close(folder_fd)


def _clear(folder_fd: int) -> None:
    """Empty an open folder.

    Folders in an inner folder are moved up before that folder is removed, so that neither the call
    depth nor the number of open folders nor the length of a path grows with the nesting.
    """
    kept: set[str] = set()
    while names := set(os.listdir(folder_fd)) - kept:
        kept |= {name for name in names if not _unlinked(folder_fd, name)}
        folders, kept = kept, {name for name in kept if not _dissolved(folder_fd, name)}
        if folders == kept:
            return


def _dissolved(folder_fd: int, name: str) -> bool:
    """Move up the folders of an inner folder and remove it; return whether it is gone."""
    try:
        inner_fd = _opened(folder_fd, name)
    except OSError:
        return False
    try:
        for inner in os.listdir(inner_fd):  # noqa: PTH208  a descriptor
            if not _unlinked(inner_fd, inner):
                _move_up(inner_fd, inner, folder_fd)
    finally:
        os.close(inner_fd)
    with suppress(OSError):
        os.rmdir(name, dir_fd=folder_fd)
        return True
    return False


def _move_up(inner_fd: int, name: str, folder_fd: int) -> None:
    """Move an inner folder to the outer one under a new name, if the system permits it."""
    with suppress(OSError):
        # moving a folder changes its "..", so the folder itself must be writable
        os.close(_opened(inner_fd, name))
        os.rename(name, secrets.token_hex(16), src_dir_fd=inner_fd, dst_dir_fd=folder_fd)


def _unlinked(folder_fd: int, name: str) -> bool:
    """Remove a name that is not a folder; return whether it is gone."""
    try:
        os.unlink(name, dir_fd=folder_fd)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _opened(folder_fd: int, name: str) -> int:
    """Return the descriptor of an inner folder, with owner permissions restored."""
    try:
        inner_fd = os.open(name, _FOLDER, dir_fd=folder_fd)
    except PermissionError:
        # the code that created it has ended: nothing puts a link in its place meanwhile
        os.chmod(name, _OWNER_ONLY, dir_fd=folder_fd)
        inner_fd = os.open(name, _FOLDER, dir_fd=folder_fd)
    with suppress(OSError):
        os.fchmod(inner_fd, _OWNER_ONLY)
    return inner_fd
