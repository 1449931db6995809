"""Functions of the public API outside of `Session`: `arun` awaits a run, `load_run` reads one."""

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
from okso_jupyter.runs.listeners import OnEvent
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.handler_threads import start

#: Longest time in seconds until Stop is noticed: the signal alone does not wake an idle loop.
_LOOK_UP_S: Final = 0.2
#: Seconds to wait for a run to stop; it ends its calls within a few.
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
    """Plan a request, have the plan approved and run it, without blocking the event loop.

    The planner and the tools run on another thread. `approve` and `on_event` are called there
    too, except an `approve` that is a coroutine function. Cancelling the task stops the run. In a
    notebook, Stop does that while a cell awaits; it cannot end code that blocks the loop in such
    a cell, so use `%%okso` or `Session.run` for slow work there.

    Args:
        request: The request in plain words.
        session: Session whose tools, model and settings are used; None means a new one.
        settings: Settings of a new session.
        seed: Seed of the first candidate.
        approve: The approver, see `Session.execute`; may be a coroutine function.
        on_event: Called at every change of a step.
        inputs: Values that are copied into python_repl.
        outputs: Variables of python_repl to read back.
        variables: Values for `{{name}}` in the request.

    Raises:
        UsageError: Both a session and settings are given, or the request is invalid.
        ApprovalError: No approver is available, or no form can be answered while a cell awaits.
        asyncio.CancelledError: The task was cancelled; the run is stopped.
    """
    if session is not None and settings is not None:
        msg = "arun was given a session and settings"
        raise UsageError(msg, hint="a session has its own settings: Session(settings)")
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
            running.exception()  # the caller gets CancelledError
        raise


def _run(
    request: str,
    session: Session | None,
    settings: Mapping[str, Any] | Settings | None,
    halt: Future[None],
    given: Mapping[str, Any],
) -> Run:
    """Run a request on this thread; stop it when the future is done."""
    if session is None:
        with Session(settings) as own:
            return _run(request, own, None, halt, given)
    if policy_of(given["approve"], session.settings) == "ask":
        _check_form()
    with ended_by(halt):
        return session.stopped_by(halt).run(request, **given)


def _check_form() -> None:
    """Raise ApprovalError where the kernel does not deliver clicks, so that a form would hang."""
    if detect() == "notebook" and not hears_while_awaiting():
        msg = "this kernel receives no clicks while a cell awaits, so a form could not be answered"
        hint = "install ipykernel 7.4 or newer, name approve=, or use %%okso or Session.run"
        raise ApprovalError(msg, hint=hint)


def _blocking(approve: Approve | None, halt: Future[None]) -> Approve | None:
    """Return an approver for the run's thread: waits for `approve` where it is a coroutine."""
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
