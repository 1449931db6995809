"""Progress of a run through its plan, requests for a new plan, and the outcome."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from okso_jupyter.errors import ErrorClass
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.states import StepState

#: Why a new plan is due: a fatal failure, several failures in a row, a step that diverged from the
#: plan, an answer that failed validation, or a person's feedback. With "up_to" the plan may stay:
#: its next steps have not been approved yet; with "budget" too: they would
#: spend more than is allowed.
ReplanCause = Literal[
    "failure", "in_a_row", "divergence", "validation", "feedback", "up_to", "budget"
]

_FAILED: Final = frozenset({StepState.FAILED, StepState.UNCERTAIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplanDue:
    """A request to plan the rest of a plan again.

    Attributes:
        cause: The cause.
        steps: Ids of the steps that failed or diverged, in the order in which they did so; for
            "up_to", the steps that need an approval; none for "budget".
        error_class: Class of the last failure; None if nothing failed.
        reason: The cause in words, for planner and person.
    """

    cause: ReplanCause
    steps: tuple[int, ...]
    error_class: ErrorClass | None
    reason: str


@dataclass(slots=True, kw_only=True)
class PlanProgress:
    """Progress of a run: empty at its start, and everything the next plan execution needs.

    It can be rebuilt from the journal, which records states and observations.

    Attributes:
        states: State of every step handled so far, by id; missing steps are pending.
        observations: Every attempt, skip and answer, in the order in which they ended.
        used: Ids of the steps whose output went into a later step.
        not_taken: Ids of the steps whose condition was not met: a branch not taken satisfies
            the steps that wait for it.
        attempts: Number of attempts begun, by step id.
        failures_in_a_row: Failed steps since the last completed one or the last request for a
            new plan.
        replanned: Ids of the failed steps for which a new plan was requested.
        realigned: Whether a divergence from the plan was reported; a new plan is requested for
            it only once.
        validated: Whether an answer was checked; a second one is not checked.
    """

    states: dict[int, StepState] = field(default_factory=dict)
    observations: list[Observation] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    not_taken: set[int] = field(default_factory=set)
    attempts: dict[int, int] = field(default_factory=dict)
    failures_in_a_row: int = 0
    replanned: set[int] = field(default_factory=set)
    realigned: bool = False
    validated: bool = False

    #: Completed observations, failed steps and last failures: indexed, since every step reads them.
    completed: list[Observation] = field(init=False)
    failed: list[int] = field(init=False)
    failures: dict[int, Observation] = field(init=False)
    #: Ids of the steps whose last failure was fatal.
    fatal: set[int] = field(init=False)

    def __post_init__(self) -> None:
        """Build the indexes from states and observations."""
        self.completed = [o for o in self.observations if o.status == "completed"]
        self.failed = [i for i, state in self.states.items() if state in _FAILED]
        self.failures = {o.call.step_id: o for o in self.observations if o.status == "failed"}
        self.fatal = {i for i, seen in self.failures.items() if seen.error_class == "fatal"}

    def state(self, step_id: int) -> StepState:
        """Return the state of a step."""
        return self.states.get(step_id, StepState.PENDING)

    def moved(self, step_id: int, state: StepState) -> None:
        """Record the new state of a step."""
        self.states[step_id] = state
        if state in _FAILED:
            self.failed.append(step_id)
            self.failures_in_a_row += 1
        elif state is StepState.COMPLETED:
            self.failures_in_a_row = 0

    def observed(self, observation: Observation) -> None:
        """Record an observation."""
        self.observations.append(observation)
        if observation.status == "completed":
            self.completed.append(observation)
        elif observation.status == "failed":
            step_id = observation.call.step_id
            self.failures[step_id] = observation
            (self.fatal.add if observation.error_class == "fatal" else self.fatal.discard)(step_id)

    def forget(self, step_ids: Collection[int]) -> None:
        """Discard earlier failures and skips of steps."""
        self.failed = [step_id for step_id in self.failed if step_id not in step_ids]
        for step_id in step_ids:
            self.failures.pop(step_id, None)
        for known in (self.fatal, self.replanned, self.not_taken):
            known.difference_update(step_ids)
        self.failures_in_a_row = 0

    def answered(self, due: ReplanDue) -> None:
        """Record that a new plan was requested, so that the same failures request no other one."""
        self.replanned.update(due.steps)
        self.failures_in_a_row = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of executing a plan.

    Attributes:
        observations: Every attempt and skip, in order.
        states: State of every step, by id.
        answer: The answer, or what went wrong instead; empty if the execution continues later.
        failed: Whether a failed step has no completed stand-in.
        paused: Whether steps are left because a pause was requested.
        due: The request for a new plan that is needed to continue, or None.
    """

    observations: tuple[Observation, ...]
    states: dict[int, StepState]
    answer: str
    failed: bool
    paused: bool = False
    due: ReplanDue | None = None
