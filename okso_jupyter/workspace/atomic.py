"""Atomic file replacement: a reader, or a crash, leaves either the old or the new content.

All functions work on a name in an open folder, so no path is followed.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from okso_jupyter.effects.file_changes import FileState
from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.workspace.beneath import FOLDER

_NEW_FILE_MODE: Final = 0o666
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
#: Larger files are neither hashed nor kept for undo: reading them would take seconds.
MAX_KEPT_BYTES: Final = 64 * 1024 * 1024
_UNNAMED: Final[int] = getattr(os, "O_TMPFILE", 0)
_OWN_FILES: Final = Path("/proc/self/fd")
_TEMPORARY: Final = re.compile(r"\.okso-[0-9a-f]{16}\.tmp")
#: A live process renames its file well before this age.
_LEAST_AGE_S: Final = 60
_MAX_SWEPT_ENTRIES: Final = 10_000


#: Keeps the content of an open file for undo, and returns its SHA-256.
Keep = Callable[[BinaryIO], str]


def state_of(folder_fd: int, name: str, keep: Keep | None = None) -> FileState:
    """Return the state of a name in an open folder; links are not followed.

    Args:
        folder_fd: The folder.
        name: The name there.
        keep: Keeps the content of a file that is about to change, unless it is too large.
    """
    info = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
    mode = stat.S_IMODE(info.st_mode) & 0o777
    if stat.S_ISDIR(info.st_mode):
        return FileState(what="folder", mode=mode)
    if stat.S_ISLNK(info.st_mode):
        return FileState(what="link", target=os.readlink(name, dir_fd=folder_fd))
    if not stat.S_ISREG(info.st_mode):
        return FileState(what="special")
    return FileState(
        size_bytes=info.st_size,
        sha256=_sha256_of(folder_fd, name, keep) if info.st_size <= MAX_KEPT_BYTES else "",
        mode=mode,
    )


def replaceable(folder_fd: int, name: str, path: str, keep: Keep | None = None) -> FileState | None:
    """Return the file that is about to be replaced, or None if the name is free.

    Raises:
        ToolRefusedError: It is not a regular file.
    """
    try:
        found = state_of(folder_fd, name, keep)
    except FileNotFoundError:
        return None
    if found.what == "folder":
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if found.what != "file":
        kind = "a link" if found.what == "link" else "not a regular file"
        msg = f"{path} is {kind}: nothing is written through it"
        raise ToolRefusedError(msg, hint="name the file itself")
    return found


def reserve(folder_fd: int, name: str) -> None:
    """Create an empty file; raise FileExistsError if the name is taken."""
    os.close(os.open(name, _CREATE, _NEW_FILE_MODE, dir_fd=folder_fd))


def write(
    folder_fd: int, name: str, chunks: Iterable[bytes], *, mode: int | None, new: bool
) -> FileState:
    """Write a temporary file, and rename it when it is complete and on disk.

    Args:
        folder_fd: The folder.
        name: Its name there.
        chunks: The content.
        mode: Permissions; None for the system's default.
        new: Raise FileExistsError if the name is taken.
    """
    first_mode = _NEW_FILE_MODE if mode is None else 0o600
    _sweep(folder_fd)
    handle, temporary = _open_aside(folder_fd, first_mode)
    try:
        with os.fdopen(handle, "wb") as file:
            written = _fill(file, chunks)
            if mode is not None:
                os.fchmod(handle, mode)
            os.fsync(handle)
            final_mode = stat.S_IMODE(os.fstat(handle).st_mode) & 0o777
            if not temporary and new:
                _link_unnamed(folder_fd, handle, name)
            elif not temporary:
                # only a complete file gets a name: a process that dies earlier leaves nothing
                temporary = _name_unnamed(folder_fd, handle)
        if temporary:
            _settle(folder_fd, temporary, name, new=new)
    except BaseException:
        if temporary:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder_fd)
        raise
    os.fsync(folder_fd)
    return FileState(size_bytes=written[0], sha256=written[1], mode=final_mode)


def put(folder_fd: int, name: str, state: FileState, chunks: Iterable[bytes], *, new: bool) -> None:
    """Restore a name in an open folder to a state: a file with this content, a folder or a link."""
    if state.what == "folder":
        os.mkdir(name, 0o777, dir_fd=folder_fd)
        if state.mode is not None:
            handle = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=folder_fd)
            try:
                os.fchmod(handle, state.mode)
            finally:
                os.close(handle)
    elif state.what == "link":
        os.symlink(state.target, name, dir_fd=folder_fd)
    else:
        write(folder_fd, name, chunks, mode=state.mode, new=new)


def _open_aside(folder_fd: int, mode: int) -> tuple[int, str]:
    """Open a temporary file; return its name, or "" if it has none."""
    if _UNNAMED and _OWN_FILES.is_dir():
        # not supported by every file system; then it gets an unguessable name
        with suppress(OSError):
            flags = os.O_WRONLY | _UNNAMED | os.O_CLOEXEC
            return os.open(".", flags, mode, dir_fd=folder_fd), ""
    temporary = _temporary_name()
    return os.open(temporary, _CREATE, mode, dir_fd=folder_fd), temporary


def _temporary_name() -> str:
    return f".okso-{secrets.token_hex(8)}.tmp"


def _name_unnamed(folder_fd: int, handle: int) -> str:
    temporary = _temporary_name()
    _link_unnamed(folder_fd, handle, temporary)
    return temporary


def _link_unnamed(folder_fd: int, handle: int, name: str) -> None:
    """Give a file without a name a name that is free."""
    os.link(f"{_OWN_FILES}/{handle}", name, dst_dir_fd=folder_fd, follow_symlinks=True)


def _sweep(folder_fd: int) -> None:
    """Remove temporary files of processes that were killed before renaming them."""
    with suppress(OSError), os.scandir(folder_fd) as entries:
        for entry in itertools.islice(entries, _MAX_SWEPT_ENTRIES):
            if not _TEMPORARY.fullmatch(entry.name):
                continue
            age_s = time.time() - entry.stat(follow_symlinks=False).st_ctime
            if entry.is_file(follow_symlinks=False) and age_s > _LEAST_AGE_S:
                os.unlink(entry.name, dir_fd=folder_fd)


def _settle(folder_fd: int, temporary: str, name: str, *, new: bool) -> None:
    """Rename a complete file in one step; with `new`, never replace another."""
    if not new:
        os.rename(temporary, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
        return
    os.link(temporary, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd, follow_symlinks=False)
    os.unlink(temporary, dir_fd=folder_fd)


def _fill(file: BinaryIO, chunks: Iterable[bytes]) -> tuple[int, str]:
    """Write the content and return its size in bytes and its hash."""
    digest, size_bytes = hashlib.sha256(), 0
    for chunk in chunks:
        file.write(chunk)
        digest.update(chunk)
        size_bytes += len(chunk)
    file.flush()
    return size_bytes, digest.hexdigest()


def _sha256_of(folder_fd: int, name: str, keep: Keep | None) -> str:
    """Return the hash of a file, or "" if it cannot be read, which prevents no change."""
    try:
        handle = os.open(name, _LOOK, dir_fd=folder_fd)
    except PermissionError:
        return ""
    with os.fdopen(handle, "rb") as file:
        return keep(file) if keep else hashlib.file_digest(file, "sha256").hexdigest()
