"""Launch of a worker: command, environment and set-up for the layers of this machine."""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okso_jupyter import removal
from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.sandbox import bubblewrap, kernel_layers, seatbelt
from okso_jupyter.sandbox.grants import Identity

WAY_OUT: Final = (
    "Python code runs and documents are read only in a sandbox; the file tools and the terminal"
    " handle text without; it needs a Linux kernel from 6.2 on with Landlock switched on, or macOS"
)
BUBBLEWRAP: Final = "bubblewrap"
#: Required layers by system: the worker applies them to itself.
REQUIRED: Final = {
    "linux": ("rlimits", "capabilities", "landlock", "seccomp"),
    "darwin": ("rlimits",),
}
#: Working folder of a worker without a folder: it can neither read nor write there.
NOWHERE: Final = Path("/")
_WORKER_PROGRAM: Final = Path(__file__).with_name("worker.py")
#: numpy's OpenBLAS needs these on some processors; they contain no secret.
_PASSED_ON: Final = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")

#: Name prefixes of the folders with the files that the self-test tries to reach.
_BAITS: Final = (".okso-canary-", ".okso-hidden-")
#: Minimum age in seconds of leftover folders to remove; starting a worker takes far less.
_LEAST_AGE_S: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Everything needed to start a worker.

    Attributes:
        command: Program and arguments.
        environment: The complete environment: nothing that could be a secret is inherited.
        setup: The first frame.
        descriptors: Open files that it inherits and may read.
    """

    command: Sequence[str]
    environment: dict[str, str]
    setup: dict[str, Any]
    descriptors: Sequence[int] = ()


def check_system() -> None:
    """Raise ToolRefusedError on a system without a sandbox."""
    if sys.platform not in REQUIRED:
        msg = f"there is no sandbox on {sys.platform}: it works on Linux and macOS only"
        raise ToolRefusedError(msg, hint=WAY_OUT)
    if sys.platform == "darwin" and seatbelt.problem():
        msg = f"the sandbox needs a layer that is missing here: {seatbelt.problem()}"
        raise ToolRefusedError(msg, hint=WAY_OUT)


def layers_here() -> tuple[str, ...]:
    """Return the layers that a worker gets on this machine."""
    more = () if bubblewrap.problem() else (BUBBLEWRAP,)
    return (*REQUIRED[sys.platform], *more)


@contextmanager
def launch(  # noqa: PLR0913  one argument per thing that a worker may have
    root: Path | None,
    folder: Path | None,
    layers: Sequence[str],
    *,
    self_test: bool,
    program: Path = _WORKER_PROGRAM,
    reads: Sequence[str] = (),
    closed: Identity | None = None,
    descriptors: Sequence[int] = (),
    max_file_bytes: int = kernel_layers.MAX_FILE_BYTES,
) -> Iterator[Launch]:
    """Yield the launch of one worker; remove its self-test files at the end.

    Args:
        root: The user's folder, whose visible entries it may read; None for no access.
        folder: The worker's own folder; None if it may write nowhere.
        layers: Names of the layers to apply.
        self_test: Whether the worker must prove that they hold.
        program: The worker's file; it calls `main` of the worker beside this module.
        reads: Further paths that it may read.
        closed: Device and inode of a folder beneath the root that it may not read.
        descriptors: Open files that it inherits and may read, also by "/dev/fd/N".
        max_file_bytes: Maximum size of a file that it writes.
    """
    _sweep()
    bait, hidden = (Path(tempfile.mkdtemp(prefix=prefix)) for prefix in _BAITS)
    try:
        canary = bait / "canary"
        canary.write_text("nobody in the sandbox may read this", "utf-8")
        imports = _import_folders()
        setup = {
            "root": str(root or ""),
            "folder": str(folder or ""),
            "reads": list(reads),
            "closed": closed,
            "imports": imports,
            "layers": list(layers),
            "descriptors": list(descriptors),
            "max_file_bytes": max_file_bytes,
            "canary": str(canary) if self_test else "",
            "hidden": str(hidden) if BUBBLEWRAP in layers else "",
        }
        command = [
            *_wrapper(root, folder, bait, [*imports, *_own_files(program), *reads], layers),
            *(sys.executable, "-I", "-X", "utf8", str(program)),
        ]
        yield Launch(
            command=command,
            environment=_environment(folder or NOWHERE),
            setup=setup,
            descriptors=descriptors,
        )
    finally:
        shutil.rmtree(bait)
        shutil.rmtree(hidden)


def _sweep() -> None:
    """Remove files left behind by a process that was killed while it started a worker."""
    temporary = Path(tempfile.gettempdir())
    for folder in itertools.chain.from_iterable(temporary.glob(f"{name}*") for name in _BAITS):
        with suppress(OSError):
            status = folder.lstat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > _LEAST_AGE_S:
                removal.remove(folder)


def _wrapper(
    root: Path | None,
    folder: Path | None,
    bait: Path,
    readable: Sequence[str],
    layers: Sequence[str],
) -> list[str]:
    """Return the words that come before the worker's command."""
    if sys.platform == "darwin":
        return seatbelt.command(root=str(root or ""), readable=readable, writable=str(folder or ""))
    if BUBBLEWRAP not in layers:
        return []
    # The bait is visible, so that the other layers have to prove themselves behind this one.
    return bubblewrap.command(
        readable=[*readable, *(str(path) for path in [root] if path)],
        writable=[str(path) for path in (bait, folder) if path],
        start_in=str(folder or NOWHERE),
    )


def _own_files(program: Path) -> list[str]:
    """Return the folders that a worker loads its code from before it confines itself."""
    return [str(_WORKER_PROGRAM.parent), str(program.parent.parent)]


def _environment(folder: Path) -> dict[str, str]:
    """Return the complete environment of a worker."""
    threads = str(min(os.cpu_count() or 1, 4))
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "MPLBACKEND": "Agg",
        **dict.fromkeys(names, threads),
        **passed_on,
    }


def _import_folders() -> list[str]:
    """Return where this kernel finds installed packages, including those of the user."""
    names = {"site-packages", "dist-packages"}
    return [entry for entry in sys.path if Path(entry).name in names and Path(entry).is_dir()]
