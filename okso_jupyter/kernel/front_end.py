"""Front-end detection: where the code runs, and so whether a person can be asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

FrontEnd = Literal["terminal", "headless", "notebook"]

_UNATTENDED: ContextVar[bool] = ContextVar("okso_unattended", default=False)


@contextmanager
def unattended() -> Iterator[None]:
    """Treat the block, and what it starts, as headless: no person is asked anything."""
    token = _UNATTENDED.set(True)
    try:
        yield
    finally:
        _UNATTENDED.reset(token)


def current_shell() -> Any:  # noqa: ANN401  IPython ships no types
    """Return the running IPython shell, or None; does not import IPython."""
    ipython = sys.modules.get("IPython")
    get_ipython = getattr(ipython, "get_ipython", None)
    return get_ipython() if get_ipython is not None else None


def detect(shell: Any = None) -> FrontEnd:  # noqa: ANN401  IPython ships no types
    """Return the front end: a notebook, a terminal, or headless if no person can be asked.

    nbclient, papermill and nbconvert are headless: their requests say that there is no stdin,
    which is known before any widget exists.

    Args:
        shell: An IPython shell; None takes the running one.
    """
    if _UNATTENDED.get():
        return "headless"
    shell = current_shell() if shell is None else shell
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return "terminal" if _has_terminal() else "headless"
    request = (kernel.get_parent() or {}).get("content") or {}
    return "notebook" if request.get("allow_stdin", True) else "headless"


def _has_terminal() -> bool:
    """Return whether standard input is a terminal."""
    if sys.stdin is None or sys.stdin.closed:
        return False
    return sys.stdin.isatty()
