"""Message pump: lets the thread that blocks a kernel's event loop read the shell socket itself.

It handles widget messages and other quick requests at once, and returns everything else (the next
cells) to the kernel in order at the end. All uses of ipykernel's private names are in this file.
They are detected by attribute, never by version: 6.29 and later have one shell stream, 7 has a pair
of sockets to the main thread.

Four details are essential:
* Only the header of a message is read until it is known to be for the pump: unpacking the
  content would record its signature, and the later dispatch would refuse it as a replay.
* The stream is stopped during the wait and restarted after messages are returned; otherwise
  ipykernel's own "stop aborting" overtakes the queued cells, and cells run after an interrupted
  one. The next wait may begin before the restart, in the same cell or in a returned one, so the
  callback of a stopped stream is remembered.
* Busy and idle are published for every message: ipywidgets sends no second update of a
  widget before it has seen the first one's idle.
* SIGINT is deferred: an exception between receiving and handling would lose a message.

A cell that is run again while it waits is superseded: its front end shows the output of the new
run and no longer the form of the old one. So this wait ends, and so does any later one of that
cell.

A cell with other work to do calls `tick` of the same pump regularly. There is one pump at a time:
a form opened meanwhile waits with the existing pump, because a second one would reorder messages.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from okso_jupyter.kernel import interrupt

_LOG = logging.getLogger("okso_jupyter")
_TICK_S: Final = 0.05
#: Maximum number of messages per tick, so that the cell's own work does not starve.
_MAX_AT_ONCE: Final = 100
#: Handled during the wait: widget messages, and requests for reload, completion and help.
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
#: Callbacks of streams before a wait stopped them.
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
#: The errors that completers and inspectors raise on faulty user objects in practice.
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
#: The running pump, if any; used only on the main thread.
_PUMP: ContextVar[Pump | None] = ContextVar("okso_pump", default=None)
#: Id of the last execute request whose cell was sent again while it waited.
_SUPERSEDED: ContextVar[str] = ContextVar("okso_superseded", default="")


@dataclass(slots=True)
class Ticker:
    """Handles widget messages while a cell works, and ends the cell after `stop`.

    The base class is for threads other than the main one, which handles the messages itself.
    """

    stopped: bool = False

    def tick(self) -> None:
        """Handle what has come in, without waiting; KeyboardInterrupt once stopped."""
        self.check_stopped()

    def stop(self) -> None:
        """End the cell as the front end's own Stop does, at the next tick or wait."""
        self.stopped = True

    def check_stopped(self) -> None:
        """Raise KeyboardInterrupt, once, if the user stopped the cell."""
        interrupt.raise_if_pending()
        stopped, self.stopped = self.stopped, False
        if stopped:
            raise KeyboardInterrupt


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inbox:
    """The source of the main shell's messages, and the ways to return them to the kernel.

    Attributes:
        stream: The ZMQ stream that the kernel reads.
        callback: The stream's callback for a message's frames.
        reply_socket: Returns the socket that handlers reply on.
        give_back: Makes the kernel handle frames later, in the order of the calls.
        listen_again: Makes the stream read the socket again, after all returned frames.
        look: Makes the kernel check for messages that it was not woken for.
    """

    stream: Any
    callback: Callable[..., object]
    reply_socket: Callable[[], Any]
    give_back: Callable[[Any], object]
    listen_again: Callable[[], object]
    look: Callable[[], object]


def inbox_of(kernel: Any) -> _Inbox | None:  # noqa: ANN401  ipykernel's private objects
    """Return the kernel's inbox, or None if it lacks a name that the pump needs."""
    if any(not hasattr(kernel, name) for name in _NEEDED):
        return None
    thread = getattr(kernel, "shell_channel_thread", None)
    inbox = _inbox_of_6(kernel) if thread is None else _inbox_of_7(kernel, thread)
    return None if inbox is None or inbox.stream.socket is None else inbox


