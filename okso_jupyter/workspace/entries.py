"""FolderEntry and Walk: the entries of a folder and of everything beneath it."""

from __future__ import annotations

import errno
import itertools
import os
import posixpath
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from okso_jupyter.workspace.beneath import FOLDER

_KINDS: Final = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One file, folder or link beneath the root.

    Attributes:
        path: Path relative to the root.
        info: Its stat result.
    """

    path: str
    info: os.stat_result

    @property
    def name(self) -> str:
        """Last component of the path."""
        return posixpath.basename(self.path)

    @property
    def kind(self) -> str:
        """Either "file", "folder", "link" or "special"."""
        return _KINDS.get(stat.S_IFMT(self.info.st_mode), "special")

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return self.kind == "file"

    @property
    def is_dir(self) -> bool:
        """Whether it is a folder."""
        return self.kind == "folder"

    @property
    def size_bytes(self) -> int:
        """Size of the data in bytes."""
        return self.info.st_size

    @property
    def modified_s(self) -> float:
        """Modification time, in seconds since 1970."""
        return self.info.st_mtime


class Walk:
    """All entries beneath a folder, parents first, sorted by name; links are not followed.

    Iterate it once. Afterwards `cut` is whether the maximum number of entries ended the walk
    early, `is_deeper` whether there are folders beneath the last level, and `unreadable` the names
    of folders that could not be opened.

    Args:
        folder_fd: Handle of the folder to start in; the walk closes it.
        folder: Path of that folder, relative to the root.
        max_depth: Levels beneath the folder; 1 is the folder's own entries.
        max_entries: Number of entries after which the walk ends.
        skip: Returns whether an entry is left out, with everything beneath it.
    """

    def __init__(
        self,
        folder_fd: int,
        folder: str,
        *,
        max_depth: int,
        max_entries: int,
        skip: Callable[[FolderEntry], bool] | None = None,
    ) -> None:
        self.cut = False
        self.is_deeper = False
        self.unreadable: list[str] = []
        self._start = (folder_fd, folder)
        self._max_depth = max_depth
        self._left = max_entries
        self._skip = skip

    def __iter__(self) -> Iterator[FolderEntry]:
        return self._below(*self._start, depth=1)

    def _below(self, folder_fd: int, folder: str, depth: int) -> Iterator[FolderEntry]:
        try:
            for entry in self._entries(folder_fd, folder):
                if self._skip is not None and self._skip(entry):
                    continue
                if self._left <= 0:
                    self.cut = True
                    return
                self._left -= 1
                yield entry
                if entry.is_dir:
                    yield from self._inside(folder_fd, entry, depth)
        finally:
            os.close(folder_fd)

    def _inside(self, folder_fd: int, entry: FolderEntry, depth: int) -> Iterator[FolderEntry]:
        if depth >= self._max_depth:
            self.is_deeper = True
            return
        try:
            inner = os.open(entry.name, FOLDER | os.O_NOFOLLOW, dir_fd=folder_fd)
        except OSError:
            self.unreadable.append(entry.path)
            return
        yield from self._below(inner, entry.path, depth + 1)

    def _entries(self, folder_fd: int, folder: str) -> list[FolderEntry]:
        entries = list(itertools.islice(scan(folder_fd, folder), self._left + 1))
        return sorted(entries, key=lambda entry: entry.name)


class Listed(Walk):
    """A walk over known entries.

    Args:
        entries: The entries, parents first.
        cut: See `Walk`.
        is_deeper: See `Walk`.
        unreadable: See `Walk`.
    """

    def __init__(
        self,
        entries: Iterable[FolderEntry],
        *,
        cut: bool,
        is_deeper: bool,
        unreadable: Iterable[str],
    ) -> None:
        self.cut = cut
        self.is_deeper = is_deeper
        self.unreadable = list(unreadable)
        self._known = tuple(entries)

    def __iter__(self) -> Iterator[FolderEntry]:
        return iter(self._known)


def scan(folder_fd: int, folder: str) -> Iterator[FolderEntry]:
    """Yield the entries of an open folder, unordered.

    Args:
        folder_fd: Handle of the folder; it stays open.
        folder: Its path relative to the root, a prefix of the entries' paths.
    """
    prefix = "" if folder == "." else folder + "/"
    with os.scandir(folder_fd) as items:
        for item in items:
            try:
                info = item.stat(follow_symlinks=False)
            except FileNotFoundError:
                # removed since the listing started
                continue
            yield FolderEntry(prefix + item.name, info)


def check_regular(handle: int, path: str) -> None:
    """Raise ToolRefusedError unless a file is regular: reading a device or FIFO has effects."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO), path)
