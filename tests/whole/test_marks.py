"""A test that starts a process must have a mark, its own or its fixture's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.inner_run import InnerRuns

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
def test_an_unmarked_process_is_a_failure(
    run_tests: InnerRuns, tmp_path: Path, source: str, event: str
) -> None:
    """A process without a mark fails the test, whether the test or a fixture starts it.

    The failure reports how the process was started.
    """
    exit_code, said = run_tests(tmp_path, source)
    assert exit_code == 1
    assert f"it starts a process, so mark it process: {event}" in said


@pytest.mark.parametrize(
    "source",
    [f"@pytest.mark.process{BODY}", f"@pytest.mark.browser{BODY}", FIXTURE.format(asks="_process")],
    ids=["process", "browser", "fixture"],
)
def test_a_marked_process_is_allowed(run_tests: InnerRuns, tmp_path: Path, source: str) -> None:
    """A process is allowed by a mark, or by a fixture that requests `_process`."""
    exit_code, said = run_tests(tmp_path, source)
    assert exit_code == 0, said


@pytest.mark.parametrize(
    ("asks", "selection"),
    [("_process", "not process"), ("_peer", "not peer"), ("_peer", "not process")],
)
def test_a_fixture_marks_its_tests(
    run_tests: InnerRuns, tmp_path: Path, asks: str, selection: str
) -> None:
    """A fixture with `_process` marks the tests that use it; one with `_peer` marks them twice."""
    _, said = run_tests(tmp_path, FIXTURE.format(asks=asks), "-m", selection)
    assert "1 deselected" in said


@pytest.mark.parametrize(("marks", "is_allowed"), [("", False), ("@pytest.mark.peer\n", True)])
def test_a_peer_has_a_mark_of_its_own(
    run_tests: InnerRuns, tmp_path: Path, marks: str, *, is_allowed: bool
) -> None:
    """A server of others is no process as any other."""
    start = "subprocess.run([sys.executable, '-c', '', '-m', 'radicale'], check=True)"
    body = f"@pytest.mark.process\n{marks}def test_a():\n    {start}\n"
    exit_code, said = run_tests(tmp_path, f"import subprocess, sys\n\n\n{body}")
    assert exit_code == (0 if is_allowed else 1), said
    assert ("it starts a peer, so mark it peer" in said) != is_allowed


def test_a_process_started_by_an_import_is_not_counted(
    run_tests: InnerRuns, tmp_path: Path
) -> None:
    """A process that starts during collection does not fail a test."""
    exit_code, said = run_tests(tmp_path, f"{STARTS}def test_a(): ...\n")
    assert exit_code == 0, said


@pytest.mark.parametrize(
    ("marks", "selection", "is_imported"),
    [
        ("pytest.mark.process", "not process", False),
        ("[\n    pytest.mark.slow,\n    pytest.mark.process,\n]", "not (model or slow)", False),
        ("pytest.mark.process", "process", True),
        ("pytest.mark.process", "not slow", True),
        ("pytest.mark.process", "peer", False),
        ("[pytest.mark.process, pytest.mark.peer]", "peer", True),
        ("pytest.mark.usefixtures('_peer')", "peer", True),
        ("pytest.mark.process", "model and not peer", False),
    ],
)
def test_a_file_that_is_left_out_is_not_imported(
    run_tests: InnerRuns, tmp_path: Path, marks: str, selection: str, *, is_imported: bool
) -> None:
    """A file whose own mark is left out costs nothing; any other is imported."""
    source = f"pytestmark = {marks}\n\nraise RuntimeError('is imported')\n"
    _, said = run_tests(tmp_path, source, "-m", selection)
    assert ("is imported" in said) == is_imported