def _inbox_of_7(kernel: Any, thread: Any) -> _Inbox | None:  # noqa: ANN401  as above
    """Return the inbox of ipykernel 7: a separate thread forwards to the main thread."""
    manager = getattr(thread, "manager", None)
    find_pair = getattr(manager, "get_shell_channel_to_subshell_pair", None)
    pair = (
        getattr(manager, "_shell_channel_to_main", None) if find_pair is None else find_pair(None)
    )
    stream = getattr(pair, "to_stream", None)
    callback = _callback_of(stream)
    reply = getattr(manager, "get_subshell_to_shell_channel_socket", None)
    if stream is None or callback is None or reply is None:
        return None
    return _Inbox(
        stream=stream,
        callback=callback,
        reply_socket=lambda: reply(None),
        give_back=lambda frames: kernel.io_loop.add_callback(callback, frames),
        listen_again=lambda: kernel.io_loop.add_callback(stream.on_recv, callback, copy=False),
        look=_look_of_7(kernel, thread, manager),
    )


def _look_of_7(kernel: Any, thread: Any, manager: Any) -> Callable[[], object]:  # noqa: ANN401  as above
    """Return a function that makes the shell's thread check its socket, where that may be needed.

    Before 7.4 it replies on the socket directly, so the stream that reads it may not be woken for
    a message that arrives then (ipykernel #1554). A click would wait for the next connection.
    """
    if not hasattr(manager, "_shell_socket"):
        return _nothing
    return lambda: thread.io_loop.add_callback(kernel.shell_stream.flush)


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
        # not the stream: the loop that would flush it is blocked
        reply_socket=lambda: stream.socket,
        give_back=lambda frames: schedule(kernel.dispatch_shell, frames),
        # at once: after an error the kernel flushes the stream, which drops unhandled messages
        listen_again=lambda: stream.on_recv(callback, copy=False),
        look=_nothing,
    )


def is_pumping() -> bool:
    """Return whether a cell is at work or waits, so that messages are handled within it."""
    running = _PUMP.get()
    return running is not None and not running.is_closed


def request_of(kernel: Any) -> Callable[[], AbstractContextManager[None]]:  # noqa: ANN401  as above
    """Return a context manager in which outputs go to the cell that runs now, also after its end.

    A front end that is not reloaded keeps the connection from a request to its cell.
    """
    cell, idents = kernel.get_parent("shell"), kernel._parent_ident["shell"]  # noqa: SLF001  see module

    @contextmanager
    def within() -> Iterator[None]:
        now, now_idents = kernel.get_parent("shell"), kernel._parent_ident["shell"]  # noqa: SLF001  see module
        kernel.set_parent(idents, cell, channel="shell")
        try:
            yield
        finally:
            kernel.set_parent(now_idents, now, channel="shell")

    return within


def _nothing() -> None:
    """Do nothing: this kernel is woken for every message."""


def _callback_of(stream: Any) -> Callable[..., object] | None:  # noqa: ANN401  as above
    """Return a stream's message callback, or the one it had before a wait stopped it."""
    callback: Callable[..., object] | None = getattr(stream, "_recv_callback", None)
    return _CALLBACKS.get(stream) if callback is None and stream is not None else callback


@contextmanager
def pumping(kernel: Any) -> Iterator[Pump]:  # noqa: ANN401  ipykernel's private objects
    """Yield the pump of this cell, creating it if needed; the kernel must have an inbox."""
    running = _PUMP.get()
    if running is not None and not running.is_closed:
        yield running
        return
    pump = Pump(kernel=kernel)
    try:  # before `open`: a Stop during it must also leave the kernel listening
        _PUMP.set(pump)
        pump.open()
        yield pump
    finally:
        _close(pump)
    pump.check_stopped()


def _close(pump: Pump) -> None:
    """Close a pump even if Stop is pressed meanwhile; KeyboardInterrupt is raised afterwards."""
    stop: KeyboardInterrupt | None = None
    while not pump.is_closed:
        try:
            pump.close()
        except KeyboardInterrupt as interrupt:
            stop = interrupt
    if stop is not None:
        raise stop


