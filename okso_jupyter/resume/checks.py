"""Checks before a run is resumed: its folder, state, settings and inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter.errors import UsageError
from okso_jupyter.execution.pool import still_running
from okso_jupyter.journal.endings import how_to_execute
from okso_jupyter.plan.run_inputs import TemplateVariable
from okso_jupyter.plan.spending import BUDGETS
from okso_jupyter.plan.states import RunState
from okso_jupyter.results import Run
from okso_jupyter.resume.rebuild import RebuiltRun, rebuilt
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.notebook_variables import NotebookVariables, pack


def owner_of(run: Run) -> str:
    """Return the folder that a run worked in; empty if the journal does not hold it."""
    return str(run.started.get("root", ""))


def check_owner(run: Run, root: Path) -> None:
    """Raise UsageError for a run of another folder: a session acts only on its own folder."""
    owner = owner_of(run)
    if owner != str(root):
        msg = f"run {run.id} belongs to the folder {owner or '(unknown)'}, and this is {root}"
        raise UsageError(msg, hint="do it from a notebook there, or Session(root=...)")


def check_resumable(run: Run, root: Path) -> None:
    """Raise UsageError if a run cannot be resumed, or not by this session.

    Args:
        run: The run.
        root: Folder that the tools of this session work in.
    """
    check_owner(run, root)
    if run.state == RunState.APPROVED and run.answer is not None:
        msg = f"run {run.id} was a dry run and cannot be resumed"
        raise UsageError(msg, hint="run the cell without --dry-run")
    if not run.is_open:
        state = "undone" if run.is_undone else run.state
        msg = f"run {run.id} is {state} and cannot be resumed"
        how = how_to_execute(f"load_run({run.id!r}).plan", run.doubt)
        raise UsageError(msg, hint=f"to run its plan: {how}")
    strays = still_running(run.id)
    if strays:
        steps = ", ".join(map(str, sorted(strays)))
        msg = f"run {run.id}: a call of step {steps} was abandoned and is still running"
        raise UsageError(msg, hint="resume it when the call has ended, or restart the kernel")


#: Settings taken from the session, not from the run: approval, budgets, paths, logging, feedback,
#: keys.
_OF_THE_SESSION: Final = frozenset(
    "okso_approve approve_all plan_require_approval force_confirm okso_approve_timeout_s "
    "keep_going okso_home okso_run_id keep_days verbosity planner_debug_log workflows_dir "
    "feedback_enabled feedback_output_path feedback_min_interval feedback_max_entries "
    "feedback_noninteractive_input okso_api_key google_search_api_key google_search_cx".split()
) | {budget.name.lower() for budget in BUDGETS}


def _settings_of(run: Run, settings: Settings) -> Settings:
    """Return the settings that a run was started with, except those taken from the session.

    A value that this version no longer accepts is taken from the session too.
    """
    recorded = {name.lower(): value for name, value in run.started.get("settings", {}).items()}
    kept = recorded.keys() - _OF_THE_SESSION
    return settings.with_accepted({name: recorded[name] for name in kept})


def _same_variables(run: Run, inputs: Mapping[str, object] | None) -> NotebookVariables:
    """Return the variables copied into Python and back, checked to be those of the run's start.

    Raises:
        UsageError: An input is missing, additional or changed.
    """
    inserted = tuple(TemplateVariable(**value) for value in run.data.get("inserted", ()))
    notebook_variables = pack(inputs, run.data.get("outputs", ())).beside(inserted)
    was = {value["name"]: value["sha256"] for value in run.data.get("inputs", ())}
    now = {value.name: value.sha256 for value in notebook_variables.data.inputs}
    if set(was) != set(now):
        msg = f"run {run.id} was given {_names(was)}, and now {_names(now)}"
        raise UsageError(msg, hint="name the same variables: session.resume(id, inputs={...})")
    changed = [name for name in was if was[name] != now[name]]
    if changed:
        msg = f"{_names(changed)} is not what run {run.id} was given"
        raise UsageError(msg, hint="make it what it was, or ask the request again")
    return notebook_variables


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or "no input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A run that can be resumed, with its settings and variables.

    Attributes:
        found: Its rebuilt state.
        settings: Its settings.
        notebook_variables: Variables copied from the notebook into Python, and back.
    """

    found: RebuiltRun
    settings: Settings
    notebook_variables: NotebookVariables


def ready_to_resume(
    run: Run, root: Path, settings: Settings, inputs: Mapping[str, object] | None
) -> Ready:
    """Return everything needed to resume a run.

    Args:
        run: The run; the caller holds its lease.
        root: Folder that the tools of this session work in.
        settings: The settings of this session.
        inputs: The values that were copied into python_repl.

    Raises:
        UsageError: It has ended, belongs to another folder, or lacks its plan or inputs.
        PlanError: Its plan cannot be read.
    """
    check_resumable(run, root)
    return Ready(
        found=rebuilt(run),
        settings=_settings_of(run, settings),
        notebook_variables=_same_variables(run, inputs),
    )
