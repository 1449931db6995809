"""Waiting inside a cell until a widget has answered.

A cell that waits blocks the thread that would handle the widget's message. So the waiting
thread becomes a pump: it reads the kernel's shell socket itself, handles widget messages and
other quick requests at once, and hands everything else (the next cells) back in order at the
end. All private names of ipykernel stand in this file; they are found by looking, never by
version: 6.29 and later have one shell stream, 7 has a pair of sockets to the main thread.

Four details hold it together:
* A message is only peeked at before it is known to be ours: unpacking its content would
  record its signature, and the later dispatch would refuse it as a replay.
* The stream is stopped during the wait and armed again after the give-backs; else ipykernel's
  own "stop aborting" overtakes the queued cells, and cells run after an interrupted one. The
  next wait may come before that, in the same cell or in one that was given back: what a stopped
  stream called is remembered for it.
* Busy and idle are published for every message: ipywidgets sends no second update of a
  widget before it has seen the first one's idle.
* SIGINT sets a flag: an exception between receiving and handling would lose a message.
"""

from __future__ import annotations

import inspect
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any, Final, Literal, Self
from weakref import WeakKeyDictionary

from okso_jupyter.approval.front_end import current_shell
from okso_jupyter.errors import ApprovalError

Strategy = Literal["pump", "event", "prompt"]
_HALT: ContextVar[Future[None] | None] = ContextVar("okso_halt", default=None)

_LOG = logging.getLogger("okso_jupyter")
_TICK_S: Final = 0.05
#: Handled during the wait: widgets, and what keeps reload, completion and help alive.
_INLINE: Final = frozenset(
    {
        "comm_open",
        "comm_msg",
        "comm_close",
        "comm_info_request",
        "kernel_info_request",
        "complete_request",
        "inspect_request",
        "is_complete_request",
        "history_request",
    }
)
#: What streams called before a wait stopped them.
_CALLBACKS: Final[WeakKeyDictionary[Any, Callable[..., object]]] = WeakKeyDictionary()
_NEEDED: Final = (
    "io_loop",
    "session",
    "shell_handlers",
    "set_parent",
    "get_parent",
    "_parent_ident",
    "_publish_status",
)
#: What a completer or inspector that stumbles over the user's objects really raises.
_HANDLER_FAILURES: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


def strategy() -> Strategy:
    """Say how a wait would be done here and now.

    "pump" on the kernel's main thread; "event" on another one, whose main thread stays free;
    "prompt" where neither works, so that only `input()` can ask.
    """
    kernel = getattr(current_shell(), "kernel", None)
    if kernel is None:
        return "prompt"
    if threading.current_thread() is not threading.main_thread():
        return "event"
    return "pump" if _inbox_of(kernel) is not None else "prompt"


def hears_while_awaiting() -> bool:
    """Say whether clicks are heard while a cell awaits: ipykernel 7.4 hands them on, older do not.

    True where there is no kernel: a terminal's input field needs none.
    """
    kernel = getattr(current_shell(), "kernel", None)
    dispatch = getattr(kernel, "dispatch_shell", None)
    return dispatch is None or "concurrent" in inspect.signature(dispatch).parameters


@contextmanager
def ended_by(halt: Future[None]) -> Iterator[None]:
    """Let every wait within the block end, as by Stop, once the future is done."""
    token = _HALT.set(halt)
    try:
        yield
    finally:
        _HALT.reset(token)


def wait_until(done: threading.Event, timeout_s: float | None) -> None:
    """Return when `done` is set, while the kernel goes on handling widget messages.

    Args:
        done: Set by a widget's callback.
        timeout_s: Seconds to wait; None waits for ever.

    Raises:
        TimeoutError: `done` was not set in time.
        KeyboardInterrupt: The user stopped the cell; it wins over a decision of that moment.
        ApprovalError: This kernel offers no way to wait for a widget.
    """
    way = strategy()
    if way == "prompt":
        msg = "this kernel cannot wait for a form inside a cell"
        raise ApprovalError(msg, hint="name a policy: --yes, or --approve auto|deny")
    deadline_s = None if timeout_s is None else time.monotonic() + timeout_s
    if way == "event":
        _loop(done, deadline_s, lambda: done.wait(_TICK_S))
        return
    with _Pump(current_shell().kernel) as pump:
        _loop(done, deadline_s, pump.step)
        pump.check_stopped()


