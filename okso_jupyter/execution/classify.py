"""The class of a failure: by the exception's type first, then by words in its message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from okso_jupyter.errors import ErrorClass, ToolError

_BY_TYPE: Final[Sequence[tuple[tuple[type[BaseException], ...], ErrorClass]]] = (
    ((TimeoutError, ConnectionError), "transient"),
    ((PermissionError, FileNotFoundError, ModuleNotFoundError), "fatal"),
    ((ValueError, TypeError, SyntaxError, LookupError, ArithmeticError), "logic"),
)

# Word boundaries keep "geoforecast" from holding "eof" and "1502" from holding "502".
_BY_WORDS: Final[Sequence[tuple[re.Pattern[str], ErrorClass]]] = (
    (
        re.compile(
            r"(?i)\b(?:permission denied|access denied|forbidden|not found|no such file)\b"
        ),
        "fatal",
    ),
    (
        re.compile(
            r"(?i)\b(?:rate[ _]limit\w*|too many requests|overloaded|time(?:d )?[ -]?out|"
            r"deadline exceeded|connection (?:refused|reset)|429|502|503|529)\b"
        ),
        "transient",
    ),
    (
        re.compile(r"(?i)\b(?:validation error|invalid argument|syntax error|parse error)\b"),
        "logic",
    ),
)  # fmt: skip


def classify(error: BaseException) -> ErrorClass:
    """Return the class of a failure.

    transient: the same call may succeed later. logic: other arguments may. fatal: neither will.
    """
    if isinstance(error, ToolError):
        return error.error_class
    if isinstance(error, KeyboardInterrupt):
        return "cancelled"
    for types, error_class in _BY_TYPE:
        if isinstance(error, types):
            return error_class
    return classify_text(words_of(error))


def classify_text(message: str) -> ErrorClass:
    """Return the class that the words of a message speak of; "unknown" if they say nothing."""
    for pattern, error_class in _BY_WORDS:
        if pattern.search(message):
            return error_class
    return "unknown"


def words_of(error: BaseException) -> str:
    """Return what an exception says of itself, if it can."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001  foreign code too
        return "it does not say why"
