"""What works on this machine and what does not: one line per thing, with the reason."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from tempfile import TemporaryDirectory

import pandas as pd

from okso_jupyter.approval.front_end import detect
from okso_jupyter.approval.waiting import strategy
from okso_jupyter.errors import OksoError
from okso_jupyter.llm.specs import find_weights
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.web.search import SearchOptions

_PACKAGES = (
    "okso-jupyter", "llama-cpp-python", "llguidance", "ipykernel", "ipywidgets", "anywidget",
    "IPython", "pandas",
)  # fmt: skip


def examine(settings: Settings) -> pd.DataFrame:
    """Return one row per thing: what it is, whether it works, and what was found."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("machine", lambda: f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("python", platform.python_version),
        *((name, lambda name=name: version(name)) for name in _PACKAGES),
        ("model", lambda: str(find_weights(settings.planner_model_spec))),
        ("journal", lambda: _journal(settings)),
        ("front end", detect),
        ("waiting for a decision", strategy),
        ("web search", lambda: SearchOptions.of(settings).open().destination),
        ("sandbox of python_repl", lambda: _sandbox(settings)),
    ]
    return pd.DataFrame([_row(name, check) for name, check in checks]).set_index("what")


def _row(name: str, check: Callable[[], str]) -> dict[str, object]:
    try:
        return {"what": name, "works": True, "found": check()}
    except PackageNotFoundError:
        return {"what": name, "works": False, "found": "not installed"}
    except OksoError as error:
        return {"what": name, "works": False, "found": str(error)}


def _journal(settings: Settings) -> str:
    with Session(settings) as session:
        return str(session.journal.path)


def _sandbox(settings: Settings) -> str:
    """Start a worker, which tests its own walls, and say which stand."""
    plan = [{"tool": "python_repl", "args": {"input": "1"}}]
    # In a home of its own: asking how things stand is no run that a journal should keep.
    with TemporaryDirectory() as home, Session(replace(settings, okso_home=home)) as session:
        observation = session.execute(plan, approve="auto").steps_seen[0]
    return (
        "rlimits, capabilities, Landlock, seccomp"
        if observation.exit_code == 0
        else observation.error
    )
