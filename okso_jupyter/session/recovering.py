"""What the journal knows of a run that was interrupted: how far it is, and what nobody knows.

Pure: records in, a `Recovered` out; nothing is written, asked or run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from okso_jupyter.errors import PlanError, UsageError
from okso_jupyter.execution.progress import Progress, ReplanDue
from okso_jupyter.journal.codec import observation_from_json
from okso_jupyter.journal.store import Record
from okso_jupyter.plan.effects import NOT_REPEATABLE
from okso_jupyter.plan.plan import Condition, Plan
from okso_jupyter.plan.records import Approval, Observation, ToolCall
from okso_jupyter.plan.states import RunState, StepState
from okso_jupyter.planning.outcome import TurnedDown
from okso_jupyter.run import Run, with_own_tools
from okso_jupyter.session.proposing import check_tools
from okso_jupyter.toolkit.catalog import ToolCatalog

_PYTHON: Final = "python_repl"
_TERMINAL: Final = "terminal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """A step that was running when its process ended.

    Attributes:
        step_id: The step.
        seen: How its last call came out, if that was written down.
        call: A call that may have had its effect, and of which nothing is known since; None where
            there is none, so that the step can simply run again.
    """

    step_id: int
    seen: Observation | None = None
    call: ToolCall | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """How far a run is.

    Attributes:
        run: The run.
        state: Where it stands.
        plan: Its newest approved plan; before an approval, the newest one.
        progress: What a walk starts from.
        interrupted: The steps that were running.
        folder: Where the terminal was left, as an absolute path; empty for where it begins.
        used_python: Whether Python ran, whose variables are gone.
        decided: The decision about the plan that was written down, and not yet acted upon.
        turned_down: Earlier plans with what was said of them.
    """

    run: Run
    state: RunState
    plan: Plan
    progress: Progress
    interrupted: tuple[Interrupted, ...] = ()
    folder: str = ""
    used_python: bool = False
    decided: Approval | None = None
    turned_down: tuple[TurnedDown, ...] = ()

    def folder_beneath(self, root: Path) -> str:
        """Return the folder where the terminal was left, relative to the root.

        Raises:
            UsageError: It was left outside, which cannot be.
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


def check_tools_again(found: Recovered, tools: ToolCatalog) -> None:
    """Raise PlanError, naming what to do, if a run cannot go on with the tools of this session."""
    missing = sorted({step.tool for step in found.plan.steps} - set(tools))
    try:
        check_tools(found.plan, tools)
    except PlanError as error:
        if not missing:
            raise
        hint = with_own_tools(found.run.id, missing)
        raise PlanError(error.message, step=error.step, rule=error.rule, hint=hint) from None


def recovered(run: Run) -> Recovered:
    """Return what the journal knows of a run.

    Raises:
        UsageError: No plan of it is there.
        PlanError: Its plan cannot be read.
    """
    plan = _plan(run)
    progress = _progress(run.records, plan)
    return Recovered(
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
        used_python=any(body["tool"] == _PYTHON for body in _bodies(run.records, "call_started")),
        decided=_decided(run),
        turned_down=_turned_down(run.records),
    )


def _bodies(records: Iterable[Record], *kinds: str) -> list[dict[str, Any]]:
    return [record.body for record in records if record.kind in kinds]


def _plan(run: Run) -> Plan:
    """Return the plan that was approved last; where none was, the one that was made last."""
    proposed: Any = None
    approved: Any = None
    shown: dict[str, Any] = {}
    for record in run.records:
        if record.kind in {"plan", "proposed"}:
            proposed = record.body["plan"]
        elif record.kind == "selected":
            proposed = None
        elif record.kind == "shown":
            shown = record.body
        elif record.kind == "decision" and record.is_own and _approves(record.body, shown):
            approved = proposed
    if approved or proposed:
        return Plan.from_dict(approved or proposed)
    chosen = run.chosen
    if chosen is None:
        msg = f"run {run.id} was not planned to its end"
        raise UsageError(msg, hint="ask the request again")
    before = [body["plan"]["version"] for body in _bodies(run.records, "plan")]
    return replace(chosen.plan, version=1 + max(before, default=0))


def _approves(decision: dict[str, Any], shown: dict[str, Any]) -> bool:
    return (
        decision["decision"] == "approve"
        and shown.get("about") == "plan"
        and shown.get("fingerprint") == decision["shown"]
    )


