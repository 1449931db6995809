"""Opening a path beneath a folder, such that neither links nor races lead outside it.

There are two openers with the same behaviour: the kernel's `openat2` (Linux 5.6 and later) and a
walk that opens one component at a time. Both follow links that stay beneath the folder and
refuse all others with EXDEV. Comparing resolved names instead would leave a gap between check
and use.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

Opener = Callable[[int, str, int], int]

#: Flags that open a folder as a starting point.
FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
#: Flags that open a file for reading; a FIFO must not block, a terminal not become controlling.
READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
#: Flags that only locate a file, so that its data need not be readable (Linux).
NAME: Final = getattr(os, "O_PATH", READ) | os.O_CLOEXEC

_SYS_OPENAT2: Final = 437
_RESOLVE_NO_MAGICLINKS: Final = 0x02
_RESOLVE_BENEATH: Final = 0x08
_MAX_RETRIES: Final = 16
_MAX_LINKS: Final = 40
_MAX_PATH_BYTES: Final = 1024


class _OpenHow(ctypes.Structure):
    """The kernel's `struct open_how`."""

    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


def by_kernel(root_fd: int, path: str, flags: int) -> int:
    """Open a path beneath a folder by `openat2`.

    Args:
        root_fd: Handle of the folder.
        path: Path relative to it, without NUL characters.
        flags: Flags of `os.open`; never O_CREAT.

    Returns:
        A handle that the caller closes.

    Raises:
        OSError: As `os.open`; EXDEV if the path leads outside the folder.
    """
    if "\0" in path:
        # C would end the name here
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    how = _OpenHow(
        flags=flags | os.O_CLOEXEC, mode=0, resolve=_RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS
    )
    code = errno.EAGAIN
    for _ in range(_MAX_RETRIES):
        handle = _syscall()(
            _SYS_OPENAT2, root_fd, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how)
        )
        if handle >= 0:
            return int(handle)
        code = ctypes.get_errno()
        # EAGAIN: something was renamed while the kernel resolved ".."; EINTR: a signal
        if code not in {errno.EAGAIN, errno.EINTR}:
            break
    raise OSError(code, os.strerror(code), path)


def by_components(root_fd: int, path: str, flags: int) -> int:
    """Open a path beneath a folder one component at a time; arguments as in `by_kernel`."""
    held = [os.dup(root_fd)]
    todo = _parts(path)
    links = 0
    try:
        while todo:
            part = todo.pop()
            target = None if part == ".." else _link_target(held[-1], part)
            if part == "..":
                _step_up(held, path)
            elif target is not None:
                links += 1
                _check_link(target, links, path)
                todo.extend(_parts(target))
            elif todo:
                held.append(os.open(part, FOLDER | os.O_NOFOLLOW, dir_fd=held[-1]))
            else:
                return os.open(part, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held[-1])
        return os.open(".", flags | os.O_CLOEXEC, dir_fd=held[-1])
    finally:
        for handle in held:
            os.close(handle)


def without_links(root_fd: int, path: str, flags: int) -> int:
    """Open a path beneath a folder one component at a time, and refuse every link.

    Raises:
        OSError: As `os.open`; EXDEV if the path leads outside the folder.
    """
    held = os.dup(root_fd)
    parts = path.split("/")
    if ".." in parts:
        os.close(held)
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
    try:
        for number, part in enumerate(parts, start=1):
            own = flags if number == len(parts) else FOLDER
            inner = os.open(part, own | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
            os.close(held)
            held = inner
    except OSError:
        os.close(held)
        raise
    return held


def beneath_of(root_fd: int, folder_fd: int) -> str | None:
    """Return the present path of an open folder beneath another one, links resolved.

    Returns:
        Its path, "." for the same folder; None if it is elsewhere by now.
    """
    root, folder = _name_of(root_fd), _name_of(folder_fd)
    inside = os.path.relpath(folder, root)
    return None if inside == ".." or inside.startswith("../") else inside


def _name_of(handle: int) -> str:
    """Return the system's path of an open folder."""
    if sys.platform == "darwin":
        name = fcntl.fcntl(handle, fcntl.F_GETPATH, bytes(_MAX_PATH_BYTES))
        return os.fsdecode(name.split(b"\0")[0])
    return str(Path("/proc/self/fd", str(handle)).readlink())


def best_opener() -> Opener:
    """Return the kernel's opener if it works, else the walk by components."""
    return by_kernel if sys.platform == "linux" and _kernel_has_openat2() else by_components


@cache
def _syscall() -> Callable[..., int]:
    """Return libc's `syscall`, with the argument types of openat2."""
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = (
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.POINTER(_OpenHow),
        ctypes.c_size_t,
    )
    return function


@cache
def _kernel_has_openat2() -> bool:
    """Return whether openat2 works; an old kernel or a container's filter may refuse it."""
    folder = os.open("/", FOLDER)
    try:
        os.close(by_kernel(folder, ".", FOLDER))
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


def _parts(path: str) -> list[str]:
    """Return the components of a path, last one first."""
    return [part for part in reversed(path.split("/")) if part not in {"", "."}]


def _step_up(held: list[int], path: str) -> None:
    """Go back to the previously opened folder, at most to the first."""
    if len(held) == 1:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
    os.close(held.pop())


def _check_link(target: str, links: int, path: str) -> None:
    if links > _MAX_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    if target.startswith("/"):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)


def _link_target(folder_fd: int, name: str) -> str | None:
    """Return the target of a link, or None for anything else."""
    try:
        return os.readlink(name, dir_fd=folder_fd)
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise
