"""Attacks on the sandbox, each judged from outside the process.

Every attack is run twice: without any layer, where it must do harm (or it proves nothing),
and with all layers, where it must not.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
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
from okso_jupyter.sandbox import PythonResult, PythonWorker
from okso_jupyter.sandbox.bubblewrap import problem
from okso_jupyter.sandbox.footprint import MAX_FOLDER_BYTES
from okso_jupyter.sandbox.launch import REQUIRED
from tests.sandbox import system_v
from tests.sandbox.attacks import ATTACKS, STOPPED_BY_BUBBLEWRAP, STOPPED_BY_SOME_MACHINES

CANARY = "the-canary-text"
#: An address of this machine where nobody else looks for a server that once had the same port.
HOST = "127.83.83.83"
_ASK_FLAGS = 0x80086601
WITHOUT_BUBBLEWRAP = REQUIRED["linux"]
needs_bubblewrap = pytest.mark.skipif(
    bool(problem()), reason=f"NOT TESTED: bubblewrap: {problem()}"
)
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux"),
]


@dataclass(slots=True)
class World:
    """What an attack could harm: files, listeners and a process outside the sandbox."""

    root: Path
    outside: Path
    bystander: subprocess.Popen[bytes]
    shared: system_v.Objects
    listeners: dict[str, socket.socket] = field(default_factory=dict)
    before: dict[str, tuple[object, ...]] = field(default_factory=dict)
    priority: int = 0

    def __post_init__(self) -> None:
        """Record the initial state."""
        self.before, self.priority = self.snapshot(), self._priority()

    def _priority(self) -> int:
        return os.getpriority(os.PRIO_PROCESS, self.bystander.pid)

    def snapshot(self) -> dict[str, tuple[object, ...]]:
        """Return content, mode, owner, links, time and attributes of all outside files."""
        found: dict[str, tuple[object, ...]] = {}
        for path in sorted([*self.outside.rglob("*"), *self.root.rglob("*")]):
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            attributes = tuple(os.listxattr(path, follow_symlinks=False))
            about = (status.st_mode, status.st_uid, status.st_nlink, status.st_mtime_ns)
            found[str(path)] = (content, attributes, _flags(path), *about)
        found["System V"] = self.shared.seen()
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
            "SEGMENT": str(self.shared.segment),
            "QUEUE": str(self.shared.queue),
            "SEMAPHORE": str(self.shared.semaphore),
            "HOST": HOST,
        }
        for name, value in places.items():
            code = code.replace(f"@{name}@", value)
        return code

    def harm(self, result: PythonResult) -> list[str]:
        """Return every trace of an attack."""
        found = [f"changed {path}" for path in self._changed()]
        told = result.stdout + result.stderr + result.value
        found += [word for word in (CANARY, "PWNED") if word in told]
        found += [f"reached {name}" for name in self.listeners if self._was_reached(name)]
        found += ["locked a file"] if _is_locked(self.root / "sales.csv") else []
        if self.bystander.poll() is not None:
            found.append("killed a process")
        elif self._is_stopped() or self._priority() != self.priority:
            found.append("bent a process")
        return found

    def _changed(self) -> list[str]:
        now = self.snapshot()
        return [path for path in {*now, *self.before} if now.get(path) != self.before.get(path)]

    def _was_reached(self, name: str) -> bool:
        listener = self.listeners[name]
        listener.settimeout(0.01)
        with contextlib.suppress(TimeoutError):
            if name in {"udp", "datagrams"}:
                listener.recv(10)
            else:
                listener.accept()[0].close()
            return True
        return False

    def _is_stopped(self) -> bool:
        status = Path(f"/proc/{self.bystander.pid}/stat").read_text("ascii")
        return status.rpartition(")")[2].split()[0] == "T"


def _flags(path: Path) -> bytes:
    """Return the file system's flags of a file, such as "immutable"."""
    flags = bytearray(8)
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.ioctl(descriptor, _ASK_FLAGS, flags)
        finally:
            os.close(descriptor)
    return bytes(flags)


def _is_locked(path: Path) -> bool:
    """Return whether another process holds a lock of any kind on a file."""
    with path.open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in {errno.EAGAIN, errno.EACCES}:
                raise
            return True
    return False


