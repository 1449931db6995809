"""PythonWorker: a live, sandboxed Python that keeps its variables from call to call."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self

from okso_jupyter.errors import ToolInputError, ToolRefusedError, ToolUnavailableError
from okso_jupyter.toolkit.sandbox import artifacts
from okso_jupyter.toolkit.sandbox.mirror import Identity, Mirror
from okso_jupyter.toolkit.sandbox.wire import Child, Exchange

MAX_CODE_BYTES: Final = 1 << 20
_START_TIMEOUT_S: Final = 30.0
_TIMED_OUT_CODE: Final = 124
_FAILED_CODE: Final = 1
_WORKER_PROGRAM: Final = Path(__file__).with_name("worker.py")
#: numpy's OpenBLAS needs these on some processors, and they hold no secret.
_PASSED_ON: Final = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
_WAY_OUT: Final = (
    "code and documents are handled only in a sandbox; use the other file tools instead,"
    " or a Linux kernel from 6.2 on with Landlock switched on"
)

#: Why there is no answer, by how the call ended.
_ENDED: Final = {
    "timeout": "the time was up: the worker was killed, and its variables are lost",
    "died": "the worker ended with exit code {exit_code}, and its variables are lost",
    "garbled": "the worker did not answer as it should: it was killed, its variables are lost",
}


class Rooted(Protocol):
    """What the sandbox needs of a workspace."""

    @property
    def root(self) -> Path:
        """The user's folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonResult:
    """What came of one call; every text was made by untrusted code.

    Attributes:
        stdout: What it printed, up to 1 MiB.
        stderr: What it wrote to standard error, and the traceback of a failure.
        value: The last expression's value as text; empty without one.
        exit_code: 0 is success; 1 a failure; n of sys.exit(n); 124 a time-out.
        error: Last line of the traceback, or why the worker was ended; empty on success.
        lost_state: Variables of earlier calls are gone: this call ended the worker, or is the
            first in the worker that replaced one that had ended.
        timed_out: Whether the time was up.
        truncated: Whether stdout or stderr was longer than what is kept.
        artifacts: PNG pictures that the code saved, in the sandbox folder.
        duration_s: Seconds from request to answer.
    """

    stdout: str = ""
    stderr: str = ""
    value: str = ""
    exit_code: int = 0
    error: str = ""
    lost_state: bool = False
    timed_out: bool = False
    truncated: bool = False
    artifacts: tuple[Path, ...] = ()
    duration_s: float = 0.0


