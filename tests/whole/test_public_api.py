"""The public names are those of `__all__`, and loading them late costs nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import okso_jupyter

SPEC = [
    "Session", "Settings", "Plan", "Step", "Tool", "tool", "Run", "Feedback", "OksoError",
    "PlanError", "score_plan", "arun", "load_run", "units", "read_debug_log",
]  # fmt: skip


def test_all_is_sorted_and_complete() -> None:
    """`__all__` holds each promised name once, and each has a home."""
    assert sorted(okso_jupyter.__all__) == sorted(SPEC) == sorted(okso_jupyter._HOMES)
    assert list(okso_jupyter.__all__) == sorted(okso_jupyter.__all__)


@pytest.mark.parametrize("name", SPEC)
def test_every_name_resolves(name: str) -> None:
    """Each name is there, is what it says and has a docstring."""
    found = getattr(okso_jupyter, name)

    assert found.__name__ == name
    assert found.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A misspelt name fails as in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'Sesion'"):
        _ = okso_jupyter.Sesion


@pytest.mark.process
@pytest.mark.parametrize("module", ["okso_jupyter", "okso_jupyter.session.session"])
def test_importing_is_light(module: str) -> None:
    """Neither the package nor its session loads a heavy library before it is used."""
    code = (
        f"import sys, {module}\n"
        "heavy = {'pandas', 'numpy', 'llama_cpp', 'ipywidgets', 'IPython', 'jsonschema'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "[]"
