"""ServerProcess: a server process that ends with this process, even if this one is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Final

_GUARD: Final = Path(__file__).with_name("parent_death.py")
_MOST_WORDS_BYTES: Final = 4096
_PATIENCE_S: Final = 5.0


class ServerProcess:
    """A process in its own session, so that Stop in a notebook does not reach it.

    Args:
        command: The program and its arguments.
        environ: Its environment.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        born: Future[subprocess.Popen[bytes]] = Future()
        self._words = bytearray()
        threading.Thread(
            target=_host, args=(command, environ, born, self._words), name="okso-child", daemon=True
        ).start()
        self._process = born.result()
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def exit_code(self) -> int | None:
        """Its exit code, negative for the number of a signal; None while it runs."""
        return self._process.poll()

    @property
    def how_it_ended(self) -> str:
        """The exit code in words."""
        code = self.exit_code or 0
        if code >= 0:
            return f"exit code {code}"
        with suppress(ValueError):
            return signal.Signals(-code).name
        return f"signal {-code}"

    @property
    def last_words(self) -> str:
        """The end of its output, up to 4 KiB."""
        return self._words.decode("utf-8", errors="replace").strip()

    def close(self) -> None:
        """End the process and its children; a second call does nothing."""
        self._end()


def _host(
    command: Sequence[str],
    environ: Mapping[str, str],
    born: Future[subprocess.Popen[bytes]],
    words: bytearray,
) -> None:
    """Start a process and keep the end of its output until the process ends.

    The guard is bound to the thread that starts the process, so this thread lives as long as it.
    """
    guard = [sys.executable, "-I", "-S", str(_GUARD), str(os.getpid())]
    reader, writer = os.pipe()
    with open(reader, "rb", buffering=0) as output:  # noqa: PTH123  no path: a pipe
        try:
            process = subprocess.Popen(  # noqa: S603  the program that the user named
                [*(guard if sys.platform == "linux" else []), *command],
                stdin=subprocess.DEVNULL,
                stdout=writer,
                stderr=writer,
                env=dict(environ),
                start_new_session=True,
            )
        except OSError as error:
            born.set_exception(error)
            return
        finally:
            os.close(writer)
        born.set_result(process)
        while data := output.read(_MOST_WORDS_BYTES):
            words += data
            del words[:-_MOST_WORDS_BYTES]
    process.wait()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process and its children to end, then kill them."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE_S)
