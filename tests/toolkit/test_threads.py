"""Threads for foreign code: used again, never waited for, each job with its caller's variables."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextvars import ContextVar

import pytest

from okso_jupyter.toolkit.handler_threads import DaemonThreads

NAME: ContextVar[str] = ContextVar("name", default="")


def test_a_thread_is_used_again() -> None:
    """One job after another needs one thread."""
    with DaemonThreads() as threads:
        used = {threads.submit(threading.get_ident).result() for _ in range(50)}
    assert len(used) == 1


def test_a_job_that_hangs_keeps_no_other_one_waiting() -> None:
    """The next one gets a thread of its own."""
    gate = threading.Event()
    with DaemonThreads() as threads:
        hanging = threads.submit(gate.wait, 30)
        assert threads.submit(lambda: "done").result(timeout=20) == "done"
        gate.set()
        assert hanging.result(timeout=20)


def test_no_thread_outlives_its_work() -> None:
    """Not one that was idle when the pool was closed, and not one that still worked."""
    gate = threading.Event()
    with DaemonThreads() as threads:
        busy = threads.submit(lambda: gate.wait(30) and threading.current_thread())
        idle = threads.submit(threading.current_thread)
        idle.result()
    gate.set()
    for future in (idle, busy):
        worker = future.result(timeout=20)
        assert isinstance(worker, threading.Thread)
        worker.join(timeout=20)
        assert not worker.is_alive()


def test_a_job_sees_the_variables_of_its_caller() -> None:
    """Also on a thread that did another job before."""
    with DaemonThreads() as threads:
        assert threads.submit(NAME.get).result() == ""
        token = NAME.set("caller")
        assert threads.submit(NAME.get).result() == "caller"
        NAME.reset(token)
        assert threads.submit(NAME.get).result() == ""


@pytest.mark.process
def test_a_hanging_job_does_not_keep_the_process() -> None:
    """Python ends although a handler never returns."""
    code = (
        "import threading\n"
        "from okso_jupyter.toolkit.handler_threads import DaemonThreads\n"
        "DaemonThreads().submit(threading.Event().wait)\n"
        "print('over')"
    )
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "over\n"
