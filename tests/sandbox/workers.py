"""Helpers of the sandbox tests that use a sandboxed worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from okso_jupyter.sandbox import PythonResult, PythonWorker


@dataclass(slots=True)
class Folder:
    """A minimal workspace for the sandbox."""

    root: Path


def run(worker: PythonWorker, code: str, timeout_s: float = 20.0) -> PythonResult:
    """Run code with a generous time-out."""
    return worker.run(code, timeout_s=timeout_s)


def good(worker: PythonWorker, code: str) -> str:
    """Run code that must succeed and return its last value."""
    result = run(worker, code)
    assert result.exit_code == 0, result.stderr
    return result.value
