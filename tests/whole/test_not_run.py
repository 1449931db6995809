"""Tests that were skipped are listed; on CI a skipped browser test is a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.inner_run import InnerRuns

pytestmark = pytest.mark.process

BROWSER = "@pytest.mark.browser\n@pytest.mark.skip(reason='no browser')\ndef test_a(): ...\n"
KERNEL = "@pytest.mark.skip(reason='no such layer')\ndef test_a(): ...\n"


@pytest.mark.parametrize(
    ("source", "ci", "code"),
    [(BROWSER, "", 0), (BROWSER, "true", 1), (KERNEL, "true", 0), (KERNEL, "", 0)],
)
def test_skipped_tests_are_listed(
    run_tests: InnerRuns, tmp_path: Path, source: str, ci: str, code: int
) -> None:
    """Every skipped test is listed; a skipped browser test fails the run on CI only."""
    exit_code, said = run_tests(tmp_path, source, ci=ci)
    assert exit_code == code
    assert "could not run here" in said
    assert "test_it.py::test_a: no" in said


def test_no_skipped_section_if_all_tests_ran(run_tests: InnerRuns, tmp_path: Path) -> None:
    """If all tests ran, skipped tests are not listed, and CI succeeds."""
    exit_code, said = run_tests(tmp_path, "def test_a(): ...\n", ci="true")
    assert exit_code == 0
    assert "could not run" not in said
