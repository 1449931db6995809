"""Events of a run as a whole: how it began, where it stands, what it gave, how it was undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from okso_jupyter.journal.codec import OMIT_DEFAULT
from okso_jupyter.journal.events.base import Recorded
from okso_jupyter.plan.states import RunEvent, RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Recorded):
    """A run began; this is everything that tells it apart from other runs.

    Attributes:
        request: What was asked for, in plain words.
        root: Folder that its tools work in.
        data: Variables that go from the notebook into Python, and those that come back.
        settings: Every setting by its name; secrets are redacted.
        tools: Names of the tools in its catalogue.
        versions: Version of each package that changes what is planned or shown.
        python: Version of Python.
        machine: Architecture of the machine.
        process_id: Process that the run began in.
        places: Folders of this machine that a recording names by what they are.
        model: Spec of the model that plans.
        is_replay: Whether it is played back from a recording.
        meaning: Version of the tools' arguments that it was planned for (`journal.older_records`).
        plan_sha256: Hash of the plan, where one was given and none is made; else empty.
        dropped_runs: Runs that made room for it in the journal.
        occurrence: Which run of the same request it is within its session, from 1.
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
    """The run is in another state.

    Attributes:
        before: Its state before.
        event: What moved it.
        after: Its state from now on.
    """

    kind: ClassVar[str] = "run_state"
    before: RunState
    event: RunEvent
    after: RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRaised(Recorded):
    """An exception ended the run, or stopped it.

    Attributes:
        type: Name of its class.
        message: What it says.
    """

    kind: ClassVar[str] = "error"
    type: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDeclined(Recorded):
    """The run goes no further, since something in it was not approved.

    Attributes:
        reason: What was not approved, and why.
        is_open: Whether the question waits for another answer.
    """

    kind: ClassVar[str] = "declined"
    reason: str
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseRequested(Recorded):
    """Somebody asked the run to pause before its next step.

    Attributes:
        process_id: Process that asked.
    """

    kind: ClassVar[str] = "pause_requested"
    process_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven(Recorded):
    """The run has its answer.

    Attributes:
        text: The answer; of a dry run what would run, of a failed one what came of each step.
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
    """A variable was taken back from Python, or could not be.

    Attributes:
        name: The variable.
        error: Why it could not be taken back; empty where it was.
        file: File that holds its value, in the run's folder.
        about: What is shown of it, and the hash of the file.
    """

    kind: ClassVar[str] = "output"
    name: str
    error: str
    file: str | None = field(default=None, metadata=OMIT_DEFAULT)
    about: Mapping[str, Any] | None = field(default=None, metadata=OMIT_DEFAULT)

    def __post_init__(self) -> None:
        """Refuse what is neither there nor missing for a reason: it would be left out unsaid.

        Raises:
            ValueError: There is no error, and no file or nothing about it.
        """
        if not self.error and (self.file is None or self.about is None):
            msg = "it has no 'error', and no 'file' with 'about'"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideAsked(Recorded):
    """Something was taken from outside the run that no other event holds; see `replay.boundary`.

    Attributes:
        of: What was asked, such as "names" or "clock".
        asked: The question, its folders normalized.
        gave: The answer; None where an error was raised.
        raised: The error: type, message, hint; empty where there was an answer.
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
    """A timed piece of work ended.

    Attributes:
        span_id: Its number within the run.
        parent_id: Number of the span that it was part of; empty for an outermost one.
        name: What was timed.
        started_at: When it began, ISO 8601 in UTC.
        duration_s: Seconds it took.
        status: "ok", or "error" where an exception ended it.
        attributes: What else is known of it.
    """

    kind: ClassVar[str] = "span"
    span_id: str
    parent_id: str
    name: str
    started_at: str
    duration_s: float
    status: str
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalStarted(Recorded):
    """An undo or a redo of the run's changes of files began.

    Attributes:
        direction: Which of both.
        changes: How many changes it is to make.
    """

    kind: ClassVar[str] = "reversal_started"
    direction: Literal["undo", "redo"]
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalAdvanced(Recorded):
    """An undo or a redo made one of its changes, or took one back.

    Attributes:
        at: How many of its changes are made now.
    """

    kind: ClassVar[str] = "reversal_at"
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReversalEnded(Recorded):
    """An undo or a redo ended.

    Attributes:
        direction: Which of both.
        outcome: "done", or "given_up" where every file is as it was before.
        changes: How many changes were made; 0 where it was given up.
    """

    kind: ClassVar[str] = "reversal_ended"
    direction: Literal["undo", "redo"]
    outcome: Literal["done", "given_up"]
    changes: int
