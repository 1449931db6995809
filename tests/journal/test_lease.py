"""A lease is held by one only, and dies with the process that holds it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.journal.lease import is_leased, lease

_HOLD = """
import sys
from pathlib import Path
from okso_jupyter.journal.lease import lease
with lease(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_only_one_holds_a_lease(tmp_path: Path) -> None:
    """A second one is refused by the id of the run; afterwards it is free again."""
    run = tmp_path / "runs" / "mine"
    assert not is_leased(run)
    with lease(run):
        assert is_leased(run)
        with pytest.raises(UsageError, match="run mine is running already"), lease(run):
            pass
    assert not is_leased(run)
    with lease(run):
        pass


def test_a_thread_of_the_same_process_gets_none(tmp_path: Path) -> None:
    """Two sessions of one kernel are two."""
    seen: list[bool] = []
    with lease(tmp_path / "mine"):
        thread = threading.Thread(target=lambda: seen.append(is_leased(tmp_path / "mine")))
        thread.start()
        thread.join()
    assert seen == [True]


@pytest.mark.process
def test_it_dies_with_its_process(tmp_path: Path) -> None:
    """While another process holds it nobody else gets it; killed, that one holds nothing."""
    run = tmp_path / "mine"
    child = subprocess.Popen(  # noqa: S603  our own command line
        [sys.executable, "-c", _HOLD, str(run)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        assert is_leased(run)
        with pytest.raises(UsageError, match="running already"), lease(run):
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
        with lease(run):
            pass


def test_a_link_in_place_of_the_lease_is_refused(tmp_path: Path) -> None:
    """Nothing is locked or made through it."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lease").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match="symbolic link"), lease(tmp_path / "mine"):
        pass
    assert not (tmp_path / "elsewhere").exists()
