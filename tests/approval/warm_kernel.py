"""Kernels and programs that fork from a process which has imported what they all import.

Each is a process of its own, as fresh as one from a command line, in a fifth of the time.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from multiprocessing.synchronize import Event
from typing import IO, Any, Final

import pytest
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

#: Far beyond what any start takes: the machine may be busy.
_START_S: Final = 180.0
_NAME: Final = "okso-warm"
#: What the specification of a kernel says which is to be forked.
WARM: Final = {"kernel_provisioner": {"provisioner_name": _NAME}}
_FORKS: Final = multiprocessing.get_context("forkserver")
_IMPORTED: Final = "tests.approval.warm_imports"


def make_warm(manager: KernelManager) -> None:
    """Have a manager fork its kernel."""
    register()
    assert manager.kernel_spec is not None
    manager.kernel_spec.metadata = dict(WARM)


def register() -> None:
    """Let this process, which may be a server of Jupyter, fork the kernels that are `WARM`."""
    _preload()
    place = f"{__name__}:{WarmProvisioner.__name__}"
    known = KernelProvisionerFactory.instance().provisioners
    known[_NAME] = EntryPoint(_NAME, place, KernelProvisionerFactory.GROUP_NAME)


def make_default_warm(patch: pytest.MonkeyPatch) -> None:
    """Have every manager whose kernel names no other way of starting fork it."""
    register()
    patch.setattr(KernelProvisionerFactory.instance(), "default_provisioner_name", _NAME)


def start_at_terminal(code: str, terminal: int) -> Any:
    """Start a program, as `python -c` would, at a terminal of this process; return its process."""
    _preload()
    is_open = _FORKS.Event()
    parts = (code, os.ttyname(terminal), is_open)
    process = _FORKS.Process(target=_be_at_terminal, args=parts, daemon=True)
    process.start()
    assert is_open.wait(_START_S)  # while we hold the terminal: its last holder ends it
    return process


def _preload() -> None:
    _FORKS.set_forkserver_preload([_IMPORTED])


class WarmProvisioner(LocalProvisioner):  # type: ignore[misc]  # Jupyter's has no types
    """Forks a kernel where the one of Jupyter would start a program."""

    async def launch_kernel(self, cmd: list[str], **parts: Any) -> Any:
        """Start the kernel and return how to connect to it."""
        process = _FORKS.Process(target=_be, args=(cmd, parts["env"], parts["cwd"]), daemon=True)
        process.start()
        self.process = _Forked(process)
        self.pid = self.pgid = process.pid
        return self.connection_info


class _Forked:
    """A forked process, with what Jupyter asks of a started program."""

    stdin = stdout = stderr = None

    def __init__(self, process: Any) -> None:
        self._process = process
        self.pid = process.pid

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""
        code: int | None = self._process.exitcode
        return code

    def wait(self) -> int | None:
        """Wait for the end and return the exit code."""
        self._process.join()
        return self.poll()

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


def _end_with_tests() -> None:
    """End this kernel when the process of the tests has ended, however that was."""
    tests = multiprocessing.parent_process()
    assert tests is not None
    tests.join()
    os._exit(1)


def _be(command: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
    """Become the kernel of a command line: `python -m MODULE ARGUMENT...`."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    parent = str(os.getppid())  # it ends once that has; the import has read the variable before
    os.environ.update({**environment, "JPY_PARENT_PID": parent})
    # the server that forked it lives as long as it does: both would stay behind
    threading.Thread(target=_end_with_tests, daemon=True).start()
    at = list(command).index("-m") + 1
    sys.argv = [*command[at:], f"--IPKernelApp.parent_handle={parent}"]
    runpy.run_module(command[at], run_name="__main__", alter_sys=True)


def _be_at_terminal(code: str, terminal: str, is_open: Event) -> None:
    """Become the program of some code, with a terminal as its input and output."""
    os.setsid()  # the terminal is then its own, and Ctrl-C there is for it
    opened = os.open(terminal, os.O_RDWR)
    for number in range(3):
        os.dup2(opened, number)
    os.close(opened)
    is_open.set()
    sys.stdin, sys.stdout, sys.stderr = _text(0, "r"), _text(1, "w"), _text(2, "w")
    exec(code, {"__name__": "__main__"})  # noqa: S102  our own code


def _text(number: int, mode: str) -> IO[str]:
    """Return a descriptor as text, a line at a time."""
    return open(number, mode, buffering=1, encoding="utf-8", closefd=False)
