"""The system-call filter's verdicts for both processors, by interpreting its program."""

from __future__ import annotations

import errno
import struct

import pytest

from okso_jupyter.sandbox import seccomp
from tests.each_row import each_row

PID = 4711
ALLOWED, KILLED = 0x7FFF0000, 0x80000000
REFUSED, DONE = 0x50000 | errno.EPERM, 0x50000
ABSENT = 0x50000 | errno.ENOTSUP
UNKNOWN = 0x50000 | errno.ENOSYS
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Return the filter's verdict on a call, evaluated as in the kernel."""
    arch = AUDIT[machine] if audit is None else audit
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    program = list(struct.iter_unpack("HBBI", seccomp.program(machine, PID)))
    position, loaded = 0, 0
    while True:
        code, if_true, if_false, value = program[position]
        position += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            loaded = struct.unpack_from("<I", data, value)[0]
            continue
        if code == 0x54:
            loaded &= value
            continue
        test = {0x15: loaded == value, 0x25: loaded > value, 0x45: bool(loaded & value)}[code]
        position += if_true if test else if_false


@each_row(
    ("machine", "number", "arguments", "expected"),
    [
        ("x86_64", 0, (), ALLOWED),  # read
        ("aarch64", 63, (), ALLOWED),
        ("x86_64", 41, (2,), REFUSED),  # socket
        ("aarch64", 198, (2,), REFUSED),
        ("x86_64", 53, (1, 1), ALLOWED),  # socketpair of streams
        ("x86_64", 53, (1, 0x80801), ALLOWED),  # ... not blocking, closed on exec
        ("x86_64", 53, (2, 1), REFUSED),
        ("x86_64", 53, (1, 2), REFUSED),  # of datagrams, which send to any address
        ("x86_64", 53, (1, 0x80802), REFUSED),
        ("x86_64", 53, (1, 3), REFUSED),  # raw ones are datagrams
        ("x86_64", 53, (1, 5), REFUSED),
        ("aarch64", 199, (1, 1), ALLOWED),
        ("aarch64", 199, (1, 2), REFUSED),
        ("x86_64", 46, (), REFUSED),  # sendmsg
        ("aarch64", 269, (), REFUSED),  # sendmmsg
        *(("x86_64", number, (), REFUSED) for number in (*range(29, 32), *range(64, 72), 220)),
        *(("aarch64", number, (), REFUSED) for number in range(186, 198)),  # System V
        ("x86_64", 59, (), REFUSED),  # execve
        ("aarch64", 221, (), REFUSED),
        ("x86_64", 56, (0x3D0F00,), ALLOWED),  # clone of a thread
        ("x86_64", 56, (17,), REFUSED),
        ("aarch64", 220, (0x3D0F00,), ALLOWED),
        ("aarch64", 220, (17,), REFUSED),
        ("x86_64", 435, (), UNKNOWN),  # clone3
        ("aarch64", 435, (), UNKNOWN),
        ("x86_64", 62, (PID,), ALLOWED),  # kill
        ("x86_64", 62, (1,), REFUSED),
        ("x86_64", 62, (2**64 - 1,), REFUSED),
        ("aarch64", 129, (PID,), ALLOWED),
        ("aarch64", 129, (0,), REFUSED),
        ("x86_64", 90, (), DONE),  # chmod
        ("aarch64", 53, (), DONE),  # fchmodat
        ("x86_64", 302, (0, 7, 0), ALLOWED),  # prlimit64 that asks
        ("x86_64", 302, (0, 7, 1), REFUSED),
        ("x86_64", 302, (0, 7, 1 << 32), REFUSED),
        ("aarch64", 261, (0, 7, 1 << 32), REFUSED),
        ("x86_64", 72, (0, 3), ALLOWED),  # fcntl F_GETFL
        ("x86_64", 72, (0, 1030), ALLOWED),  # F_DUPFD_CLOEXEC
        ("x86_64", 72, (0, 8), REFUSED),  # F_SETOWN
        ("x86_64", 72, (0, 6), DONE),  # F_SETLK
        ("aarch64", 25, (0, 38), DONE),  # F_OFD_SETLKW
        ("x86_64", 72, (0, 1024), REFUSED),  # F_SETLEASE
        ("aarch64", 25, (0, 1026), REFUSED),  # F_NOTIFY
        ("aarch64", 25, (0, 15), REFUSED),
        ("x86_64", 157, (15,), ALLOWED),  # prctl PR_SET_NAME
        ("x86_64", 157, (4, 0), REFUSED),  # PR_SET_DUMPABLE
        ("aarch64", 167, (4, 1), REFUSED),
        ("x86_64", 73, (), DONE),  # flock
        ("x86_64", 191, (), ABSENT),  # getxattr
        ("aarch64", 13, (), ABSENT),  # flistxattr
        ("x86_64", 254, (), REFUSED),  # inotify_add_watch
        ("aarch64", 26, (), REFUSED),  # inotify_init1
        ("x86_64", 16, (0, 0x5401), ALLOWED),  # ioctl TCGETS
        ("x86_64", 16, (0, 0x5412), REFUSED),  # TIOCSTI
        ("aarch64", 29, (0, 0x5412), REFUSED),
        ("x86_64", 16, (0, 0x40086602), REFUSED),  # FS_IOC_SETFLAGS
        ("aarch64", 29, (0, 0x541B), ALLOWED),  # FIONREAD
        ("x86_64", 0x40000000 | 41, (), UNKNOWN),  # x32
        ("x86_64", 467, (), UNKNOWN),
        ("aarch64", 467, (), UNKNOWN),
    ],
)
def test_verdicts(machine: str, number: int, arguments: tuple[int, ...], expected: int) -> None:
    """Each rule applies to the calls it is meant for and not to similar ones."""
    assert verdict(machine, number, *arguments) == expected


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_foreign_architecture_is_killed(machine: str) -> None:
    """Calls of a foreign architecture are killed, since their numbers mean other calls."""
    assert verdict(machine, 0, audit=0x40000003) == KILLED


def test_an_unknown_processor_is_an_error() -> None:
    """No filter is built for a processor whose call numbers are unknown."""
    with pytest.raises(OSError, match="riscv64"):
        seccomp.program("riscv64", PID)
