"""A kernel that was forked is as fresh as one that was started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

#: What a cell can see of its process, and what Stop and a timeout depend on.
SEEN = """(
    sorted(name for name in globals() if not name.startswith("_")),
    [__import__("signal").getsignal(number) for number in (2, 15, 17)],
    (os.getcwd() == os.environ["FOLDER"], os.getpgrp() == os.getpid(), __name__),
    (os.environ["OKSO_HOME"], sorted(os.environ)),
    get_ipython().kernel.parent.parent_handle == os.getppid(),
)"""


def test_a_forked_kernel_is_as_fresh_as_a_started_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the same names, signals, folder and environment, also after another kernel."""
    monkeypatch.setenv("FOLDER", str(tmp_path))
    seen = []
    for warm in (False, True, True):
        with KernelOnWire(tmp_path, warm=warm) as kernel:
            kernel.run("import os")
            seen.append(kernel.value(SEEN))
            kernel.run("left = os.environ['LEFT'] = 'behind'")
    assert seen[1] == seen[2]
    assert seen[0] == seen[1]


#: A process of tests with a kernel; it prints the kernel's process and waits.
TESTS = """
import sys
from pathlib import Path
from tests.approval.wire import KernelOnWire
with KernelOnWire(Path(sys.argv[1])) as kernel:
    print(kernel.value("__import__('os').getpid()"), flush=True)
    input()
"""


def test_no_kernel_stays_behind_tests_that_are_killed(tmp_path: Path) -> None:
    """It ends with the process of the tests, and so does what forked it."""
    with subprocess.Popen(  # noqa: S603  the interpreter of these tests
        [sys.executable, "-c", TESTS, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as tests:
        assert tests.stdout is not None
        kernel = psutil.Process(int(tests.stdout.readline()))
        server = kernel.parent()
        tests.kill()
    assert server is not None
    gone, alive = psutil.wait_procs([kernel, server], timeout=60)
    assert not alive
    assert len(gone) == 2
