"""AppleApplication: one application of macOS; what it fails at is one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.errors import (
    SettingError,
    ToolError,
    ToolFailedError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
    ToolUncertainError,
)
from okso_jupyter.personal.apple.osascript import ScriptFailure, answer_of, is_macos
from okso_jupyter.personal.call_time_limit import TimeLimit

#: Name of the stores of this room in NOTES_STORE and its like.
APPLE: Final = "apple"
#: What `%okso doctor` says of a store of this room.
UNTRIED: Final = "not tried on a Mac"
#: Numbers of errors of the system: access is refused, the application is not running, no answer.
_FORBIDDEN: Final = frozenset({-1743, -1744})
_NOT_RUNNING: Final = frozenset({-600, -609, -10810})
_NO_ANSWER: Final = -1712
#: Errors that say that nothing was done, whatever was asked.
_NOT_DONE: Final = _FORBIDDEN | {-600, -10810}
_MAX_SAID_CHARS: Final = 300


def check_system(setting: str) -> None:
    """Raise SettingError where the applications cannot be.

    Args:
        setting: Setting that names the store.
    """
    if not is_macos():
        msg = f"{setting} is {APPLE}, and the Apple applications are on macOS alone"
        raise SettingError(msg, hint=f"leave {setting} unset for open formats")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppleApplication:
    """An application; methods raise ToolError.

    Attributes:
        name: Its name, such as "Notes".
        setting: Setting that names the folder, list or calendar; empty for none.
        time_limit: The end of the call; None where each script has its own time.
    """

    name: str
    setting: str = ""
    time_limit: TimeLimit | None = None

    def ask(self, what: str, **values: object) -> Any:  # noqa: ANN401  JSON data
        """Return what a script reads.

        Args:
            what: What is asked; see the application's script.
            values: Values of the request, as JSON data.
        """
        answer = self._answer(what, values)
        if isinstance(answer, ScriptFailure):
            raise self._explained(answer)
        return answer

    def change(self, what: str, **values: object) -> Any:  # noqa: ANN401  JSON data
        """Return what a script says that changes something; see `ask`.

        Raises:
            ToolUncertainError: Whether the change was made is not known.
        """
        answer = self._answer(what, values)
        if not isinstance(answer, ScriptFailure):
            return answer
        error = self._explained(answer)
        if answer.may_have_changed and answer.number not in _NOT_DONE:
            msg = f"{error.message}: whether {self.name} has made the change is not known"
            raise ToolUncertainError(msg, hint=f"look into {self.name} before you ask for it again")
        raise error

    def _answer(self, what: str, values: dict[str, object]) -> object | ScriptFailure:
        return answer_of(self.name, {"do": what, **values}, self.time_limit)

    def _explained(self, failure: ScriptFailure) -> ToolError:
        """Return the error of a script that gave no value."""
        match failure.kind:
            case "stopped":
                return ToolRefusedError("stopped")
            case "timeout":
                return self._late()
            case "problem":
                return self._problem(failure)
            case "garbled":
                return ToolFailedError(f"the answer of {self.name} cannot be read")
            case _:
                return self._error(failure)

    def _problem(self, failure: ScriptFailure) -> ToolError:
        """Return what a script found in the way."""
        msg = f"{self.name}: {self._said(failure)}"
        if failure.problem == "missing":
            return ToolNotFoundError(msg, hint=f"set {self.setting} to one that is there")
        if failure.problem == "refused":
            return ToolRefusedError(msg, hint="nothing was changed")
        return ToolFailedError(msg, hint="nothing was changed")

    def _error(self, failure: ScriptFailure) -> ToolError:
        """Return an error of the system or the application."""
        if failure.number in _FORBIDDEN:
            msg = f"macOS does not let this program control {self.name}"
            hint = "allow it in System Settings, under Privacy & Security, Automation"
            return ToolRefusedError(msg, hint=hint)
        if failure.number in _NOT_RUNNING:
            return ToolUnavailableError(f"{self.name} is not running, or broke off")
        if failure.number == _NO_ANSWER:
            return self._late()
        number = f" ({failure.number})" if failure.number else ""
        return ToolFailedError(f"{self.name} could not do this: {self._said(failure)}{number}")

    def _late(self) -> ToolError:
        msg = f"{self.name} did not answer in time"
        hint = f"macOS may be asking whether this program may control {self.name}"
        return ToolTimeoutError(msg, hint=hint)

    def _said(self, failure: ScriptFailure) -> str:
        return " ".join(failure.text.split())[:_MAX_SAID_CHARS] or "it did not say why"
