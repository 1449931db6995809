"""Errands: side by side on one thread, each with variables of its own, none left behind."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextvars import ContextVar

import pytest

from okso_jupyter.execution.errands import Errand, Errands, wait_for

NAME: ContextVar[str] = ContextVar("name", default="")


def drained(errands: Errands) -> list[int]:
    """Go on until all have ended and return their keys in the order in which they did."""
    order = []
    while errands:
        order += errands.advance()
    return order


def test_an_errand_goes_on_when_its_future_is_done() -> None:
    """The one whose future is done first ends first, whatever the order of their beginnings."""
    futures: list[Future[None]] = [Future(), Future()]

    def errand(number: int) -> Errand[None]:
        yield wait_for(60, futures[number])
        futures[0].set_result(None) if number else None

    with Errands() as errands:
        assert not errands.start(0, errand(0))
        assert not errands.start(1, errand(1))
        futures[1].set_result(None)
        assert drained(errands) == [1, 0]


def test_an_errand_without_a_future_waits_for_its_moment() -> None:
    """A short wait ends before a long one."""

    def errand(duration_s: float) -> Errand[None]:
        yield wait_for(duration_s)

    with Errands() as errands:
        errands.start(1, errand(0.2))
        errands.start(2, errand(0.0))
        assert drained(errands) == [2, 1]


def test_an_errand_that_waits_for_nothing_ends_at_once() -> None:
    """`start` says so."""

    def errand() -> Errand[None]:
        yield from ()

    with Errands() as errands:
        assert errands.start(1, errand())
        assert len(errands) == 0


def test_what_one_sets_no_other_one_sees() -> None:
    """Context variables are an errand's own, over all its waits."""
    seen: list[str] = []

    def errand(name: str) -> Errand[None]:
        token = NAME.set(name)
        yield wait_for(0.01)
        seen.append(NAME.get())
        NAME.reset(token)

    with Errands() as errands:
        for key, name in enumerate("abc"):
            errands.start(key, errand(name))
        drained(errands)
    assert sorted(seen) == ["a", "b", "c"]
    assert NAME.get() == ""


def test_an_error_ends_the_block_once_the_others_have_ended() -> None:
    """Those beside are seen through; a second error is told with the first one."""
    ended: list[str] = []

    def fail(message: str, duration_s: float) -> Errand[None]:
        yield wait_for(duration_s)
        raise ValueError(message)

    def work() -> Errand[None]:
        yield wait_for(0.1)
        ended.append("work")

    with pytest.raises(ValueError, match="first") as caught, Errands() as errands:  # noqa: PT012  what is tested is how the block ends
        errands.start(1, fail("first", 0.0))
        errands.start(2, work())
        errands.start(3, fail("second", 0.05))
        drained(errands)
    assert ended == ["work"]
    assert caught.value.__notes__ == ["and: second"]


def test_stop_is_thrown_where_an_errand_waits() -> None:
    """It may still wait for its work to end; the block ends with Stop all the same."""
    told: list[str] = []

    def errand() -> Errand[None]:
        try:
            yield wait_for(60)
        except KeyboardInterrupt:
            yield wait_for(0.01)
            told.append("ended")

    with pytest.raises(KeyboardInterrupt), Errands() as errands:  # noqa: PT012  see above
        errands.start(1, errand())
        errands.start(2, errand())
        raise KeyboardInterrupt
    assert told == ["ended", "ended"]


def test_errands_that_end_by_stop_are_not_waited_for() -> None:
    """Nothing is added to the KeyboardInterrupt: no other error came up."""

    def errand() -> Errand[None]:
        yield wait_for(60)

    with pytest.raises(KeyboardInterrupt) as stop, Errands() as errands:  # noqa: PT012  see above
        errands.start(1, errand())
        raise KeyboardInterrupt
    assert not hasattr(stop.value, "__notes__")


def test_another_thread_can_stop_them() -> None:
    """What waits for an hour ends when `halt` is done."""
    halt: Future[None] = Future()

    def errand() -> Errand[None]:
        yield wait_for(3600)

    with pytest.raises(KeyboardInterrupt), Errands(halt) as errands:  # noqa: PT012  see above
        errands.start(1, errand())
        threading.Timer(0.05, lambda: halt.set_result(None)).start()
        drained(errands)
