"""The broker's end of a worker process: pipes, frames, deadlines and termination.

Output of the process is not trusted: sizes are bounded while reading, and anything but one
well-formed frame in time ends the process.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from okso_jupyter.sandbox import json_bounds
from okso_jupyter.sandbox.footprint import family

_LENGTH_BYTES: Final = 4
_READ_BYTES: Final = 1 << 16
MAX_STREAM_BYTES: Final = 1 << 20
MAX_FRAME_BYTES: Final = 4 << 20
_TICK_S: Final = 0.1
#: Reads after the end of a call: enough to empty full pipes, bounded for a thread that never stops.
_MAX_LATE_READS: Final = 32
_KILL_WAIT_S: Final = 10.0
#: Seconds for a process whose pipe has ended to exit with its own exit code.
_OWN_END_S: Final = 0.5

End = Literal["answered", "died", "garbled", "timeout", "stopped"]
#: Receives each piece of an output as it arrives.
Listener = Callable[[bytes], object]


@dataclass(slots=True)
class Stream:
    """One captured output: bytes up to a bound, and whether there were more.

    Attributes:
        data: The bytes.
        truncated: Whether there were more.
        listener: Receives every piece as it arrives, including those beyond the bound.
    """

    data: bytearray = field(default_factory=bytearray)
    truncated: bool = False
    listener: Listener | None = None

    def take(self, part: bytes) -> None:
        """Append a piece, up to the bound."""
        room = MAX_STREAM_BYTES - len(self.data)
        self.data += part[:room]
        self.truncated = self.truncated or len(part) > room
        if self.listener is not None:
            self.listener(part)

    @property
    def text(self) -> str:
        """The bytes as text; invalid UTF-8 becomes replacement characters."""
        return self.data.decode("utf-8", "replace")


@dataclass(slots=True)
class WorkerCall:
    """Outcome of one call.

    Attributes:
        end: Why it ended.
        frame: The answer; empty unless `end` is "answered".
        reason: Why it was stopped, as returned by the `stop` callback.
        stdout: Captured standard output.
        stderr: Captured standard error.
    """

    end: End = "died"
    frame: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    stdout: Stream = field(default_factory=Stream)
    stderr: Stream = field(default_factory=Stream)


class ChildProcess:
    """A running worker process.

    Args:
        command: Program and arguments; the numbers of both pipe descriptors are appended.
        env: The complete environment.
        folder: Its working folder.
        descriptors: Open files that it inherits.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: Path,
        descriptors: Sequence[int] = (),
    ) -> None:
        request_read, self._request = os.pipe()
        self._reply, reply_write = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603  our own program, no shell
                [*command, str(request_read), str(reply_write)],
                env=dict(env),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(request_read, reply_write, *descriptors),
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            os.close(self._request)
            os.close(self._reply)
            raise
        finally:
            os.close(request_read)
            os.close(reply_write)
        self._outputs = self._own_outputs()
        for descriptor in (self._request, self._reply, *self._outputs):
            os.set_blocking(descriptor, False)

    def _own_outputs(self) -> tuple[int, int]:
        """Return the reading ends of standard output and standard error."""
        if self._process.stdout is None or self._process.stderr is None:
            msg = "a worker without output pipes"
            raise ValueError(msg)
        return self._process.stdout.fileno(), self._process.stderr.fileno()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int:
        """Exit code of the dead process as a shell reports it: 128 plus the signal; never 0."""
        code = self._process.poll()
        if code is None or code == 0:
            return 1
        return 128 - code if code < 0 else code

    def end(self) -> None:
        """End the process but leave the pipes open, so that the rest can be read.

        In bubblewrap the started process is not the worker: its children are killed first, so that
        bubblewrap can reap them, then the whole process group.
        """
        if self._process.poll() is not None:
            return
        children = family(self.pid)[1:]
        for pid in children:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if children:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_OWN_END_S)
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def kill(self) -> None:
        """End the process and close every pipe; a second call does nothing."""
        if self._request < 0:
            return
        self.end()
        self._process.wait(_KILL_WAIT_S)
        os.close(self._request)
        os.close(self._reply)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._request = self._reply = -1

    def spoke_unasked(self) -> bool:
        """Return whether the reply pipe has unrequested bytes, or has ended."""
        try:
            os.read(self._reply, 1)
        except BlockingIOError:
            return False
        return True

    def ask(
        self,
        request: Mapping[str, object],
        *,
        timeout_s: float,
        stop: Callable[[], str] = str,
        max_frame_bytes: int = MAX_FRAME_BYTES,
        listeners: tuple[Listener, Listener] | None = None,
    ) -> WorkerCall:
        """Send a request with a new id; like `exchange`, but an answer must repeat the id.

        An answer without it was forged inside the worker and counts as garbled.
        """
        request_id = secrets.token_hex(16)
        result = self.exchange(
            {"id": request_id, **request},
            timeout_s=timeout_s,
            stop=stop,
            max_frame_bytes=max_frame_bytes,
            listeners=listeners,
        )
        if result.end == "answered" and result.frame.get("id") != request_id:
            result.end, result.frame = "garbled", {}
        return result

    def exchange(
        self,
        request: Mapping[str, object],
        *,
        timeout_s: float,
        stop: Callable[[], str] = str,
        max_frame_bytes: int = MAX_FRAME_BYTES,
        listeners: tuple[Listener, Listener] | None = None,
    ) -> WorkerCall:
        """Send one frame and wait for its answer.

        Args:
            request: The frame to send.
            timeout_s: Time limit in seconds.
            stop: Called several times a second; a non-empty reason ends the wait.
            max_frame_bytes: Maximum size of the answer.
            listeners: Receive standard output and standard error as they arrive.

        Returns:
            The outcome. The process may still run unless it died: on any end but "answered" the
            caller should kill it.
        """
        call = _Call(self._request, self._reply, self._outputs, encode(request), max_frame_bytes)
        if listeners is not None:
            call.result.stdout.listener, call.result.stderr.listener = listeners
        call.wait(time.monotonic() + timeout_s, stop)
        if call.result.end == "died":
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_OWN_END_S)
        if call.result.end != "answered":
            self.end()
            self._process.wait(_KILL_WAIT_S)
        call.read_rest()
        return call.result


