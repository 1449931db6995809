"""Kernel layers of the sandbox: limits, capabilities, Landlock, seccomp, applied to oneself.

Loaded by file from the worker, so it imports only the standard library. Each layer binds the
calling thread and what it starts: apply them before starting any thread. A missing layer is an
error and is never skipped.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import stat
import sysconfig
from typing import Final

_SYS_LANDLOCK_CREATE_RULESET: Final = 444
_SYS_LANDLOCK_ADD_RULE: Final = 445
_SYS_LANDLOCK_RESTRICT_SELF: Final = 446
_ASK_VERSION: Final = 1
_RULE_PATH_BENEATH: Final = 1
#: Landlock ABI 3 is the first that can prevent truncating a file.
MIN_LANDLOCK_ABI: Final = 3

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_CHAR, _MAKE_DIR, _MAKE_REG = (1 << bit for bit in range(4, 9))
_MAKE_SYM, _REFER, _TRUNCATE, _IOCTL_DEV = 1 << 12, 1 << 13, 1 << 14, 1 << 15
_ALL_OF_ABI_3: Final = (1 << 15) - 1
_FOR_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ: Final = _READ_FILE | _READ_DIR
#: Everything but running files and creating sockets, pipes and device nodes.
_READ_AND_WRITE: Final = (
    _READ | _WRITE_FILE | _TRUNCATE | _REFER | _REMOVE_DIR | _REMOVE_FILE
    | _MAKE_DIR | _MAKE_REG | _MAKE_SYM
)  # fmt: skip
_TCP_BIND_AND_CONNECT: Final = 3
_SIGNALS_AND_ABSTRACT_SOCKETS: Final = 3

_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _CLEAR_ALL = 24, 38, 47, 4
_CAPABILITY_VERSION_3: Final = 0x20080522
_CAPABILITY_BITS: Final = 64

MAX_ADDRESS_SPACE_BYTES: Final = 4 << 30
MAX_DATA_BYTES: Final = 1 << 30
MAX_FILE_BYTES: Final = 64 << 20
MAX_OPEN_FILES: Final = 1024
#: For the lifetime of a worker; single calls are limited by the broker's clock.
MAX_CPU_S: Final = 3600

#: What Python and its libraries read apart from their own files.
SYSTEM_FILES: Final = (
    "/usr/lib",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/usr/lib64",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/certs",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/self/fd",
    "/proc/self/maps",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
    "/sys/devices/system/cpu",
)


class LayerMissingError(OSError):
    """This machine lacks a layer; the message names it."""


class _RulesetAttributes(ctypes.Structure):
    """`struct landlock_ruleset_attr`: the rights that are denied unless a rule allows them."""

    _fields_ = (
        ("handled_files", ctypes.c_uint64),
        ("handled_network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathRule(ctypes.Structure):
    """`struct landlock_path_beneath_attr`: rights allowed at and beneath a path."""

    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("path_fd", ctypes.c_int32))


def load_libc() -> ctypes.CDLL:
    """Return the C library of this process, with errno saved per call."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def _syscall(libc: ctypes.CDLL, number: int, *arguments: object) -> int:
    """Make a system call.

    Raises:
        OSError: It failed; carries its error number.
    """
    ctypes.set_errno(0)
    result: int = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def limit_resources(max_file_bytes: int = MAX_FILE_BYTES) -> None:
    """Bound memory, files, descriptors and processor time; no core dumps.

    Args:
        max_file_bytes: Maximum size of a file that the process writes.
    """
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, MAX_ADDRESS_SPACE_BYTES),
        (resource.RLIMIT_DATA, MAX_DATA_BYTES),
        (resource.RLIMIT_FSIZE, max_file_bytes),
        (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        (resource.RLIMIT_CPU, MAX_CPU_S),
    ):
        _, hard = resource.getrlimit(limit)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))


