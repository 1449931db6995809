"""Events of a run as a whole: its start, state, answer, errors, and undo or redo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from okso_jupyter.amounts import number
from okso_jupyter.journal.codec import OMIT_DEFAULT
from okso_jupyter.journal.events.base import Recorded
from okso_jupyter.plan.states import RunEvent, RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Recorded):
    """A run began; the fields identify it and record its environment.

    Attributes:
        request: The request in plain words.
        root: Folder that its tools work in.
        data: Variables passed from the notebook to Python, and those to be taken back.
        settings: Every setting by its name; secrets are redacted.
        tools: Names of the tools in its catalogue.
        versions: Version of each package that affects what is planned or shown.
        python: Version of Python.
        machine: Architecture of the machine.
        process_id: Process that the run began in.
        places: Folders of this machine that a recording replaces by placeholders.
        model: Spec of the model that plans.
        is_replay: Whether it replays a recording.
        meaning: Version of the tools' arguments that it was planned for (`journal.older_records`).
        plan_sha256: Hash of the plan, if one was given instead of being planned; else empty.
        dropped_runs: Runs that were deleted from the journal to make room for it.
        occurrence: Number of this run among those of the same request in its session, from 1.
    """

    kind: ClassVar[str] = "run_started"
    request: str
    root: str
    data: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any]
    tools: tuple[str, ...]
    versions: Mapping[str, str]
    python: str
    machine: str
    process_id: int
    places: Mapping[str, str] = field(default_factory=dict)
    model: str = ""
    is_replay: bool = False
    meaning: int = 0
    plan_sha256: str = ""
    dropped_runs: tuple[str, ...] = ()
    occurrence: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMoved(Recorded):
    """The run changed its state.

    Attributes:
        before: State before.
        event: Event that caused the transition.
        after: State from now on.
    """

    kind: ClassVar[str] = "run_state"
    before: RunState
    event: RunEvent
    after: RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRaised(Recorded):
    """An exception ended or stopped the run.

    Attributes:
        type: Name of the exception's class.
        message: Its message.
    """

    kind: ClassVar[str] = "error"
    type: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDeclined(Recorded):
    """The run stopped because something in it was not approved.

    Attributes:
        reason: What was not approved, and why.
        is_open: Whether it can still be answered differently.
    """

    kind: ClassVar[str] = "declined"
    reason: str
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetReached(Recorded):
    """A budget was used up: the run pauses before what would spend more, and a person is asked.

    Attributes:
        name: The setting, such as "BUDGET_STEPS".
        used: How much was spent.
        limit: How much may be spent.
        unit: The unit of both.
    """

    kind: ClassVar[str] = "budget_reached"
    name: str
    used: float
    limit: float
    unit: str

    @property
    def words(self) -> str:
        """What was used up, in a clause."""
        used, limit = number(self.used), number(self.limit)
        return f"{self.name} is used up: {used} of {limit} {self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetRaised(Recorded):
    """A person let the run spend more than a budget allows.

    Attributes:
        name: The setting, such as "BUDGET_STEPS".
        limit: How much may be spent from now on, in this run.
        unit: Its unit.
    """

    kind: ClassVar[str] = "budget_raised"
    name: str
    limit: float
    unit: str

    @property
    def words(self) -> str:
        """What is allowed now, in a clause."""
        return f"a person raised {self.name} to {number(self.limit)} {self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseRequested(Recorded):
    """A pause before the run's next step was requested.

    Attributes:
        process_id: Process that asked.
    """

    kind: ClassVar[str] = "pause_requested"
    process_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven(Recorded):
    """The run produced its answer.

    Attributes:
        text: The answer; for a dry run what would run, for a failed run the result of each step.
    """

    kind: ClassVar[str] = "answer"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChecked(Recorded):
    """The answer was checked.

    Attributes:
        satisfied: Whether it answers the request.
        reasoning: Why, in one sentence.
        by: "checks", or "model".
    """

    kind: ClassVar[str] = "validation"
    satisfied: bool
    reasoning: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputTaken(Recorded):
    """A variable was taken back, of Python or of a query, or could not be.

    Attributes:
        name: The variable.
        error: Why it could not be taken back; empty if it was.
        file: File that holds its value, in the run's folder.
        about: Its description as shown, and the hash of the file.
    """

    kind: ClassVar[str] = "output"
    name: str
    error: str
    file: str | None = field(default=None, metadata=OMIT_DEFAULT)
    about: Mapping[str, Any] | None = field(default=None, metadata=OMIT_DEFAULT)

    def __post_init__(self) -> None:
        """Reject an output with neither a value nor an error: it would be dropped silently.

        Raises:
            ValueError: There is no error, and `file` or `about` is missing.
        """
        if not self.error and (self.file is None or self.about is None):
            msg = "it has no 'error', and no 'file' with 'about'"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideAsked(Recorded):
    """The run took something from outside that no other event holds; see `replay.boundary`.

    Attributes:
        of: Kind of question, such as "names" or "clock".
        asked: The question, with its folders normalized.
        gave: The answer; None if an error was raised.
        raised: The error: type, message, hint; empty if there was an answer.
        sha256: Hash of question and answer, before secrets were redacted and long parts cut.
    """

    kind: ClassVar[str] = "outside"
    of: str
    asked: Any
    gave: Any
    raised: Mapping[str, str]
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanEnded(Recorded):
    """A timed span ended.

    Attributes:
        span_id: Number of the span within the run.
        parent_id: Number of the span that contains it; empty for an outermost span.
        name: What was timed.
        started_at: When it began, ISO 8601 in UTC.
        duration_s: Duration in seconds.
        status: "ok", or "error" if an exception ended it.
        attributes: Further facts about it.
    """

    kind: ClassVar[str] = "span"
    span_id: str
    parent_id: str
    name: str
    started_at: str
    duration_s: float
    status: str
    attributes: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Reject numbers of spans and of a step that are none: both are counted on.

        Raises:
            ValueError: One of them is no number.
        """
        for span_id in (self.span_id, self.parent_id or "0"):
            if not (span_id.isascii() and span_id.isdecimal()):
                msg = f"{span_id[:20]!r} is not the number of a span"
                raise ValueError(msg)
        # None is of no step
        if type(self.attributes.get("step_id")) not in {int, type(None)}:
            msg = "its 'step_id' is not a whole number"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalStarted(Recorded):
    """An undo or a redo of the run's file changes began.

    Attributes:
        direction: "undo" or "redo".
        changes: How many changes it is to make.
    """

    kind: ClassVar[str] = "reversal_started"
    direction: Literal["undo", "redo"]
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalAdvanced(Recorded):
    """An undo or a redo made one of its changes, or reverted one.

    Attributes:
        at: How many of its changes are made now.
    """

    kind: ClassVar[str] = "reversal_at"
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalEnded(Recorded):
    """An undo or a redo ended.

    Attributes:
        direction: "undo" or "redo".
        outcome: "done", or "given_up" if every file is as it was before.
        changes: How many changes were made; 0 if it was given up.
    """

    kind: ClassVar[str] = "reversal_ended"
    direction: Literal["undo", "redo"]
    outcome: Literal["done", "given_up"]
    changes: int