def encode(frame: Mapping[str, object]) -> bytes:
    """Return a frame as bytes: its length, then JSON."""
    body = json.dumps(frame).encode("ascii")
    return len(body).to_bytes(_LENGTH_BYTES, "big") + body


class _Call:
    """One request in progress and its outputs; never blocks on a pipe."""

    def __init__(
        self,
        request: int,
        reply: int,
        outputs: tuple[int, int],
        payload: bytes,
        max_frame_bytes: int,
    ) -> None:
        self.result = WorkerCall()
        self._max_frame_bytes = max_frame_bytes
        self._request, self._reply = request, reply
        self._unsent = memoryview(payload)
        self._received = bytearray()
        self._streams = dict(zip(outputs, (self.result.stdout, self.result.stderr), strict=True))
        self._over = False

    def wait(self, deadline: float, stop: Callable[[], str]) -> None:
        """Transfer bytes until there is an answer, an end, or no time left."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._reply, selectors.EVENT_READ)
            ready.register(self._request, selectors.EVENT_WRITE)
            for descriptor in self._streams:
                ready.register(descriptor, selectors.EVENT_READ)
            next_check = time.monotonic() + _TICK_S
            while not self._over:
                now = time.monotonic()
                if now >= next_check:
                    next_check = now + _TICK_S
                    self.result.reason = stop()
                if self.result.reason or now >= deadline:
                    self._end("stopped" if self.result.reason else "timeout")
                    return
                for key, _ in ready.select(min(next_check, deadline) - now):
                    self._serve(ready, key.fd)

    def _serve(self, ready: selectors.BaseSelector, descriptor: int) -> None:
        """Transfer the bytes of one ready pipe; unregister it when it has ended."""
        if descriptor == self._request:
            goes_on = self._send()
        elif descriptor == self._reply:
            goes_on = self._receive()
        else:
            goes_on = _read_into(descriptor, self._streams[descriptor])
        if not goes_on:
            ready.unregister(descriptor)

    def _send(self) -> bool:
        """Write what the pipe accepts; return whether more is left."""
        try:
            self._unsent = self._unsent[os.write(self._request, self._unsent) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            self._end("died")
            return False
        return bool(self._unsent)

    def _receive(self) -> bool:
        """Read a part of the answer; return whether more is expected."""
        try:
            part = os.read(self._reply, _READ_BYTES)
        except BlockingIOError:
            return True
        if not part:
            self._end("died")
            return False
        self._received += part
        return not self._is_complete()

    def _is_complete(self) -> bool:
        """Parse the answer once it is complete; end the call if it is too long or invalid."""
        if len(self._received) < _LENGTH_BYTES:
            return False
        length = int.from_bytes(self._received[:_LENGTH_BYTES], "big")
        if length > self._max_frame_bytes or len(self._received) > _LENGTH_BYTES + length:
            self._end("garbled")
        elif len(self._received) == _LENGTH_BYTES + length:
            self._take_answer(bytes(self._received[_LENGTH_BYTES:]))
        return self._over

    def _take_answer(self, body: bytes) -> None:
        """Store an answer that is a JSON object, within bounds."""
        frame = None
        if not json_bounds.excess(body, self._max_frame_bytes):
            with suppress(ValueError, RecursionError):
                frame = json.loads(body)
        if isinstance(frame, dict):
            self.result.frame = frame
        self._end("answered" if isinstance(frame, dict) else "garbled")

    def _end(self, end: End) -> None:
        self.result.end = end
        self._over = True

    def read_rest(self) -> None:
        """Read the output that is still in the pipes after the end."""
        for descriptor, stream in self._streams.items():
            for _ in range(_MAX_LATE_READS):
                if not _read_into(descriptor, stream, once=True):
                    break


def _read_into(descriptor: int, stream: Stream, *, once: bool = False) -> bool:
    """Read one piece of an output; return whether to read again."""
    try:
        part = os.read(descriptor, _READ_BYTES)
    except BlockingIOError:
        return not once
    stream.take(part)
    return bool(part)
