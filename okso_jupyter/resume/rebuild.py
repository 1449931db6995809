"""Rebuilds the state of an interrupted run from its journal: completed and uncertain steps.

Pure functions: records in, a `RebuiltRun` out. Nothing is recorded, asked or run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from okso_jupyter.approval.request_builder import check_tools
from okso_jupyter.errors import PlanError, UsageError
from okso_jupyter.journal.run_view import RunView
from okso_jupyter.plan.plan import Condition, Plan
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.records import Approval, Observation, ToolCall
from okso_jupyter.plan.states import RunState, StepState
from okso_jupyter.planning.outcome import RejectedPlan
from okso_jupyter.results import Run, with_own_tools
from okso_jupyter.toolkit.catalog import ToolCatalog

_PYTHON: Final = "python_repl"
_TERMINAL: Final = "terminal"


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptedStep:
    """A step that was running when its process ended.

    Attributes:
        step_id: The step.
        seen: The result of its last call, if it was recorded.
        call: A call that may have had its effect and has no recorded result; None if there is
            none, so that the step can simply run again.
    """

    step_id: int
    seen: Observation | None = None
    call: ToolCall | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuiltRun:
    """State of an interrupted run.

    Attributes:
        run: The run.
        state: Its state.
        plan: Its newest approved plan; before an approval, the newest one.
        progress: The progress that execution starts from.
        interrupted: The steps that were running.
        lost_calls: The calls that may have had their effect and have no recorded result.
        folder: Last folder of the terminal, as an absolute path; empty for the initial one.
        used_python: Whether Python ran; its variables are lost.
        decided: The decision about the plan that was recorded but has not taken effect.
        turned_down: Earlier plans with the feedback about them.
    """

    run: Run
    state: RunState
    plan: Plan
    progress: PlanProgress
    interrupted: tuple[InterruptedStep, ...] = ()
    lost_calls: tuple[ToolCall, ...] = ()
    folder: str = ""
    used_python: bool = False
    decided: Approval | None = None
    turned_down: tuple[RejectedPlan, ...] = ()

    def folder_beneath(self, root: Path) -> str:
        """Return the last folder of the terminal, relative to the root.

        Raises:
            UsageError: The folder is not in the root.
        """
        if not self.folder:
            return "."
        try:
            return str(Path(self.folder).relative_to(root.resolve()))
        except ValueError:
            msg = (
                f"run {self.run.id}: the terminal was left in {self.folder}, which is not in {root}"
            )
            raise UsageError(msg) from None


def check_tools_again(found: RebuiltRun, tools: ToolCatalog) -> None:
    """Raise PlanError, with a hint, if a run cannot be resumed with the tools of this session."""
    missing = sorted({step.tool for step in found.plan.steps} - set(tools))
    try:
        check_tools(found.plan, tools)
    except PlanError as error:
        if not missing:
            raise
        hint = with_own_tools(found.run.id, missing)
        raise PlanError(error.message, step=error.step, rule=error.rule, hint=hint) from None


def rebuilt(run: Run) -> RebuiltRun:
    """Return the state of a run, rebuilt from its records.

    Raises:
        UsageError: The journal holds no plan of it.
        PlanError: Its plan cannot be read.
    """
    # a view of its own, since the executor continues with its progress
    view = RunView(run.id, run.records)
    plan, progress = _plan(run, view), view.steps.progress
    progress.not_taken = _not_taken(plan, progress.states)
    decided = view.decisions.decided
    return RebuiltRun(
        run=run,
        state=view.state,
        plan=plan,
        progress=progress,
        interrupted=_interrupted(view),
        lost_calls=tuple(view.calls.lost_calls.values()),
        folder=_terminal_folder(progress.observations),
        used_python=_PYTHON in view.calls.used_tools,
        decided=decided.approval if decided is not None else None,
        turned_down=_turned_down(view),
    )


def _plan(run: Run, view: RunView) -> Plan:
    """Return the plan that was approved last; if none was, the one that was made last."""
    known = view.decisions.approved or view.decisions.proposed
    if known:
        return Plan.from_dict(known)
    chosen = run.chosen
    if chosen is None:
        msg = f"run {run.id} was not planned to its end"
        raise UsageError(msg, hint="ask the request again")
    return replace(chosen.plan, version=1 + view.versions.highest)


def _turned_down(view: RunView) -> tuple[RejectedPlan, ...]:
    """Return the plans with feedback, without the last if its feedback has not taken effect."""
    known = view.versions.turned_down
    known = known[:-1] if view.decisions.decided else known
    return tuple(RejectedPlan(Plan.from_dict(plan), feedback) for plan, feedback in known)


def _not_taken(plan: Plan, states: dict[int, StepState]) -> set[int]:
    """Return the steps that were skipped because their condition was not met."""
    skipped = [step for step in plan.steps if states.get(step.id) is StepState.SKIPPED]
    return {
        step.id
        for step in skipped
        if step.condition and not _is_met(Condition.parse(step.condition, step=step.id), states)
    }


def _is_met(condition: Condition, states: dict[int, StepState]) -> bool:
    wanted = StepState.FAILED if condition.outcome == "failed" else StepState.COMPLETED
    return states.get(condition.step_id) is wanted


def _interrupted(view: RunView) -> tuple[InterruptedStep, ...]:
    """Return the steps that were running, with the result or the lost call of each."""
    steps, lost = view.steps, view.calls.lost_calls
    return tuple(
        InterruptedStep(step_id=step_id, seen=steps.last_seen.get(step_id), call=lost.get(step_id))
        for step_id, state in steps.progress.states.items()
        if state is StepState.RUNNING
    )


def _terminal_folder(observations: Sequence[Observation]) -> str:
    """Return the folder after the last terminal command, which may have been `cd`."""
    for seen in reversed(observations):
        if seen.call.tool == _TERMINAL and isinstance(seen.raw, dict) and "cwd" in seen.raw:
            return str(seen.raw["cwd"])
    return ""
