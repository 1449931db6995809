"""The user's files as the sandboxed code sees them: links and copies in its own folder.

The sandbox may read what lay at the top of the root when the worker started. A link beside the
code makes relative paths work; what is newer, or was replaced since, is copied in. Names that
the code made itself are never touched.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_COPY_BYTES: Final = 64 << 20
_MAX_COPIED_ENTRIES: Final = 2000
_MAX_DEPTH: Final = 8
_COPY_PART_BYTES: Final = 1 << 20
_READ_ONLY: Final = 0o400

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Mirrored:
    """One name that this mirror made: what it is now, and what it was made from."""

    made: tuple[int, ...]
    source: tuple[int, ...]


@dataclass(slots=True)
class _Budget:
    """What one refresh may still copy."""

    bytes_left: int = MAX_COPY_BYTES
    entries_left: int = _MAX_COPIED_ENTRIES

    def spend(self, size: int) -> bool:
        """Take so many bytes and one entry; say whether they were left."""
        if size > self.bytes_left or self.entries_left <= 0:
            return False
        self.bytes_left -= size
        self.entries_left -= 1
        return True


class Mirror:
    """Keeps a sandbox folder in step with a root.

    Args:
        root: Absolute path of the user's folder.
        folder: The sandbox's own folder.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._root_fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._folder_fd = os.open(
            folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        )
        folder_status = os.fstat(self._folder_fd)
        self._folder_identity = (folder_status.st_dev, folder_status.st_ino)
        self._mirrored: dict[str, _Mirrored] = {}

    def refresh(self, granted: Mapping[str, Identity]) -> None:
        """Link what is granted, copy what is newer, remove what is gone.

        Args:
            granted: Device and inode, by name, of the entries that the worker may read in place.
        """
        wanted = self._visible_entries()
        for name in [name for name in self._mirrored if name not in wanted]:
            self._remove(name)
        budget = _Budget()
        for name, status in wanted.items():
            is_link = granted.get(name) == (status.st_dev, status.st_ino)
            source = (int(is_link), *((status.st_dev, status.st_ino) if is_link else _seen(status)))
            known = self._mirrored.get(name)
            present = _identity(self._folder_fd, name)
            if known and present == known.made:
                if known.source == source and not stat.S_ISDIR(known.made[0]):
                    continue
                self._remove(name)
            elif present is not None:
                # the code made this name, or replaced what was mirrored there
                self._mirrored.pop(name, None)
                continue
            self._make(name, source, budget)

    def _visible_entries(self) -> dict[str, os.stat_result]:
        """Return the files and folders at the top of the root that are not hidden."""
        found = {}
        for name in sorted(os.listdir(self._root_fd)):  # noqa: PTH208  a descriptor
            if name.startswith("."):
                continue
            with suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=self._root_fd, follow_symlinks=False)
                is_itself = (status.st_dev, status.st_ino) == self._folder_identity
                if not is_itself and (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                    found[name] = status
        return found

    def _make(self, name: str, source: tuple[int, ...], budget: _Budget) -> None:
        """Put a link or a copy at a free name and remember it."""
        try:
            if source[0]:
                os.symlink(self._root / name, name, dir_fd=self._folder_fd)
            else:
                _copy(self._root_fd, self._folder_fd, name, budget, depth=0)
        except OSError:
            # gone meanwhile, unreadable, or the disk is full: the code will see no such file
            return
        made = _identity(self._folder_fd, name)
        if made is not None:
            self._mirrored[name] = _Mirrored(made, source)

    def _remove(self, name: str) -> None:
        """Remove a name if it still is what this mirror made."""
        known = self._mirrored.pop(name)
        if _identity(self._folder_fd, name) == known.made:
            with suppress(OSError):
                _remove_tree(self._folder_fd, name)

    def drop(self) -> None:
        """Remove every link and copy; the next refresh makes them anew."""
        for name in list(self._mirrored):
            self._remove(name)

    def close(self) -> None:
        """Remove every link and copy, and let go of both folders."""
        self.drop()
        os.close(self._root_fd)
        os.close(self._folder_fd)


def _seen(status: os.stat_result) -> tuple[int, ...]:
    """Return what changes when a file is changed or replaced."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _identity(folder_fd: int, name: str) -> tuple[int, ...] | None:
    """Return what tells a name's present content from any other, or None if it is free.

    The time of change is left out for folders, in which the code may make files.
    """
    try:
        status = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None
    kind = stat.S_IFMT(status.st_mode)
    changed = 0 if stat.S_ISDIR(kind) else status.st_ctime_ns
    return (kind, status.st_dev, status.st_ino, changed)


def _copy(from_fd: int, to_fd: int, name: str, budget: _Budget, *, depth: int) -> None:
    """Copy a file or a folder's visible content; what exceeds the budget is left out."""
    source_fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=from_fd)
    try:
        status = os.fstat(source_fd)
        if stat.S_ISDIR(status.st_mode) and depth < _MAX_DEPTH and budget.spend(0):
            _copy_folder(source_fd, to_fd, name, budget, depth=depth)
        elif stat.S_ISREG(status.st_mode) and budget.spend(status.st_size):
            _copy_file(source_fd, to_fd, name, status.st_size)
    finally:
        os.close(source_fd)


def _copy_folder(source_fd: int, to_fd: int, name: str, budget: _Budget, *, depth: int) -> None:
    """Copy the visible content of an open folder."""
    os.mkdir(name, 0o700, dir_fd=to_fd)
    target_fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=to_fd)
    try:
        for inner in sorted(os.listdir(source_fd)):
            if not inner.startswith("."):
                with suppress(OSError):
                    _copy(source_fd, target_fd, inner, budget, depth=depth + 1)
        # as read-only as what is linked: the next refresh makes it anew
        os.fchmod(target_fd, 0o500)
    finally:
        os.close(target_fd)


def _copy_file(source_fd: int, to_fd: int, name: str, size: int) -> None:
    """Copy at most so many bytes of an open file to a new, read-only one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    target_fd = os.open(name, flags, _READ_ONLY, dir_fd=to_fd)
    try:
        while size > 0:
            part = os.read(source_fd, min(size, _COPY_PART_BYTES))
            if not part:
                return
            size -= len(part)
            rest = memoryview(part)
            while rest:
                rest = rest[os.write(target_fd, rest) :]
    finally:
        os.close(target_fd)


def _remove_tree(folder_fd: int, name: str) -> None:
    """Remove a name and what is beneath it, never following a link."""
    status = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(name, dir_fd=folder_fd)
        return
    inner_fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder_fd)
    try:
        os.fchmod(inner_fd, 0o700)
        for inner in os.listdir(inner_fd):  # noqa: PTH208  a descriptor
            _remove_tree(inner_fd, inner)
    finally:
        os.close(inner_fd)
    os.rmdir(name, dir_fd=folder_fd)