@dataclass(slots=True, kw_only=True)
class Pump(Ticker):
    """Reads the shell socket instead of the kernel's loop, from `open` to `close`."""

    kernel: Any
    inbox: _Inbox = field(init=False)
    deferred: list[Any] = field(default_factory=list)
    is_closed: bool = False

    def __post_init__(self) -> None:
        inbox = inbox_of(self.kernel)
        assert inbox is not None  # noqa: S101  `strategy` has just looked
        self.inbox = inbox

    def open(self) -> None:
        """Take over the socket from the kernel."""
        _CALLBACKS[self.inbox.stream] = self.inbox.callback
        with interrupt.deferred():
            self.inbox.stream.stop_on_recv()
            for frames in _already_read(self.kernel):
                self._take(frames)

    def close(self) -> None:
        """Return the deferred messages to the kernel, and let it read the socket again."""
        with interrupt.deferred():
            while self.deferred:
                self.inbox.give_back(self.deferred.pop(0))
            self.inbox.listen_again()
            self.is_closed = True

    @property
    def is_superseded(self) -> bool:
        """Whether the running cell has been sent again."""
        return _SUPERSEDED.get() == _header_of(self.kernel).get("msg_id")

    def step(self) -> None:
        """Handle one message, waiting for it at most one tick; KeyboardInterrupt once stopped."""
        self.check_stopped()
        socket = self.inbox.stream.socket
        if socket.poll(int(_TICK_S * 1000)):
            self._take(socket.recv_multipart(copy=False))
        else:
            self.inbox.look()

    def tick(self) -> None:
        """Handle what has come in, without waiting; KeyboardInterrupt once stopped."""
        socket = self.inbox.stream.socket
        with interrupt.deferred():
            self.inbox.look()
            for _ in range(_MAX_AT_ONCE):
                if not socket.poll(0):
                    break
                self._take(socket.recv_multipart(copy=False))
        self.check_stopped()

    def _take(self, frames: Any) -> None:  # noqa: ANN401  ZMQ frames
        """Handle a message now if its type is handled inline, else defer it."""
        message = self._peeked(frames)
        kind = str(message.get("header", {}).get("msg_type", ""))
        if kind not in _INLINE:
            self._note_same_cell(kind, message)
            self.deferred.append(frames)
            return
        session = self.kernel.session
        idents, rest = session.feed_identities(frames, copy=False)
        self._handle(kind, idents, session.deserialize(rest, content=True, copy=False))

    def _peeked(self, frames: Any) -> Mapping[str, Any]:  # noqa: ANN401  ZMQ frames
        """Return a message without its content; empty if it is not a valid signed message."""
        session = self.kernel.session
        try:
            _, rest = session.feed_identities(frames, copy=False)
            message = session.deserialize(rest, content=False, copy=False)
            return message if "msg_type" in message["header"] else {}
        except (ValueError, TypeError, KeyError):  # unsigned, malformed, or an internal mark
            return {}

    def _note_same_cell(self, kind: str, message: Mapping[str, Any]) -> None:
        """Record a request to run the current cell again."""
        cell = _cell_of(self.kernel.get_parent("shell"))
        if kind == "execute_request" and cell and _cell_of(message) == cell:
            _SUPERSEDED.set(str(_header_of(self.kernel).get("msg_id")))

    def _handle(self, kind: str, idents: Any, message: Any) -> None:  # noqa: ANN401  wire data
        """Run the kernel's handler as a separate request, then restore the cell's request."""
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
            # for the waiting cell: otherwise the front end shows an idle kernel
            kernel._publish_status("busy", "shell")  # noqa: SLF001  see module


def _header_of(kernel: Any) -> Mapping[str, Any]:  # noqa: ANN401  as above
    """Return the header of the kernel's current request."""
    header: Mapping[str, Any] = (kernel.get_parent("shell") or {}).get("header", {})
    return header


def _cell_of(message: Mapping[str, Any]) -> str:
    """Return the id of the cell that sent a request; empty if the front end sends none."""
    return str((message or {}).get("metadata", {}).get("cellId", ""))


def _finish(result: object) -> None:
    """Run a handler's coroutine to completion; those of inline requests never suspend."""
    if not inspect.iscoroutine(result):
        return
    try:
        result.send(None)
    except StopIteration:
        return
    result.close()


def _already_read(kernel: Any) -> Iterator[Any]:  # noqa: ANN401  ipykernel's private objects
    """Yield the frames that ipykernel 6 has read from the socket but not handled yet."""
    queue = getattr(kernel, "msg_queue", None)
    if queue is None:
        return
    for item in [queue.get_nowait() for _ in range(queue.qsize())]:
        _, dispatch, args = item
        if dispatch == kernel.dispatch_shell and args:
            yield args[0]
        else:
            queue.put_nowait(item)
