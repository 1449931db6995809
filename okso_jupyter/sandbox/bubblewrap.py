"""bubblewrap: a view of the machine that contains only what the worker needs.

An optional layer on top of the others: it hides the existence of files outside, removes network
devices and other processes, and ends processes that the code left running.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from okso_jupyter.sandbox import kernel_layers

_PROBE_TIMEOUT_S: Final = 10.0
#: Where distributions keep programs and libraries; on most, links to /usr.
_BASE: Final = ("/usr", "/bin", "/lib", "/lib32", "/lib64")
#: Created by bubblewrap itself.
_OWN_MOUNTS: Final = ("/dev/", "/proc/")


def command(*, readable: Iterable[str], writable: Iterable[str], start_in: str) -> list[str]:
    """Return the program and options that run the command after them in a restricted view.

    `--die-with-parent` is not used: it watches the starting thread, and calls come from several.
    The worker watches the broker's pipe instead, and is killed with its process group.

    Args:
        readable: Paths mounted read-only; missing ones are skipped.
        writable: Paths mounted writable, on top of the readable ones.
        start_in: Working folder.
    """
    # absolute: the PATH in the environment it is started with is a different one
    program = shutil.which("bwrap") or "bwrap"
    words = [program, "--unshare-all", "--unshare-user", "--cap-drop", "ALL"]
    for path in _BASE:
        if Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        else:
            words += ["--ro-bind-try", path, path]
    words += ["--dev", "/dev", "--proc", "/proc"]
    files = (
        path for path in kernel_layers.SYSTEM_FILES if not path.startswith((*_OWN_MOUNTS, "/lib"))
    )
    for path in dict.fromkeys((*files, *_python_files(), *readable)):
        if not path.startswith("/usr/"):
            words += ["--ro-bind-try", path, path]
    for path in writable:
        words += ["--bind", path, path]
    return [*words, "--chdir", start_in, "--"]


def _python_files() -> list[str]:
    """Return the files and folders that this Python is started from."""
    programs = {sys.executable, os.path.realpath(sys.executable), getattr(sys, "_base_executable")}  # noqa: B009  mypy does not know it
    folders = sorted({str(Path(program).parent) for program in programs if program})
    return [*folders, str(Path(sys.prefix) / "pyvenv.cfg"), *kernel_layers.python_folders()]


@cache
def problem() -> str:
    """Return why bubblewrap cannot be used, or "" if it can: a trial run decides."""
    if sys.platform != "linux":
        return "bubblewrap is for Linux"
    if shutil.which("bwrap") is None:
        return "not installed (the package is called bubblewrap); the other layers do without"
    words = [*command(readable=(), writable=(), start_in="/"), *_python("-c", "pass")]
    try:
        tried = subprocess.run(  # noqa: S603  our own arguments, no shell
            words, capture_output=True, text=True, timeout=_PROBE_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"it did not run: {error}"
    if tried.returncode == 0:
        return ""
    said = (tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"])[-1]
    return f"it does not work here: {said}"


def _python(*words: str) -> Sequence[str]:
    return [sys.executable, "-I", *words]
