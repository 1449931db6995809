"""Reconciles the steps that an interruption left open: settles each, or asks a person.

No effect is repeated: a step that was interrupted during an effect is uncertain, and runs again
only if a person decides so. Approvals hold if they can be restored exactly from the journal; for
all other steps approval is asked for again before anything runs.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.approval.decisions import Decisions
from okso_jupyter.approval.policy import Approver
from okso_jupyter.effects.effect import NOT_REPEATABLE
from okso_jupyter.errors import UsageError
from okso_jupyter.execution.step_log import StepLog
from okso_jupyter.journal.older_records import is_older
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.plan import Condition, Plan, Step, attempts_of
from okso_jupyter.plan.plan_graph import is_lost, stand_ins
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.plan.states import RunState, StepEvent, StepState
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.results import read_run
from okso_jupyter.resume.rebuild import InterruptedStep, RebuiltRun, rebuilt
from okso_jupyter.resume.uncertain import QUESTION, Answer, answer_of
from okso_jupyter.settings import Settings

_NOT_SAID: Final = "its process ended while it ran"
_UNCERTAIN: Final = f"whether it took effect is not known. Have a look: {QUESTION}"
_NO_VARIABLES: Final = "the variables of Python are gone since the run was interrupted"
_SECRET_GONE: Final = f"the journal holds {REDACTED} in place of a secret, and so would the call"
_STOPPED: Final = "it was stopped while it ran"
_HAS_CHANGED: Final = "it failed, and had changed files before"
_OLDER: Final = "an earlier version planned it, where file_write without a mode replaced the file"
_NOT_COVERED: Final = "its approval was not given, or is used up"


def reconciled(  # noqa: PLR0913  all but the first are objects of its run
    found: RebuiltRun,
    plan: Plan,
    decisions: Decisions,
    settings: Settings,
    recorder: RunRecorder,
    *,
    said: Mapping[int, Approver],
) -> bool:
    """Prepare an interrupted run for execution; return whether it may be resumed.

    Args:
        found: Its rebuilt state.
        plan: The plan to resume.
        decisions: Obtains decisions, and holds the earlier ones.
        settings: The settings of the run.
        recorder: The run's journal.
        said: Answers for uncertain steps that were given in advance, by step id.

    Raises:
        UsageError: An answer was given for a step that is not uncertain.
        ApprovalError: No approver was available, or none decided in time; nothing has run.
    """
    settling = _Settling(
        plan=plan,
        found=found,
        decisions=decisions,
        settings=settings,
        step_log=_silent_step_log(recorder, found.progress, plan),
    )
    settling.settle()
    settling.settle_uncertain(said)
    return settling.ask()


def record_lost_calls(recorder: RunRecorder) -> None:
    """Record as uncertain every call of an interrupted run that has no recorded result.

    An interrupt may come between an effect and its record.
    """
    found = rebuilt(read_run(recorder.journal, recorder.run_id))
    step_log = _silent_step_log(recorder, found.progress, found.plan)
    for call in found.lost_calls:
        if found.progress.state(call.step_id) is StepState.RUNNING:
            _lose(step_log, found.plan.step(call.step_id), call)
        else:
            step_log.remark(call, "uncertain", _NOT_SAID)


def _silent_step_log(recorder: RunRecorder, progress: PlanProgress, plan: Plan) -> StepLog:
    """Return a step log that records the steps of a plan without reporting them."""
    return StepLog(
        recorder=recorder,
        progress=progress,
        on_step=lambda *_: None,
        plan_version=plan.version,
    )


def _lose(step_log: StepLog, step: Step, call: ToolCall) -> None:
    """Record that the outcome of a call is unknown."""
    step_log.progress.observed(step_log.remark(call, "uncertain", _NOT_SAID))
    step_log.move(step, StepEvent.LOSE, _NOT_SAID)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settling:
    """Prepares a run for execution.

    Attributes:
        plan: The plan to resume.
        found: The rebuilt state of the run.
        decisions: Obtains decisions, and holds the earlier ones.
        step_log: Records the changes of each step.
        settings: The settings of the run.
    """

    plan: Plan
    found: RebuiltRun
    decisions: Decisions
    step_log: StepLog
    settings: Settings

    def settle(self) -> None:
        """Move every step that was running to its actual state, as far as that is known."""
        for interrupted in self.found.interrupted:
            step = self.plan.step(interrupted.step_id)
            if interrupted.call is not None:
                _lose(self.step_log, step, interrupted.call)
            else:
                self.step_log.move(step, self._event(step, interrupted), _reason(interrupted))
        self._let_run_again()

    def _let_run_again(self) -> None:
        """Reset stopped steps to run again; in a failed run also failed steps and dependents."""
        progress, anew = self.step_log.progress, set[int]()
        those = stand_ins(self.plan)
        is_failed = self.found.state is RunState.FAILED
        lost = {s.id for s in self.plan.steps if is_lost(s.id, those, progress.state)}
        for step in self.plan.steps:
            state = progress.state(step.id)
            if state is StepState.CANCELLED and self._may_have_had_effect(step):
                self.step_log.move(step, StepEvent.LOSE, _STOPPED)
            elif state is StepState.CANCELLED or (
                is_failed and self._is_tried_again(step, state, lost)
            ):
                self.step_log.move(step, StepEvent.RESUME, "the run is resumed")
                anew.add(step.id)
        progress.forget(anew)

    def _is_tried_again(self, step: Step, state: StepState, lost: Container[int]) -> bool:
        """Return whether a step of a failed run is tried again."""
        if state is StepState.SKIPPED:
            named = step.condition and Condition.parse(step.condition, step=step.id).step_id
            return not named or step.id not in self.step_log.progress.not_taken or named in lost
        if state is StepState.COMPLETED:
            return step.is_final
        return state is StepState.FAILED and step.id in lost

    def _may_have_had_effect(self, step: Step) -> bool:
        """Return whether a step was stopped during a call with a lasting effect."""
        seen = self._last_seen(step)
        return (
            seen is not None
            and seen.status == "cancelled"
            and bool(self.decisions.request_builder.effects_of(seen.call) & NOT_REPEATABLE)
        )

    def _last_seen(self, step: Step) -> Observation | None:
        """Return the observation of the last attempt at a step."""
        seen = self.step_log.progress.observations
        return next((one for one in reversed(seen) if one.call.step_id == step.id), None)

    def settle_uncertain(self, said: Mapping[int, Approver]) -> None:
        """Ask for every uncertain step whether it was done, runs again or is left out.

        Args:
            said: Answers that were given in advance, by step id.

        Raises:
            UsageError: An answer was given for a step that is not uncertain.
            ApprovalError: No approver was available, or none decided in time; nothing has run.
        """
        progress = self.step_log.progress
        steps = [s for s in self.plan.steps if progress.state(s.id) is StepState.UNCERTAIN]
        unknown = said.keys() - {step.id for step in steps}
        if unknown:
            known = ", ".join(str(step.id) for step in steps) or "none"
            msg = f"step {min(unknown)} is not uncertain"
            raise UsageError(msg, hint=f"of this run uncertain: {known}")
        for step in steps:
            policy = said.get(step.id, self.decisions.policy)
            deciding = replace(self.decisions, policy=policy)
            self._settle_as(step, answer_of(deciding.about_uncertain(self.plan, step, _UNCERTAIN)))

    def _settle_as(self, step: Step, answer: Answer) -> None:
        """Record the answer about an uncertain step."""
        if answer.what == "again":
            self.step_log.move(step, StepEvent.RESUME, "a person lets it run again")
        elif answer.what == "leave out":
            self.step_log.move(step, StepEvent.SKIP, "a person leaves it out")
        elif answer.what == "done":
            seen = self._last_seen(step)
            call = seen.call if seen is not None else self.step_log.planned_call(step)
            done = self.step_log.remark(call, "completed", answer.result)
            self.step_log.progress.observed(done)
            self.step_log.move(step, StepEvent.SUCCEED, "a person found it done")

    def ask(self) -> bool:
        """Ask about every step that needs a new approval; return whether the run may be resumed.

        Raises:
            ApprovalError: No approver was available, or none decided in time; nothing has run.
        """
        return all(
            self._asked(step, doubt, needs_person=doubt in {_SECRET_GONE, _HAS_CHANGED})
            for step in self.plan.steps
            if self.step_log.progress.state(step.id) is StepState.PENDING and not step.is_final
            for doubt in [self._doubt(step)]
            if doubt
        )

    def _asked(self, step: Step, note: str, *, needs_person: bool) -> bool:
        return self.decisions.about_resumed(
            self.plan, step, f"resumed: {note}", needs_person=needs_person
        )

    def _doubt(self, step: Step) -> str:
        """Return why the approval of a pending step no longer holds; empty if it does."""
        if not self.decisions.gate.is_good(step.id):
            if REDACTED in str(dict(step.args)):
                return _SECRET_GONE
            seen = self._last_seen(step)
            if seen is not None and seen.changes.details:
                return _HAS_CHANGED
            # a held step is asked about with the rest of the plan, when the run reaches it
            if step.id in self.decisions.held:
                return ""
            begun = self.found.run.beginning
            return _OLDER if begun and is_older(begun.meaning) else _NOT_COVERED
        lost = self.found.used_python and self.settings.python_state == "persist"
        return _NO_VARIABLES if lost and step.tool == "python_repl" else ""

    def _event(self, step: Step, interrupted: InterruptedStep) -> StepEvent:
        """Return the event for a step whose last call has a known outcome."""
        seen = interrupted.seen
        if seen is None or self._may_try_again(step, seen):
            return StepEvent.RESUME
        return {
            "completed": StepEvent.SUCCEED,
            "uncertain": StepEvent.LOSE,
            "cancelled": StepEvent.CANCEL,
        }.get(seen.status, StepEvent.FAIL)

    def _may_try_again(self, step: Step, seen: Observation) -> bool:
        """Return whether a failed step has an attempt left that may succeed."""
        return (
            seen.status == "failed"
            and seen.error_class == "transient"
            and not self.decisions.request_builder.effects_of(seen.call) & NOT_REPEATABLE
            and seen.call.attempt < attempts_of(step, self.settings.plan_max_retries)
        )


def _reason(interrupted: InterruptedStep) -> str:
    if interrupted.seen is None:
        return "its process ended before it took effect"
    return interrupted.seen.error
