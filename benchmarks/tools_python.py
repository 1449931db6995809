"""python_repl: a call to a live worker, and the start of one, with and without its layers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tools_timing import Contest
from okso_jupyter.sandbox import PythonWorker, bubblewrap
from okso_jupyter.sandbox.launch import BUBBLEWRAP, REQUIRED

_CODE = "1 + 1"
_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path


def contests(folder: Path, stack: ExitStack) -> Iterator[Contest]:
    """Yield the contests of python_repl."""
    root = _Folder(folder / "root")
    root.root.mkdir()
    required = REQUIRED[sys.platform]
    layers: dict[str, tuple[str, ...]] = {"bare, no layer": (), "all required layers": required}
    if not bubblewrap.problem():
        layers["all layers and bubblewrap"] = (*required, BUBBLEWRAP)
    workers = {
        name: _started(root, folder / f"call {name}", chosen) for name, chosen in layers.items()
    }
    for worker in workers.values():
        stack.callback(worker.close)
    calls = {f"worker, {name}": _call(worker) for name, worker in workers.items()}
    yield Contest(
        "A second call of python_repl", {"python3 -I -c": _bare_python, **calls}, per_round=5
    )
    starts = {name: _start(root, folder / "start", chosen) for name, chosen in layers.items()}
    yield Contest("Start of a worker, its first answer included", starts)


def _bare_python() -> None:
    subprocess.run([sys.executable, "-I", "-c", _CODE], check=True)  # noqa: S603  our own words


def _started(root: _Folder, folder: Path, layers: tuple[str, ...]) -> PythonWorker:
    return PythonWorker.start(root, folder, _layers=layers, _self_test=bool(layers))


def _call(worker: PythonWorker) -> Callable[[], object]:
    return lambda: worker.run(_CODE, timeout_s=_TIMEOUT_S)


def _start(root: _Folder, folder: Path, layers: tuple[str, ...]) -> Callable[[], object]:
    def start() -> None:
        worker = _started(root, folder, layers)
        worker.run(_CODE, timeout_s=_TIMEOUT_S)
        worker.close()

    return start