@pytest.fixture(name="world")
def _world(tmp_path: Path) -> Iterator[World]:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (root / "data").mkdir(parents=True)
    (outside / "secret.txt").write_text(CANARY, "utf-8")
    (root / ".env").write_text(f"API_KEY={CANARY}", "utf-8")
    (root / "data" / "inner" / ".git").mkdir(parents=True)
    (root / "data" / ".env").write_text(f"API_KEY={CANARY}", "utf-8")
    (root / "data" / "inner" / ".git" / "config").write_text(f"token = {CANARY}", "utf-8")
    (root / "sales.csv").write_text("a\n1\n", "utf-8")
    (root / "data" / "a.txt").write_text("a", "utf-8")
    for path in (outside / "secret.txt", root / ".env"):
        with contextlib.suppress(OSError):  # not every file system has attributes
            os.setxattr(path, "user.note", CANARY.encode())
    (root / "link").symlink_to(outside)
    (root / "data" / "link").symlink_to(outside / "secret.txt")
    with contextlib.ExitStack() as stack:
        listeners = {
            "tcp": stack.enter_context(socket.create_server((HOST, 0))),
            "udp": stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
            "unix": stack.enter_context(socket.socket(socket.AF_UNIX)),
            "abstract": stack.enter_context(socket.socket(socket.AF_UNIX)),
            "datagrams": stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)),
        }
        listeners["udp"].bind((HOST, 0))
        listeners["unix"].bind(str(outside / "socket"))
        listeners["abstract"].bind(f"\0okso-test-{os.getpid()}-{threading.get_ident()}")
        listeners["datagrams"].bind(str(outside / "datagrams"))
        listeners["unix"].listen()
        listeners["abstract"].listen()
        bystander = subprocess.Popen(["/bin/sleep", "60"], env={"KEY": CANARY})
        shared = stack.enter_context(system_v.objects(CANARY.encode()))
        world = World(root, outside, bystander, shared, listeners)
        yield world
        bystander.kill()
        bystander.wait()
    # without layers the mount succeeds, and nobody could remove the folder
    ctypes.CDLL(None).umount2(bytes(outside), 0)


#: Attacks by which a lost layer shows.
LANDLOCK_ONLY = (
    "open for writing",
    "read",
    "read a hidden file",
    "read a hidden file below",
    "through an own link",
    "remove",
)
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
    self_test = layers in (None, WITHOUT_BUBBLEWRAP)
    try:
        worker = PythonWorker.start(world, folder, _layers=layers, _self_test=self_test)
    except ToolRefusedError as error:
        pytest.skip(f"NOT TESTED, a layer is missing here: {error}")
    try:
        harm = world.harm(worker.run(world.fill(ATTACKS[name]), timeout_s=10))
        kept_bytes = sum(path.lstat().st_size for path in folder.rglob("*"))
        return [*harm, "filled the disk"] if kept_bytes > MAX_FOLDER_BYTES else harm
    finally:
        worker.close()


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_does_no_harm(world: World, tmp_path: Path, name: str) -> None:
    """With the layers of every Linux, an attack leaves no trace and reads no secret.

    The one exception is listed by name: that a path exists can be seen.
    """
    harm = attack(world, tmp_path / "sandbox", name, WITHOUT_BUBBLEWRAP)
    assert bool(harm) == (name in STOPPED_BY_BUBBLEWRAP), harm


@needs_bubblewrap
@pytest.mark.parametrize("name", ATTACKS)
def test_attack_does_no_harm_in_bubblewrap(world: World, tmp_path: Path, name: str) -> None:
    """With bubblewrap as an additional layer, no attack does any harm."""
    assert attack(world, tmp_path / "sandbox", name, None) == []


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_works_without_layers(world: World, tmp_path: Path, name: str) -> None:
    """Without layers the same attack does harm, so the tests above can fail."""
    if name == "many files":
        pytest.skip("NOT SHOWN: no layer stops it, the watchdog of the folder does")
    harm = attack(world, tmp_path / "sandbox", name, ())
    if not harm and name in STOPPED_BY_SOME_MACHINES:
        pytest.skip(f"NOT SHOWN: this machine stops {name!r} by itself")
    assert harm != []


@needs_bubblewrap
@pytest.mark.parametrize("name", ["stat", "list a folder", "list processes", "tcp", "kill"])
def test_bubblewrap_alone_hides_the_outside(world: World, tmp_path: Path, name: str) -> None:
    """Bubblewrap alone hides files, processes and the network."""
    assert attack(world, tmp_path / "a", name, ("bubblewrap",)) == []


@pytest.mark.parametrize("name", LANDLOCK_ONLY)
def test_landlock_alone_stops_files(world: World, tmp_path: Path, name: str) -> None:
    """Landlock alone blocks access to outside files; the other layers without it do not."""
    assert attack(world, tmp_path / "a", name, ("landlock",)) == []
    assert attack(world, tmp_path / "b", name, ("rlimits", "capabilities", "seccomp")) != []


@pytest.mark.parametrize("name", SECCOMP_ONLY)
def test_seccomp_alone_stops_calls(world: World, tmp_path: Path, name: str) -> None:
    """Seccomp alone blocks calls that are not about file content."""
    assert attack(world, tmp_path / "a", name, ("seccomp",)) == []


@pytest.mark.parametrize("name", ["chmod", "utime", "fork", "udp"])
def test_the_other_layers_do_not_stop_calls(world: World, tmp_path: Path, name: str) -> None:
    """The layers other than seccomp do not block these calls."""
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
def test_dropped_capabilities_alone_restrict_root(world: World, tmp_path: Path, code: str) -> None:
    """Root without capabilities is restricted like an ordinary user; with them it is not."""
    code = f"open('mine', 'w').close(); {code}"
    exit_codes = []
    for number, layers in enumerate([("capabilities",), ()]):
        worker = PythonWorker.start(
            world, tmp_path / f"sandbox{number}", _layers=layers, _self_test=False
        )
        exit_codes.append(worker.run(code, timeout_s=5).exit_code)
        worker.close()
    assert exit_codes == [1, 0]
