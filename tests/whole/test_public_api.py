"""The public names are those of `__all__`, and they are imported lazily."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import okso_jupyter
from tests.each_row import each_row

SPEC = [
    "Session", "Settings", "Plan", "Step", "Tool", "tool", "Run", "Feedback", "OksoError",
    "PlanError", "score_plan", "arun", "load_run", "units", "read_debug_log",
]  # fmt: skip


def test_all_is_sorted_and_complete() -> None:
    """`__all__` has each specified name once, and each name has a home module."""
    assert sorted(okso_jupyter.__all__) == sorted(SPEC) == sorted(okso_jupyter._HOMES)
    assert list(okso_jupyter.__all__) == sorted(okso_jupyter.__all__)


@each_row("name", SPEC)
def test_every_name_resolves(name: str) -> None:
    """Each name resolves to the object of that name, which has a docstring."""
    found = getattr(okso_jupyter, name)

    assert found.__name__ == name
    assert found.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A misspelt name raises an AttributeError, as in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'Sesion'"):
        _ = okso_jupyter.Sesion


@pytest.mark.process
@pytest.mark.parametrize("module", ["okso_jupyter", "okso_jupyter.session.session"])
def test_importing_loads_no_heavy_library(module: str) -> None:
    """Neither the package nor its session imports a heavy library before it is used."""
    code = (
        f"import sys, {module}\n"
        "heavy = {'pandas', 'numpy', 'llama_cpp', 'ipywidgets', 'IPython', 'jsonschema', 'httpx',"
        " 'lxml'}\n"
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
