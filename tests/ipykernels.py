"""The versions of ipykernel under test: the installed one and others beside it."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import pytest
from filelock import FileLock

#: The last of the 6 series, and those of the 7 series that route widget messages differently.
OTHERS: Final = ("6.31.0", "7.3.0", "7.4.0")
#: "" is the installed one, the newest that there was when the environment was set up.
ALL: Final = ("", *(other for other in OTHERS if other != version("ipykernel")))
_FOLDER: Final = Path(sys.prefix) / "ipykernels"


def name_of(wanted: str) -> str:
    """Return the name of a version in a test id."""
    return f"ipykernel-{wanted or version('ipykernel')}"


def release_of(wanted: str) -> tuple[int, int]:
    """Return the first two numbers of a version."""
    major, minor = (wanted or version("ipykernel")).split(".")[:2]
    return int(major), int(minor)


@cache
def folder_of(wanted: str) -> str:
    """Return the folder of a version of ipykernel, for PYTHONPATH; "" for the installed.

    A missing version is installed without its dependencies, which the environment has. If that
    fails, the test is skipped.

    Args:
        wanted: One of `ALL`.
    """
    if not wanted:
        return ""
    folder = _FOLDER / wanted
    try:
        _FOLDER.mkdir(exist_ok=True)
        with FileLock(_FOLDER / "lock"):
            if not folder.exists():
                _install(wanted, folder)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"ipykernel {wanted} cannot be installed: {error}")
    return str(folder)


def _install(wanted: str, folder: Path) -> None:
    """Install a version into a folder, completely or not at all."""
    unfinished = folder.with_suffix(".part")
    subprocess.run(  # noqa: S603  our own command line
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--upgrade", "--target", str(unfinished), f"ipykernel=={wanted}"),
        ],
        check=True,
    )
    unfinished.rename(folder)
