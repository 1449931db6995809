"""The benchmark's side of a worker: a process that is asked one thing at a time."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

ROOT: Final = Path(__file__).resolve().parents[1]
_EXIT_TIMEOUT_S: Final = 20


class WorkerError(Exception):
    """A worker ended where an answer was awaited; the message is the last thing it said."""


class Worker:
    """A process that runs one module of this package; it lives until it is closed.

    Args:
        module: Such as "benchmarks.peers.run_guidance".
        setup: The first line that it gets.
        python: Interpreter; this one where none is given.
        environment: Its environment; this process's where none is given.

    Raises:
        WorkerError: It could not set itself up.
    """

    def __init__(
        self,
        module: str,
        setup: Mapping[str, Any],
        *,
        python: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  close() closes it
        self._process = subprocess.Popen(  # noqa: S603  our own module
            [str(python or sys.executable), "-m", module],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )
        try:
            self.ready = self.ask(setup)
        except WorkerError:
            self.close()
            raise

    def ask(self, what: Mapping[str, Any]) -> dict[str, Any]:
        """Send one line and wait for the answer to it.

        Raises:
            WorkerError: The process ended instead.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        line = ""
        if stdin is not None and stdout is not None:
            with suppress(BrokenPipeError):
                stdin.write(json.dumps(what) + "\n")
                stdin.flush()
                line = stdout.readline()
        if not line:
            raise WorkerError(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        with suppress(subprocess.TimeoutExpired):  # it closed its output, but stays
            self._process.wait(_EXIT_TIMEOUT_S)
        self._said.seek(0)
        lines = [line.strip() for line in self._said if line.strip()]
        return lines[-1] if lines else f"it ended with code {self._process.returncode}"

    def close(self) -> None:
        """End the process: at the end of its input, or by force where it stays."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # it ended before it had read everything
                self._process.stdin.close()
        try:
            self._process.wait(_EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._said.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
