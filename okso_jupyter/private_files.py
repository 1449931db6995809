"""Files for their user alone: made 0600 in folders of 0700, never through a symbolic link.

In: a path and bytes. Out: bytes, or an OSError whose `strerror` says in words what is wrong, for
the caller to turn into an error of its own. Looser permissions are repaired wherever one of these
files is opened. Everybody may import it; it knows nothing of okso.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_LOOSE: Final = 0o077
#: A pipe or device in place of a file must not make the open wait.
_SAFELY: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if they are not there; new ones are private.

    Raises:
        OSError: It cannot be made, or something else is in its place.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    # asked only after the failure: another kernel may make the folder at this moment
    try:
        folder.mkdir(mode=_FOLDER_MODE)
    except FileExistsError:
        if not folder.is_dir():
            raise _refused(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from None


def make_private_folder(folder: Path) -> None:
    """Make a folder for its user alone; one that others may enter is closed to them.

    Raises:
        OSError: It cannot be made or closed, or is a symbolic link.
    """
    refuse_link(folder)
    make_folder(folder)
    if stat.S_IMODE(folder.stat().st_mode) & _LOOSE:
        folder.chmod(_FOLDER_MODE)


def refuse_link(path: Path) -> None:
    """Raise OSError for a symbolic link, whatever it leads to."""
    if path.is_symlink():
        raise _refused(errno.ELOOP, "it is a symbolic link", path)


def touch(file: Path) -> None:
    """Make a file if it is not there, and see to it that it is private.

    Raises:
        OSError: It cannot be made, is a symbolic link, or is no regular file.
    """
    with suppress(FileExistsError):
        create(file, b"")
    close_to_others(file)


def close_to_others(file: Path) -> None:
    """See to it that a file in a private folder is private itself, if it is there.

    It is never opened: closing it again would drop the locks that this process has on it, and
    SQLite's with them.

    Raises:
        OSError: It is a symbolic link or no regular file, or belongs to somebody else.
    """
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise _refused(errno.ELOOP, "it is a symbolic link", file)
    if not stat.S_ISREG(mode):
        raise _refused(errno.EINVAL, "it is no regular file", file)
    if stat.S_IMODE(mode) & _LOOSE:
        file.chmod(_FILE_MODE)


def append(file: Path, data: bytes) -> None:
    """Add to the end of a file, which is made if it is not there.

    Raises:
        OSError: It cannot be written, is a symbolic link, or is no regular file.
    """
    make_folder(file.parent)
    with os.fdopen(_open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as opened:
        opened.write(data)


def create(file: Path, data: bytes) -> None:
    """Write a new file.

    Raises:
        FileExistsError: Something is at its place already.
        OSError: It cannot be written.
    """
    make_folder(file.parent)
    with os.fdopen(_open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as opened:
        opened.write(data)


def replace(file: Path, *parts: bytes) -> None:
    """Write a file beside its place and rename it: nobody ever reads half of one.

    Args:
        file: The file; a symbolic link in its place is replaced, not followed.
        parts: What it shall hold, one after the other.

    Raises:
        OSError: It cannot be written; what was there stays.
    """
    make_folder(file.parent)
    with drafting(file.parent) as (opened, draft):
        opened.writelines(parts)
        opened.flush()
        draft.replace(file)


@contextmanager
def drafting(folder: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """Lend a new file of a folder and its path, for who learns its name by writing it.

    Afterwards it is gone, unless it was given another name.

    Raises:
        OSError: It cannot be made.
    """
    draft = folder / f".{secrets.token_hex(8)}.new"
    try:
        with os.fdopen(_open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as opened:
            yield opened, draft
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def reading(file: Path) -> Iterator[BinaryIO]:
    """Open a file to be read; its permissions are left alone, for the reader to judge.

    Raises:
        OSError: It cannot be read, is a symbolic link, or is no regular file.
    """
    with os.fdopen(_open_regular(file, os.O_RDONLY), "rb") as opened:
        yield opened


def read(file: Path, *, max_bytes: int) -> bytes:
    """Return the content of a file.

    Raises:
        OSError: It cannot be read, is a symbolic link, is no regular file, or is larger.
    """
    with reading(file) as opened:
        data = opened.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise _refused(errno.EFBIG, f"it is larger than {max_bytes:,} bytes", file)
    return data


def _open(file: Path, flags: int) -> int:
    """Return a descriptor of a regular file that is private from now on."""
    descriptor = _open_regular(file, flags)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) & _LOOSE:
            os.fchmod(descriptor, _FILE_MODE)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open_regular(file: Path, flags: int) -> int:
    """Return a descriptor of a regular file; links are not followed, devices not touched."""
    try:
        descriptor = os.open(file, flags | _SAFELY, _FILE_MODE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _refused(errno.ELOOP, "it is a symbolic link", file) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refused(errno.EINVAL, "it is no regular file", file)
    return descriptor


def _refused(number: int, why: str, path: Path) -> OSError:
    return OSError(number, why, str(path))