def _decided(run: Run) -> Approval | None:
    """Return the decision that a run waits for no more, if it died before it acted upon it."""
    last = _decided_last(run.records)
    if last is None:
        return None
    steps = {int(step_id): name for step_id, name in last.body["steps"].items()}
    known = {s.name: last.body[s.name] for s in fields(Approval) if s.name in last.body}
    return Approval(**{**known, "steps": steps})


def _decided_last(records: Sequence[Record]) -> Record | None:
    """Return the decision about the newest plan, if there is one."""
    kinds = ("plan", "decision", "selected")
    last = next((record for record in reversed(records) if record.kind in kinds), None)
    return last if last is not None and last.kind == "decision" and last.is_own else None


def _turned_down(records: Sequence[Record]) -> tuple[TurnedDown, ...]:
    """Return the plans that feedback was given about, but for the one that comes last of all."""
    found: list[TurnedDown] = []
    plan: Any = None
    for body in _bodies(records, "plan", "decision"):
        if "plan" in body:
            plan = body["plan"]
        elif body["decision"] == "feedback":
            found.append(TurnedDown(Plan.from_dict(plan), body["feedback"]))
    return tuple(found[:-1] if _decided_last(records) else found)


def _progress(records: Sequence[Record], plan: Plan) -> Progress:
    """Return what a walk over the plan starts from."""
    progress = Progress()
    asked_for: ReplanDue | None = None
    for record in records:
        body = record.body
        if record.kind == "step_state":
            progress.moved(body["step_id"], StepState(body["after"]))
        elif record.kind == "observation":
            progress.observed(observation_from_json(body))
        elif record.kind == "arguments_filled":
            progress.used.update(body["sources"])
        elif record.kind == "replan":
            asked_for = _due(body)
        elif record.kind in {"plan", "replan_failed"} and asked_for is not None:
            progress.answered(asked_for)  # one that was broken off is asked for again
            asked_for = None
    causes = {body["cause"] for body in _bodies(records, "replan")}
    progress.realigned, progress.validated = "divergence" in causes, "validation" in causes
    progress.not_taken = _not_taken(plan, progress.states)
    progress.attempts = _attempts(records)
    return progress


def _due(body: dict[str, Any]) -> ReplanDue:
    names = ("cause", "error_class", "reason")
    return ReplanDue(steps=tuple(body["steps"]), **{name: body[name] for name in names})


def _not_taken(plan: Plan, states: dict[int, StepState]) -> set[int]:
    """Return the steps that were skipped since their condition was not met."""
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
    """Return how many attempts each step has used up.

    One that was interrupted counts only if it may have had an effect.
    """
    used: dict[int, int] = {}
    for record in records:
        if record.kind == "observation" and record.body["status"] != "skipped":
            call = record.body["call"]
        elif record.kind == "call_started" and _may_have_had_effect(record.body):
            call = record.body
        else:
            continue
        used[call["step_id"]] = max(used.get(call["step_id"], 0), call["attempt"])
    return used


def _interrupted(step_id: int, records: Sequence[Record]) -> Interrupted:
    """Return what is known of a step that was running."""
    seen: Observation | None = None
    call: ToolCall | None = None
    for record in records:
        body = record.body
        if record.kind == "step_state" and body["step_id"] == step_id:
            seen = call = None
        elif record.kind == "call_started" and body["step_id"] == step_id:
            seen, call = None, _call(body) if _may_have_had_effect(body) else None
        elif record.kind == "observation" and body["call"]["step_id"] == step_id:
            seen, call = observation_from_json(body), None
    return Interrupted(step_id=step_id, seen=seen, call=call)


def lost_calls(records: Iterable[Record]) -> list[ToolCall]:
    """Return the calls that may have had their effect, and whose end was not written down."""
    begun: dict[int, ToolCall] = {}
    for record in records:
        if record.kind == "call_started" and _may_have_had_effect(record.body):
            begun[record.body["step_id"]] = _call(record.body)
        elif record.kind == "observation":
            begun.pop(record.body["call"]["step_id"], None)
    return list(begun.values())


def _may_have_had_effect(started: dict[str, Any]) -> bool:
    return bool(NOT_REPEATABLE & set(started["effects"]))


def _call(started: dict[str, Any]) -> ToolCall:
    names = ("step_id", "tool", "args", "plan_version", "attempt")
    return ToolCall(**{name: started[name] for name in names})


def _terminal_folder(observations: Sequence[Observation]) -> str:
    """Return where the last command left the terminal; it may have said `cd`."""
    for seen in reversed(observations):
        if seen.call.tool == _TERMINAL and isinstance(seen.raw, dict) and "cwd" in seen.raw:
            return str(seen.raw["cwd"])
    return ""
