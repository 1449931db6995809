"""Plan with a local model, review and approve the plan, then run it, in a Jupyter notebook.

`%load_ext okso_jupyter` gives the cell magic `%%okso`; from Python there are `Session`, `Plan`,
`Tool` and the rest of `__all__`. Names are imported on first use, so that loading the extension
stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from okso_jupyter.errors import OksoError as OksoError
    from okso_jupyter.errors import PlanError as PlanError
    from okso_jupyter.frames.candidates import read_debug_log as read_debug_log
    from okso_jupyter.frames.columns import units as units
    from okso_jupyter.plan.plan import Plan as Plan
    from okso_jupyter.plan.plan import Step as Step
    from okso_jupyter.plan.records import Feedback as Feedback
    from okso_jupyter.planning.scoring.scorer import score_plan as score_plan
    from okso_jupyter.results import Run as Run
    from okso_jupyter.session.aio import arun as arun
    from okso_jupyter.session.aio import load_run as load_run
    from okso_jupyter.session.session import Session as Session
    from okso_jupyter.settings import Settings as Settings
    from okso_jupyter.toolkit.tool import Tool as Tool
    from okso_jupyter.toolkit.tool import tool as tool

_HOMES: Final = {
    "Feedback": "plan.records",
    "OksoError": "errors",
    "Plan": "plan.plan",
    "PlanError": "errors",
    "Run": "results",
    "Session": "session.session",
    "Settings": "settings",
    "Step": "plan.plan",
    "Tool": "toolkit.tool",
    "arun": "session.aio",
    "load_run": "session.aio",
    "read_debug_log": "frames.candidates",
    "score_plan": "planning.scoring.scorer",
    "tool": "toolkit.tool",
    "units": "frames.columns",
}

__all__ = [
    "Feedback",
    "OksoError",
    "Plan",
    "PlanError",
    "Run",
    "Session",
    "Settings",
    "Step",
    "Tool",
    "arun",
    "load_run",
    "read_debug_log",
    "score_plan",
    "tool",
    "units",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  whatever the name stands for
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401  IPython ships no types
    """Register `%%okso` and `%okso`; the hook of `%load_ext`."""
    from okso_jupyter.magic import register  # noqa: PLC0415  only notebooks need it

    register(shell)


def unload_ipython_extension(shell: Any) -> None:  # noqa: ANN401  see above
    """Unregister the magics; the hook of `%unload_ext`."""
    from okso_jupyter.magic import unregister  # noqa: PLC0415  see above

    unregister(shell)
