"""A test that starts a process says so by a mark, its own or its fixture's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.inner_run import run_tests

pytestmark = pytest.mark.process

STARTS = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', ''], check=True)\n"
FIXTURE = """
@pytest.fixture
def started({asks}):
    import subprocess, sys
    subprocess.run([sys.executable, "-c", ""], check=True)


def test_a(started): ...
"""
BODY = """
def test_a():
    import os
    if not os.fork():
        os._exit(0)
    os.wait()
"""


@pytest.mark.parametrize(
    ("source", "event"),
    [(FIXTURE.format(asks=""), "subprocess.Popen"), (BODY, "os.fork")],
    ids=["fixture", "body"],
)
def test_a_process_without_a_mark_is_a_failure(tmp_path: Path, source: str, event: str) -> None:
    """Whether the test starts it or its fixture does, and the failure says how."""
    exit_code, said = run_tests(tmp_path, source)
    assert exit_code == 1
    assert f"it starts a process, so mark it process: {event}" in said


@pytest.mark.parametrize(
    "source",
    [f"@pytest.mark.process{BODY}", f"@pytest.mark.browser{BODY}", FIXTURE.format(asks="_process")],
    ids=["process", "browser", "fixture"],
)
def test_a_process_that_is_said_is_none(tmp_path: Path, source: str) -> None:
    """A mark will do, and so will a fixture that asks for `_process`."""
    exit_code, said = run_tests(tmp_path, source)
    assert exit_code == 0, said


def test_a_fixture_marks_its_tests(tmp_path: Path) -> None:
    """They are among those that `-m process` chooses."""
    _, said = run_tests(tmp_path, FIXTURE.format(asks="_process"), "-m", "not process")
    assert "1 deselected" in said


def test_what_an_import_starts_is_no_tests(tmp_path: Path) -> None:
    """It was started while tests were collected."""
    exit_code, said = run_tests(tmp_path, f"{STARTS}def test_a(): ...\n")
    assert exit_code == 0, said
