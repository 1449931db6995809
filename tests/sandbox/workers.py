"""A sandboxed worker as the tests of the sandbox use one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from okso_jupyter.sandbox import PythonResult, PythonWorker


@dataclass(slots=True)
class Folder:
    """A workspace as far as the sandbox needs one."""

    root: Path


def run(worker: PythonWorker, code: str, timeout_s: float = 20.0) -> PythonResult:
    """Run code with time enough."""
    return worker.run(code, timeout_s=timeout_s)


def good(worker: PythonWorker, code: str) -> str:
    """Run code that must succeed and return its last value."""
    result = run(worker, code)
    assert result.exit_code == 0, result.stderr
    return result.value
