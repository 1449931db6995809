"""A Postgres server for a test: Debian's own binaries, in a temporary folder, as no superuser."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DEBIAN: Final = Path("/usr/lib/postgresql")
#: Whom Postgres runs as where the tests run as root, which it refuses.
_USER: Final = "nobody"


@dataclass(frozen=True)
class Server:
    """A server that is running.

    Attributes:
        port: Where it listens, on 127.0.0.1.
        password: The password of its user "tester".
    """

    port: int
    password: str

    @property
    def address(self) -> str:
        """Its address, with the password."""
        return f"postgres://tester:{self.password}@127.0.0.1:{self.port}/postgres"


def binaries() -> Path | None:
    """Return the folder of the newest server's programs; None where there is none."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    versions = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


@contextmanager
def running(folder: Path, programs: Path, password: str) -> Iterator[Server]:
    """Yield a server whose data is in a folder; end it afterwards."""
    user = pwd.getpwnam(_USER).pw_uid if os.geteuid() == 0 else None
    data, secret = folder / "data", folder / "password"
    data.mkdir()
    secret.write_text(password)
    if user is not None:
        for path in (folder, data, secret):
            os.chown(path, user, -1)
    made = [str(programs / "initdb"), "-D", str(data), "-U", "tester", "-A", "scram-sha-256"]
    made += [f"--pwfile={secret}", "-E", "UTF8", "--locale=C", "--no-sync"]
    _run(made, user, folder)
    port = _free_port()
    options = f"-F -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={data}"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(data / "log")]
    _run([*control, "-t", "120", "-o", options, "start"], user, folder)
    try:
        yield Server(port, password)
    finally:
        _run([*control, "-m", "immediate", "stop"], user, folder)


def _run(command: list[str], user: int | None, folder: Path) -> None:
    subprocess.run(  # noqa: S603  our own command
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        user=user,
        cwd=folder,
    )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
