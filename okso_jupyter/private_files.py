"""Private files: created with mode 0600 in folders of 0700, never through a symbolic link.

Every failure is an OSError whose `strerror` states in words what is wrong, for the caller to turn
into its own error. Too open permissions are repaired whenever one of these files is opened. Any
package may import this; it does not depend on okso.
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
#: Opening must not block on a pipe or device that stands in place of a file.
_SAFELY: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def make_folder(folder: Path) -> None:
    """Create a folder and its parents if they do not exist; new ones are private.

    Raises:
        OSError: It cannot be created, or something else is in its place.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    # checked only after the failure: another kernel may create the folder at this moment
    try:
        folder.mkdir(mode=_FOLDER_MODE)
    except FileExistsError:
        if not folder.is_dir():
            raise _refused(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from None


def make_private_folder(folder: Path) -> None:
    """Create a folder with mode 0700; an existing one that others can access is closed to them.

    Raises:
        OSError: It cannot be created or closed, or is a symbolic link.
    """
    refuse_link(folder)
    make_folder(folder)
    if stat.S_IMODE(folder.stat().st_mode) & _LOOSE:
        folder.chmod(_FOLDER_MODE)


def refuse_link(path: Path) -> None:
    """Raise OSError if a path is a symbolic link, whatever its target."""
    if path.is_symlink():
        raise _refused(errno.ELOOP, "it is a symbolic link", path)


def touch(file: Path) -> None:
    """Create a file if it does not exist, and make it private.

    Raises:
        OSError: It cannot be created, is a symbolic link, or is not a regular file.
    """
    with suppress(FileExistsError):
        create(file, b"")
    close_to_others(file)


def close_to_others(file: Path) -> None:
    """Make a file in a private folder private itself, if it exists.

    The file is never opened: closing it again would drop the locks that this process, and SQLite
    in it, holds on the file.

    Raises:
        OSError: It is a symbolic link or not a regular file, or belongs to another user.
    """
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise _refused(errno.ELOOP, "it is a symbolic link", file)
    if not stat.S_ISREG(mode):
        raise _refused(errno.EINVAL, "it is not a regular file", file)
    if stat.S_IMODE(mode) & _LOOSE:
        file.chmod(_FILE_MODE)


def append(file: Path, data: bytes) -> None:
    """Append to a file; create the file if it does not exist.

    Raises:
        OSError: It cannot be written, is a symbolic link, or is not a regular file.
    """
    make_folder(file.parent)
    with os.fdopen(_open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as opened:
        opened.write(data)


def create(file: Path, data: bytes) -> None:
    """Write a new file.

    Raises:
        FileExistsError: The path exists already.
        OSError: It cannot be written.
    """
    make_folder(file.parent)
    with os.fdopen(_open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as opened:
        opened.write(data)


def replace(file: Path, *parts: bytes) -> None:
    """Write a file atomically, as a draft beside it that is then renamed.

    Args:
        file: The file; a symbolic link in its place is replaced, not followed.
        parts: The content, concatenated in order.

    Raises:
        OSError: It cannot be written; the previous content stays.
    """
    make_folder(file.parent)
    with drafting(file.parent) as (opened, draft):
        opened.writelines(parts)
        opened.flush()
        draft.replace(file)


@contextmanager
def drafting(folder: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """Lend a new file of a folder and its path, for content whose name depends on the content.

    The file is deleted afterwards, unless it was renamed.

    Raises:
        OSError: It cannot be created.
    """
    draft = folder / f".{secrets.token_hex(8)}.new"
    try:
        with os.fdopen(_open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as opened:
            yield opened, draft
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def reading(file: Path) -> Iterator[BinaryIO]:
    """Open a file for reading; its permissions are left unchanged, for the caller to check.

    Raises:
        OSError: It cannot be read, is a symbolic link, or is not a regular file.
    """
    with os.fdopen(_open_regular(file, os.O_RDONLY), "rb") as opened:
        yield opened


def read(file: Path, *, max_bytes: int) -> bytes:
    """Return the content of a file of at most `max_bytes`.

    Raises:
        OSError: It cannot be read, is a symbolic link, is not a regular file, or is larger.
    """
    with reading(file) as opened:
        data = opened.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise _refused(errno.EFBIG, f"it is larger than {max_bytes:,} bytes", file)
    return data


def _open(file: Path, flags: int) -> int:
    """Return a descriptor of a regular file, made private if it was not."""
    descriptor = _open_regular(file, flags)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) & _LOOSE:
            os.fchmod(descriptor, _FILE_MODE)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open_regular(file: Path, flags: int) -> int:
    """Return a descriptor of a regular file; links are not followed, devices not opened."""
    try:
        descriptor = os.open(file, flags | _SAFELY, _FILE_MODE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _refused(errno.ELOOP, "it is a symbolic link", file) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refused(errno.EINVAL, "it is not a regular file", file)
    return descriptor


def _refused(number: int, why: str, path: Path) -> OSError:
    return OSError(number, why, str(path))
