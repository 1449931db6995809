"""PythonWorker: a live, sandboxed Python process that keeps its variables between calls."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, Self

from okso_jupyter import private_files, removal
from okso_jupyter.errors import (
    ToolFailedError,
    ToolInputError,
    ToolRefusedError,
    ToolUnavailableError,
)
from okso_jupyter.sandbox import artifacts, footprint, grants, value_codec
from okso_jupyter.sandbox.child_process import ChildProcess, WorkerCall
from okso_jupyter.sandbox.launch import WAY_OUT, Launch, check_system, launch, layers_here
from okso_jupyter.sandbox.mirror import MAX_COPY_BYTES, MAX_ENTRIES, Mirror
from okso_jupyter.sandbox.output_tail import LineWriter, Tail
from okso_jupyter.sandbox.result import PythonResult, result_fields, text_of
from okso_jupyter.sandbox.value_codec import MAX_VALUE_BYTES

MAX_CODE_BYTES: Final = 1 << 20
_START_TIMEOUT_S: Final = 30.0
#: Seconds for transferring one value; the first one imports pandas.
_HANDING_TIMEOUT_S: Final = 60.0
#: Seconds between checks of an idle process; longer if a check takes long.
_IDLE_TICK_S: Final = 0.25
_IDLE_SHARE: Final = 20
#: Space for a value and its frame.
_MAX_VALUE_FRAME_BYTES: Final = MAX_VALUE_BYTES + (1 << 10)
_LEFT_OUT: Final = (
    "{count} files and folders of the notebook's folder are left out here: there is room for"
    f" {MAX_ENTRIES:,}, and for {MAX_COPY_BYTES >> 20} MiB of what is newer than the worker\n"
)
#: Maximum size of the answer to the set-up, which lists what may be read.
_MAX_READY_BYTES: Final = 64 << 20
#: Why a value did not arrive, by how the exchange ended.
_NO_VALUE: Final = {
    "died": "the worker ended",
    "timeout": f"it took more than {_HANDING_TIMEOUT_S:g} s",
    "garbled": f"it is not a proper answer of at most MAX_VALUE_BYTES = {MAX_VALUE_BYTES} bytes",
}


class Rooted(Protocol):
    """The part of a workspace that the sandbox needs."""

    @property
    def root(self) -> Path:
        """The user's folder."""


