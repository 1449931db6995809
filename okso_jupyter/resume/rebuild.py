"""Rebuilds the state of an interrupted run from its journal: completed and uncertain steps.

Pure functions: records in, a `RebuiltRun` out. Nothing is recorded, asked or run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from okso_jupyter.approval.request_builder import check_tools
from okso_jupyter.errors import PlanError, UsageError
from okso_jupyter.execution.plan_progress import PlanProgress, ReplanDue
from okso_jupyter.journal.events import (
    ArgumentsFilled,
    CallStarted,
    CandidateChosen,
    DecisionMade,
    ObservationMade,
    PlanMade,
    PlanProposed,
    ProposalShown,
    ReplanFailed,
    ReplanRequested,
    StepMoved,
)
from okso_jupyter.journal.store import Record, events_of, with_events
from okso_jupyter.plan.plan import Condition, Plan
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
    plan = _plan(run)
    progress = _progress(run.records, plan)
    return RebuiltRun(
        run=run,
        state=RunState(run.state),
        plan=plan,
        progress=progress,
        interrupted=tuple(
            _interrupted(step_id, run.records)
            for step_id, state in progress.states.items()
            if state is StepState.RUNNING
        ),
        folder=_terminal_folder(progress.observations),
        used_python=any(call.tool == _PYTHON for call in events_of(run.records, CallStarted)),
        decided=_decided(run),
        turned_down=_turned_down(run.records),
    )


def _plan(run: Run) -> Plan:
    """Return the plan that was approved last; if none was, the one that was made last."""
    proposed: Mapping[str, Any] | None = None
    approved: Mapping[str, Any] | None = None
    shown: ProposalShown | None = None
    kinds = (PlanMade, PlanProposed, CandidateChosen, ProposalShown, DecisionMade)
    for record, event in with_events(run.records, *kinds):
        match event:
            case PlanMade(plan=plan) | PlanProposed(plan=plan):
                proposed = plan
            case CandidateChosen():
                proposed = None
            case ProposalShown() as shown:
                pass
            case DecisionMade() as made if record.is_own and _approves(made, shown):
                approved = proposed
    known = approved or proposed
    if known:
        return Plan.from_dict(known)
    chosen = run.chosen
    if chosen is None:
        msg = f"run {run.id} was not planned to its end"
        raise UsageError(msg, hint="ask the request again")
    before = [int(made.plan["version"]) for made in events_of(run.records, PlanMade)]
    return replace(chosen.plan, version=1 + max(before, default=0))


def _approves(made: DecisionMade, shown: ProposalShown | None) -> bool:
    return (
        made.is_approval
        and shown is not None
        and shown.about == "plan"
        and shown.fingerprint == made.shown
    )


def _decided(run: Run) -> Approval | None:
    """Return the decision that was recorded but has not taken effect, if there is one."""
    last = _decided_last(run.records)
    return last.approval if last is not None else None


def _decided_last(records: Sequence[Record]) -> DecisionMade | None:
    """Return the decision about the newest plan, if there is one."""
    kinds = (PlanMade, CandidateChosen, DecisionMade)
    for record, event in with_events(reversed(records), *kinds):
        match event:
            case PlanMade() | CandidateChosen():
                return None
            case DecisionMade() as made:
                return made if record.is_own else None
    return None


def _turned_down(records: Sequence[Record]) -> tuple[RejectedPlan, ...]:
    """Return the plans with feedback, without the last if its feedback has not taken effect."""
    found: list[RejectedPlan] = []
    newest: Mapping[str, Any] = {}
    for event in events_of(records, PlanMade, DecisionMade):
        match event:
            case PlanMade(plan=plan):
                newest = plan
            case DecisionMade(decision="feedback", feedback=feedback):
                found.append(RejectedPlan(Plan.from_dict(newest), feedback))
    return tuple(found[:-1] if _decided_last(records) else found)


def _progress(records: Sequence[Record], plan: Plan) -> PlanProgress:
    """Return the progress that execution of the plan starts from."""
    progress = PlanProgress()
    asked_for: ReplanDue | None = None
    kinds = (StepMoved, ObservationMade, ArgumentsFilled, ReplanRequested, PlanMade, ReplanFailed)
    for event in events_of(records, *kinds):
        match event:
            case StepMoved(step_id=step_id, after=after):
                progress.moved(step_id, after)
            case ObservationMade(observation=seen):
                progress.observed(seen)
            case ArgumentsFilled(sources=sources):
                progress.used.update(sources)
            case ReplanRequested() as requested:
                asked_for = _due(requested)
            case PlanMade() | ReplanFailed() if asked_for is not None:
                progress.answered(asked_for)  # an interrupted replan is requested again
                asked_for = None
    causes = {requested.cause for requested in events_of(records, ReplanRequested)}
    progress.realigned, progress.validated = "divergence" in causes, "validation" in causes
    progress.not_taken = _not_taken(plan, progress.states)
    progress.attempts = _attempts(records)
    return progress


def _due(requested: ReplanRequested) -> ReplanDue:
    return ReplanDue(
        cause=requested.cause,
        steps=requested.steps,
        error_class=requested.error_class,
        reason=requested.reason,
    )


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


def _attempts(records: Sequence[Record]) -> dict[int, int]:
    """Return the number of attempts used, by step id.

    An interrupted attempt counts only if it may have had an effect.
    """
    used: dict[int, int] = {}
    for event in events_of(records, ObservationMade, CallStarted):
        match event:
            case ObservationMade(observation=seen) if seen.status != "skipped":
                call = seen.call
            case CallStarted(is_repeatable=False):
                call = event.call
            case _:
                continue
        used[call.step_id] = max(used.get(call.step_id, 0), call.attempt)
    return used


def _interrupted(step_id: int, records: Sequence[Record]) -> InterruptedStep:
    """Return the recorded result of a step that was running, or its call without a result."""
    seen: Observation | None = None
    call: ToolCall | None = None
    for event in events_of(records, StepMoved, CallStarted, ObservationMade):
        match event:
            case StepMoved() if event.step_id == step_id:
                seen = call = None
            case CallStarted() if event.step_id == step_id:
                seen, call = None, None if event.is_repeatable else event.call
            case ObservationMade(observation=made) if made.call.step_id == step_id:
                seen, call = made, None
    return InterruptedStep(step_id=step_id, seen=seen, call=call)


def lost_calls(records: Iterable[Record]) -> list[ToolCall]:
    """Return the calls that may have had their effect and have no recorded result."""
    begun: dict[int, ToolCall] = {}
    for event in events_of(records, CallStarted, ObservationMade):
        match event:
            case CallStarted(is_repeatable=False):
                begun[event.step_id] = event.call
            case ObservationMade(observation=seen):
                begun.pop(seen.call.step_id, None)
    return list(begun.values())


def _terminal_folder(observations: Sequence[Observation]) -> str:
    """Return the folder after the last terminal command, which may have been `cd`."""
    for seen in reversed(observations):
        if seen.call.tool == _TERMINAL and isinstance(seen.raw, dict) and "cwd" in seen.raw:
            return str(seen.raw["cwd"])
    return ""
