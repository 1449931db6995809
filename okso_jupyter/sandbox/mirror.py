"""Mirror of the user's files for sandboxed code: links and copies in the sandbox's folder.

The sandbox may read what was granted when the worker started. A link next to the code makes
relative paths work; files created or replaced since are copied. A folder that is not granted as a
whole is recreated, with links and copies in it; so is a small one that is, since `os.walk` and
`Path.rglob` follow no links to folders. Names that the code created are never touched.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from okso_jupyter import removal
from okso_jupyter.sandbox.grants import Identity, is_hidden

MAX_COPY_BYTES: Final = 64 << 20
#: Maximum links, copies and folders together: half of the entries of the sandbox's folder.
MAX_ENTRIES: Final = 10_000
#: Maximum entries of granted folders that are recreated; the others are links as a whole.
MAX_WALKED: Final = 2_000
_MAX_DEPTH: Final = 32
_COPY_PART_BYTES: Final = 1 << 20
_READ_ONLY: Final = 0o400
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


#: Sources that are recreated, with entries in them.
_FOLDERS: Final = frozenset({"folder", "granted folder"})


@dataclass(slots=True)
class _Mirrored:
    """One entry that this mirror created.

    Attributes:
        made: Identity of the entry when it was created.
        source: Identity of what it was created from.
        inner: Entries created in it by name, if it is a folder.
    """

    made: tuple[int, ...]
    source: tuple[object, ...]
    inner: dict[str, _Mirrored] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Level:
    """One of the user's folders, its counterpart, and the entries created there.

    Attributes:
        source_fd: The user's folder.
        target_fd: Its counterpart.
        prefix: Path of both, ending in a slash; "" for the top.
        known: Entries created in the counterpart, by name.
        is_granted: Whether the folder is granted as a whole.
    """

    source_fd: int
    target_fd: int
    prefix: str
    known: dict[str, _Mirrored]
    is_granted: bool = False


@dataclass(slots=True)
class _Budget:
    """Remaining room of one refresh, and the number of entries left out.

    Attributes:
        granted: Device and inode, by path, of what the worker may read in place.
        bytes_left: Bytes that may be copied.
        entries_left: Entries that may be created.
        walked_left: Entries of granted folders that may be created.
        left_out: Number of files and folders for which there was no room.
    """

    granted: Mapping[str, Identity]
    bytes_left: int = MAX_COPY_BYTES
    entries_left: int = MAX_ENTRIES
    walked_left: int = MAX_WALKED
    left_out: int = 0

    def spend(self, source: tuple[object, ...], size_bytes: int) -> None:
        """Charge one entry, and the bytes of a copy."""
        self.entries_left -= 1
        self.bytes_left -= size_bytes if source[0] == "copy" else 0

    def has_room(self, source: tuple[object, ...], size_bytes: int, level: _Level) -> bool:
        """Return whether there is room for a new entry; count it as left out if not."""
        has_bytes = source[0] != "copy" or size_bytes <= self.bytes_left
        has_room = has_bytes and self.entries_left > 0 and level.prefix.count("/") < _MAX_DEPTH
        self.left_out += not has_room
        return has_room


class Mirror:
    """Keeps a sandbox folder synchronized with a root.

    Args:
        root: Absolute path of the user's folder.
        folder: The sandbox's own folder.
        closed: Device and inode of a folder that is not mirrored.
    """

    def __init__(self, root: Path, folder: Path, closed: Identity | None = None) -> None:
        self._root = root
        self.root_fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._folder_fd = os.open(folder, _FOLDER)
        folder_status = os.fstat(self._folder_fd)
        self._left_out = {(folder_status.st_dev, folder_status.st_ino), closed}
        self._top = _Level(self.root_fd, self._folder_fd, "", {})

    def refresh(self, granted: Mapping[str, Identity]) -> int:
        """Link what is granted, copy what is newer, remove what is gone.

        Args:
            granted: Device and inode, by path, of what the worker may read in place.

        Returns:
            Number of files and folders left out because there are too many or they are too large.
        """
        budget = _Budget(granted)
        self._refresh(self._top, budget)
        return budget.left_out

    def _refresh(self, level: _Level, budget: _Budget) -> None:
        """Synchronize one folder: its own entries first, so that no inner folder uses all room."""
        wanted = self._visible_entries(level.source_fd)
        for name in [name for name in level.known if name not in wanted]:
            _remove(level, name)
        folders = []
        for name, status in wanted.items():
            source = self._source(level, name, status, budget)
            known = level.known.get(name)
            present = _identity(level.target_fd, name)
            if known is not None and present == known.made and known.source == source:
                budget.spend(source, status.st_size)
            elif known is None and present is not None:
                # the code created this name
                continue
            elif not self._remade(level, name, source, status.st_size, budget):
                continue
            if source[0] in _FOLDERS:
                folders.append(name)
        for name in folders:
            self._refresh_inner(level, name, budget)

    def _source(
        self, level: _Level, name: str, status: os.stat_result, budget: _Budget
    ) -> tuple[object, ...]:
        """Return how an entry is mirrored, as a value that changes when the entry does."""
        identity = (status.st_dev, status.st_ino)
        is_folder = stat.S_ISDIR(status.st_mode)
        if level.is_granted:
            return ("granted folder" if is_folder else "link", *identity)
        if budget.granted.get(level.prefix + name) == identity:
            entries = _entries_within(level, name, budget.walked_left) if is_folder else None
            if entries is None:
                return ("link", *identity)
            budget.walked_left -= entries
            return ("granted folder", *identity)
        if is_folder:
            return ("folder", *identity)
        return ("copy", *identity, status.st_size, status.st_mtime_ns)

    def _visible_entries(self, folder_fd: int) -> dict[str, os.stat_result]:
        """Return the visible files and folders in an open folder."""
        found = {}
        for name in sorted(os.listdir(folder_fd)):
            if is_hidden(name):
                continue
            with suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
                is_left_out = (status.st_dev, status.st_ino) in self._left_out
                if not is_left_out and (
                    stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
                ):
                    found[name] = status
        return found

    def _remade(
        self, level: _Level, name: str, source: tuple[object, ...], size_bytes: int, budget: _Budget
    ) -> bool:
        """Create a link, a copy or an empty folder at a name; return whether it is there now."""
        if name in level.known and not _remove(level, name):
            # the code replaced what was mirrored here
            return False
        if not budget.has_room(source, size_bytes, level):
            return False
        try:
            if source[0] == "link":
                os.symlink(self._root / level.prefix / name, name, dir_fd=level.target_fd)
            elif source[0] in _FOLDERS:
                os.mkdir(name, 0o500, dir_fd=level.target_fd)
            else:
                _copy(level, name, size_bytes)
        except OSError:
            # gone meanwhile, unreadable, or the disk is full: the code will not see this file
            return False
        made = _identity(level.target_fd, name)
        if made is not None:
            level.known[name] = _Mirrored(made, source)
            budget.spend(source, size_bytes)
        return made is not None

    def _refresh_inner(self, level: _Level, name: str, budget: _Budget) -> None:
        """Synchronize an inner folder, which the code may not write to."""
        with (
            suppress(OSError),
            _opened(name, _FOLDER, level.source_fd) as source_fd,
            _opened(name, _FOLDER, level.target_fd) as target_fd,
        ):
            os.fchmod(target_fd, 0o700)
            known, prefix = level.known[name], f"{level.prefix}{name}/"
            is_granted = known.source[0] == "granted folder"
            inner = _Level(source_fd, target_fd, prefix, known.inner, is_granted)
            self._refresh(inner, budget)
            os.fchmod(target_fd, 0o500)

    def drop(self) -> None:
        """Remove every link and copy; the next refresh recreates them."""
        for name in list(self._top.known):
            _remove(self._top, name)

    def close(self) -> None:
        """Remove every link and copy, and close both folders."""
        self.drop()
        os.close(self.root_fd)
        os.close(self._folder_fd)


def _remove(level: _Level, name: str) -> bool:
    """Forget an entry, and remove it if unchanged; return whether the name is free."""
    known = level.known.pop(name)
    present = _identity(level.target_fd, name)
    return present is None or (present == known.made and removal.remove_at(level.target_fd, name))


def _entries_within(level: _Level, name: str, most: int) -> int | None:
    """Return the number of files and folders beneath a folder; None if it is a link as a whole.

    It is if there are more than `most`, or anything but files and folders, such as links.
    """
    try:
        with _opened(name, _FOLDER, level.source_fd) as folder_fd:
            return _counted(folder_fd, most, level.prefix.count("/") + 1)
    except OSError:
        return None


def _counted(folder_fd: int, most: int, depth: int) -> int | None:
    with os.scandir(folder_fd) as found:
        entries = list(itertools.islice(found, most + 1))
    count = len(entries)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
            with _opened(entry.name, _FOLDER, folder_fd) as inner_fd:
                inner = _counted(inner_fd, most - count, depth + 1) if count <= most else None
            if inner is None:
                return None
            count += inner
        elif not entry.is_file(follow_symlinks=False):
            return None
    return count if count <= most else None


def _identity(folder_fd: int, name: str) -> tuple[int, ...] | None:
    """Return the identity of a name's present content, or None if the name is free.

    For folders the modification time is left out, because entries come and go.
    """
    try:
        status = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None
    kind = stat.S_IFMT(status.st_mode)
    changed = 0 if stat.S_ISDIR(kind) else status.st_ctime_ns
    return (kind, status.st_dev, status.st_ino, changed)


def _copy(level: _Level, name: str, size_bytes: int) -> None:
    """Copy at most `size_bytes` bytes of a file to a new, read-only one.

    Raises:
        OSError: It is gone or not a file any more, or cannot be read or written.
    """
    with _opened(name, _FILE, level.source_fd) as source_fd:
        if not stat.S_ISREG(os.fstat(source_fd).st_mode):
            raise FileNotFoundError(name)
        with _opened(name, _NEW_FILE, level.target_fd) as target_fd:
            _fill(source_fd, target_fd, size_bytes)


@contextmanager
def _opened(name: str, flags: int, folder_fd: int) -> Iterator[int]:
    """Yield the descriptor of a name in an open folder."""
    descriptor = os.open(name, flags, _READ_ONLY, dir_fd=folder_fd)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _fill(source_fd: int, target_fd: int, size_bytes: int) -> None:
    """Copy at most `size_bytes` bytes from one open file to another."""
    while size_bytes > 0:
        part = os.read(source_fd, min(size_bytes, _COPY_PART_BYTES))
        if not part:
            return
        size_bytes -= len(part)
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(target_fd, rest) :]
