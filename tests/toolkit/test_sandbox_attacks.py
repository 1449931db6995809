"""Attacks on the sandbox, each judged from outside the process.

Every attack is tried twice: without any layer, where it must do harm (or it proves nothing),
and with all layers, where it must not.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.toolkit.sandbox import PythonResult, PythonWorker

CANARY = "the-canary-text"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux")


@dataclass(slots=True)
class World:
    """What an attack could harm: files, listeners and a process outside the sandbox."""

    root: Path
    outside: Path
    bystander: subprocess.Popen[bytes]
    listeners: dict[str, socket.socket] = field(default_factory=dict)
    before: dict[str, tuple[object, ...]] = field(default_factory=dict)

    def snapshot(self) -> dict[str, tuple[object, ...]]:
        """Return content, mode, owner, links, time and attributes of all outside files."""
        found: dict[str, tuple[object, ...]] = {}
        for path in sorted([*self.outside.rglob("*"), *self.root.rglob("*")]):
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            attributes = tuple(os.listxattr(path, follow_symlinks=False))
            about = (status.st_mode, status.st_uid, status.st_nlink, status.st_mtime_ns)
            found[str(path)] = (content, attributes, *about)
        return found

    def fill(self, code: str) -> str:
        """Put this world's paths, ports and process number into an attack."""
        places = {
            "OUTSIDE": str(self.outside),
            "ROOT": str(self.root),
            "TCP": str(self.listeners["tcp"].getsockname()[1]),
            "UDP": str(self.listeners["udp"].getsockname()[1]),
            "ABSTRACT": self.listeners["abstract"].getsockname()[1:].decode(),
            "PID": str(self.bystander.pid),
        }
        for name, value in places.items():
            code = code.replace(f"@{name}@", value)
        return code

    def harm(self, result: PythonResult) -> list[str]:
        """Return every trace that an attack left."""
        found = [f"changed {path}" for path in self._changed()]
        told = result.stdout + result.stderr + result.value
        found += [word for word in (CANARY, "PWNED") if word in told]
        found += [f"reached {name}" for name in self.listeners if self._was_reached(name)]
        if self.bystander.poll() is not None:
            found.append("killed a process")
        elif self._is_stopped() or os.getpriority(os.PRIO_PROCESS, self.bystander.pid) != 0:
            found.append("bent a process")
        return found

    def _changed(self) -> list[str]:
        now = self.snapshot()
        return [path for path in {*now, *self.before} if now.get(path) != self.before.get(path)]

    def _was_reached(self, name: str) -> bool:
        listener = self.listeners[name]
        listener.settimeout(0.01)
        with contextlib.suppress(TimeoutError):
            if name == "udp":
                listener.recv(10)
            else:
                listener.accept()[0].close()
            return True
        return False

    def _is_stopped(self) -> bool:
        status = Path(f"/proc/{self.bystander.pid}/stat").read_text("ascii")
        return status.rpartition(")")[2].split()[0] == "T"


@pytest.fixture(name="world")
def _world(tmp_path: Path) -> Iterator[World]:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (root / "data").mkdir(parents=True)
    (outside / "secret.txt").write_text(CANARY, "utf-8")
    (root / ".env").write_text(f"API_KEY={CANARY}", "utf-8")
    (root / "sales.csv").write_text("a\n1\n", "utf-8")
    (root / "data" / "a.txt").write_text("a", "utf-8")
    (root / "link").symlink_to(outside)
    (root / "data" / "link").symlink_to(outside / "secret.txt")
    with contextlib.ExitStack() as stack:
        listeners = {
            "tcp": stack.enter_context(socket.create_server(("127.0.0.1", 0))),
            "udp": stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
            "unix": stack.enter_context(socket.socket(socket.AF_UNIX)),
            "abstract": stack.enter_context(socket.socket(socket.AF_UNIX)),
        }
        listeners["udp"].bind(("127.0.0.1", 0))
        listeners["unix"].bind(str(outside / "socket"))
        listeners["abstract"].bind(f"\0okso-test-{os.getpid()}-{threading.get_ident()}")
        listeners["unix"].listen()
        listeners["abstract"].listen()
        bystander = subprocess.Popen(["/bin/sleep", "60"], env={"KEY": CANARY})
        world = World(root, outside, bystander, listeners)
        world.before = world.snapshot()
        yield world
        bystander.kill()
        bystander.wait()


_LIBC = "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); "
_DONE = "print('PWN' + 'ED')"

