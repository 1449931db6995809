"""Batches: one run per request, in parallel where no person has to be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from typing import Final

from okso_jupyter.errors import OksoError, UsageError
from okso_jupyter.journal.store import Journal
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.front_end import unattended
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.results import Run, read_run
from okso_jupyter.runs.arguments import checked_request
from okso_jupyter.runs.run_ids import new_run_id
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.handler_threads import DaemonThreads

RunOne = Callable[[Settings, str, Future[None]], Run]

_TICK_S: Final = 0.1
#: Seconds to wait for runs to stop; each ends its calls within a few.
_DRAIN_S: Final = 30.0


def checked_requests(requests: object) -> list[str]:
    """Return the requests, stripped of surrounding blanks.

    Raises:
        UsageError: They are not a list, or one is invalid; the message has its number.
    """
    if not isinstance(requests, list | tuple):
        msg = f"the requests are a {type(requests).__name__}, not a list"
        raise UsageError(msg, hint='write session.map(["first request", "second request"])')
    checked = []
    for number, request in enumerate(requests, start=1):
        try:
            checked.append(checked_request(request))
        except UsageError as error:
            msg = f"request {number} of {len(requests)}: {error.message}"
            raise UsageError(msg, hint=error.hint) from error
    return checked


def checking_stop(
    halt: Future[None] | None, on_sampling: Callable[[Sampling], None] | None
) -> Callable[[Sampling], None] | None:
    """Return a sampling callback that also raises KeyboardInterrupt once `halt` is done."""
    if halt is None:
        return on_sampling

    def look(sampling: Sampling) -> None:
        if halt.done():
            raise KeyboardInterrupt
        if on_sampling is not None:
            on_sampling(sampling)

    return look


def run_all(
    requests: Sequence[str], run_one: RunOne, settings: Settings, journal: Journal, *, most: int
) -> list[Run]:
    """Run every request and return the runs in the order of the requests.

    A request that fails, without a plan or an approval, does not affect the others; its run holds
    the error.

    Args:
        requests: The requests.
        run_one: Runs one, with settings that name its run; the future is done when it must stop.
        settings: The settings of all runs.
        journal: The journal that failed runs are read from.
        most: Most runs at once; with 1, runs use this thread, where a person can be asked.

    Raises:
        KeyboardInterrupt: The user stopped the batch; the runs in progress were stopped too.
        OksoError: A request failed before its run had begun.
    """
    halt: Future[None] = Future()

    def run(number: int, request: str) -> Run:
        run_id = f"{new_run_id(settings, journal)}-{number}"
        try:
            return run_one(replace(settings, okso_run_id=run_id), request, halt)
        except OksoError:
            if not journal.records(run_id):
                raise
            return read_run(journal, run_id)

    if most == 1:
        return [run(number, request) for number, request in enumerate(requests, start=1)]
    with DaemonThreads() as threads, unattended():
        return _side_by_side(requests, run, threads, halt, most)


def _side_by_side(
    requests: Sequence[str],
    run: Callable[[int, str], Run],
    threads: DaemonThreads,
    halt: Future[None],
    most: int,
) -> list[Run]:
    """Run at most `most` requests at once; Stop ends all of them and is raised afterwards."""
    begun: list[Future[Run]] = []
    going: set[Future[Run]] = set()
    with interrupt.deferred():
        try:
            for number, request in enumerate(requests, start=1):
                while len(going) >= most:
                    going -= _ended(going)
                begun.append(threads.submit(run, number, request))
                going.add(begun[-1])
            while going:
                going -= _ended(going)
        except KeyboardInterrupt:
            halt.set_result(None)
            wait(going, timeout=_DRAIN_S)
            raise
    return [one.result() for one in begun]


def _ended(going: set[Future[Run]]) -> set[Future[Run]]:
    """Return the runs that have ended, after a short wait; raise KeyboardInterrupt on Stop."""
    done = wait(going, timeout=_TICK_S, return_when=FIRST_COMPLETED).done
    interrupt.raise_if_pending()
    return done