class PythonWorker:
    """A sandboxed Python process: create one with `start`, end it with `close`.

    Calls run one at a time. A process that has ended is replaced by the next call, whose result
    reports that the earlier state is lost.
    """

    def __init__(  # noqa: PLR0913  one argument per thing that a worker has
        self,
        root: Path,
        folder: Path,
        *,
        inputs: Mapping[str, Mapping[str, Any]],
        layers: Sequence[str],
        self_test: bool,
        closed: grants.Identity | None,
    ) -> None:
        self._root = root
        self._folder = folder
        self._kept = folder.with_name("artifacts")
        self._inputs = inputs
        self._layers = layers
        self._self_test = self_test
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._closed_folder = closed
        self._mirror = Mirror(root, folder, closed)
        self._granted: dict[str, grants.Identity] = {}
        self._child: ChildProcess | None = None
        self._too_much = ""

    @classmethod
    def start(
        cls,
        workspace: Rooted,
        folder: Path,
        *,
        inputs: Mapping[str, Mapping[str, Any]] | None = None,
        _layers: Sequence[str] | None = None,
        _self_test: bool = True,
    ) -> Self:
        """Start a worker.

        Args:
            workspace: The code may read its root, except hidden names and links.
            folder: The only folder that the code may write to; created private if missing.
                Pictures are kept beside it, in "artifacts", where the code cannot change them.
            inputs: Encoded values, by name, that every process of this worker starts with.

        Raises:
            ToolRefusedError: A layer is missing, named in the message, or does not hold.
            ToolUnavailableError: The process did not start, or did not accept an input.
        """
        check_system()
        folder = folder.resolve()
        private_files.make_folder(folder)
        worker = cls(
            workspace.root.resolve(),
            folder,
            inputs=inputs or {},
            # only the tests leave any out, to show what each layer is for
            layers=layers_here() if _layers is None else _layers,
            self_test=_self_test,
            closed=grants.identity_of(getattr(workspace, "closed", None)),
        )
        try:
            worker._spawn()
        except BaseException:
            worker.close()
            raise
        threading.Thread(target=worker._watch, daemon=True).start()
        return worker

    @property
    def alive(self) -> bool:
        """Whether the process runs and keeps its state."""
        return not self._closed.is_set() and self._child is not None and self._child.alive

    def close(self) -> None:
        """End the process and any running call; files written by the code stay.

        A second call does nothing.
        """
        child = self._child
        if child is not None:
            # the call that holds the lock sees its worker die, and releases it
            child.end()
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
            self._drop_child()
            self._tidy()
            self._mirror.close()

    def run(
        self,
        code: str,
        *,
        timeout_s: float,
        cancelled: threading.Event | None = None,
        tail: Tail | None = None,
    ) -> PythonResult:
        """Run code and return its result; failures of the code are results too.

        Args:
            code: Python statements, up to 1 MiB.
            timeout_s: Seconds of wall-clock time after which the process is killed.
            cancelled: Set by another thread to stop the call, which kills the process.
            tail: Receives printed output as it arrives.

        Raises:
            ToolInputError: The code is too long, or contains invalid Unicode.
            ToolRefusedError: The worker is closed, or can no longer be sandboxed.
        """
        _check_code(code)
        with self._lock:
            if self._closed.is_set():
                msg = "the Python worker is closed"
                raise ToolRefusedError(msg)
            started_s = time.monotonic()
            replaced = self._replace_dead_child()
            left_out = self._mirror.refresh(self._granted)
            before = artifacts.stamps(self._folder)
            answered = False
            try:
                exchange = self._call(code, timeout_s, cancelled, tail or Tail())
                answered = exchange.end == "answered"
            finally:
                # after an interrupted wait, an answer without a reader is still on its way
                exit_code = self._end_unless(keep=answered)
            result = result_fields(exchange, exit_code)
            if left_out:
                result["stderr"] += _LEFT_OUT.format(count=left_out)
            too_much = self._tidy()
            if too_much:
                result |= {"error": too_much, "exit_code": result["exit_code"] or 1}
            return PythonResult(
                **result,
                lost_state=replaced or self._child is None,
                artifacts=artifacts.keep_pictures(self._folder, before, self._kept),
                not_kept=artifacts.not_kept(self._folder, before),
                duration_s=time.monotonic() - started_s,
            )

    def _call(
        self, code: str, timeout_s: float, cancelled: threading.Event | None, tail: Tail
    ) -> WorkerCall:
        """Send one call and return its outcome."""
        child = self._live_child()

        def stop() -> str:
            if cancelled is not None and cancelled.is_set():
                return "stopped"
            self._too_much = footprint.stored(self._folder, child.pid)
            return self._too_much or footprint.held(child.pid)

        listeners = (LineWriter(tail).write_bytes, LineWriter(tail).write_bytes)
        return child.ask({"code": code}, timeout_s=timeout_s, stop=stop, listeners=listeners)

    def _tidy(self) -> str:
        """Empty the folder if the code stored too much, and return what was too much.

        A process that still holds removed files is ended, because they stay on the disk.
        """
        pid = None if self._child is None else self._child.pid
        too_much = self._too_much or footprint.stored(self._folder, pid)
        self._too_much = ""
        if too_much:
            self._mirror.drop()
            removal.clear(self._folder)
            if footprint.stored(self._folder, pid):
                self._drop_child()
        return too_much

    def _watch(self) -> None:
        """Between calls, end a process that uses too much, until this worker is closed."""
        pause_s = _IDLE_TICK_S
        while not self._closed.wait(pause_s):
            started_s = time.monotonic()
            if self._lock.acquire(blocking=False):
                try:
                    self._end_if_too_much()
                finally:
                    self._lock.release()
            pause_s = max(_IDLE_TICK_S, _IDLE_SHARE * (time.monotonic() - started_s))

    def _end_if_too_much(self) -> None:
        child = self._child
        if child is None or not child.alive:
            return
        if footprint.held(child.pid) or footprint.stored(self._folder, child.pid):
            self._drop_child()
            self._tidy()

    def _live_child(self) -> ChildProcess:
        """Return the running process."""
        if self._child is None:
            msg = "the Python worker does not run"
            raise ToolUnavailableError(msg)
        return self._child

    def _replace_dead_child(self) -> bool:
        """Start a new process if the old one must not be used any more; return whether.

        It ended, sent unrequested bytes, or something hidden appeared in a folder that it may
        read: a granted right cannot be revoked.
        """
        child = self._child
        is_usable = child is not None and child.alive and not child.spoke_unasked()
        if is_usable and not grants.shows_hidden(
            self._mirror.root_fd, self._granted, self._closed_folder
        ):
            return False
        self._drop_child()
        self._spawn()
        return True

    def _end_unless(self, *, keep: bool) -> int:
        """End the process unless it is to be kept; return its exit code (0 if it lives)."""
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
        """Start a process, wait until it is confined and has passed the self-test; send inputs."""
        with launch(
            self._root,
            self._folder,
            self._layers,
            self_test=self._self_test,
            closed=self._closed_folder,
        ) as how:
            self._child, ready = started(how, self._folder)
        self._granted = {
            path: (device, inode) for path, (device, inode) in ready["granted"].items()
        }
        for name, body in self._inputs.items():
            self._ask({"load": name, "body": body}, f"{name} could not be handed to Python")

    def take(self, name: str) -> tuple[dict[str, Any], object]:
        """Return a variable after the last call: encoded, and as a value of this process.

        Raises:
            ToolUnavailableError: The process has ended, or sent no valid answer.
            ToolFailedError: There is no such variable, or it cannot be encoded.
        """
        with self._lock:
            if not self.alive:
                msg = "Python's variables were lost when its worker was ended"
                raise ToolUnavailableError(msg)
            request = {"take": name, "max_bytes": MAX_VALUE_BYTES}
            frame = self._ask(request, f"{name} cannot come out of Python")
        body: Any = frame.get("body")
        try:
            value_codec.check(body)
            value = value_codec.decode(body)
        except value_codec.MALFORMED as error:
            msg = f"{name} came out of Python in an invalid form"
            raise ToolFailedError(msg) from error
        return dict(body), value

    def _ask(self, request: dict[str, Any], failed: str) -> dict[str, Any]:
        """Send a request other than code and return the answer; `failed` begins error messages."""
        kept = False
        try:
            exchange = self._live_child().ask(
                request,
                timeout_s=_HANDING_TIMEOUT_S,
                max_frame_bytes=_MAX_VALUE_FRAME_BYTES,
            )
            kept = exchange.end == "answered"
        finally:
            self._end_unless(keep=kept)
        if not kept:
            msg = f"{failed}: {_NO_VALUE.get(exchange.end, _NO_VALUE['died'])}"
            raise ToolUnavailableError(msg)
        if exchange.frame.get("error"):
            msg = f"{failed}: {text_of(exchange.frame['error'])}"
            raise ToolFailedError(msg)
        return exchange.frame


