"""A real CalDAV server on loopback: Radicale, with or without TLS and passwords."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from tests.personal.mail.mail_servers import PASSWORD, USER, Certificates

_WAIT_S: Final = 30


@contextmanager
def radicale(folder: Path, certificates: Certificates | None = None) -> Iterator[httpx.Client]:
    """Yield a client of a running Radicale, in which a user has two collections.

    Args:
        folder: Folder of its files.
        certificates: With them it has TLS and asks for the password; else for none.
    """
    port, scheme = _free_port(), "https" if certificates else "http"
    folder.mkdir(parents=True)
    settings = {
        "server-hosts": f"127.0.0.1:{port}", "auth-type": "none", "rights-type": "owner_only",
        "storage-filesystem-folder": str(folder / "store"),
    }  # fmt: skip
    if certificates:
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
        settings |= {
            "auth-type": "htpasswd", "auth-htpasswd-filename": str(folder / "users"),
            "auth-htpasswd-encryption": "plain", "auth-delay": "0", "server-ssl": "true",
            "server-certificate": str(certificates.certificate),
            "server-key": str(certificates.key),
        }  # fmt: skip
    options = [f"--{name}={value}" for name, value in settings.items()]
    running = subprocess.Popen(  # noqa: S603  our own command line
        [sys.executable, "-m", "radicale", "--config", "", *options], stderr=subprocess.DEVNULL
    )
    verify = ssl.create_default_context(cafile=certificates.ca_file) if certificates else True
    auth = (USER, PASSWORD)
    client = httpx.Client(base_url=f"{scheme}://localhost:{port}", auth=auth, verify=verify)
    try:
        _await(client)
        for name in ("Calendar", "Reminders"):
            client.request("MKCALENDAR", f"/{USER}/{name}/").raise_for_status()
        yield client
    finally:
        client.close()
        running.terminate()
        running.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await(client: httpx.Client) -> None:
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            client.get("/")
        except httpx.TransportError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return
