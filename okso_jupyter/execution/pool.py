"""Where handlers run: threads of this process, and a cluster for those that are pure."""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from okso_jupyter.errors import SettingError, ToolUnavailableError
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.declaration import is_lent
from okso_jupyter.toolkit.handler_threads import DaemonThreads
from okso_jupyter.toolkit.tool import Tool, ToolOutput

_CONNECT_TIMEOUT_S: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Starts handlers.

    Attributes:
        here: Runs what stays in this process.
        away: Runs what may leave it, if anything may.
    """

    here: Executor = field(default_factory=DaemonThreads)
    away: Executor | None = None

    def submit(
        self, tool: Tool, context: ToolContext, args: Mapping[str, Any]
    ) -> Future[ToolOutput]:
        """Check the arguments and run the handler; what it raises is in the future."""
        if self.away is not None and _may_leave(tool, args):
            try:
                return self.away.submit(_run_once, uuid4().hex, tool, dict(args))
            except Exception as error:  # noqa: BLE001  what cannot be sent says so in any way
                detail = f"{tool.name}: {type(error).__name__}: {error}"
                LOGGER.warning("a step cannot run on the cluster", extra={"detail": detail})
        return self.here.submit(_run, tool, context, args)


def _may_leave(tool: Tool, args: Mapping[str, Any]) -> bool:
    """Say whether a call depends on nothing of this process and changes nothing in it."""
    return not tool.effect_of(args) and not is_lent(tool.handler, tool.properties)


def _run(tool: Tool, context: ToolContext | None, args: Mapping[str, Any]) -> ToolOutput:
    tool.check(args)
    return tool.call(context, args)


def _run_once(call: str, tool: Tool, args: Mapping[str, Any]) -> ToolOutput:
    """Run a call on a worker, unless another one ended while it ran the same.

    dask hands such a call to a worker after the other; how often it is tried is for `max_retries`.

    Args:
        call: A name that no other call has.
        tool: The tool.
        args: Its arguments.

    Raises:
        ToolUnavailableError: A worker ended before.
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
        begun.clear()  # which also has the scheduler forget it


@contextmanager
def open_pool(settings: Settings) -> Iterator[Pool]:
    """Lend a pool as the settings want it: threads, and the cluster of OKSO_CLUSTER if asked for.

    Raises:
        SettingError: There is no cluster there, or none was named, or dask is not installed.
    """
    with ExitStack() as opened:
        away = None
        if settings.plan_delegate_steps and settings.okso_replay is None:
            client = opened.enter_context(closing(_connect(settings.okso_cluster)))
            # a client that is closed after the loop it needs has ended waits for 20 s in vain
            atexit.register(client.close)
            opened.callback(atexit.unregister, client.close)
            # each call is one of its own, also when the same one was made before
            away = client.get_executor(pure=False)
        yield Pool(here=opened.enter_context(DaemonThreads()), away=away)


def _connect(address: str | None) -> Any:  # noqa: ANN401  a dask Client, whose package is an extra
    """Return a client of the scheduler at an address."""
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