def drop_capabilities(libc: ctypes.CDLL) -> None:
    """Drop all capabilities of root: only file owners and modes count afterwards.

    Raises:
        OSError: The kernel kept them.
    """
    for capability in range(_CAPABILITY_BITS):
        # fails for other users than root, who have nothing to drop
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if libc.capset(ctypes.byref(header), ctypes.byref(nothing)):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def forbid_new_privileges(libc: ctypes.CDLL) -> None:
    """Set no_new_privs (running a file never adds rights); Landlock and seccomp require it.

    Raises:
        OSError: The kernel refused.
    """
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def landlock_abi(libc: ctypes.CDLL) -> int:
    """Return the Landlock ABI version of this kernel; 0 if it has none."""
    try:
        return _syscall(
            libc,
            _SYS_LANDLOCK_CREATE_RULESET,
            None,
            ctypes.c_size_t(0),
            ctypes.c_uint32(_ASK_VERSION),
        )
    except OSError as error:
        if error.errno in {errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM}:
            return 0
        raise


class Landlock:
    """A Landlock rule set for files and network: add rules, then enforce it.

    Args:
        libc: See `load_libc`.

    Raises:
        LayerMissingError: The kernel has no Landlock, or too old a version.
    """

    def __init__(self, libc: ctypes.CDLL) -> None:
        self._libc = libc
        self.abi = landlock_abi(libc)
        if self.abi < MIN_LANDLOCK_ABI:
            raise LayerMissingError(
                errno.ENOSYS,
                f"Landlock version {MIN_LANDLOCK_ABI} (this kernel offers {self.abi})",
            )
        self._handled = _ALL_OF_ABI_3 | (_IOCTL_DEV if self.abi >= 5 else 0)  # noqa: PLR2004  version
        self._ruleset_fd = self._create()

    def _create(self) -> int:
        """Return the descriptor of an empty rule set, which allows nothing."""
        attributes = _RulesetAttributes(
            self._handled,
            _TCP_BIND_AND_CONNECT if self.abi >= 4 else 0,  # noqa: PLR2004  version
            _SIGNALS_AND_ABSTRACT_SOCKETS if self.abi >= 6 else 0,  # noqa: PLR2004  version
        )
        known_bytes = 24 if self.abi >= 6 else 16 if self.abi >= 4 else 8  # noqa: PLR2004  version
        return _syscall(
            self._libc,
            _SYS_LANDLOCK_CREATE_RULESET,
            ctypes.byref(attributes),
            ctypes.c_size_t(known_bytes),
            ctypes.c_uint32(0),
        )

    def _allow(self, path_fd: int, rights: int) -> None:
        """Allow these rights at and beneath an open path."""
        if not stat.S_ISDIR(os.fstat(path_fd).st_mode):
            rights &= _FOR_FILES
        rule = _PathRule(rights & self._handled, path_fd)
        _syscall(
            self._libc,
            _SYS_LANDLOCK_ADD_RULE,
            ctypes.c_int(self._ruleset_fd),
            ctypes.c_int(_RULE_PATH_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        )

    def _allow_path(self, path: str, rights: int) -> None:
        """Allow these rights at and beneath a path, if it exists."""
        try:
            path_fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return
        try:
            self._allow(path_fd, rights)
        finally:
            os.close(path_fd)

    def allow_reading(self, path: str) -> None:
        """Allow reading at and beneath a path; a missing path is skipped."""
        self._allow_path(path, _READ)

    def allow_reading_fd(self, path_fd: int) -> None:
        """Allow reading at and beneath an open descriptor."""
        self._allow(path_fd, _READ)

    def allow_writing(self, path: str, *, file: bool = False) -> None:
        """Allow reading and writing at and beneath a path."""
        self._allow_path(path, _READ_FILE | _WRITE_FILE if file else _READ_AND_WRITE)

    def enforce(self) -> None:
        """Bind this thread and what it starts to the rules; this is irreversible."""
        _syscall(
            self._libc,
            _SYS_LANDLOCK_RESTRICT_SELF,
            ctypes.c_int(self._ruleset_fd),
            ctypes.c_uint32(0),
        )
        os.close(self._ruleset_fd)


def python_folders() -> list[str]:
    """Return the folders of this Python's files, never a home or project that contains them."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    found = {os.path.realpath(sysconfig.get_path(name)) for name in names}
    base = {"base": sysconfig.get_config_var("installed_base") or ""}
    base["platbase"] = sysconfig.get_config_var("installed_platbase") or base["base"]
    found |= {os.path.realpath(sysconfig.get_path(name, vars=base)) for name in names}
    libraries = sysconfig.get_config_var("LIBDIR")
    if libraries:
        found.add(os.path.realpath(libraries))
    return sorted(found)
