"""Where the code runs, and so who can be asked."""

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
    """Let nobody be asked within the block, wherever it runs, nor by what it starts."""
    token = _UNATTENDED.set(True)
    try:
        yield
    finally:
        _UNATTENDED.reset(token)


def current_shell() -> Any:  # noqa: ANN401  IPython ships no types
    """Return the running IPython shell, or None; IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    get_ipython = getattr(ipython, "get_ipython", None)
    return get_ipython() if get_ipython is not None else None


def detect(shell: Any = None) -> FrontEnd:  # noqa: ANN401  IPython ships no types
    """Say who can be asked: a notebook's user, one at a terminal, or nobody.

    nbclient, papermill and nbconvert say with every request that they have no stdin; that is
    known before any widget exists.

    Args:
        shell: An IPython shell; the running one where it is None.
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
    """Say whether a person can type into standard input."""
    if sys.stdin is None or sys.stdin.closed:
        return False
    return sys.stdin.isatty()
