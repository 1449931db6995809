"""Read grants: which of the user's files and folders sandboxed code may read in place.

A Landlock rule covers everything beneath a folder, so a folder is granted as a whole only if it
contains nothing hidden at any depth. Of any other folder the visible entries are granted one by
one. Hidden names (.env, .git, .ssh) and links stay inaccessible.

Loaded by file from the worker, so it imports nothing of okso_jupyter.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

#: Maximum entries examined; folders beyond them are not granted as a whole.
MAX_SEEN_ENTRIES: Final = 200_000
#: Maximum number of rules, so that a worker starts within a second.
MAX_GRANTS: Final = 10_000
_MAX_DEPTH: Final = 64
_MAX_PATH_CHARS: Final = 1000

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: Opening only for metadata.
_LOOK: Final = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK) | os.O_NOFOLLOW | os.O_CLOEXEC

#: Device and inode.
Identity = tuple[int, int]
#: Allows reading at and beneath an open descriptor.
Allow = Callable[[int], object]


def is_hidden(name: str) -> bool:
    """Return whether code must not read files or folders of this name."""
    return name.startswith(".")


def identity_of(folder: Path | None) -> Identity | None:
    """Return device and inode of a folder, or None if it does not exist."""
    if folder is None:
        return None
    with suppress(OSError):
        status = folder.stat()
        return status.st_dev, status.st_ino
    return None


def grant_entries(
    root: str, allow: Allow | None = None, closed: Identity | None = None
) -> dict[str, Identity]:
    """Grant reading of the visible entries of a folder, but not of the folder itself.

    Args:
        root: Absolute path of the folder.
        allow: Called with the descriptor of each granted file or folder; None only lists them.
        closed: A folder that counts as hidden whatever its name.

    Returns:
        Device and inode of each granted entry, by path relative to the root.
    """
    root_fd = os.open(root, _FOLDER & ~os.O_NOFOLLOW)
    try:
        grants = _Grants(_looked_at(root_fd, closed), allow or (lambda _descriptor: None))
        grants.add_within(root_fd, "")
    finally:
        os.close(root_fd)
    return grants.granted


def shows_hidden(
    root_fd: int, granted: Mapping[str, Identity], closed: Identity | None = None
) -> bool:
    """Return whether a folder that was granted as a whole now contains something hidden."""
    folders = _looked_at(root_fd, closed)
    return any(
        folders.get(path) == _Folder(identity, is_clean=False) for path, identity in granted.items()
    )


@dataclass(frozen=True, slots=True)
class _Folder:
    """A scanned folder: its identity, and whether nothing hidden is beneath it."""

    identity: Identity
    is_clean: bool


def _looked_at(root_fd: int, closed: Identity | None) -> dict[str, _Folder]:
    """Scan the visible folders beneath an open one, within the bounds; return them by path."""
    look = _Look(closed)
    look.into(root_fd, "", _MAX_DEPTH)
    return look.folders


@dataclass(slots=True)
class _Look:
    """Bounded scan for hidden names."""

    closed: Identity | None
    folders: dict[str, _Folder] = field(default_factory=dict)
    entries_left: int = MAX_SEEN_ENTRIES

    def into(self, folder_fd: int, prefix: str, levels: int) -> bool:
        """Scan everything beneath an open folder; return whether nothing hidden is there."""
        is_clean, folders = True, []
        with os.scandir(folder_fd) as entries:
            for entry in entries:
                self.entries_left -= 1
                if self.entries_left < 0 or levels == 0:
                    return False
                if is_hidden(entry.name):
                    is_clean = False
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
        for name in sorted(folders):
            is_clean &= self._into_inner(folder_fd, name, prefix + name, levels - 1)
        return is_clean

    def _into_inner(self, folder_fd: int, name: str, path: str, levels: int) -> bool:
        try:
            inner_fd = os.open(name, _FOLDER, dir_fd=folder_fd)
        except OSError:
            # gone, or not accessible to this user: its content is unknown
            return False
        try:
            if _identity(os.fstat(inner_fd)) == self.closed:
                return False
            is_clean = self.into(inner_fd, f"{path}/", levels)
            self.folders[path] = _Folder(_identity(os.fstat(inner_fd)), is_clean)
        finally:
            os.close(inner_fd)
        return is_clean


@dataclass(slots=True)
class _Grants:
    """Grants the visible entries with as few rules as possible."""

    folders: Mapping[str, _Folder]
    allow: Allow
    granted: dict[str, Identity] = field(default_factory=dict)

    def add_within(self, folder_fd: int, prefix: str) -> None:
        """Grant the visible entries of an open folder, those of its inner folders last."""
        names = [name for name in sorted(os.listdir(folder_fd)) if not is_hidden(name)]
        for name in [name for name in names if not self._added(folder_fd, name, prefix + name)]:
            folder = self.folders.get(prefix + name)
            with suppress(OSError):
                self._add_within_inner(folder_fd, name, f"{prefix}{name}/", folder)

    def _added(self, folder_fd: int, name: str, path: str) -> bool:
        """Grant an entry unless it is a folder with hidden names; return whether it is done."""
        if len(self.granted) >= MAX_GRANTS or len(path) > _MAX_PATH_CHARS:
            return True
        try:
            entry_fd = os.open(name, _LOOK, dir_fd=folder_fd)
        except OSError:
            return True
        try:
            status = os.fstat(entry_fd)
            identity = _identity(status)
            is_clean = self.folders.get(path) == _Folder(identity, is_clean=True)
            if stat.S_ISREG(status.st_mode) or (stat.S_ISDIR(status.st_mode) and is_clean):
                self.allow(entry_fd)
                self.granted[path] = identity
                return True
        finally:
            os.close(entry_fd)
        return not stat.S_ISDIR(status.st_mode)

    def _add_within_inner(
        self, folder_fd: int, name: str, prefix: str, folder: _Folder | None
    ) -> None:
        """Do the same for an inner folder, if it is the one that was scanned."""
        inner_fd = os.open(name, _FOLDER, dir_fd=folder_fd)
        try:
            if folder is not None and folder.identity == _identity(os.fstat(inner_fd)):
                self.add_within(inner_fd, prefix)
        finally:
            os.close(inner_fd)


def _identity(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino
