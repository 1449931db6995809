"""The macOS sandbox: a profile for `sandbox-exec`, in place of the Linux layers.

NOT TESTED on macOS: written after the rules that other tools use there. Users are protected by
the worker's self-test: with a profile that lets something through, or in which Python cannot
start, python_repl is refused with the reason. RLIMIT_AS has little effect there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from okso_jupyter.sandbox import grants, kernel_layers

_PROGRAM: Final = "/usr/bin/sandbox-exec"
_SYSTEM: Final = ("/usr/lib", "/System/Library", "/usr/share/zoneinfo", "/Library/Fonts")
_DEVICES: Final = ("/dev/null", "/dev/urandom", "/dev/random", "/dev/zero")
_BASE_RULES: Final = """\
(version 1)
(deny default)
(allow process-info* (target same-sandbox))
(allow signal (target self))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read-metadata (literal "/") (literal "/etc") (literal "/tmp") (literal "/var")
  (literal "/private") (literal "/private/tmp") (literal "/private/var"))
(allow file-write-data (literal "/dev/null"))
"""


def command(*, root: str, readable: Iterable[str], writable: str) -> list[str]:
    """Return the program and options that run the command after them in the sandbox.

    Args:
        root: The user's folder: its visible entries may be read, except links; "" for no access.
        readable: Further folders that may be read.
        writable: The only folder that may be written to; "" for none.
    """
    programs = sorted({sys.executable, os.path.realpath(sys.executable)})
    code = [
        *kernel_layers.python_folders(),
        *_SYSTEM,
        *(str(Path(path).parent) for path in programs),
    ]
    entries = [f"{root}/{name}" for name in (grants.grant_entries(root) if root else ())]
    rules = [
        _BASE_RULES.rstrip(),
        f"(allow process-exec {_each('literal', programs)})",
        f"(allow file-read* {_each('literal', _DEVICES)})",
        f"(allow file-read* {_each('subpath', [*code, *readable, *entries])})",
        f"(allow file-read* {_each('literal', [str(Path(sys.prefix) / 'pyvenv.cfg')])})",
        f"(allow file-map-executable {_each('subpath', [*code, *readable])})",
    ]
    if root:
        rules.append(f"(allow file-read* {_each('literal', [root])})")
    if writable:
        rules.append(f"(allow file-read* file-write* {_each('subpath', [writable])})")
    return [_PROGRAM, "-p", "\n".join(rules)]


def problem() -> str:
    """Return why this sandbox is not available, or ""."""
    return "" if Path(_PROGRAM).exists() else f"{_PROGRAM} is missing"


def _each(kind: str, paths: Iterable[str]) -> str:
    """Return a filter for each path; macOS compares real paths."""
    return " ".join(f"({kind} {_quoted(os.path.realpath(path))})" for path in paths)


def _quoted(text: str) -> str:
    """Return a text as a literal of the profile's language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