ATTACKS = {
    # files outside: change
    "open for writing": "open('@OUTSIDE@/secret.txt', 'w').write('x')",
    "open for appending": "open('@OUTSIDE@/secret.txt', 'a').write('x')",
    "create": "open('@OUTSIDE@/new', 'x')",
    "os.open": "import os; os.open('@OUTSIDE@/new', os.O_CREAT | os.O_WRONLY)",
    "pathlib": "from pathlib import Path; Path('@OUTSIDE@/new').write_text('x')",
    "remove": "import os; os.remove('@OUTSIDE@/secret.txt')",
    "rename out of place": "import os; os.rename('@OUTSIDE@/secret.txt', '@OUTSIDE@/moved')",
    "truncate": "import os; os.truncate('@OUTSIDE@/secret.txt', 0)",
    "make a folder": "import os; os.mkdir('@OUTSIDE@/folder')",
    "make a link": "import os; os.symlink('/', '@OUTSIDE@/link')",
    "hard link in": (
        "import os; os.link('@OUTSIDE@/secret.txt', 'mine'); print(open('mine').read())"
    ),
    "through an own link": (
        "import os; os.symlink('@OUTSIDE@/secret.txt', 's'); open('s', 'w').write('x')"
    ),
    "shutil.rmtree": "import shutil; shutil.rmtree('@OUTSIDE@')",
    "sqlite": "import sqlite3; sqlite3.connect('@OUTSIDE@/db').execute('create table t (a)')",
    "native open": _LIBC + "libc.open(b'@OUTSIDE@/new', 0o101, 0o644)",
    "fifo": "import os; os.mkfifo('@OUTSIDE@/fifo')",
    "logging file": "import logging; logging.FileHandler('@OUTSIDE@/log').emit",
    "into the user's folder": "open('@ROOT@/new.txt', 'w').write('x')",
    "over the user's file": "open('sales.csv', 'w').write('x')",
    "over the user's file, absolute": "open('@ROOT@/sales.csv', 'a').write('x')",
    "delete in the user's folder": "import os; os.remove('@ROOT@/data/a.txt')",
    "plant a module": "open('@ROOT@/numpy.py', 'w').write('x')",
    # files outside: read
    "read": "print(open('@OUTSIDE@/secret.txt').read())",
    "read natively": (
        _LIBC + "b = ctypes.create_string_buffer(50); "
        "libc.read(libc.open(b'@OUTSIDE@/secret.txt', 0), b, 50); print(b.value)"
    ),
    "read through a link of the root": "print(open('@ROOT@/link/secret.txt').read())",
    "read through an inner link": "print(open('data/link').read())",
    "read a hidden file": "print(open('@ROOT@/.env').read())",
    "read by own link": "import os; os.symlink('@ROOT@/.env', 'e'); print(open('e').read())",
    "read by /proc/self/root": "print(open('/proc/self/root@OUTSIDE@/secret.txt').read())",
    "read a process's environment": "print(open('/proc/@PID@/environ').read())",
    "list a folder": "import os; 'secret.txt' in os.listdir('@OUTSIDE@') and " + _DONE,
    "list processes": "import os; '@PID@' in os.listdir('/proc') and " + _DONE,
    "read /etc/passwd": "'root' in open('/etc/passwd').read() and " + _DONE,
    # metadata
    "chmod": "import os; os.chmod('@OUTSIDE@/secret.txt', 0o777)",
    "utime": "import os; os.utime('@OUTSIDE@/secret.txt', (1, 1))",
    "setxattr": "import os; os.setxattr('@OUTSIDE@/secret.txt', 'user.mark', b'x')",
    # other programs
    "os.system": "import os; os.system('touch @OUTSIDE@/new')",
    "subprocess": "import subprocess; print(subprocess.run(['cat', '@OUTSIDE@/secret.txt']))",
    "exec": "import os; os.execv('/bin/echo', ['echo', 'PWN' 'ED'])",
    "posix_spawn": (
        "import os; p = os.posix_spawn('/bin/echo', ['echo', 'PWN' 'ED'], {}); os.waitpid(p, 0)"
    ),
    "own script": (
        "import os; open('s', 'w').write('#!/bin/sh\\necho PWN''ED\\n'); "
        "os.fchmod(os.open('s', 0), 0o755); os.execv('./s', ['s'])"
    ),
    "memfd program": (
        "import os; f = os.memfd_create('x', 0); os.write(f, open('/bin/echo', 'rb').read()); "
        "os.execv(f'/proc/self/fd/{f}', ['echo', 'PWN' 'ED'])"
    ),
    "loader": (
        "import os, glob; l = (glob.glob('/lib64/ld-linux*') + glob.glob('/lib/ld-linux*'))[0]; "
        "os.execv(l, [l, '/bin/echo', 'PWN' 'ED'])"
    ),
    "fork": "import os; os.fork() and " + _DONE,
    "multiprocessing": (
        "import multiprocessing as m; p = m.get_context('fork').Process(target=print, "
        "args=('PWN' + 'ED',)); p.start(); p.join()"
    ),
    # network
    "tcp": "import socket; socket.create_connection(('127.0.0.1', @TCP@))",
    "udp": "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', @UDP@))",
    "unix socket": "import socket; socket.socket(1).connect('@OUTSIDE@/socket')",
    "abstract socket": "import socket; socket.socket(1).connect('\\0@ABSTRACT@')",
    "urllib": "import urllib.request as u; u.urlopen('http://127.0.0.1:@TCP@/', timeout=0.5)",
    "listen": "import socket; socket.create_server(('127.0.0.1', 0)) and " + _DONE,
    "netlink": "import socket; socket.socket(16, 3, 0) and " + _DONE,
    # other processes and the kernel
    "kill": "import os; os.kill(@PID@, 9)",
    "stop": "import os, time; os.kill(@PID@, 19); time.sleep(0.1)",
    "queue a signal": (
        _LIBC + "libc.sigqueue(@PID@, 9, ctypes.c_void_p(0)); import time; time.sleep(0.1)"
    ),
    "pidfd": "import os, signal; signal.pidfd_send_signal(os.pidfd_open(@PID@), 9)",
    "owner of a descriptor": (
        "import fcntl, os, socket, time; a, b = socket.socketpair(); fcntl.fcntl(a, 8, @PID@); "
        "fcntl.fcntl(a, 10, 9); fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC); b.send(b'x'); "
        "time.sleep(0.1)"
    ),
    "renice": "import os; os.setpriority(os.PRIO_PROCESS, @PID@, 10)",
    "ptrace": _LIBC + "libc.ptrace(16, @PID@, 0, 0) == 0 and " + _DONE,
    "unshare": _LIBC + "libc.unshare(0x400) == 0 and " + _DONE,
    "shared memory": _LIBC + "(i := libc.shmget(0, 4096, 0o1600)) >= 0 and (libc.shmctl(i, 0, 0), "
    + _DONE + ")",
    "personality": _LIBC + "libc.personality(0x0040000) >= 0 and " + _DONE,
    "lift a limit": (
        "import resource as r; n = r.RLIMIT_NOFILE; r.setrlimit(n, r.getrlimit(n)); " + _DONE
    ),
}  # fmt: skip