def _loop(done: threading.Event, deadline_s: float | None, step: Callable[[], object]) -> None:
    """Step until `done` is set; TimeoutError after the deadline of the monotonic clock."""
    halt = _HALT.get()
    while not done.is_set():
        if deadline_s is not None and time.monotonic() >= deadline_s:
            msg = "no decision in time"
            raise TimeoutError(msg)
        if halt is not None and halt.done():
            raise KeyboardInterrupt
        step()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inbox:
    """Where the main shell's messages come in, and how one is given back to the kernel.

    Attributes:
        stream: The ZMQ stream that the kernel reads.
        callback: What the stream calls with a message's frames.
        reply_socket: Gives the socket that handlers answer on.
        give_back: Has the kernel handle frames later, in the order of the calls.
    """

    stream: Any
    callback: Callable[..., object]
    reply_socket: Callable[[], Any]
    give_back: Callable[[Any], object]


def _inbox_of(kernel: Any) -> _Inbox | None:  # noqa: ANN401  ipykernel's private objects
    """Return the kernel's inbox, or None where a name that the pump needs is missing."""
    if any(not hasattr(kernel, name) for name in _NEEDED):
        return None
    thread = getattr(kernel, "shell_channel_thread", None)
    inbox = _inbox_of_6(kernel) if thread is None else _inbox_of_7(kernel, thread)
    return None if inbox is None or inbox.stream.socket is None else inbox


def _inbox_of_7(kernel: Any, thread: Any) -> _Inbox | None:  # noqa: ANN401  as above
    """Return the inbox of ipykernel 7: a thread of its own forwards to the main thread."""
    manager = getattr(thread, "manager", None)
    find_pair = getattr(manager, "get_shell_channel_to_subshell_pair", None)
    pair = (
        getattr(manager, "_shell_channel_to_main", None) if find_pair is None else find_pair(None)
    )
    stream = getattr(pair, "to_stream", None)
    callback = _callback_of(stream)
    reply = getattr(manager, "get_subshell_to_shell_channel_socket", None)
    if callback is None or reply is None:
        return None
    return _Inbox(
        stream=stream,
        callback=callback,
        reply_socket=lambda: reply(None),
        give_back=lambda frames: kernel.io_loop.add_callback(callback, frames),
    )


def _inbox_of_6(kernel: Any) -> _Inbox | None:  # noqa: ANN401  as above
    """Return the inbox of ipykernel 6: the main thread reads the shell stream itself."""
    stream = getattr(kernel, "shell_stream", None)
    callback = _callback_of(stream)
    schedule = getattr(kernel, "schedule_dispatch", None)
    if stream is None or callback is None or schedule is None:
        return None
    return _Inbox(
        stream=stream,
        callback=callback,
        # not the stream: the loop that would flush it is the one that waits
        reply_socket=lambda: stream.socket,
        give_back=lambda frames: schedule(kernel.dispatch_shell, frames),
    )


def _callback_of(stream: Any) -> Callable[..., object] | None:  # noqa: ANN401  as above
    """Return what a stream calls with a message, or called before a wait stopped it."""
    callback: Callable[..., object] | None = getattr(stream, "_recv_callback", None)
    return _CALLBACKS.get(stream) if callback is None and stream is not None else callback


