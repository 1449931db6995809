"""What a walk over a plan starts from, what it leaves behind, and how it came to an end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from okso_jupyter.errors import ErrorClass
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.states import StepState

#: Why another plan is due: a failure that no retry helps, several failures one after another, a
#: step that went another way than planned, an answer that was not good enough, or a person's word.
#: Where "up_to" is the cause, the plan may stay: its next steps were not approved yet.
ReplanCause = Literal["failure", "in_a_row", "divergence", "validation", "feedback", "up_to"]

_FAILED: Final = frozenset({StepState.FAILED, StepState.UNCERTAIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplanDue:
    """Word that the rest of a plan should be planned anew.

    Attributes:
        cause: Why.
        steps: Ids of the steps that failed or went another way, in the order in which they did;
            those that are to be asked about where a plan was approved up to a step.
        error_class: Class of the last failure; None where nothing failed.
        reason: The same in words, for planner and person.
    """

    cause: ReplanCause
    steps: tuple[int, ...]
    error_class: ErrorClass | None
    reason: str


@dataclass(slots=True, kw_only=True)
class PlanProgress:
    """How far a run is: empty for a fresh one, and all that the next walk has to know.

    It can be made again from the journal: states and observations are what was written there.

    Attributes:
        states: State of every step that was looked at, by id; steps that are missing are pending.
        observations: Every attempt, skip and answer, in the order in which they ended.
        used: Ids of the steps whose output went into a later step.
        not_taken: Ids of the steps whose condition was not met: a branch not taken satisfies
            those that wait for it.
        attempts: Attempts that were begun, by step id.
        failures_in_a_row: Steps that failed since the last one that completed, or since another
            plan was asked for.
        replanned: Ids of the failed steps for which another plan was asked for.
        realigned: Whether a step that went another way than planned was reported; one new plan
            brings the run back on its way, and a second one is not asked for.
        validated: Whether an answer was checked; a second one is given as it is.
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

    #: What completed, what failed, and with which words: kept apart, since every step asks.
    completed: list[Observation] = field(init=False)
    failed: list[int] = field(init=False)
    failures: dict[int, Observation] = field(init=False)
    #: Ids of the steps whose last failure was a fatal one.
    fatal: set[int] = field(init=False)

    def __post_init__(self) -> None:
        """Sort out what is known already."""
        self.completed = [o for o in self.observations if o.status == "completed"]
        self.failed = [i for i, state in self.states.items() if state in _FAILED]
        self.failures = {o.call.step_id: o for o in self.observations if o.status == "failed"}
        self.fatal = {i for i, seen in self.failures.items() if seen.error_class == "fatal"}

    def state(self, step_id: int) -> StepState:
        """Return where a step stands."""
        return self.states.get(step_id, StepState.PENDING)

    def moved(self, step_id: int, state: StepState) -> None:
        """Take in that a step stands elsewhere now."""
        self.states[step_id] = state
        if state in _FAILED:
            self.failed.append(step_id)
            self.failures_in_a_row += 1
        elif state is StepState.COMPLETED:
            self.failures_in_a_row = 0

    def observed(self, observation: Observation) -> None:
        """Take in what a call came to."""
        self.observations.append(observation)
        if observation.status == "completed":
            self.completed.append(observation)
        elif observation.status == "failed":
            step_id = observation.call.step_id
            self.failures[step_id] = observation
            (self.fatal.add if observation.error_class == "fatal" else self.fatal.discard)(step_id)

    def forget(self, step_ids: Collection[int]) -> None:
        """Take in that steps are looked at as if they had not failed or been skipped before."""
        self.failed = [step_id for step_id in self.failed if step_id not in step_ids]
        for step_id in step_ids:
            self.failures.pop(step_id, None)
        for known in (self.fatal, self.replanned, self.not_taken):
            known.difference_update(step_ids)
        self.failures_in_a_row = 0

    def answered(self, due: ReplanDue) -> None:
        """Take in that another plan was asked for: the same failures don't ask again."""
        self.replanned.update(due.steps)
        self.failures_in_a_row = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a walk came to an end.

    Attributes:
        observations: Every attempt and skip, in order.
        states: State of every step, by id.
        answer: The answer, or what went wrong in its place; empty for a walk that goes on later.
        failed: Whether a failed step was left without a completed stand-in.
        paused: Whether steps were left because a pause was asked for.
        due: What has to be planned anew before the walk can go on, or None.
    """

    observations: tuple[Observation, ...]
    states: dict[int, StepState]
    answer: str
    failed: bool
    paused: bool = False
    due: ReplanDue | None = None
