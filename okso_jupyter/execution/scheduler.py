"""Cooperative scheduler: runs step tasks on one thread and resumes each when its future is done.

A task is a generator. Nothing of it runs beside the others, so it may ask a person, write to the
journal and change what they share; what takes time runs elsewhere, as a future that it waits for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import ExitStack
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from okso_jupyter.kernel import interrupt

ResultT = TypeVar("ResultT")
#: Longest time without a look at whether Stop was pressed, and without a word to who watches.
_TICK_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Wait:
    """What a task waits for: a moment, or a future that may come earlier.

    Attributes:
        until_s: The moment, as `time.monotonic` counts.
        future: The future, if there is one.
    """

    until_s: float
    future: Future[Any] | None = None

    @property
    def is_over(self) -> bool:
        """Whether the task can go on."""
        return time.monotonic() >= self.until_s or (self.future is not None and self.future.done())


def wait_for(duration_s: float, future: Future[Any] | None = None) -> Wait:
    """Return a wait of so many seconds, or until the future is done."""
    return Wait(time.monotonic() + duration_s, future)


StepTask = Generator[Wait, None, ResultT]


@dataclass(slots=True)
class _Open:
    """A task that has not ended, with context variables of its own: spans nest in them."""

    task: StepTask[object]
    wait: Wait
    variables: Context


@dataclass(slots=True)
class Scheduler:
    """Scheduler side by side; a context manager that lets none behind.

    When an error ends the block, the tasks that are left are brought to their end first. Stop
    (KeyboardInterrupt) is thrown into each of them, where it waits; it is for them to be quick.
    It is held within the block, so that it comes nowhere else: no call is begun and not recorded.

    Attributes:
        halt: Done when somebody on another thread wants them to stop.
        on_wait: Called several times a second while nothing can be gone on with; what it raises
            ends the wait.
    """

    halt: Future[None] | None = None
    on_wait: Callable[[], object] | None = None
    _open: dict[int, _Open] = field(default_factory=dict)
    #: Set when a future is done: to have `concurrent.futures` wait takes several locks each time.
    _news: threading.Event = field(default_factory=threading.Event)
    _held: ExitStack = field(default_factory=ExitStack)

    def __len__(self) -> int:
        """Return how many have not ended."""
        return len(self._open)

    def start(self, key: int, task: StepTask[object]) -> bool:
        """Begin a task and return whether it has ended already; what it raises goes through."""
        self._open[key] = _Open(task, Wait(0), copy_context())
        return self._go_on(key)

    def advance(self) -> list[int]:
        """Wait until a task can go on, go on with it, and return the keys of those that ended.

        Raises:
            KeyboardInterrupt: The user stopped the run, or `halt` did.
        """
        self._wait()
        able = [key for key, one in self._open.items() if one.wait.is_over]
        return [key for key in able if self._go_on(key)]

    def _wait(self) -> None:
        """Wait for the first future or the first moment, and not for long."""
        if self.on_wait is not None:
            self.on_wait()
        waits = [one.wait for one in self._open.values()]
        self._news.clear()
        # looked at after that: what is done since then is heard of
        is_halted = self.halt is not None and self.halt.done()
        if not is_halted and not any(one.is_over for one in waits):
            first_s = min(one.until_s for one in waits) - time.monotonic()
            self._news.wait(min(max(0.0, first_s), _TICK_S))
        interrupt.raise_if_pending()
        if self.halt is not None and self.halt.done():
            self.halt = None
            raise KeyboardInterrupt

    def _go_on(self, key: int, error: BaseException | None = None) -> bool:
        """Go on with one task, or throw an error into it; return whether it has ended."""
        one = self._open[key]
        try:
            if error is None:
                one.wait = one.variables.run(one.task.send, None)
            else:
                one.wait = one.variables.run(one.task.throw, error)
            if one.wait.future is not None:
                one.wait.future.add_done_callback(self._tell)
        except StopIteration:
            del self._open[key]
            return True
        except BaseException:
            del self._open[key]
            raise
        return False

    def _tell(self, _future: Future[Any]) -> None:
        """Take in that a future is done; called on the thread that did it."""
        self._news.set()

    def __enter__(self) -> Self:
        self._held.enter_context(interrupt.deferred())
        if self.halt is not None:
            self.halt.add_done_callback(self._tell)
        return self

    def __exit__(
        self, _kind: object, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Bring what is left to its end; the error that ended the block goes on."""
        with self._held:
            if error is not None:
                self._bring_to_end(error)

    def _bring_to_end(self, error: BaseException) -> None:
        """Go on with what is left until nothing is."""
        stop = isinstance(error, KeyboardInterrupt)
        while self._open:
            try:
                if stop:
                    stop = False
                    self._stop()
                else:
                    self.advance()
            except KeyboardInterrupt:
                stop = True
            except Exception as another:  # noqa: BLE001  the first error is the one that is raised
                error.add_note(f"and: {another}")

    def _stop(self) -> None:
        """Throw Stop into every task."""
        for key in list(self._open):
            try:
                self._go_on(key, KeyboardInterrupt())
            except KeyboardInterrupt:
                continue  # it waited for nothing that needs time to end
