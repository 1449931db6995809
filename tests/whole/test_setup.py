"""The set-up checks its requirements first and reports a missing one in one message."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETUP = ROOT / ".ci" / "setup"
BASH = "/bin/bash"

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not Path(BASH).exists(), reason="NOT TESTED: needs bash"),
]


def _setup(
    folder: Path, programs: dict[str, str], purpose: str = "test", **environment: str
) -> tuple[int, str]:
    """Run the set-up with only these programs; return its exit code and error output."""
    path = folder / "bin"
    path.mkdir()
    for name, script in programs.items():
        (path / name).write_text(f"#!{BASH}\n{script}\n", "utf-8")
        (path / name).chmod(0o755)
    done = subprocess.run(  # noqa: S603  our own script
        [BASH, str(SETUP), str(folder / "venv"), purpose],
        env={"PATH": str(path), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not (folder / "venv").exists()
    return done.returncode, done.stderr


def test_a_missing_python_is_reported(tmp_path: Path) -> None:
    """Without Python the message gives the required version and how to choose one."""
    code, said = _setup(tmp_path, {})
    assert code == 1
    assert "Python 3.11 or newer is needed" in said
    assert "make PYTHON=" in said


def test_a_python_that_is_too_old_is_refused(tmp_path: Path) -> None:
    """An interpreter that is too old is refused, even if the user chose it."""
    old = 'case "$2" in *version_info*) exit 1;; esac'
    code, said = _setup(tmp_path, {"python3": old, "old": old}, PYTHON="old")
    assert code == 1
    assert "Python 3.11 or newer is needed and old is not" in said


def test_a_missing_venv_module_is_reported(tmp_path: Path) -> None:
    """For a Python without venv, as on Debian, the message names the package to install."""
    without = f'case "$2" in *ensurepip*) exit 1;; esac; exec {sys.executable} "$@"'
    code, said = _setup(tmp_path, {"python3": without})
    assert code == 1
    assert "has no venv module" in said
    assert "apt-get install python3-venv" in said


def test_an_unknown_purpose_is_refused(tmp_path: Path) -> None:
    """An unknown purpose is refused before anything is created; the valid ones are named."""
    code, said = _setup(tmp_path, {}, purpose="dmeo")
    assert code == 1
    assert "dmeo" in said
    assert "demo, test and package" in said
