"""Every exception okso_jupyter raises, and what a reader should do about it.

OksoError
├── UsageError                 a cell, option or argument is invalid       correct it
├── SettingError               a setting is unknown or out of range        correct the value
├── PolicyError                a policy file has an error                  correct the named line
├── DocumentError              a JSON document breaks its schema           correct the document
│   └── PlanError              a plan breaks its schema or a rule          correct the named step
├── ToolDefinitionError        a tool is declared wrongly                  correct the declaration
├── ModelError                 the language model gave nothing usable
│   ├── ModelUnavailableError  no weights, no library, no such file        install, or name another
│   ├── ModelInputError        the prompt is longer than the context       shorten the request
│   ├── NoCandidateError       every sampled plan was unusable             rephrase, sample more
│   └── PlanningTimeoutError   no plan was finished in time                give it more time
├── ApprovalError              no one can decide, or the approval is void  name a policy, ask again
│   └── DriftedError           others changed what a call would change     approve it again
│       └── RuleDriftedError   the rule that allowed a call no longer does approve it again
├── RunFailedError             the run of a cell did not complete          resume it, or ask again
├── JournalError               the journal cannot be opened or written     see the message
├── RecordingError             a recording cannot be written or read       see the message
│   └── ReplayMissError        it does not hold what was asked             record it again
├── UndoError                  changes cannot be undone or redone          fix what it names
├── IllegalTransitionError     a transition that the table does not have   report it: a bug
└── ToolError                  a call failed; becomes an Observation, never leaves the executor
    ├── ToolInputError         the arguments break the tool's schema       logic: other arguments
    ├── ToolFailedError        it ran, and the outcome is a failure        logic: other arguments
    ├── ToolRefusedError       the tool's own guard refused the call       fatal: another way
    ├── ToolNotFoundError      file, page or command does not exist        fatal: another way
    ├── ToolTimeoutError       no result in time                           transient: try again
    ├── ToolUnavailableError   a service or program did not answer         transient: try again
    └── ToolUncertainError     it was sent, outcome not known              transient: ask a person
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, ClassVar, Literal

from okso_jupyter.legible import sentence

if TYPE_CHECKING:
    from okso_jupyter.results import Run

ErrorClass = Literal["transient", "logic", "fatal", "cancelled", "unknown"]


class OksoError(Exception):
    """An error that the user can act on: one sentence, and a hint at what to do.

    Args:
        message: What was wrong and where, in one sentence.
        hint: What to do about it; empty if the message is enough.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        # a message quotes paths, arguments and outputs, which may hold hidden characters
        self.message = sentence(message)
        self.hint = sentence(hint)
        super().__init__(self.message)
        self.show_stack = False

    def __str__(self) -> str:
        """Return message and hint on one line, as a log or a Python traceback shows them."""
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def _render_traceback_(self) -> list[str]:
        """Return message and hint without a stack; IPython calls this before its own renderer."""
        if self.show_stack:
            return traceback.format_exception(self)
        lines = [f"{type(self).__name__}: {self.message}"]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return lines


def words_of(error: BaseException) -> str:
    """Return the message of an exception, even if its `__str__` fails."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001  foreign code
        return "it does not say why"


def error_text(error: BaseException) -> str:
    """Return the type and the message of an exception."""
    return f"{type(error).__name__}: {words_of(error)}".removesuffix(": ")


class UsageError(OksoError):
    """A cell, option or argument is invalid."""


class SettingError(OksoError):
    """A setting is unknown or its value is outside its range."""


class PolicyError(OksoError):
    """A policy file cannot be read or has an error, so nothing may run."""


class DocumentError(OksoError):
    """A JSON document breaks its schema."""


class PlanError(DocumentError):
    """A plan breaks its schema or one of the rules of a plan.

    Attributes:
        step: The id of the step at fault, or None if the fault is in the plan as a whole.
        rule: A short stable name of the broken rule, such as "unknown_tool".
    """

    def __init__(
        self, message: str, *, step: int | None = None, rule: str = "schema", hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.step = step
        self.rule = rule


class ToolDefinitionError(OksoError):
    """A tool is declared wrongly."""


class ModelError(OksoError):
    """The language model gave nothing usable."""


class ModelUnavailableError(ModelError):
    """The weights, the library or a file is missing."""


class ModelInputError(ModelError):
    """The prompt does not fit into the model's context."""


class NoCandidateError(ModelError):
    """Every sampled plan was unusable."""


class PlanningTimeoutError(ModelError):
    """No plan was finished in time."""


class ApprovalError(OksoError):
    """No one can decide, or an approval does not cover what was about to run."""


class DriftedError(ApprovalError):
    """Others have changed the files of an approved call: it has to be approved again."""

    reason: ClassVar[str] = "what it would change is no longer what was shown"


class RuleDriftedError(DriftedError):
    """No person approved a call, and no rule allows it as it is now, or one asks about it."""

    reason: ClassVar[str] = "the rules of the policy leave it, as it is now, to you"


class RunFailedError(OksoError):
    """The run of a cell did not complete, so no cell below it may run either.

    Attributes:
        run: The run, which is also bound to the cell's names.
    """

    def __init__(self, message: str, *, run: Run | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.run = run


class JournalError(OksoError):
    """The journal cannot be opened, read or written."""


class RecordingError(OksoError):
    """A recording cannot be written or read."""


class ReplayMissError(RecordingError):
    """A replayed run asked for something that its recording does not hold."""


class UndoError(OksoError):
    """The changes of a run cannot be undone or redone as a whole."""


class IllegalTransitionError(OksoError):
    """A state was left by a transition that the transition table does not have."""


class ToolError(OksoError):
    """A tool call failed; the executor turns the error into an observation."""

    error_class: ClassVar[ErrorClass] = "unknown"


class ToolInputError(ToolError):
    """The arguments break the tool's schema or its rules."""

    error_class = "logic"


class ToolFailedError(ToolError):
    """The tool ran, and its outcome is a failure."""

    error_class = "logic"


class ToolRefusedError(ToolError):
    """The tool's own guard refused the call."""

    error_class = "fatal"


class ToolNotFoundError(ToolError):
    """The file, page or command that the call names does not exist."""

    error_class = "fatal"


class ToolTimeoutError(ToolError):
    """There was no result in time."""

    error_class = "transient"


class ToolUnavailableError(ToolError):
    """A service or program that the tool needs did not answer."""

    error_class = "transient"


class ToolUncertainError(ToolError):
    """A call with an effect was sent, and nothing says whether it was carried out.

    Its step is uncertain: it is never repeated, and a person is asked before the run resumes.
    """

    error_class = "transient"
