"""Execution of code in one persistent namespace, and the report of its result.

Loaded by file from the worker, so it imports nothing of okso_jupyter. Its report was made by
untrusted code: the broker treats each field as untrusted text.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import time
import traceback
import types
from contextlib import suppress
from typing import Any, Final

_FILE_PREFIX: Final = "<cell "
_MAX_VALUE_CHARS: Final = 200_000
_FAILED: Final = 1
_PICTURES: Final = (".png", ".jpg", ".jpeg")
#: A file's timestamp may be older than the clock by this many nanoseconds.
_CLOCK_SLACK_NS: Final = 20_000_000


class Namespace:
    """The variables of a worker, kept between calls."""

    def __init__(self) -> None:
        module = types.ModuleType("__main__")
        # pickle and dataclasses look up classes there
        sys.modules["__main__"] = module
        self._variables: dict[str, Any] = vars(module)
        self._calls = 0
        self._streams = (sys.stdout, sys.stderr)

    def run(self, code: str) -> dict[str, object]:
        """Run code and return `value`, `exit_code`, `error` and `traceback`; never raises.

        Args:
            code: Python statements; the value of a final expression is reported.
        """
        self._calls += 1
        name = f"{_FILE_PREFIX}{self._calls}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        sys.stdout, sys.stderr = self._streams
        value, exit_code, error, trace = "", 0, "", ""
        try:
            value = self._evaluate(code, name)[:_MAX_VALUE_CHARS]
        except SystemExit as request:
            exit_code, error = _exit_of(request)
            trace = error
        except BaseException as failure:  # noqa: BLE001  foreign code may raise anything at all
            exit_code = _FAILED
            error, trace = _error_and_trace(failure)
        self._flush()
        return {"value": value, "exit_code": exit_code, "error": error, "traceback": trace}

    def put(self, name: str, value: object) -> None:
        """Set a variable."""
        self._variables[name] = value

    def get(self, name: str) -> object:
        """Return a variable's value; raise NameError if there is none."""
        if name not in self._variables:
            msg = "there is no such variable"
            raise NameError(msg)
        return self._variables[name]

    def _evaluate(self, code: str, name: str) -> str:
        """Run the statements and return the final expression's value as text."""
        started_ns = time.time_ns() - _CLOCK_SLACK_NS
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec", dont_inherit=True), self._variables)  # noqa: S102  what the sandbox is for
        if not isinstance(last, ast.Expr):
            _save_figures(started_ns)
            return ""
        expression = compile(ast.Expression(last.value), name, "eval", dont_inherit=True)
        value = eval(expression, self._variables)  # noqa: S307  what the sandbox is for
        _save_figures(started_ns)
        return _shown(value)

    def _flush(self) -> None:
        """Flush printed output; the code may have closed or broken its streams."""
        for stream in self._streams:
            with suppress(OSError, ValueError):
                stream.flush()


def _shown(value: object) -> str:
    """Return a value in human-readable form: "" for None, 12.5 for np.float64(12.5)."""
    if value is None:
        return ""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()  # type: ignore[attr-defined]
    return repr(value)


def _exit_of(request: SystemExit) -> tuple[int, str]:
    """Return exit code and message of sys.exit(...), as Python interprets it."""
    if request.code is None:
        return 0, ""
    if isinstance(request.code, int):
        code = int(request.code)
        return code, f"SystemExit: {code}" if code else ""
    return _FAILED, str(request.code)


def _error_and_trace(failure: BaseException) -> tuple[str, str]:
    """Return the last line and the text of a short traceback with only the user's frames."""
    last = traceback.format_exception_only(failure)
    frames = [
        frame
        for frame in traceback.extract_tb(failure.__traceback__)
        if frame.filename.startswith(_FILE_PREFIX)
    ]
    head = ["Traceback (most recent call last):\n", *traceback.format_list(frames)]
    text = "".join([*(head if frames else []), *last])
    return last[-1].strip()[:_MAX_VALUE_CHARS], text[:_MAX_VALUE_CHARS]


def _save_figures(started_ns: int) -> None:
    """Close open matplotlib figures, saving them unless the code saved a picture itself.

    Args:
        started_ns: Clock time of the call's start, in nanoseconds.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not pyplot.get_fignums():
        return
    if not _has_picture_since(started_ns):
        for number in pyplot.get_fignums():
            pyplot.figure(number).savefig(_free_name())
    pyplot.close("all")


def _has_picture_since(started_ns: int) -> bool:
    """Return whether a picture was written to this folder since then."""
    with os.scandir() as entries:
        return any(
            entry.name.lower().endswith(_PICTURES)
            and entry.stat(follow_symlinks=False).st_mtime_ns >= started_ns
            for entry in entries
        )


def _free_name() -> str:
    """Return the first free name figure-N.png."""
    number = 1
    while os.path.lexists(f"figure-{number}.png"):
        number += 1
    return f"figure-{number}.png"
