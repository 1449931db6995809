"""Stop, which is SIGINT: held where an exception would break something, heeded where one may come.

Python raises KeyboardInterrupt between any two instructions of the main thread. There it may leave
a lock taken for ever (in `threading.Condition`), lose a message between its receipt and its
handling, or a call between its start and its record, or get lost itself in a finalizer. A package
whose import it breaks off stays broken for as long as the process lives. So what must not be broken
holds SIGINT, and heeds it where it waits anyway; what runs foreign code meanwhile, which heeds
nothing, lets it through.

A signal belongs to the process and comes to its main thread: on other threads all of this does
nothing, and what they do is stopped by a future (see `execution.tasks`).
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

#: Who presses Stop again after this time is not kept waiting: something heeds nothing.
_PATIENCE_S: Final = 1.0


@dataclass(slots=True)
class _Stop:
    """What becomes of SIGINT.

    Attributes:
        is_held: Whether it is held.
        handler: What takes it where it is not.
        pressed_s: When Stop was pressed while it was held, on the monotonic clock; None once that
            was heeded.
    """

    is_held: bool = False
    handler: Any = signal.default_int_handler
    pressed_s: float | None = None

    def press(self, _signal: int, _frame: FrameType | None) -> None:
        """Take a press down; raise KeyboardInterrupt where the last one waits for too long."""
        now_s = time.monotonic()
        if self.pressed_s is None:
            self.pressed_s = now_s
        elif now_s - self.pressed_s > _PATIENCE_S:
            self.raise_if_pending()

    def raise_if_pending(self) -> None:
        """Raise KeyboardInterrupt, once, for a press that was taken down."""
        pressed_s, self.pressed_s = self.pressed_s, None
        if pressed_s is not None:
            raise KeyboardInterrupt


_STOP: Final = _Stop()


@contextmanager
def deferred() -> Iterator[None]:
    """Hold SIGINT within the block; blocks may nest.

    Raises:
        KeyboardInterrupt: At the end of the outermost block, if Stop was pressed and not heeded.
    """
    handler = signal.getsignal(signal.SIGINT)
    if _STOP.is_held or not _is_main() or handler is signal.SIG_IGN:
        yield
        return
    if handler is None:  # it was not set by Python, which cannot set it again
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
    """Have SIGINT do within the block what it does where nobody holds it."""
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
    """Raise KeyboardInterrupt, once, if Stop was pressed while it was held."""
    if _STOP.is_held and _is_main():
        _STOP.raise_if_pending()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
