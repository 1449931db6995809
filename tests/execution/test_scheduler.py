"""Scheduler: tasks on one thread, each with its own variables, none left running."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextvars import ContextVar

import pytest

from okso_jupyter.execution.scheduler import Scheduler, StepTask, wait_for

NAME: ContextVar[str] = ContextVar("name", default="")


def drained(scheduler: Scheduler) -> list[int]:
    """Advance until all tasks have ended; return their keys in the order of their ends."""
    order = []
    while scheduler:
        order += scheduler.advance()
    return order


def test_a_task_continues_when_its_future_is_done() -> None:
    """The task whose future is done first ends first, whatever the order of the starts."""
    futures: list[Future[None]] = [Future(), Future()]

    def task(number: int) -> StepTask[None]:
        yield wait_for(60, futures[number])
        futures[0].set_result(None) if number else None

    with Scheduler() as scheduler:
        assert not scheduler.start(0, task(0))
        assert not scheduler.start(1, task(1))
        futures[1].set_result(None)
        assert drained(scheduler) == [1, 0]


def test_a_task_without_a_future_waits_for_its_delay() -> None:
    """A task with a short wait ends before one with a long wait."""

    def task(duration_s: float) -> StepTask[None]:
        yield wait_for(duration_s)

    with Scheduler() as scheduler:
        scheduler.start(1, task(0.2))
        scheduler.start(2, task(0.0))
        assert drained(scheduler) == [2, 1]


def test_a_task_that_does_not_wait_ends_at_once() -> None:
    """For a task without a wait, `start` returns true."""

    def task() -> StepTask[None]:
        yield from ()

    with Scheduler() as scheduler:
        assert scheduler.start(1, task())
        assert len(scheduler) == 0


def test_context_variables_are_private_to_a_task() -> None:
    """A context variable set in a task is visible in that task alone, across its waits."""
    seen: list[str] = []

    def task(name: str) -> StepTask[None]:
        token = NAME.set(name)
        yield wait_for(0.01)
        seen.append(NAME.get())
        NAME.reset(token)

    with Scheduler() as scheduler:
        for key, name in enumerate("abc"):
            scheduler.start(key, task(name))
        drained(scheduler)
    assert sorted(seen) == ["a", "b", "c"]
    assert NAME.get() == ""


def test_an_error_ends_the_block_after_the_other_tasks() -> None:
    """The other tasks run to their end; a second error is added as a note to the first."""
    ended: list[str] = []

    def fail(message: str, duration_s: float) -> StepTask[None]:
        yield wait_for(duration_s)
        raise ValueError(message)

    def work() -> StepTask[None]:
        yield wait_for(0.1)
        ended.append("work")

    with pytest.raises(ValueError, match="first") as caught, Scheduler() as scheduler:  # noqa: PT012  what is tested is how the block ends
        scheduler.start(1, fail("first", 0.0))
        scheduler.start(2, work())
        scheduler.start(3, fail("second", 0.05))
        drained(scheduler)
    assert ended == ["work"]
    assert caught.value.__notes__ == ["and: second"]


def test_stop_is_raised_where_a_task_waits() -> None:
    """A stopped task may still wait for its work; the block then ends with the interrupt."""
    told: list[str] = []

    def task() -> StepTask[None]:
        try:
            yield wait_for(60)
        except KeyboardInterrupt:
            yield wait_for(0.01)
            told.append("ended")

    with pytest.raises(KeyboardInterrupt), Scheduler() as scheduler:  # noqa: PT012  see above
        scheduler.start(1, task())
        scheduler.start(2, task())
        raise KeyboardInterrupt
    assert told == ["ended", "ended"]


def test_tasks_that_end_on_stop_add_no_note() -> None:
    """The KeyboardInterrupt has no notes if no other error occurred."""

    def task() -> StepTask[None]:
        yield wait_for(60)

    with pytest.raises(KeyboardInterrupt) as stop, Scheduler() as scheduler:  # noqa: PT012  see above
        scheduler.start(1, task())
        raise KeyboardInterrupt
    assert not hasattr(stop.value, "__notes__")


def test_another_thread_can_stop_the_tasks() -> None:
    """Tasks that wait for an hour end when the `halt` future is done."""
    halt: Future[None] = Future()

    def task() -> StepTask[None]:
        yield wait_for(3600)

    with pytest.raises(KeyboardInterrupt), Scheduler(halt) as scheduler:  # noqa: PT012  see above
        scheduler.start(1, task())
        threading.Timer(0.05, lambda: halt.set_result(None)).start()
        drained(scheduler)
