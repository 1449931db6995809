"""Reconciles calls that an interruption left open: settles them, or asks.

Nothing that took effect is done again: a step that died in the middle of an effect is uncertain,
and runs again only if a person who had a look says so. Approvals hold as far as they can be read
back to the letter; what they cannot cover any more is asked about before anything runs.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.approval.decisions import Decisions
from okso_jupyter.approval.policy import Approver
from okso_jupyter.effects.effect import NOT_REPEATABLE
from okso_jupyter.errors import UsageError
from okso_jupyter.execution.plan_progress import PlanProgress
from okso_jupyter.execution.step_log import StepLog
from okso_jupyter.journal.older_records import is_older
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.plan import Condition, Plan, Step, attempts_of
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.plan.recovery import is_lost, stand_ins
from okso_jupyter.plan.states import RunState, StepEvent, StepState
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.results import read_run
from okso_jupyter.resume.rebuild import InterruptedStep, RebuiltRun, lost_calls, rebuilt
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


def reconciled(  # noqa: PLR0913  all but the first are what its run has
    found: RebuiltRun,
    plan: Plan,
    decisions: Decisions,
    settings: Settings,
    recorder: RunRecorder,
    *,
    said: Mapping[int, Approver],
) -> bool:
    """Make an interrupted run ready to go on; return whether it may.

    Args:
        found: What the journal knows of it.
        plan: The plan that is gone on with.
        decisions: Gets decisions; knows those that were taken.
        settings: The settings of the run.
        recorder: The run's journal.
        said: Answers for uncertain steps that were given beforehand, by step id.

    Raises:
        UsageError: One was given for a step that is not uncertain.
        ApprovalError: Nobody could decide, or did in time; nothing has run.
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
    """Write down as uncertain every call of a broken-off run whose end was not written down.

    An interrupt may fall between an effect and the record of it.
    """
    found = rebuilt(read_run(recorder.journal, recorder.run_id))
    step_log = _silent_step_log(recorder, found.progress, found.plan)
    for call in lost_calls(found.run.records):
        if found.progress.state(call.step_id) is StepState.RUNNING:
            _lose(step_log, found.plan.step(call.step_id), call)
        else:
            step_log.remark(call, "uncertain", _NOT_SAID)


def _silent_step_log(recorder: RunRecorder, progress: PlanProgress, plan: Plan) -> StepLog:
    """Return what takes down the steps of a plan and tells nobody."""
    return StepLog(
        recorder=recorder,
        progress=progress,
        on_step=lambda *_: None,
        plan_version=plan.version,
    )


def _lose(step_log: StepLog, step: Step, call: ToolCall) -> None:
    """Take down that nobody knows what became of a call."""
    step_log.progress.observed(step_log.remark(call, "uncertain", _NOT_SAID))
    step_log.move(step, StepEvent.LOSE, _NOT_SAID)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settling:
    """Makes a run ready to go on.

    Attributes:
        plan: The plan that is gone on with.
        found: What the journal knows of it.
        decisions: Gets decisions; knows those that were taken.
        step_log: Takes down what becomes of each step.
        settings: The settings of the run.
    """

    plan: Plan
    found: RebuiltRun
    decisions: Decisions
    step_log: StepLog
    settings: Settings

    def settle(self) -> None:
        """Give every step that was running the state that it is in, as far as that is known."""
        for interrupted in self.found.interrupted:
            step = self.plan.step(interrupted.step_id)
            if interrupted.call is not None:
                _lose(self.step_log, step, interrupted.call)
            else:
                self.step_log.move(step, self._event(step, interrupted), _reason(interrupted))
        self._let_run_again()

    def _let_run_again(self) -> None:
        """Let what was stopped run again; in a run that failed, what failed and what hung on it."""
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
                self.step_log.move(step, StepEvent.RESUME, "the run is gone on with")
                anew.add(step.id)
        progress.forget(anew)

    def _is_tried_again(self, step: Step, state: StepState, lost: Container[int]) -> bool:
        """Say whether a step of a run that failed is looked at once more."""
        if state is StepState.SKIPPED:
            named = step.condition and Condition.parse(step.condition, step=step.id).step_id
            return not named or step.id not in self.step_log.progress.not_taken or named in lost
        if state is StepState.COMPLETED:
            return step.is_final
        return state is StepState.FAILED and step.id in lost

    def _may_have_had_effect(self, step: Step) -> bool:
        """Say whether a step was stopped within a call that leaves something behind."""
        seen = self._last_seen(step)
        return (
            seen is not None
            and seen.status == "cancelled"
            and bool(self.decisions.request_builder.effects_of(seen.call) & NOT_REPEATABLE)
        )

    def _last_seen(self, step: Step) -> Observation | None:
        """Return how the last attempt at a step came out."""
        seen = self.step_log.progress.observations
        return next((one for one in reversed(seen) if one.call.step_id == step.id), None)

    def settle_uncertain(self, said: Mapping[int, Approver]) -> None:
        """Have somebody say of every uncertain step what became of it, or is to become of it.

        Args:
            said: What was said beforehand, by step id.

        Raises:
            UsageError: It was said of a step that is not uncertain.
            ApprovalError: Nobody could decide, or did in time; nothing has run.
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
        """Take down what was said of an uncertain step."""
        if answer.what == "again":
            self.step_log.move(step, StepEvent.RESUME, "a person lets it run again")
        elif answer.what == "leave out":
            self.step_log.move(step, StepEvent.SKIP, "a person leaves it out")
        elif answer.what == "done":
            seen = self._last_seen(step)
            call = seen.call if seen is not None else self.step_log.first_call(step)
            done = self.step_log.remark(call, "completed", answer.result)
            self.step_log.progress.observed(done)
            self.step_log.move(step, StepEvent.SUCCEED, "a person found it done")

    def ask(self) -> bool:
        """Ask about every step that cannot simply go on; return whether the run may.

        Raises:
            ApprovalError: Nobody could decide, or did in time; nothing has run.
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
        """Return why the approval of a pending step does not hold any more, or an empty text."""
        if not self.decisions.gate.is_good(step.id):
            if REDACTED in str(dict(step.args)):
                return _SECRET_GONE
            seen = self._last_seen(step)
            if seen is not None and seen.changes.details:
                return _HAS_CHANGED
            # one that is held is asked about with the rest, when the run comes to it
            if step.id in self.decisions.held:
                return ""
            begun = self.found.run.beginning
            return _OLDER if begun and is_older(begun.meaning) else _NOT_COVERED
        lost = self.found.used_python and self.settings.python_state == "persist"
        return _NO_VARIABLES if lost and step.tool == "python_repl" else ""

    def _event(self, step: Step, interrupted: InterruptedStep) -> StepEvent:
        """Return what became of a step whose last call left nothing unknown."""
        seen = interrupted.seen
        if seen is None or self._may_try_again(step, seen):
            return StepEvent.RESUME
        return {
            "completed": StepEvent.SUCCEED,
            "uncertain": StepEvent.LOSE,
            "cancelled": StepEvent.CANCEL,
        }.get(seen.status, StepEvent.FAIL)

    def _may_try_again(self, step: Step, seen: Observation) -> bool:
        """Say whether a failed step has an attempt left that may help."""
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
