"""The system-call filter of the sandbox: a seccomp program, assembled without a library.

Loaded by file from the worker, so it imports nothing of okso_jupyter. Numbers are pairs:
x86_64, aarch64; None if an architecture lacks the call.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Final

_Number = tuple[int | None, int | None]

#: Audit architecture in the filter's input, by `os.uname().machine`.
_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

#: Calls that fail with "operation not permitted".
_REFUSED: Final[dict[str, _Number]] = {
    # network and messages to others; socketpair() has its own rule
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    # these can pass on descriptors, and files that are open nowhere else would not be counted
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # other programs and processes
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    # limits: root could lift its own
    "setrlimit": (160, 164),
    # objects that outlive the process
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # System V objects of other processes: knowing a number is enough to reach one
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    # memory that no limit covers
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # files by other means than a path, device nodes, extended attributes
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    # mounts and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    # the machine
    "acct": (163, 89),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "delete_module": (176, 106),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "ioperm": (173, None),
    "iopl": (172, None),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    # kernel surface that harmless code has no use for
    "bpf": (321, 280),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "modify_ldt": (154, None),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "userfaultfd": (323, 282),
}

#: Calls that fail with "not supported": Landlock cannot stop them, and shutil.copy makes them.
_ABSENT: Final[dict[str, _Number]] = {
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
}

#: Calls that return success and do nothing: Landlock cannot stop them. shutil.copy needs the
#: modes and times, sqlite3 and dbm the locks, which only exclude other processes: no other
#: process writes to what the code may write to.
_PRETENDED: Final[dict[str, _Number]] = {
    "flock": (73, 32),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}

_CLONE: Final[_Number] = (56, 220)
_CLONE3: Final[_Number] = (435, 435)
_FCNTL: Final[_Number] = (72, 25)
_IOCTL: Final[_Number] = (16, 29)
_KILL: Final[_Number] = (62, 129)
_PRCTL: Final[_Number] = (157, 167)
_PRLIMIT64: Final[_Number] = (302, 261)
_SCHED_SETAFFINITY: Final[_Number] = (203, 122)
_SOCKETPAIR: Final[_Number] = (53, 199)
_TGKILL: Final[_Number] = (234, 131)

#: The last call that was reviewed; later ones fail with "no such call", x32 ones too.
_LAST_KNOWN: Final = 452

_AF_UNIX: Final = 1
#: A stream pair stays connected; a datagram pair can send to any address.
_SOCK_STREAM: Final = 1
_SOCKET_TYPES: Final = 0xF
_CLONE_THREAD: Final = 0x10000
#: It would hide from the broker which files are open.
_PR_SET_DUMPABLE: Final = 4
#: Copies and flags of descriptors, sizes of pipes, and lock owners.
_FCNTL_ALLOWED: Final = (
    0, 1, 2, 3, 4, 1030,  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
    5, 36, 9, 11, 16,     # F_GETLK, F_OFD_GETLK, F_GETOWN, F_GETSIG, F_GETOWN_EX
    1031, 1032, 1034,     # F_SETPIPE_SZ, F_GETPIPE_SZ, F_GET_SEALS
)  # fmt: skip
#: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW.
_FCNTL_PRETENDED: Final = (6, 7, 37, 38)
#: Terminal properties, pending bytes, descriptor flags, and copying a file.
_IOCTL_ALLOWED: Final = (
    0x5401, 0x802C542A, 0x540F, 0x5413,  # TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ
    0x541B, 0x5421, 0x5450, 0x5451,      # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    0x40049409,                          # FICLONE
)  # fmt: skip

# Instructions of the classic packet filter, and what a filter may return.
_LOAD, _MASK, _IF_EQUAL, _IF_GREATER, _IF_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL_PROCESS, _ANSWER = 0x7FFF0000, 0x80000000, 0x00050000
_NR_OFFSET, _ARCH_OFFSET, _ARGS_OFFSET = 0, 4, 16

_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2


class _Program(ctypes.Structure):
    """`struct sock_fprog`: number of instructions, and their address."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction; the jumps are numbers of instructions to skip."""
    return struct.pack("HBBI", code, if_true, if_false, value)


def _answer(error: int) -> bytes:
    """Return the instruction that ends a call with an error number; 0 is success."""
    return _op(_RETURN, _ANSWER | error)


_REFUSE: Final = _answer(errno.EPERM)
_DONE: Final = _answer(0)
_PASS: Final = _op(_RETURN, _ALLOW)


def _argument(index: int, *, high: bool = False) -> bytes:
    """Return the instruction that loads one half of a call's argument."""
    return _op(_LOAD, _ARGS_OFFSET + 8 * index + (4 if high else 0))


