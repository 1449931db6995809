"""System V objects of another process, as an attack could find them: by id, via libc."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

_PRIVATE, _CREATE, _REMOVE, _ASK = 0, 0o1600, 0, 2
_SEM_VALUE, _SET_VALUE, _NO_WAIT = 12, 16, 0o4000
_SIZE_BYTES: Final = 4096
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.shmat.restype = ctypes.c_void_p
_LIBC.shmdt.argtypes = (ctypes.c_void_p,)


@dataclass(frozen=True, slots=True)
class Objects:
    """A segment and a message queue that hold a text, and a semaphore with value one.

    Attributes:
        text: The content of the segment and of the one message.
        segment: Id of the segment.
        queue: Id of the message queue.
        semaphore: Id of the set of one semaphore.
    """

    text: bytes
    segment: int
    queue: int
    semaphore: int

    def seen(self) -> tuple[bytes, int, int]:
        """Return the segment's content, the queue's byte count and the semaphore's value."""
        address = _LIBC.shmat(self.segment, None, 0)
        if address == ctypes.c_void_p(-1).value:
            return b"", self._waiting(), self._value()
        text = ctypes.string_at(address, len(self.text))
        _LIBC.shmdt(address)
        return text, self._waiting(), self._value()

    def fill(self) -> None:
        """Give every object its initial content."""
        address = _checked(_LIBC.shmat(self.segment, None, 0))
        ctypes.memmove(address, self.text, len(self.text))
        _LIBC.shmdt(address)
        message = bytes(ctypes.c_long(1)) + self.text
        _checked(_LIBC.msgsnd(self.queue, message, len(self.text), _NO_WAIT))
        _checked(_LIBC.semctl(self.semaphore, 0, _SET_VALUE, 1))

    def _waiting(self) -> int:
        # struct msqid_ds: who owns it (48 bytes), three times, then the bytes that wait
        about = (ctypes.c_uint64 * 32)()
        if _LIBC.msgctl(self.queue, _ASK, ctypes.byref(about)):
            return -1
        waiting_bytes: int = about[9]
        return waiting_bytes

    def _value(self) -> int:
        value: int = _LIBC.semctl(self.semaphore, 0, _SEM_VALUE)
        return value


@contextmanager
def objects(text: bytes) -> Iterator[Objects]:
    """Provide objects of this process and remove them afterwards if they still exist."""
    made = Objects(
        text,
        _checked(_LIBC.shmget(_PRIVATE, _SIZE_BYTES, _CREATE)),
        _checked(_LIBC.msgget(_PRIVATE, _CREATE)),
        _checked(_LIBC.semget(_PRIVATE, 1, _CREATE)),
    )
    try:
        made.fill()
        yield made
    finally:
        _LIBC.shmctl(made.segment, _REMOVE, None)
        _LIBC.msgctl(made.queue, _REMOVE, None)
        _LIBC.semctl(made.semaphore, 0, _REMOVE)


def _checked(result: int) -> int:
    if result in {-1, ctypes.c_void_p(-1).value}:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