class PythonWorker:
    """A Python process in a sandbox: make one with `start`, end it with `close`.

    One call runs at a time. A process that has ended is replaced by the next call, which says
    in its result that the earlier state is lost.
    """

    def __init__(
        self, root: Path, folder: Path, *, layers: Sequence[str] | None, self_test: bool
    ) -> None:
        self._root = root
        self._folder = folder
        # only the tests, which show what each layer is for, leave any of them out
        self._layers = layers
        self._self_test = self_test
        self._lock = threading.Lock()
        self._closed = False
        self._mirror = Mirror(root, folder)
        self._granted: dict[str, Identity] = {}
        self._child: Child | None = None

    @classmethod
    def start(
        cls,
        workspace: Rooted,
        folder: Path,
        *,
        _layers: Sequence[str] | None = None,
        _self_test: bool = True,
    ) -> Self:
        """Start a worker.

        Args:
            workspace: Its root may be read by the code, hidden names and links excepted.
            folder: The one place that the code may write to; made when missing, private.

        Raises:
            ToolRefusedError: The machine lacks a layer, named in the text, or one does not hold.
            ToolUnavailableError: The process did not start.
        """
        folder = folder.resolve()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        worker = cls(workspace.root.resolve(), folder, layers=_layers, self_test=_self_test)
        try:
            worker._spawn()
        except BaseException:
            worker.close()
            raise
        return worker

    @property
    def alive(self) -> bool:
        """Whether the process runs and keeps its state."""
        return not self._closed and self._child is not None and self._child.alive

    def close(self) -> None:
        """End the process, a running call with it; the files that the code wrote stay.

        A second time does nothing.
        """
        child = self._child
        if child is not None:
            # the call that holds the lock sees its worker die, and lets go
            child.end()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._drop_child()
            self._mirror.close()

    def run(
        self, code: str, *, timeout_s: float, cancelled: threading.Event | None = None
    ) -> PythonResult:
        """Run code and return what came of it; failures of the code are results too.

        Args:
            code: Python statements, up to 1 MiB.
            timeout_s: Seconds of wall clock after which the process is killed.
            cancelled: Set by someone else when the call should stop, which kills the process.

        Raises:
            ToolInputError: The code is too long, or holds what is no Unicode text.
            ToolRefusedError: The worker is closed, or cannot be sandboxed any more.
        """
        _check_code(code)
        with self._lock:
            if self._closed:
                msg = "the Python worker is closed"
                raise ToolRefusedError(msg)
            started_s = time.monotonic()
            replaced = self._replace_dead_child()
            self._mirror.refresh(self._granted)
            before = artifacts.pictures(self._folder)
            answered = False
            try:
                exchange, request_id = self._call(code, timeout_s, cancelled)
                answered = exchange.frame.get("id") == request_id
            finally:
                # an interrupted wait leaves an answer on its way that belongs to nobody
                exit_code = self._end_unless(keep=answered)
            if exchange.end == "stopped" and artifacts.excess(self._folder):
                # or every later call would be stopped for it too
                self._mirror.drop()
                artifacts.clear(self._folder)
            result = _result(exchange, exit_code)
            return PythonResult(
                **result,
                lost_state=replaced or not answered,
                artifacts=artifacts.changed_pictures(self._folder, before),
                duration_s=time.monotonic() - started_s,
            )

    def _call(
        self, code: str, timeout_s: float, cancelled: threading.Event | None
    ) -> tuple[Exchange, str]:
        """Send one call and return how it went, with the id that an honest answer carries."""
        child = self._live_child()
        request_id = secrets.token_hex(16)

        def stop() -> str:
            if cancelled is not None and cancelled.is_set():
                return "stopped"
            return artifacts.excess(self._folder)

        request = {"id": request_id, "code": code}
        return child.exchange(request, timeout_s=timeout_s, stop=stop), request_id

    def _live_child(self) -> Child:
        """Return the running process."""
        if self._child is None:
            msg = "the Python worker does not run"
            raise ToolUnavailableError(msg)
        return self._child

    def _replace_dead_child(self) -> bool:
        """Start a new process if the old one ended or spoke out of turn; say whether."""
        if self._child is not None and self._child.alive and not self._child.spoke_unasked():
            return False
        self._drop_child()
        self._spawn()
        return True

    def _end_unless(self, *, keep: bool) -> int:
        """Drop the process unless it is to be kept, and return its exit code (0 if it lives)."""
        if keep or self._child is None:
            return 0
        self._child.kill()
        exit_code = self._child.exit_code
        self._child = None
        return exit_code

    def _drop_child(self) -> None:
        """Kill the process, if there is one."""
        self._end_unless(keep=False)

    def _spawn(self) -> None:
        """Start a process, see it sandbox itself and prove it."""
        setup: dict[str, Any] = {"root": str(self._root), "folder": str(self._folder)}
        if self._layers is not None:
            setup["layers"] = list(self._layers)
        self._child, ready = start_sandboxed(
            _WORKER_PROGRAM, self._folder, setup, self_test=self._self_test
        )
        self._granted = {
            name: (device, inode) for name, (device, inode) in ready["granted"].items()
        }


def start_sandboxed(
    program: Path, folder: Path, setup: Mapping[str, Any], *, self_test: bool = True
) -> tuple[Child, dict[str, Any]]:
    """Start a program that sandboxes itself, and see it prove that it did.

    Args:
        program: Started by file with the numbers of its two descriptors; see `worker.py`.
        folder: Its working folder and home.
        setup: Its first frame: "root", whose visible entries it may read, and "folder", which it
            may write to ("" is none); "reads", further paths that it may read. Where to import
            from and what to test are added.
        self_test: Whether it tries what must fail before anything else.

    Returns:
        The process, and its answer to the set-up.

    Raises:
        ToolRefusedError: The machine lacks a layer, named in the text, or one does not hold.
        ToolUnavailableError: The process did not start.
    """
    if sys.platform != "linux":
        msg = f"the sandbox needs Linux: there are no layers for {sys.platform} yet"
        raise ToolRefusedError(msg, hint=_WAY_OUT)
    canary = Path(tempfile.mkdtemp(prefix=".okso-canary-")) / "canary"
    try:
        canary.write_text("nobody in the sandbox may read this", "utf-8")
        whole = {"imports": _import_folders(), "canary": str(canary) if self_test else "", **setup}
        return _start(program, folder, whole)
    finally:
        shutil.rmtree(canary.parent)