@dataclass(slots=True)
class _Pump:
    """Reads the shell socket in place of the kernel's loop, for the length of a `with`."""

    kernel: Any
    inbox: _Inbox = field(init=False)
    deferred: list[Any] = field(default_factory=list)
    stopped: bool = False
    _previous: Any = None

    def __post_init__(self) -> None:
        inbox = _inbox_of(self.kernel)
        assert inbox is not None  # noqa: S101  `strategy` has just looked
        self.inbox = inbox

    def __enter__(self) -> Self:
        _CALLBACKS[self.inbox.stream] = self.inbox.callback
        self.inbox.stream.stop_on_recv()
        self._previous = signal.signal(signal.SIGINT, self._stop)
        for frames in _already_read(self.kernel):
            self._take(frames)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        previous = signal.default_int_handler if self._previous is None else self._previous
        signal.signal(signal.SIGINT, previous)
        for frames in self.deferred:
            self.inbox.give_back(frames)
        # after the give-backs, so that nothing overtakes them
        stream, callback = self.inbox.stream, self.inbox.callback
        self.kernel.io_loop.add_callback(stream.on_recv, callback, copy=False)

    def step(self) -> None:
        """Handle one message, or wait a tick for one; KeyboardInterrupt once stopped."""
        self.check_stopped()
        socket = self.inbox.stream.socket
        if socket.poll(int(_TICK_S * 1000)):
            self._take(socket.recv_multipart(copy=False))

    def check_stopped(self) -> None:
        """Raise KeyboardInterrupt if the user stopped the cell."""
        if self.stopped:
            raise KeyboardInterrupt

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self.stopped = True

    def _take(self, frames: Any) -> None:  # noqa: ANN401  ZMQ frames
        """Handle a message now if it is one for the wait, else keep it for later."""
        kind = self._kind(frames)
        if kind not in _INLINE:
            self.deferred.append(frames)
            return
        session = self.kernel.session
        idents, rest = session.feed_identities(frames, copy=False)
        self._handle(kind, idents, session.deserialize(rest, content=True, copy=False))

    def _kind(self, frames: Any) -> str:  # noqa: ANN401  ZMQ frames
        """Return the message's type by peeking; "" for what only ipykernel understands."""
        session = self.kernel.session
        try:
            _, rest = session.feed_identities(frames, copy=False)
            message = session.deserialize(rest, content=False, copy=False)
            return str(message["header"]["msg_type"])
        except (ValueError, TypeError, KeyError):  # unsigned, malformed, or an internal mark
            return ""

    def _handle(self, kind: str, idents: Any, message: Any) -> None:  # noqa: ANN401  wire data
        """Run the kernel's own handler as a request of its own, then be the cell again."""
        kernel = self.kernel
        cell, cell_idents = kernel.get_parent("shell"), kernel._parent_ident["shell"]  # noqa: SLF001  see module
        kernel.set_parent(idents, message, channel="shell")
        kernel._publish_status("busy", "shell")  # noqa: SLF001  see module
        try:
            _finish(kernel.shell_handlers[kind](self.inbox.reply_socket(), idents, message))
        except _HANDLER_FAILURES:
            _LOG.exception("a %s failed while a cell waited for a decision", kind)
        finally:
            kernel._publish_status("idle", "shell")  # noqa: SLF001  see module
            kernel.set_parent(cell_idents, cell, channel="shell")
            # the waiting cell again: without it the front end shows an idle kernel
            kernel._publish_status("busy", "shell")  # noqa: SLF001  see module


def _finish(result: object) -> None:
    """Run a handler's coroutine to its end; those of inline requests never suspend."""
    if not inspect.iscoroutine(result):
        return
    try:
        result.send(None)
    except StopIteration:
        return
    result.close()


def _already_read(kernel: Any) -> Iterator[Any]:  # noqa: ANN401  ipykernel's private objects
    """Yield the frames that ipykernel 6 took off the socket but has not handled yet."""
    queue = getattr(kernel, "msg_queue", None)
    if queue is None:
        return
    for item in [queue.get_nowait() for _ in range(queue.qsize())]:
        _, dispatch, args = item
        if dispatch == kernel.dispatch_shell and args:
            yield args[0]
        else:
            queue.put_nowait(item)
