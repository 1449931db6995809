"""Survey of the sandbox on this machine: each layer is tried in a worker."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.sandbox import bubblewrap, launch, seatbelt
from okso_jupyter.sandbox.process import PythonWorker

_MEANINGS: Final = {
    "rlimits": "bounds on memory, files, descriptors and processor time",
    "capabilities": "no powers of root",
    "landlock": "no files but the folder's and Python's own",
    "seccomp": "no network, no other programs, no signals, no kernel surface",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer: its name, whether it holds, and what it does or why it is missing."""

    name: str
    works: bool
    found: str


@dataclass(frozen=True, slots=True)
class _Empty:
    """A workspace with an empty folder."""

    root: Path


def survey() -> list[Layer]:
    """Return every sandbox layer of this system, and finally all of them together."""
    try:
        launch.check_system()
    except ToolError as error:
        return [Layer(name="all", works=False, found=str(error))]
    if sys.platform == "darwin":
        return [_seatbelt(), _tried("all", launch.layers_here(), "self-test passed")]
    single = [_tried(name, (name,), meaning) for name, meaning in _MEANINGS.items()]
    names = launch.layers_here()
    together = f"{', '.join(names)}: the worker proved them before its first call"
    return [*single, _bubblewrap(), _tried("all", names, together)]


def _tried(name: str, layers: tuple[str, ...], meaning: str) -> Layer:
    """Start a worker with these layers; the required ones together must pass the self-test."""
    try:
        with TemporaryDirectory() as folder:
            worker = PythonWorker.start(
                _Empty(Path(folder)),
                Path(folder) / "python",
                _layers=layers,
                _self_test=name == "all",
            )
            worker.close()
    except ToolError as error:
        return Layer(name=name, works=False, found=error.message)
    return Layer(name=name, works=True, found=meaning)


def _bubblewrap() -> Layer:
    why = bubblewrap.problem()
    found = why or "nothing outside is even in sight; not required"
    return Layer(name=launch.BUBBLEWRAP, works=not why, found=found)


def _seatbelt() -> Layer:
    why = seatbelt.problem()
    return Layer(name="sandbox-exec", works=not why, found=why or "a profile that was not tested")