def _start(program: Path, folder: Path, setup: dict[str, Any]) -> tuple[Child, dict[str, Any]]:
    """Start a process with this set-up; return it with its answer if its layers hold."""
    command = [sys.executable, "-I", "-X", "utf8", str(program)]
    try:
        child = Child(command, env=_environment(folder), folder=folder)
    except OSError as error:
        msg = f"the worker did not start: {error}"
        raise ToolUnavailableError(msg) from error
    ready = False
    try:
        exchange = child.exchange(setup, timeout_s=_START_TIMEOUT_S, stop=str)
        _check_ready(exchange)
        ready = True
    finally:
        if not ready:
            child.kill()
    return child, exchange.frame


def _check_ready(exchange: Exchange) -> None:
    """Raise unless the process answered that all its layers are there and hold."""
    if exchange.end != "answered":
        why = (exchange.stderr.text.strip().splitlines() or [exchange.end])[-1]
        msg = f"the worker did not start: {why}"
        raise ToolUnavailableError(msg)
    if "missing" in exchange.frame:
        msg = f"the sandbox needs a layer that is missing here: {exchange.frame['missing']}"
        raise ToolRefusedError(msg, hint=_WAY_OUT)
    if exchange.frame["broken"]:
        msg = f"the sandbox does not hold: it could {', '.join(exchange.frame['broken'])}"
        raise ToolRefusedError(msg, hint=_WAY_OUT)


def _check_code(code: str) -> None:
    """Raise ToolInputError for code that cannot be sent."""
    try:
        size = len(code.encode("utf-8"))
    except UnicodeEncodeError as error:
        msg = f"the code holds a character that is no Unicode text, at {error.start}"
        raise ToolInputError(msg) from error
    if size > MAX_CODE_BYTES:
        msg = f"the code is {size} bytes long, and {MAX_CODE_BYTES} is the most"
        raise ToolInputError(msg)


def _environment(folder: Path) -> dict[str, str]:
    """Return the whole environment of a worker: nothing is inherited that could be a secret."""
    threads = str(min(os.cpu_count() or 1, 4))
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "MPLBACKEND": "Agg",
        **dict.fromkeys(names, threads),
        **passed_on,
    }


def _import_folders() -> list[str]:
    """Return where this kernel finds installed packages, those of the user included."""
    names = {"site-packages", "dist-packages"}
    return [entry for entry in sys.path if Path(entry).name in names and Path(entry).is_dir()]


def _result(exchange: Exchange, exit_code: int) -> dict[str, Any]:
    """Return the fields of a result that the exchange decides."""
    fields: dict[str, Any] = {
        "stdout": exchange.stdout.text,
        "stderr": exchange.stderr.text,
        "truncated": exchange.stdout.truncated or exchange.stderr.truncated,
    }
    if exit_code == 0:
        answer = exchange.frame
        code = answer.get("exit_code")
        fields["stderr"] += _text(answer.get("traceback"))
        fields["exit_code"] = code if isinstance(code, int) else _FAILED_CODE
        return {**fields, "value": _text(answer.get("value")), "error": _text(answer.get("error"))}
    if exchange.end == "timeout":
        return {
            **fields,
            "exit_code": _TIMED_OUT_CODE,
            "timed_out": True,
            "error": _ENDED["timeout"],
        }
    reason = exchange.reason or _ENDED.get(exchange.end, _ENDED["garbled"])
    if exchange.end == "died":
        reason = reason.format(exit_code=exit_code)
    return {**fields, "exit_code": exit_code, "error": reason}


def _text(value: object) -> str:
    """Return a field of an answer as text that can be written anywhere."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""
