"""Resource use of a worker that system limits do not cover: memory, threads and disk.

Measured from outside the process, through /proc.
"""

from __future__ import annotations

import errno
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter.sandbox.kernel_layers import MAX_FILE_BYTES

MAX_RESIDENT_BYTES: Final = 1536 << 20
MAX_THREADS: Final = 512
#: Copies of the user's files count as well.
MAX_FOLDER_BYTES: Final = 192 << 20
MAX_FOLDER_ENTRIES: Final = 20_000
MAX_FOLDER_DEPTH: Final = 64
_PROC: Final = Path("/proc")
_BLOCK_BYTES: Final = 512
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: A folder was removed or replaced while it was being opened.
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_LOST: Final = "the worker was killed, and its variables are lost"


class _TooMuchError(Exception):
    """A folder holds more than it may; the message says what."""


def held(pid: int) -> str:
    """Return which limit of memory or threads a process and its children exceed, or "".

    Args:
        pid: The started process; in bubblewrap the worker is a child of its child.
    """
    members = family(pid)
    if sum(map(_resident_bytes, members)) > MAX_RESIDENT_BYTES:
        return f"the code held more than {MAX_RESIDENT_BYTES >> 20} MiB of memory: {_LOST}"
    if sum(map(_threads, members)) > MAX_THREADS:
        return f"the code started more than {MAX_THREADS} threads: {_LOST}"
    return ""


def stored(folder: Path, pid: int | None = None) -> str:
    """Return which disk limit is exceeded, or "".

    Args:
        folder: The one folder that the code can write to.
        pid: The started process; files that it removed but keeps open count as well.
    """
    removed_bytes = 0 if pid is None else _removed_bytes(family(pid)[-1], folder)
    room = _Room(MAX_FOLDER_BYTES - removed_bytes)
    try:
        room.check()
        room.count(folder, None, MAX_FOLDER_DEPTH)
    except _TooMuchError as error:
        return f"the code {error}; all of it is removed"
    return ""


def family(pid: int) -> list[int]:
    """Return a process and all its descendants, as far as the system reports them."""
    try:
        words = (_PROC / str(pid) / "task" / str(pid) / "children").read_text("ascii").split()
    except OSError:
        words = []
    return [pid, *(member for word in words for member in family(int(word)))]


def _resident_bytes(pid: int) -> int:
    try:
        words = (_PROC / str(pid) / "statm").read_text("ascii").split()
    except OSError:
        return 0
    return int(words[1]) * resource.getpagesize()


def _threads(pid: int) -> int:
    try:
        about = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return 0
    # after the name, which may contain any character, it is the 18th word
    return int(about.rpartition(")")[2].split()[17])


def _removed_bytes(pid: int, folder: Path) -> int:
    """Return the bytes of removed files of a folder that are still open or mapped."""
    sizes = dict(_removed_files(pid, folder))
    for inode in _removed_maps(pid, folder):
        # the system does not report its size: assume the maximum size of a file
        sizes.setdefault(inode, MAX_FILE_BYTES)
    return sum(sizes.values())


def _removed_files(pid: int, folder: Path) -> Iterator[tuple[int, int]]:
    """Yield inode and size in bytes of each removed file that is open."""
    opened = f"{_PROC}/{pid}/fd"
    try:
        numbers = os.listdir(opened)  # noqa: PTH208  names, and many of them
    except OSError:
        return
    for number in numbers:
        with suppress(OSError):
            status = os.stat(f"{opened}/{number}")  # noqa: PTH116  follows the descriptor
            is_removed = stat.S_ISREG(status.st_mode) and status.st_nlink == 0
            if is_removed and _lies_in(folder, f"{opened}/{number}"):
                yield status.st_ino, status.st_blocks * _BLOCK_BYTES


def _lies_in(folder: Path, descriptor: str) -> bool:
    """Return whether an open file is in a folder; the user's files may be removed by others."""
    try:
        return os.readlink(descriptor).startswith(f"{folder}/")  # noqa: PTH115  as text
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG


def _removed_maps(pid: int, folder: Path) -> Iterator[int]:
    """Yield the inode of each removed file of a folder that is mapped into memory."""
    try:
        lines = (_PROC / str(pid) / "maps").read_bytes().splitlines()
    except OSError:
        return
    start = os.fsencode(folder).replace(b"\n", rb"\012") + b"/"
    for line in lines:
        if line.endswith(b" (deleted)"):
            _, _, _, _, inode, path = line.split(maxsplit=5)
            if path.startswith(start):
                yield int(inode)


@dataclass(slots=True)
class _Room:
    """Remaining room in a folder."""

    bytes_left: int
    entries_left: int = MAX_FOLDER_ENTRIES

    def take(self, size_bytes: int) -> None:
        """Count an entry; raise _TooMuchError if there is no room for it."""
        self.entries_left -= 1
        self.bytes_left -= size_bytes
        if self.entries_left < 0:
            msg = f"made more than {MAX_FOLDER_ENTRIES} files"
            raise _TooMuchError(msg)
        self.check()

    def check(self) -> None:
        """Raise _TooMuchError if the bytes are used up."""
        if self.bytes_left < 0:
            msg = f"wrote more than {MAX_FOLDER_BYTES >> 20} MiB"
            raise _TooMuchError(msg)

    def count(self, folder: Path | str, parent_fd: int | None, levels: int) -> None:
        """Count everything beneath a folder without following links.

        Args:
            folder: Its path, or its name in an open folder.
            parent_fd: Descriptor of that folder.
            levels: Maximum nesting of folders in it.
        """
        try:
            folder_fd = os.open(folder, _FOLDER, dir_fd=parent_fd)
        except PermissionError as error:
            msg = "made a folder that cannot be looked into"
            raise _TooMuchError(msg) from error
        except OSError as error:
            if error.errno in _GONE:
                return
            raise
        try:
            self._count_entries(folder_fd, levels)
        finally:
            os.close(folder_fd)

    def _count_entries(self, folder_fd: int, levels: int) -> None:
        with os.scandir(folder_fd) as entries:
            for entry in entries:
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                self.take(status.st_blocks * _BLOCK_BYTES)
                if not stat.S_ISDIR(status.st_mode):
                    continue
                if levels <= 0:
                    msg = f"nested folders more than {MAX_FOLDER_DEPTH} deep"
                    raise _TooMuchError(msg)
                self.count(entry.name, folder_fd, levels - 1)
