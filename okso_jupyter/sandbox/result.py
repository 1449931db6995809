"""PythonResult: the result of one call, read from an untrusted answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okso_jupyter.sandbox.child_process import WorkerCall

_TIMED_OUT_CODE: Final = 124
_FAILED_CODE: Final = 1
_UNHELD_CODE: Final = 255
_EXIT_CODE_BITS: Final = 32

#: Why there is no answer, by how the call ended.
_ENDED: Final = {
    "timeout": "the time was up: the worker was killed, and its variables are lost",
    "died": "the worker ended with exit code {exit_code}, and its variables are lost",
    "garbled": "the worker did not answer as it should: it was killed, its variables are lost",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonResult:
    """Result of one call; every text was made by untrusted code.

    Attributes:
        stdout: Printed output, up to 1 MiB.
        stderr: Standard error, and the traceback of a failure.
        value: The final expression's value as text; empty without one.
        exit_code: 0 is success; 1 a failure; n of sys.exit(n); 124 a time-out.
        error: Last line of the traceback, or why the worker was ended; empty on success.
        lost_state: Variables of earlier calls are lost: this call ended the worker, or is the
            first in a worker that replaced an ended one.
        timed_out: Whether the time limit was reached.
        truncated: Whether stdout or stderr was longer than the limit.
        artifacts: Pictures that the code saved, as copies in the run's folder.
        not_kept: Names of other files that it wrote into its own folder.
        duration_s: Seconds from request to answer.
    """

    stdout: str = ""
    stderr: str = ""
    value: str = ""
    exit_code: int = 0
    error: str = ""
    lost_state: bool = False
    timed_out: bool = False
    truncated: bool = False
    artifacts: tuple[Path, ...] = ()
    not_kept: tuple[str, ...] = ()
    duration_s: float = 0.0


def result_fields(exchange: WorkerCall, exit_code: int) -> dict[str, Any]:
    """Return the result fields that are determined by the exchange.

    Args:
        exchange: Outcome of the call.
        exit_code: Exit code of the worker if the call ended it; 0 if the worker lives on.
    """
    fields: dict[str, Any] = {
        "stdout": exchange.stdout.text,
        "stderr": exchange.stderr.text,
        "truncated": exchange.stdout.truncated or exchange.stderr.truncated,
    }
    if exit_code == 0:
        answer = exchange.frame
        fields["stderr"] += text_of(answer.get("traceback"))
        fields["exit_code"] = _exit_code(answer.get("exit_code"))
        return {
            **fields,
            "value": text_of(answer.get("value")),
            "error": text_of(answer.get("error")),
        }
    if exchange.end == "timeout":
        error = _ENDED["timeout"]
        return {**fields, "exit_code": _TIMED_OUT_CODE, "timed_out": True, "error": error}
    reason = exchange.reason or _ENDED.get(exchange.end, _ENDED["garbled"])
    if exchange.end == "died":
        reason = reason.format(exit_code=exit_code)
    return {**fields, "exit_code": exit_code, "error": reason}


def _exit_code(code: object) -> int:
    """Return an exit code as the system would: 255 for a number out of range."""
    if not isinstance(code, int):
        return _FAILED_CODE
    return int(code) if code.bit_length() < _EXIT_CODE_BITS else _UNHELD_CODE


def text_of(value: object) -> str:
    """Return a field of an answer as text that can be written to any output."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""
