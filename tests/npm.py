"""Packages of npm that tests use; npm installs each once, into the folder `build/npm`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from filelock import FileLock

_FOLDER: Final = Path(__file__).resolve().parents[1] / "build" / "npm"
_MOST_S: Final = 120
#: Node trusts a list of its own; a network may have a certificate that only the system trusts.
_CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")


def installed(package: str, part: str) -> Path:
    """Return the path of a file of a package, installed if needed.

    Skips the test if it is not installed and cannot be installed.

    Args:
        package: Name and version of the package.
        part: The file, beneath `node_modules`.
    """
    folder = _FOLDER / package.replace("/", "-")
    found = folder / "node_modules" / part
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):  # another process of the tests may install it
        if not found.exists():
            _install(package, folder)
    return found


def _install(package: str, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"{package} is not here, and no npm to install it")
    trusted = {"NODE_EXTRA_CA_CERTS": str(_CERTIFICATES)} if _CERTIFICATES.exists() else {}
    done = subprocess.run(  # noqa: S603  our own command line
        [npm, "install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, package],
        capture_output=True,
        text=True,
        timeout=_MOST_S,
        env={**trusted, **os.environ},
        check=False,
    )
    if done.returncode:
        pytest.skip(f"npm could not install {package}: {done.stderr.strip()[-200:]}")
