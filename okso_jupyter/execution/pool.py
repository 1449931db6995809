"""Pool: runs handlers on threads of this process, and pure ones on a dask cluster.

A handler that timed out and still runs in this process is an abandoned call.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from okso_jupyter.errors import SettingError, ToolUnavailableError
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.handler_threads import DaemonThreads
from okso_jupyter.toolkit.tool import Tool, ToolOutput

_CONNECT_TIMEOUT_S: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Starts handlers.

    Attributes:
        here: Runs handlers in this process.
        away: Runs pure handlers elsewhere; None if there is no cluster.
    """

    here: Executor = field(default_factory=DaemonThreads)
    away: Executor | None = None

    def submit(
        self, tool: Tool, context: ToolContext, args: Mapping[str, Any]
    ) -> Future[ToolOutput]:
        """Check the arguments and run the handler; its exceptions are in the future."""
        if self.away is not None and _may_leave(tool, args):
            try:
                return self.away.submit(_run_once, uuid4().hex, tool, dict(args))
            except Exception as error:  # noqa: BLE001  pickling may raise anything
                detail = f"{tool.name}: {type(error).__name__}: {error}"
                LOGGER.warning("a step cannot run on the cluster", extra={"detail": detail})
        return self.here.submit(_run, tool, context, args)


def _may_leave(tool: Tool, args: Mapping[str, Any]) -> bool:
    """Return whether a call is pure: it neither depends on this process nor changes it."""
    return not tool.effect_of(args) and not tool.is_lent


def _run(tool: Tool, context: ToolContext | None, args: Mapping[str, Any]) -> ToolOutput:
    tool.check(args)
    return tool.call(context, args)


def _run_once(call: str, tool: Tool, args: Mapping[str, Any]) -> ToolOutput:
    """Run a call on a worker, unless another worker ended while running the same call.

    dask would reschedule such a call on one worker after another; retries are up to `max_retries`.

    Args:
        call: Unique name of the call.
        tool: The tool.
        args: Its arguments.

    Raises:
        ToolUnavailableError: A worker ended during an earlier try.
    """
    from distributed import Event  # noqa: PLC0415  here there is one, and it is an extra elsewhere

    begun = Event(f"okso-{call}")
    try:
        if begun.is_set():
            msg = "the worker that ran the call ended"
            raise ToolUnavailableError(msg)
        begun.set()
        return _run(tool, None, args)
    finally:
        begun.clear()  # also makes the scheduler forget it


@contextmanager
def open_pool(settings: Settings) -> Iterator[Pool]:
    """Yield a pool: threads, and the cluster of OKSO_CLUSTER if PLAN_DELEGATE_STEPS is on.

    Raises:
        SettingError: The cluster does not answer, none was named, or dask is not installed.
    """
    with ExitStack() as opened:
        away = None
        if settings.plan_delegate_steps and settings.okso_replay is None:
            client = opened.enter_context(closing(_connect(settings.okso_cluster)))
            # closing a client after its event loop has ended would hang for 20 s
            atexit.register(client.close)
            opened.callback(atexit.unregister, client.close)
            # never reuse the result of an equal earlier call
            away = client.get_executor(pure=False)
        yield Pool(here=opened.enter_context(DaemonThreads()), away=away)


def _connect(address: str | None) -> Any:  # noqa: ANN401  a dask Client, whose package is an extra
    """Return a client of the dask scheduler at an address; SettingError if there is none."""
    if address is None:
        msg = "PLAN_DELEGATE_STEPS is true, and OKSO_CLUSTER names no scheduler"
        raise SettingError(msg, hint="set OKSO_CLUSTER to the address of a dask scheduler")
    try:
        from distributed import Client  # noqa: PLC0415  an extra, and slow to import
    except ImportError as error:
        msg = "PLAN_DELEGATE_STEPS needs dask"
        raise SettingError(msg, hint="pip install 'okso_jupyter[dask]'") from error
    try:
        return Client(address, timeout=_CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        msg = f"no dask scheduler answers at OKSO_CLUSTER={address}: {error}"
        raise SettingError(msg, hint="start one, or set PLAN_DELEGATE_STEPS=false") from error


_LOCK = threading.Lock()
_STRAYS: dict[tuple[str, int], Future[Any]] = {}


def abandon(run_id: str, step_id: int, call: Future[Any]) -> None:
    """Register an abandoned call until it returns."""
    with _LOCK:
        _STRAYS[run_id, step_id] = call


def still_running(run_id: str) -> frozenset[int]:
    """Return the steps of a run whose abandoned calls still run in this process."""
    with _LOCK:
        _forget(key for key, call in list(_STRAYS.items()) if call.done())
        return frozenset(step_id for owner, step_id in _STRAYS if owner == run_id)


def _forget(keys: Iterable[tuple[str, int]]) -> None:
    for key in keys:
        del _STRAYS[key]
