"""Self-test of the worker's layers: attempts forbidden actions before any untrusted code runs.

Loaded by file from the worker, so it imports nothing of okso_jupyter.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

_DISCARD_PORT: Final = 9
#: Calls that reach the System V objects of all processes of this user.
_SYSTEM_V: Final = (
    "shmget", "shmat", "shmctl", "msgget", "msgrcv", "msgsnd", "msgctl",
    "semget", "semop", "semtimedop", "semctl",
)  # fmt: skip
_NO_SUCH_OBJECT: Final = -1

#: Actions that only the Linux layers prevent.
_LINUX_ALONE: Final = frozenset(
    {"lift a limit", "keep a capability", "reach objects that processes share"}
)


def breaches(canary: str, hidden: str = "") -> list[str]:
    """Return the names of the forbidden actions that succeeded; empty if the layers hold.

    Args:
        canary: Path of a file outside the sandbox, readable and writable for this user.
        hidden: Path of a file that must not even seem to exist; empty if it may.
    """
    if hidden and os.path.lexists(hidden):
        return ["see that a file outside exists"]
    trials: dict[str, Callable[[str], bool]] = {
        "read a file outside": _reads,
        "write a file outside": _writes,
        "create a file outside": _creates,
        "change a file's mode outside": _changes_mode,
        "open a network connection": _connects,
        "send a message to another process": _sends,
        "reach objects that processes share": _shares,
        "run a program": _runs_program,
        "start a process": _forks,
        "signal another process": _signals,
        "lift a limit": _lifts_limit,
        "keep a capability": _has_capability,
    }
    skipped = frozenset() if sys.platform == "linux" else _LINUX_ALONE
    return [name for name, works in trials.items() if name not in skipped and works(canary)]


def _reads(canary: str) -> bool:
    try:
        return bool(Path(canary).read_bytes())
    except PermissionError:
        return False


def _writes(canary: str) -> bool:
    try:
        with Path(canary).open("ab"):
            return True
    except PermissionError:
        return False


def _creates(canary: str) -> bool:
    try:
        with Path(canary).with_name("made-by-self-test").open("x"):
            return True
    except PermissionError:
        return False


def _changes_mode(canary: str) -> bool:
    before = os.stat(canary).st_mode  # noqa: PTH116  the call that the filter sees
    try:
        os.chmod(canary, before ^ 0o100)  # noqa: PTH101  the call that the filter sees
    except PermissionError:
        return False
    return os.stat(canary).st_mode != before  # noqa: PTH116  see above


def _connects(_canary: str) -> bool:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
            connection.settimeout(1)
            connection.connect(("127.0.0.1", _DISCARD_PORT))
    except PermissionError:
        return False
    except OSError:
        # nothing listened, but nothing forbade it either
        return True
    return True


def _sends(canary: str) -> bool:
    try:
        left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    except PermissionError:
        return False
    with left, right:
        try:
            left.sendto(b"", canary)
        except PermissionError:
            return False
        except OSError:
            # it is not a socket, but nothing forbade sending
            return True
    return True


def _shares(_canary: str) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    return any(_answers(libc, name) for name in _SYSTEM_V if hasattr(libc, name))


def _answers(libc: ctypes.CDLL, name: str) -> bool:
    """Return whether a call reaches the kernel, which has no object of that number."""
    ctypes.set_errno(0)
    libc[name](_NO_SUCH_OBJECT, None, 0, 0, 0)
    return ctypes.get_errno() != errno.EPERM


def _runs_program(_canary: str) -> bool:
    try:
        os.execv("/nowhere/at-all", ["at-all"])  # noqa: S606  it must fail before it is looked up
    except PermissionError:
        return False
    except OSError:
        return True


def _forks(_canary: str) -> bool:
    try:
        child = os.fork()
    except PermissionError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def _signals(_canary: str) -> bool:
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return False
    return True


def _lifts_limit(_canary: str) -> bool:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    except (PermissionError, ValueError):
        # Python raises ValueError for the kernel's "not permitted" here
        return False
    return True


def _has_capability(_canary: str) -> bool:
    status = Path("/proc/self/status").read_text("ascii")
    held = [line for line in status.splitlines() if line.startswith(("CapEff", "CapPrm"))]
    return any(int(line.split()[1], 16) for line in held)
