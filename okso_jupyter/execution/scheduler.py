"""Cooperative scheduler: runs step tasks on one thread and resumes each when its future is done.

A task is a generator. Tasks never run concurrently, so a task may ask a person, write to the
journal and change shared state; slow work runs elsewhere, as a future that the task waits for.
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
#: Maximum seconds between checks for Stop, and between calls of `on_wait`.
_TICK_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Wait:
    """What a task waits for: a point in time, or a future that may be done earlier.

    Attributes:
        until_s: The point in time, in seconds of `time.monotonic`.
        future: The future, if there is one.
    """

    until_s: float
    future: Future[Any] | None = None

    @property
    def is_over(self) -> bool:
        """Whether the task can be resumed."""
        return time.monotonic() >= self.until_s or (self.future is not None and self.future.done())


def wait_for(duration_s: float, future: Future[Any] | None = None) -> Wait:
    """Return a wait of `duration_s` seconds, or until the future is done."""
    return Wait(time.monotonic() + duration_s, future)


StepTask = Generator[Wait, None, ResultT]


@dataclass(slots=True)
class _Open:
    """A task that has not ended, with separate context variables, in which its spans nest."""

    task: StepTask[object]
    wait: Wait
    variables: Context


@dataclass(slots=True)
class Scheduler:
    """Runs tasks in turns; a context manager that leaves no task behind.

    When an error ends the block, the remaining tasks are run to their end first. Stop
    (KeyboardInterrupt) is thrown into each of them where it waits; they should end quickly. SIGINT
    is deferred within the block, so that it is raised nowhere else and no begun call goes
    unrecorded.

    Attributes:
        halt: Done when another thread stops the tasks.
        on_wait: Called several times a second while no task can be resumed; an exception from it
            ends the wait.
    """

    halt: Future[None] | None = None
    on_wait: Callable[[], object] | None = None
    _open: dict[int, _Open] = field(default_factory=dict)
    #: Set when a future is done: cheaper than `concurrent.futures.wait`, which takes several locks.
    _news: threading.Event = field(default_factory=threading.Event)
    _held: ExitStack = field(default_factory=ExitStack)

    def __len__(self) -> int:
        """Return the number of tasks that have not ended."""
        return len(self._open)

    def start(self, key: int, task: StepTask[object]) -> bool:
        """Begin a task and return whether it has already ended; its exceptions propagate."""
        self._open[key] = _Open(task, Wait(0), copy_context())
        return self._go_on(key)

    def advance(self) -> list[int]:
        """Wait until tasks can be resumed, resume them, and return the keys of those that ended.

        Raises:
            KeyboardInterrupt: The user stopped the run, or `halt` did.
        """
        self._wait()
        able = [key for key, one in self._open.items() if one.wait.is_over]
        return [key for key in able if self._go_on(key)]

    def _wait(self) -> None:
        """Wait for the first future or point in time, at most one tick."""
        if self.on_wait is not None:
            self.on_wait()
        waits = [one.wait for one in self._open.values()]
        self._news.clear()
        # checked after `clear`, so that a future done since then sets the event
        is_halted = self.halt is not None and self.halt.done()
        if not is_halted and not any(one.is_over for one in waits):
            first_s = min(one.until_s for one in waits) - time.monotonic()
            self._news.wait(min(max(0.0, first_s), _TICK_S))
        interrupt.raise_if_pending()
        if self.halt is not None and self.halt.done():
            self.halt = None
            raise KeyboardInterrupt

    def _go_on(self, key: int, error: BaseException | None = None) -> bool:
        """Resume one task, or throw an error into it; return whether it has ended."""
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
        """Signal that a future is done; called on the thread that completed it."""
        self._news.set()

    def __enter__(self) -> Self:
        self._held.enter_context(interrupt.deferred())
        if self.halt is not None:
            self.halt.add_done_callback(self._tell)
        return self

    def __exit__(
        self, _kind: object, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Run the remaining tasks to their end; the error that ended the block propagates."""
        with self._held:
            if error is not None:
                self._bring_to_end(error)

    def _bring_to_end(self, error: BaseException) -> None:
        """Resume the remaining tasks until all have ended."""
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
            except Exception as another:  # noqa: BLE001  only the first error is raised
                error.add_note(f"and: {another}")

    def _stop(self) -> None:
        """Throw Stop into every task."""
        for key in list(self._open):
            try:
                self._go_on(key, KeyboardInterrupt())
            except KeyboardInterrupt:
                continue  # it had nothing to finish
