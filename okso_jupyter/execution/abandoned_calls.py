"""Abandoned calls: handlers that timed out and still run in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

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