def started(how: Launch, folder: Path) -> tuple[ChildProcess, dict[str, Any]]:
    """Start a process; return it with its answer to the set-up if its layers hold.

    Raises:
        ToolRefusedError: A layer is missing, named in the message, or does not hold.
        ToolUnavailableError: The process did not start.
    """
    try:
        child = ChildProcess(
            how.command, env=how.environment, folder=folder, descriptors=how.descriptors
        )
    except OSError as error:
        msg = f"the worker did not start: {error}"
        raise ToolUnavailableError(msg) from error
    ready = False
    try:
        exchange = child.exchange(
            how.setup, timeout_s=_START_TIMEOUT_S, max_frame_bytes=_MAX_READY_BYTES
        )
        _check_ready(exchange)
        ready = True
    finally:
        if not ready:
            child.kill()
    return child, exchange.frame


def _check_ready(exchange: WorkerCall) -> None:
    """Raise unless the process answered that all its layers are there and hold."""
    if exchange.end != "answered":
        why = (exchange.stderr.text.strip().splitlines() or [exchange.end])[-1]
        msg = f"the Python worker did not start: {why}"
        raise ToolUnavailableError(msg)
    if "missing" in exchange.frame:
        msg = f"the sandbox needs a layer that is missing here: {exchange.frame['missing']}"
        raise ToolRefusedError(msg, hint=WAY_OUT)
    if exchange.frame["broken"]:
        msg = f"the sandbox does not hold: it could {', '.join(exchange.frame['broken'])}"
        raise ToolRefusedError(msg, hint=WAY_OUT)


def _check_code(code: str) -> None:
    """Raise ToolInputError if code cannot be sent."""
    try:
        size = len(code.encode("utf-8"))
    except UnicodeEncodeError as error:
        msg = f"the code holds a character that is not Unicode text, at {error.start}"
        raise ToolInputError(msg) from error
    if size > MAX_CODE_BYTES:
        msg = f"the code is {size} bytes long; the maximum is {MAX_CODE_BYTES}"
        raise ToolInputError(msg)