def _only_if(index: int, value: int) -> list[bytes]:
    """Allow a call only if an argument has this value."""
    return [_argument(index), _op(_IF_EQUAL, value, 0, 1), _PASS, _REFUSE]


def _not_if(index: int, value: int) -> list[bytes]:
    """Refuse a call if an argument has this value."""
    return [_argument(index), _op(_IF_EQUAL, value, 0, 1), _REFUSE, _PASS]


def _commands(allowed: tuple[int, ...], pretended: tuple[int, ...] = ()) -> list[bytes]:
    """Allow a call if its second argument is one of these commands; refuse unknown ones."""
    answers = [*((value, _PASS) for value in allowed), *((value, _DONE) for value in pretended)]
    tests = [part for value, answer in answers for part in (_op(_IF_EQUAL, value, 0, 1), answer)]
    return [_argument(1), *tests, _REFUSE]


def _pair_of_streams() -> list[bytes]:
    """Allow socketpair() for two connected streams."""
    return [
        *(_argument(0), _op(_IF_EQUAL, _AF_UNIX, 0, 4)),
        *(_argument(1), _op(_MASK, _SOCKET_TYPES), _op(_IF_EQUAL, _SOCK_STREAM, 0, 1)),
        *(_PASS, _REFUSE),
    ]


def _threads_only() -> list[bytes]:
    """Allow clone() for a new thread, not for a new process."""
    return [_argument(0), _op(_IF_ANY_BIT, _CLONE_THREAD, 0, 1), _PASS, _REFUSE]


def _without_new_limit() -> list[bytes]:
    """Allow prlimit64() to read limits, not to set them."""
    return [
        *(_argument(2), _op(_IF_EQUAL, 0, 0, 3)),
        *(_argument(2, high=True), _op(_IF_EQUAL, 0, 0, 1)),
        *(_PASS, _REFUSE),
    ]


def program(machine: str, pid: int) -> bytes:
    """Assemble the filter.

    Args:
        machine: "x86_64" or "aarch64", as in `os.uname().machine`.
        pid: The only process that may get signals.

    Raises:
        OSError: ENOSYS: the architecture is not supported.
    """
    if machine not in _AUDIT_ARCH:
        raise OSError(errno.ENOSYS, f"no system-call filter for the processor {machine}")
    column = tuple(_AUDIT_ARCH).index(machine)
    code = [
        *(_op(_LOAD, _ARCH_OFFSET), _op(_IF_EQUAL, _AUDIT_ARCH[machine], 1, 0)),
        _op(_RETURN, _KILL_PROCESS),
        *(_op(_LOAD, _NR_OFFSET), _op(_IF_GREATER, _LAST_KNOWN, 0, 1), _answer(errno.ENOSYS)),
    ]
    for number, body in _rules(pid):
        wanted = number[column]
        if wanted is not None:
            code += [_op(_IF_EQUAL, wanted, 0, len(body)), *body]
    return b"".join([*code, _PASS])


def _rules(pid: int) -> list[tuple[_Number, list[bytes]]]:
    """Return the rules for calls that are not simply allowed."""
    return [
        *((number, [_REFUSE]) for number in _REFUSED.values()),
        *((number, [_answer(errno.ENOTSUP)]) for number in _ABSENT.values()),
        *((number, [_DONE]) for number in _PRETENDED.values()),
        # glibc falls back to clone(), whose flags a filter can read
        (_CLONE3, [_answer(errno.ENOSYS)]),
        (_CLONE, _threads_only()),
        # asyncio wakes its loop through a socket pair
        (_SOCKETPAIR, _pair_of_streams()),
        (_KILL, _only_if(0, pid)),
        (_TGKILL, _only_if(0, pid)),
        (_SCHED_SETAFFINITY, _only_if(0, 0)),
        (_FCNTL, _commands(_FCNTL_ALLOWED, _FCNTL_PRETENDED)),
        (_IOCTL, _commands(_IOCTL_ALLOWED)),
        (_PRCTL, _not_if(0, _PR_SET_DUMPABLE)),
        (_PRLIMIT64, _without_new_limit()),
    ]


def install(libc: ctypes.CDLL) -> None:
    """Bind the calling thread and all that it starts to the filter; this is irreversible.

    Args:
        libc: The C library, loaded with `use_errno=True`; no_new_privs must be set.

    Raises:
        OSError: The kernel or the architecture does not support such a filter.
    """
    code = program(os.uname().machine, os.getpid())
    memory = ctypes.create_string_buffer(code, len(code))
    filter_program = _Program(len(code) // 8, ctypes.cast(memory, ctypes.c_void_p))
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filter_program), 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
