"""Calls without a session of one's own: awaiting a run, and reading one back."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import CancelledError as FutureCancelledError
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

from okso_jupyter.errors import ApprovalError, UsageError
from okso_jupyter.kernel.front_end import detect
from okso_jupyter.kernel.waiting import ended_by, hears_while_awaiting
from okso_jupyter.plan.plan import Plan
from okso_jupyter.results import Run
from okso_jupyter.runs.arguments import Approve, policy_of
from okso_jupyter.runs.controller import OnEvent
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.handler_threads import start

#: Longest time until Stop is heard: the signal alone does not wake a loop that has nothing to do.
_LOOK_UP_S: Final = 0.2
#: Seconds for a run that was told to stop; it ends its own calls within a few.
_DRAIN_S: Final = 30.0


async def arun(  # noqa: PLR0913  all but the first are named at every call
    request: str,
    *,
    session: Session | None = None,
    settings: Mapping[str, Any] | Settings | None = None,
    seed: int | None = None,
    approve: Approve | None = None,
    on_event: OnEvent | None = None,
    inputs: Mapping[str, object] | None = None,
    outputs: Iterable[str] = (),
    variables: Mapping[str, object] | None = None,
) -> Run:
    """Plan a request, have the plan approved and run it, while the event loop goes on.

    Planner and tools work on a thread beside the loop, and so are `approve` and `on_event` called
    there, unless `approve` is a coroutine function. Cancelling the task stops the run. In a
    notebook that is what Stop does while a cell awaits; no Stop ends code that blocks the loop
    in such a cell, so leave slow work to `%%okso` or `Session.run` there.

    Args:
        request: The request in plain words.
        session: Whose tools, model and settings to use; a new one where none is given.
        settings: Settings of a new session.
        seed: Seed of the first candidate.
        approve: Who decides, see `Session.execute`; may be a coroutine function.
        on_event: Told of every change of a step.
        inputs: Values that python_repl gets a copy of.
        outputs: Variables of python_repl to take back.
        variables: What `{{name}}` in the request stands for.

    Raises:
        UsageError: Both a session and settings are given, or the request makes no sense.
        ApprovalError: Nobody can decide, or no form can be answered while a cell awaits.
        asyncio.CancelledError: The task was cancelled; the run is stopped.
    """
    if session is not None and settings is not None:
        msg = "arun was given a session and settings"
        raise UsageError(msg, hint="a session has settings of its own: Session(settings)")
    halt: Future[None] = Future()
    given: dict[str, Any] = {
        "seed": seed,
        "approve": _blocking(approve, halt),
        "on_event": on_event,
        "inputs": inputs,
        "outputs": outputs,
        "variables": variables,
    }
    work = partial(_run, request, session, settings, halt, given)
    running = asyncio.wrap_future(start(work))
    try:
        while not running.done():
            await asyncio.wait({running}, timeout=_LOOK_UP_S)
        return running.result()
    except asyncio.CancelledError:
        halt.set_result(None)
        await asyncio.wait({running}, timeout=_DRAIN_S)
        if running.done():
            running.exception()  # it was stopped, and that is what the caller is told
        raise


def _run(
    request: str,
    session: Session | None,
    settings: Mapping[str, Any] | Settings | None,
    halt: Future[None],
    given: Mapping[str, Any],
) -> Run:
    """Run a request on this thread, until the future is done at most."""
    if session is None:
        with Session(settings) as own:
            return _run(request, own, None, halt, given)
    if policy_of(given["approve"], session.settings) == "ask":
        _check_form()
    with ended_by(halt):
        return session.stopped_by(halt).run(request, **given)


def _check_form() -> None:
    """Raise ApprovalError where a form would wait for clicks that the kernel does not hand on."""
    if detect() == "notebook" and not hears_while_awaiting():
        msg = "this kernel hears no clicks while a cell awaits, so a form could not be answered"
        hint = "take ipykernel 7.4 or newer, name approve=, or use %%okso or Session.run"
        raise ApprovalError(msg, hint=hint)


def _blocking(approve: Approve | None, halt: Future[None]) -> Approve | None:
    """Return a coroutine function that decides as a function for the run's thread."""
    if not inspect.iscoroutinefunction(approve):
        return approve
    ask: Callable[[Plan], Coroutine[Any, Any, object]] = approve
    loop = asyncio.get_running_loop()

    def decide(plan: Plan) -> object:
        decision = asyncio.run_coroutine_threadsafe(ask(plan), loop)
        halt.add_done_callback(lambda _: decision.cancel())
        try:
            return decision.result()
        except FutureCancelledError as error:
            raise KeyboardInterrupt from error

    return decide


def load_run(run_id: str) -> Run:
    """Return a run from the journal of the current settings.

    Raises:
        JournalError: There is no such run.
    """
    with Session() as session:
        return session.load_run(run_id)
