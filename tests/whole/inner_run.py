"""Runs pytest inside a test, with the conftest of this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"


def run_tests(folder: Path, source: str, *options: str, ci: str = "") -> tuple[int, str]:
    """Run one test file with this repository's conftest; return exit code and output."""
    shutil.copy(CONFTEST, folder / "conftest.py")
    marks = "".join(f"  {mark}: for this test\n" for mark in ("browser", "peer", "process"))
    (folder / "pytest.ini").write_text(f"[pytest]\nmarkers =\n{marks}", "utf-8")
    (folder / "test_it.py").write_text(f"import pytest\n\n\n{source}", "utf-8")
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-m", "pytest", "-q", *options, str(folder)],
        # Options for the outer run, as a --basetemp, are not for this one.
        env={**os.environ, "CI": ci, "PYTEST_ADDOPTS": ""},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout
