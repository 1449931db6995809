"""Tests that could not run are named; on CI those that could have run are a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"


def _pytest(folder: Path, source: str, *, ci: str) -> tuple[int, str]:
    """Run one test file with this repository's conftest; return exit code and output."""
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = browser: needs one\n", "utf-8")
    (folder / "test_it.py").write_text(f"import pytest\n\n\n{source}", "utf-8")
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-m", "pytest", "-q", str(folder)],
        env={**os.environ, "CI": ci},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


BROWSER = "@pytest.mark.browser\n@pytest.mark.skip(reason='no browser')\ndef test_a(): ...\n"
KERNEL = "@pytest.mark.skip(reason='no such layer')\ndef test_a(): ...\n"


@pytest.mark.parametrize(
    ("source", "ci", "code"),
    [(BROWSER, "", 0), (BROWSER, "true", 1), (KERNEL, "true", 0), (KERNEL, "", 0)],
)
def test_what_could_not_run_is_named(tmp_path: Path, source: str, ci: str, code: int) -> None:
    """A skipped browser test fails CI alone; whatever is skipped stands in the output."""
    exit_code, said = _pytest(tmp_path, source, ci=ci)
    assert exit_code == code
    assert "could not run here" in said
    assert "test_it.py::test_a: no" in said


def test_nothing_is_said_when_all_ran(tmp_path: Path) -> None:
    """Where every test ran there is no such section, and CI is content."""
    exit_code, said = _pytest(tmp_path, "def test_a(): ...\n", ci="true")
    assert exit_code == 0
    assert "could not run" not in said
