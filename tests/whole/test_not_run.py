"""Tests that could not run are named; on CI those that could have run are a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.inner_run import run_tests

pytestmark = pytest.mark.process

BROWSER = "@pytest.mark.browser\n@pytest.mark.skip(reason='no browser')\ndef test_a(): ...\n"
KERNEL = "@pytest.mark.skip(reason='no such layer')\ndef test_a(): ...\n"


@pytest.mark.parametrize(
    ("source", "ci", "code"),
    [(BROWSER, "", 0), (BROWSER, "true", 1), (KERNEL, "true", 0), (KERNEL, "", 0)],
)
def test_what_could_not_run_is_named(tmp_path: Path, source: str, ci: str, code: int) -> None:
    """A skipped browser test fails CI alone; whatever is skipped stands in the output."""
    exit_code, said = run_tests(tmp_path, source, ci=ci)
    assert exit_code == code
    assert "could not run here" in said
    assert "test_it.py::test_a: no" in said


def test_nothing_is_said_when_all_ran(tmp_path: Path) -> None:
    """Where every test ran there is no such section, and CI is content."""
    exit_code, said = run_tests(tmp_path, "def test_a(): ...\n", ci="true")
    assert exit_code == 0
    assert "could not run" not in said
