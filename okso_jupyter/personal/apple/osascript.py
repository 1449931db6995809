"""Osascript: runs one of this room's scripts, which asks one application of macOS one thing.

The text of a script is a constant. Its request is JSON in ASCII, in the arguments; its answer is
JSON on the standard output. A script runs once: where a change has no answer, whether it was made
is a ToolUncertainError.
"""

from __future__ import annotations

import json
import os
import platform
import re
import selectors
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from okso_jupyter.errors import ToolRefusedError, ToolUnavailableError
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.settings import environment

#: The program of the system; one of that name elsewhere is never run.
PROGRAM: Final = "/usr/bin/osascript"
_SCRIPTS: Final = Path(__file__).resolve().parent / "scripts"
#: Longest piece of a request in one argument, and longest request; macOS takes 1 MiB in all.
_PIECE_CHARS: Final = 64 * 1024
_MAX_REQUEST_CHARS: Final = 600_000
MAX_ANSWER_BYTES: Final = 32 * 1024 * 1024
_READ_BYTES: Final = 1 << 16
#: Longest time in seconds of a script where no limit is given, and between two looks at Stop.
_CALL_S: Final = 60.0
_TICK_S: Final = 0.1
#: What the program needs of the environment; passwords and keys are not among it.
_INHERITED: Final = (
    "HOME", "LANG", "LOGNAME", "PATH", "TMPDIR", "USER", "__CF_USER_TEXT_ENCODING",
)  # fmt: skip
#: How the program reports an error that a script does not catch.
_REPORTED: Final = re.compile(r"(?P<text>[^\n]*?)\s*\((?P<number>-\d+)\)\s*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFailure:
    """Why a script gave no value.

    Attributes:
        kind: "stopped", "timeout", "garbled", "problem" (of the script's own) or "error".
        number: Number of the system's error; 0 if it has none.
        text: What was said.
        problem: Kind of the script's problem: "missing", "changed", "refused" or "failed".
        may_have_changed: Whether a change may have been made.
    """

    kind: str
    number: int = 0
    text: str = ""
    problem: str = ""
    may_have_changed: bool = False


@dataclass(slots=True)
class _Output:
    """What the program printed, and why it was ended; "" if it ended by itself."""

    printed: dict[str, bytearray] = field(
        default_factory=lambda: {"stdout": bytearray(), "stderr": bytearray()}
    )
    ended: str = ""
    exit_code: int = 0


def is_macos() -> bool:
    """Return whether this system has the applications."""
    return platform.system() == "Darwin"


@cache
def script_of(application: str) -> str:
    """Return the script for an application, such as "Notes"."""
    names = ("answering.js", f"{application.lower()}.js")
    return "".join((_SCRIPTS / name).read_text("utf-8") for name in names)


def answer_of(
    application: str, request: dict[str, object], limit: TimeLimit | None
) -> object | ScriptFailure:
    """Return the answer of an application's script, as JSON data, or why there is none.

    Args:
        application: Name of the application.
        request: The request; `do` names what is asked.
        limit: The end of the call; None where it has its own time.

    Raises:
        ToolRefusedError: The request is too long, or the call was stopped before it began.
        ToolUnavailableError: The program cannot be started; nothing was asked.
    """
    within = limit or TimeLimit.of_seconds(_CALL_S)
    within.check()
    command = [PROGRAM, "-l", "JavaScript", "-e", script_of(application), *_pieces(request)]
    with _started(command) as process:
        output = _collected(process, within)
    if output.ended:
        return ScriptFailure(kind=output.ended, may_have_changed=True)
    if output.exit_code:
        return _reported(output.printed["stderr"].decode("utf-8", "replace"))
    return _parsed(bytes(output.printed["stdout"]))


def _pieces(request: dict[str, object]) -> Iterator[str]:
    """Yield a request as arguments: ASCII, whose first begins with a brace and is no option."""
    text = json.dumps(request)
    if len(text) > _MAX_REQUEST_CHARS:
        msg = "it is too long for an application of macOS"
        raise ToolRefusedError(msg, hint="shorten it; nothing was changed")
    yield from (text[at : at + _PIECE_CHARS] for at in range(0, len(text), _PIECE_CHARS))


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the running program, which has ended afterwards.

    Raises:
        ToolUnavailableError: It cannot be started.
    """
    env = {name: value for name, value in environment().items() if name in _INHERITED}
    try:
        process = subprocess.Popen(  # noqa: S603  a fixed program, no shell
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        msg = f"{PROGRAM} cannot be started: {error.strerror}"
        raise ToolUnavailableError(msg, hint="it is a part of macOS") from error
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)


def _collected(process: subprocess.Popen[bytes], limit: TimeLimit) -> _Output:
    """Return what a program prints until it ends, or must end."""
    output = _Output()
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout or 1, selectors.EVENT_READ, output.printed["stdout"])
        ready.register(process.stderr or 2, selectors.EVENT_READ, output.printed["stderr"])
        while not output.ended and ready.get_map():
            for key, _ in ready.select(_TICK_S):
                part = os.read(key.fd, _READ_BYTES)
                key.data.extend(part)
                if not part:
                    ready.unregister(key.fileobj)
            output.ended = _must_end(output, limit)
    if not output.ended:
        try:
            output.exit_code = process.wait(limit.left_s)
        except subprocess.TimeoutExpired:
            output.ended = "timeout"
    return output


def _must_end(output: _Output, limit: TimeLimit) -> str:
    if any(len(printed) > MAX_ANSWER_BYTES for printed in output.printed.values()):
        return "garbled"
    if limit.cancelled.is_set():
        return "stopped"
    return "timeout" if limit.is_over else ""


def _reported(stderr: str) -> ScriptFailure:
    """Return the error that the program reports, such as "execution error: ... (-1743)"."""
    lines = stderr.strip().splitlines() or [""]
    found = _REPORTED.fullmatch(lines[-1])
    text = (found["text"] if found else lines[-1]).rpartition("Error: ")[2]
    number = int(found["number"]) if found else 0
    # a script catches what fails while it works: one that is reported came before
    return ScriptFailure(kind="error", number=number, text=text, may_have_changed=not found)


def _parsed(stdout: bytes) -> object | ScriptFailure:
    """Return the value in an answer, or the failure that it tells."""
    try:
        answer: object = json.loads(stdout)
    except (ValueError, RecursionError):
        answer = None
    match answer:
        case {"value": value}:
            found: object = value
            return found
        case {"problem": str(problem), "text": str(text)}:
            return ScriptFailure(kind="problem", problem=problem, text=text)
        case {"error": int(number), "text": str(text), "begun": bool(begun)}:
            return ScriptFailure(kind="error", number=number, text=text, may_have_changed=begun)
    return ScriptFailure(kind="garbled", may_have_changed=True)
