"""A kernel that was forked is as fresh as one that was started."""

from __future__ import annotations

from pathlib import Path

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