#: Some kernels, file systems and containers stop these without our help.
STOPPED_BY_SOME_MACHINES = ("ptrace", "setxattr", "unshare", "personality", "netlink", "loader")
#: Attacks by which a lost layer shows.
LANDLOCK_ONLY = ("open for writing", "read", "read a hidden file", "through an own link", "remove")
SECCOMP_ONLY = (
    "chmod",
    "utime",
    "setxattr",
    "fork",
    "exec",
    "udp",
    "unix socket",
    "kill",
    "renice",
)


def attack(world: World, folder: Path, name: str, layers: tuple[str, ...] | None) -> list[str]:
    """Run one attack in a new worker and return the harm that it did."""
    try:
        worker = PythonWorker.start(world, folder, _layers=layers, _self_test=layers is None)
    except ToolRefusedError as error:
        pytest.skip(f"NOT TESTED, a layer is missing here: {error}")
    try:
        return world.harm(worker.run(world.fill(ATTACKS[name]), timeout_s=5))
    finally:
        worker.close()


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_does_no_harm(world: World, tmp_path: Path, name: str) -> None:
    """With all layers an attack leaves no trace outside and shows no secret."""
    assert attack(world, tmp_path / "sandbox", name, None) == []


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_works_without_layers(world: World, tmp_path: Path, name: str) -> None:
    """Without layers the same attack does harm, so that the test above can fail."""
    harm = attack(world, tmp_path / "sandbox", name, ())
    if not harm and name in STOPPED_BY_SOME_MACHINES:
        pytest.skip(f"NOT SHOWN: this machine stops {name!r} by itself")
    assert harm != []


@pytest.mark.parametrize("name", LANDLOCK_ONLY)
def test_landlock_alone_stops_files(world: World, tmp_path: Path, name: str) -> None:
    """Landlock by itself keeps files outside closed, and seccomp by itself does not."""
    assert attack(world, tmp_path / "a", name, ("landlock",)) == []
    assert attack(world, tmp_path / "b", name, ("rlimits", "capabilities", "seccomp")) != []


@pytest.mark.parametrize("name", SECCOMP_ONLY)
def test_seccomp_alone_stops_calls(world: World, tmp_path: Path, name: str) -> None:
    """Seccomp by itself stops calls that are not about file content."""
    assert attack(world, tmp_path / "a", name, ("seccomp",)) == []


@pytest.mark.parametrize("name", ["chmod", "utime", "fork", "udp"])
def test_landlock_alone_would_not_stop_calls(world: World, tmp_path: Path, name: str) -> None:
    """The other layers let these through: the filter is what they would lack."""
    assert attack(world, tmp_path / "a", name, ("rlimits", "capabilities", "landlock")) != []


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT TESTED: only root has capabilities to drop")
@pytest.mark.parametrize(
    "code",
    [
        "import os; os.chown('mine', 1, 1)",
        "import os; os.setpriority(os.PRIO_PROCESS, 0, -5)",
        "import os; os.chroot('.')",
    ],
)
def test_dropped_capabilities_alone_bind_root(world: World, tmp_path: Path, code: str) -> None:
    """Root without capabilities is an ordinary user; with them it is not."""
    code = f"open('mine', 'w').close(); {code}"
    exit_codes = []
    for number, layers in enumerate([("capabilities",), ()]):
        worker = PythonWorker.start(
            world, tmp_path / f"sandbox{number}", _layers=layers, _self_test=False
        )
        exit_codes.append(worker.run(code, timeout_s=5).exit_code)
        worker.close()
    assert exit_codes == [1, 0]
