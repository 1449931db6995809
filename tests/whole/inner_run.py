"""Runs pytest inside a test, with the conftest of this repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO, Final

_REPOSITORY: Final = Path(__file__).resolve().parents[2]
_COMMAND: Final = (sys.executable, "-m", "tests.whole.warm_pytest")


class InnerRuns:
    """Runs of pytest, each a process forked from a warm one, which lives until `close`."""

    def __init__(self) -> None:
        self._warm = subprocess.Popen(  # noqa: S603  our own command line
            _COMMAND, cwd=_REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, folder: Path, source: str, *options: str, ci: str = "") -> tuple[int, str]:
        """Run one test file with this repository's conftest; return exit code and output."""
        shutil.copy(_REPOSITORY / "tests" / "conftest.py", folder / "conftest.py")
        marks = "".join(f"  {mark}: for this test\n" for mark in ("browser", "peer", "process"))
        (folder / "pytest.ini").write_text(f"[pytest]\nmarkers =\n{marks}", "utf-8")
        (folder / "test_it.py").write_text(f"import pytest\n\n\n{source}", "utf-8")
        # Options for the outer run, as a --basetemp, are not for this one.
        variables = {"CI": ci, "PYTEST_ADDOPTS": ""}
        to, back = self._pipes()
        to.write(json.dumps([str(folder), options, variables]) + "\n")
        to.flush()
        code, said = json.loads(back.readline())
        return code, said

    def close(self) -> None:
        """End the warm process."""
        for pipe in self._pipes():
            pipe.close()
        self._warm.wait()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._warm.stdin is not None
        assert self._warm.stdout is not None
        return self._warm.stdin, self._warm.stdout
