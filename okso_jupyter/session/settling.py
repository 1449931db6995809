"""Settling: what an interrupted run was in the middle of is brought to an end, or asked about.

Nothing that took effect is done again: a step that died in the middle of an effect is uncertain,
and runs again only if a person who had a look says so. Approvals hold as far as they can be read
back to the letter; what they cannot cover any more is asked about before anything runs.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from okso_jupyter.execution.logbook import Logbook
from okso_jupyter.execution.progress import Progress
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.plan.effects import NOT_REPEATABLE
from okso_jupyter.plan.plan import Condition, Plan, Step, attempts_of
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.plan.recovery import is_lost, stand_ins
from okso_jupyter.plan.states import RunState, StepEvent, StepState
from okso_jupyter.redaction import REDACTED
from okso_jupyter.run import read_run
from okso_jupyter.session.deciding import Decisions
from okso_jupyter.session.recovering import Interrupted, Recovered, lost_calls, recovered
from okso_jupyter.settings import Settings

_NOT_SAID: Final = "its process ended while it ran"
_UNCERTAIN: Final = (
    f"{_NOT_SAID}: whether it took effect is not known. Have a look; approve to run it again, "
    "reject to leave it as it is"
)
_NO_VARIABLES: Final = "the variables of Python are gone since the run was interrupted"
_SECRET_GONE: Final = f"the journal holds {REDACTED} in place of a secret, and so would the call"
_STOPPED: Final = "it was stopped while it ran"
_HAS_CHANGED: Final = "it failed, and had changed files before"
_NOT_COVERED: Final = "its approval was not given, or is used up"


def settled(
    found: Recovered,
    plan: Plan,
    decisions: Decisions,
    settings: Settings,
    recorder: RunRecorder,
) -> bool:
    """Make an interrupted run ready to go on; return whether it may.

    Args:
        found: What the journal knows of it.
        plan: The plan that is gone on with.
        decisions: Gets decisions; knows those that were taken.
        settings: The settings of the run.
        recorder: The run's journal.

    Raises:
        ApprovalError: Nobody could decide, or did in time; nothing has run.
    """
    settling = _Settling(
        plan=plan,
        found=found,
        decisions=decisions,
        settings=settings,
        logbook=_silent_logbook(recorder, found.progress, plan),
    )
    settling.settle()
    return settling.ask()


def note_lost_calls(recorder: RunRecorder) -> None:
    """Write down as uncertain every call of a broken-off run whose end was not written down.

    An interrupt may fall between an effect and the record of it.
    """
    found = recovered(read_run(recorder.journal, recorder.run_id))
    logbook = _silent_logbook(recorder, found.progress, found.plan)
    for call in lost_calls(found.run.records):
        if found.progress.state(call.step_id) is StepState.RUNNING:
            _lose(logbook, found.plan.step(call.step_id), call)
        else:
            logbook.remark(call, "uncertain", _NOT_SAID)


def _silent_logbook(recorder: RunRecorder, progress: Progress, plan: Plan) -> Logbook:
    """Return what takes down the steps of a plan and tells nobody."""
    return Logbook(
        recorder=recorder,
        progress=progress,
        on_step=lambda *_: None,
        plan_version=plan.version,
    )


def _lose(logbook: Logbook, step: Step, call: ToolCall) -> None:
    """Take down that nobody knows what became of a call."""
    logbook.progress.observed(logbook.remark(call, "uncertain", _NOT_SAID))
    logbook.move(step, StepEvent.LOSE, _NOT_SAID)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settling:
    """Makes a run ready to go on.

    Attributes:
        plan: The plan that is gone on with.
        found: What the journal knows of it.
        decisions: Gets decisions; knows those that were taken.
        logbook: Takes down what becomes of each step.
        settings: The settings of the run.
    """

    plan: Plan
    found: Recovered
    decisions: Decisions
    logbook: Logbook
    settings: Settings

    def settle(self) -> None:
        """Give every step that was running the state that it is in, as far as that is known."""
        for interrupted in self.found.interrupted:
            step = self.plan.step(interrupted.step_id)
            if interrupted.call is not None:
                _lose(self.logbook, step, interrupted.call)
            else:
                self.logbook.move(step, self._event(step, interrupted), _reason(interrupted))
        self._let_run_again()

    def _let_run_again(self) -> None:
        """Let what was stopped run again; in a run that failed, what failed and what hung on it."""
        progress, anew = self.logbook.progress, set[int]()
        those = stand_ins(self.plan)
        is_failed = self.found.state is RunState.FAILED
        lost = {s.id for s in self.plan.steps if is_lost(s.id, those, progress.state)}
        for step in self.plan.steps:
            state = progress.state(step.id)
            if state is StepState.CANCELLED and self._may_have_had_effect(step):
                self.logbook.move(step, StepEvent.LOSE, _STOPPED)
            elif state is StepState.CANCELLED or (
                is_failed and self._is_tried_again(step, state, lost)
            ):
                self.logbook.move(step, StepEvent.RESUME, "the run is gone on with")
                anew.add(step.id)
        progress.forget(anew)

    def _is_tried_again(self, step: Step, state: StepState, lost: Container[int]) -> bool:
        """Say whether a step of a run that failed is looked at once more."""
        if state is StepState.SKIPPED:
            named = step.condition and Condition.parse(step.condition, step=step.id).step_id
            return not named or step.id not in self.logbook.progress.not_taken or named in lost
        if state is StepState.COMPLETED:
            return step.is_final
        return state is StepState.FAILED and step.id in lost

    def _may_have_had_effect(self, step: Step) -> bool:
        """Say whether a step was stopped within a call that leaves something behind."""
        seen = self._last_seen(step)
        return (
            seen is not None
            and seen.status == "cancelled"
            and bool(self.decisions.proposer.effects_of(seen.call) & NOT_REPEATABLE)
        )

    def _last_seen(self, step: Step) -> Observation | None:
        """Return how the last attempt at a step came out."""
        seen = self.logbook.progress.observations
        return next((one for one in reversed(seen) if one.call.step_id == step.id), None)

    def ask(self) -> bool:
        """Ask about every step that cannot simply go on; return whether the run may.

        Raises:
            ApprovalError: Nobody could decide, or did in time; nothing has run.
        """
        for step in self.plan.steps:
            is_uncertain = self.logbook.progress.state(step.id) is StepState.UNCERTAIN
            if is_uncertain and self._asked(step, _UNCERTAIN, needs_person=True):
                self.logbook.move(step, StepEvent.RESUME, "a person lets it run again")
        return all(
            self._asked(step, doubt, needs_person=doubt in {_SECRET_GONE, _HAS_CHANGED})
            for step in self.plan.steps
            if self.logbook.progress.state(step.id) is StepState.PENDING and not step.is_final
            for doubt in [self._doubt(step)]
            if doubt
        )

    def _asked(self, step: Step, note: str, *, needs_person: bool) -> bool:
        return self.decisions.about_resumed(
            self.plan, step, f"resumed: {note}", needs_person=needs_person
        )

    def _doubt(self, step: Step) -> str:
        """Return why the approval of a pending step does not hold any more, or an empty text."""
        if not self.decisions.clearance.is_good(step.id):
            if REDACTED in str(dict(step.args)):
                return _SECRET_GONE
            seen = self._last_seen(step)
            if seen is not None and seen.changes.details:
                return _HAS_CHANGED
            # one that is held is asked about with the rest, when the run comes to it
            return "" if step.id in self.decisions.held else _NOT_COVERED
        lost = self.found.used_python and self.settings.python_state == "persist"
        return _NO_VARIABLES if lost and step.tool == "python_repl" else ""

    def _event(self, step: Step, interrupted: Interrupted) -> StepEvent:
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
            and not self.decisions.proposer.effects_of(seen.call) & NOT_REPEATABLE
            and seen.call.attempt < attempts_of(step, self.settings.plan_max_retries)
        )


def _reason(interrupted: Interrupted) -> str:
    if interrupted.seen is None:
        return "its process ended before it took effect"
    return interrupted.seen.error
