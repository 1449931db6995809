"""Interrupt handling: SIGINT (Stop) is deferred where an exception would corrupt state.

Python raises KeyboardInterrupt between any two instructions of the main thread. There it may leave
a lock held for ever (in `threading.Condition`), lose a message between its receipt and its
handling, or a call between its start and its record, or be swallowed by a finalizer. A package
whose import it interrupts stays broken for the life of the process. So critical code defers SIGINT
and checks for it where it waits anyway; foreign code, which does not check, runs inside
`let_through`.

Python delivers signals to the main thread: on other threads these functions do nothing, and their
work is stopped through a future (see `waiting.ended_by`).
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

#: Seconds after which a second Stop is raised at once: the code in between does not check for it.
_PATIENCE_S: Final = 1.0


@dataclass(slots=True)
class _Stop:
    """State of SIGINT handling.

    Attributes:
        is_held: Whether SIGINT is deferred.
        handler: The handler in effect while it is not deferred.
        pressed_s: Monotonic time in seconds of a pending Stop; None if there is none.
    """

    is_held: bool = False
    handler: Any = signal.default_int_handler
    pressed_s: float | None = None

    def press(self, _signal: int, _frame: FrameType | None) -> None:
        """Record a press; raise KeyboardInterrupt if an earlier one has been pending too long."""
        now_s = time.monotonic()
        if self.pressed_s is None:
            self.pressed_s = now_s
        elif now_s - self.pressed_s > _PATIENCE_S:
            self.raise_if_pending()

    def raise_if_pending(self) -> None:
        """Raise KeyboardInterrupt, once, for a pending press."""
        pressed_s, self.pressed_s = self.pressed_s, None
        if pressed_s is not None:
            raise KeyboardInterrupt


_STOP: Final = _Stop()


@contextmanager
def deferred() -> Iterator[None]:
    """Defer SIGINT within the block; blocks may nest.

    Raises:
        KeyboardInterrupt: At the end of the outermost block, if a Stop is still pending.
    """
    handler = signal.getsignal(signal.SIGINT)
    if _STOP.is_held or not _is_main() or handler is signal.SIG_IGN:
        yield
        return
    if handler is None:  # it was not installed from Python, which cannot restore it
        handler = signal.default_int_handler
    _STOP.pressed_s = None
    signal.signal(signal.SIGINT, _STOP.press)
    try:
        _STOP.handler, _STOP.is_held = handler, True
        yield
    finally:
        _STOP.is_held = False
        signal.signal(signal.SIGINT, handler)
        _STOP.raise_if_pending()


@contextmanager
def let_through() -> Iterator[None]:
    """Handle SIGINT normally within the block, also inside `deferred`."""
    if not _STOP.is_held or not _is_main():
        yield
        return
    _STOP.raise_if_pending()
    _STOP.is_held = False
    signal.signal(signal.SIGINT, _STOP.handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _STOP.press)
        _STOP.is_held = True


def raise_if_pending() -> None:
    """Raise KeyboardInterrupt, once, if Stop was pressed while SIGINT was deferred."""
    if _STOP.is_held and _is_main():
        _STOP.raise_if_pending()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
