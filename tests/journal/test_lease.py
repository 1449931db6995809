"""A lease has one holder and ends with the holder's process."""

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


def test_a_lease_has_one_holder(tmp_path: Path) -> None:
    """A second holder is refused with the run's id; after release the lease is free again."""
    run = tmp_path / "runs" / "mine"
    assert not is_leased(run)
    with lease(run):
        assert is_leased(run)
        with pytest.raises(UsageError, match="run mine is running already"), lease(run):
            pass
    assert not is_leased(run)
    with lease(run):
        pass


def test_another_thread_of_the_process_cannot_get_the_lease(tmp_path: Path) -> None:
    """A lease held by one thread counts as held in other threads of the same process."""
    seen: list[bool] = []
    with lease(tmp_path / "mine"):
        thread = threading.Thread(target=lambda: seen.append(is_leased(tmp_path / "mine")))
        thread.start()
        thread.join()
    assert seen == [True]


@pytest.mark.process
def test_a_lease_ends_with_its_process(tmp_path: Path) -> None:
    """A lease held by another process is refused; it is free once that process is killed."""
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
    """If the lease is a symbolic link, no file is locked or created through it."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lease").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match="symbolic link"), lease(tmp_path / "mine"):
        pass
    assert not (tmp_path / "elsewhere").exists()
