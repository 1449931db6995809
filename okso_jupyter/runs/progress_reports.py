"""ProgressReporter: reports the progress of a plan's steps to a listener."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.errors import OksoError, error_text
from okso_jupyter.kernel import interrupt
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.plan_graph import FAILED, is_lost, stand_ins
from okso_jupyter.plan.states import StepState
from okso_jupyter.redaction.redactor import redact
from okso_jupyter.views.call_sentence import call_sentence

_DONE: Final = frozenset({StepState.COMPLETED, StepState.SKIPPED})


@dataclass(slots=True)
class ProgressReporter:
    """Turns step changes into events: one before and one after each step, however it ends.

    A skipped step does not start and has one event.
    An error of the listener is logged once and does not affect the run; a Stop in it does.

    Attributes:
        plan: The plan that runs.
        on_event: Called with plan (its version), step (id), title, total and completed (steps),
            progress (0 to 1; skipped steps count as done, and so do failed ones that other steps
            replaced), status and reason.
    """

    plan: Plan
    on_event: Callable[[Mapping[str, Any]], object] | None
    _states: dict[int, StepState] = field(default_factory=dict)
    _has_failed: bool = False
    #: Number of steps per state of `_counted`, updated at each change: a recount takes long.
    _counts: Counter[StepState | None] = field(default_factory=Counter)
    _counted: Plan | None = None
    _failed: set[int] = field(default_factory=set)
    _stand_ins: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def step(self, step: Step, state: StepState, reason: str) -> None:
        """Record a step change and report it."""
        before, self._states[step.id] = self._states.get(step.id), state
        if self._counted is self.plan:
            self._counts[before] -= 1
            self._counts[state] += 1
            (self._failed.add if state in FAILED else self._failed.discard)(step.id)
        else:
            self._count()
        self._report(step, state, reason)

    def _count(self) -> None:
        """Count the steps of a new version of the plan."""
        self._counts = Counter(self._states.get(one.id) for one in self.plan.steps)
        self._failed = {one.id for one in self.plan.steps if self._states.get(one.id) in FAILED}
        self._stand_ins = stand_ins(self.plan)
        self._counted = self.plan

    def _done(self) -> int:
        """Return how many steps are done, or failed and were replaced by others."""

        def state_of(step_id: int) -> StepState:
            return self._states.get(step_id, StepState.PENDING)

        lost = sum(is_lost(step_id, self._stand_ins, state_of) for step_id in self._failed)
        return sum(self._counts[state] for state in _DONE) + len(self._failed) - lost

    @contextmanager
    def to_the_end(self) -> Iterator[None]:
        """Report the running steps as ended if an exception ends them, and re-raise it."""
        try:
            yield
        except BaseException as error:
            failed = isinstance(error, OksoError)
            state = StepState.FAILED if failed else StepState.UNCERTAIN
            reason = error.message if isinstance(error, OksoError) else type(error).__name__
            for step in self.plan.steps:
                if self._states.get(step.id) is StepState.RUNNING:
                    self.step(step, state, reason)
            raise

    def _report(self, step: Step, state: StepState, reason: str) -> None:
        if self.on_event is None:
            return
        total, counts = len(self.plan.steps), self._counts
        event = {
            "plan": self.plan.version,
            "step": step.id,
            "title": redact(call_sentence(step)),
            "total": total,
            "completed": counts[StepState.COMPLETED],
            "progress": self._done() / total,
            "status": str(state),
            "reason": redact(reason),
        }
        try:
            with interrupt.let_through():
                self.on_event(event)
        except Exception as error:  # noqa: BLE001  a listener is foreign code
            if not self._has_failed:
                extra = {"detail": error_text(error)}
                LOGGER.warning("on_event failed; the run continues", extra=extra)
            self._has_failed = True
