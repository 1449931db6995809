"""Failure classification: by the exception's type first, then by words in its message."""

from __future__ import annotations

import asyncio
import errno
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Final

from okso_jupyter.errors import ErrorClass, ToolError, words_of

_BY_TYPE: Final[Sequence[tuple[tuple[type[BaseException], ...], ErrorClass]]] = (
    ((KeyboardInterrupt, CancelledError, asyncio.CancelledError), "cancelled"),
    (
        (TimeoutError, ConnectionError, BlockingIOError, EOFError, subprocess.TimeoutExpired),
        "transient",
    ),
    ((PermissionError, FileNotFoundError, ImportError, NotImplementedError), "fatal"),
    ((FileExistsError, IsADirectoryError, NotADirectoryError), "logic"),
    ((ValueError, TypeError, SyntaxError, LookupError, ArithmeticError), "logic"),
)

#: Codes of OSErrors without a specific type. A full disk stays full: fatal.
_BY_ERRNO: Final[Mapping[int, ErrorClass]] = {
    **dict.fromkeys(
        (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ENETRESET), "transient"
    ),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EROFS), "fatal"),
}

#: Exception types of libraries that a handler may use, by package; none of them is imported.
_BY_NAME: Final[Mapping[tuple[str, str], ErrorClass]] = {
    # an invalid certificate is also a ValueError, and other arguments do not help
    ("ssl", "SSLCertVerificationError"): "fatal",
    ("ssl", "SSLEOFError"): "transient",
    # an unreachable name server cannot be told from a name that does not exist
    ("socket", "gaierror"): "transient",
    ("http", "IncompleteRead"): "transient",
    ("http", "BadStatusLine"): "transient",
    ("httpx", "TransportError"): "transient",
    ("httpx", "InvalidURL"): "logic",
    ("httpx", "UnsupportedProtocol"): "logic",
    ("requests", "ConnectionError"): "transient",
    ("requests", "Timeout"): "transient",
    ("requests", "ChunkedEncodingError"): "transient",
    ("requests", "SSLError"): "fatal",
    ("urllib3", "HTTPError"): "transient",
    ("urllib3", "SSLError"): "fatal",
    ("aiohttp", "ClientConnectionError"): "transient",
    ("aiohttp", "ClientPayloadError"): "transient",
    ("jsonschema", "ValidationError"): "logic",
    ("jsonschema", "SchemaError"): "logic",
    ("pydantic_core", "ValidationError"): "logic",
    ("distributed", "KilledWorker"): "transient",
    ("distributed", "CommClosedError"): "transient",
}

#: Classes of HTTP statuses; others are not classified.
_BY_STATUS: Final[Mapping[int, ErrorClass]] = {
    **dict.fromkeys((408, 425, 429, 502, 503, 504, 529), "transient"),
    **dict.fromkeys((401, 403, 404, 405, 407, 410, 451), "fatal"),
    **dict.fromkeys((400, 406, 409, 411, 413, 414, 415, 416, 422), "logic"),
}

# Word boundaries keep "geoforecast" from holding "eof" and "1502" from holding "502".
_BY_WORDS: Final[Sequence[tuple[re.Pattern[str], ErrorClass]]] = (
    (
        re.compile(
            r"(?i)\b(?:permission denied|access denied|forbidden|not found|no such file|"
            r"no space left|disk quota exceeded|read-only file system)\b"
        ),
        "fatal",
    ),
    (
        re.compile(
            r"(?i)\b(?:rate[ _]limit\w*|too many requests|overloaded|time(?:d )?[ -]?out|"
            r"deadline exceeded|connection (?:refused|reset|aborted|closed)|incomplete ?read|"
            r"network is (?:unreachable|down)|no route to host|no such host|"
            r"name or service not known|name resolution|nodename nor servname provided|"
            r"getaddrinfo failed|could not resolve host|429|502|503|529)\b"
            r"|\beof\b(?! while (?:parsing|scanning))"
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
    cancelled: it was stopped. If the type of an error is not classified, the error that it was
    raised from is examined.
    """
    chain = list(_with_causes(error))
    for one in chain:
        found = _by_type(one)
        if found is not None:
            return found
    words = (classify_text(words_of(one)) for one in chain)
    return next((found for found in words if found != "unknown"), "unknown")


def _by_type(error: BaseException) -> ErrorClass | None:
    """Return the class by an exception's type or HTTP status; None if unclassified."""
    if isinstance(error, ToolError):
        return error.error_class
    by_status = _BY_STATUS.get(_http_status(error) or 0)
    if by_status is not None:
        return by_status
    for base in type(error).__mro__:
        by_name = _BY_NAME.get((base.__module__.partition(".")[0], base.__name__))
        if by_name is not None:
            return by_name
    by_errno = _BY_ERRNO.get(error.errno or 0) if isinstance(error, OSError) else None
    if by_errno is not None:
        return by_errno
    return next((found for types, found in _BY_TYPE if isinstance(error, types)), None)


def _http_status(error: BaseException) -> int | None:
    """Return the HTTP status of an exception of httpx, requests, urllib and similar; else None."""
    own = _own(error)
    found = (
        _own(own.get("response")).get("status_code"),
        own.get("status_code"),
        own.get("status"),
        own.get("code") if type(error).__module__.startswith("urllib") else None,
    )
    return next((status for status in found if isinstance(status, int)), None)


def _own(thing: object) -> Mapping[str, object]:
    """Return an object's instance attributes; computed ones could raise."""
    return getattr(thing, "__dict__", {})


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and the exceptions that it was raised from, each once."""
    seen: set[int] = set()
    cause: object = error
    while isinstance(cause, BaseException) and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        # urllib keeps the cause in `reason`
        cause = cause.__cause__ or _own(cause).get("reason")


def classify_text(message: str) -> ErrorClass:
    """Return the class by the words of a message; "unknown" if none match."""
    for pattern, error_class in _BY_WORDS:
        if pattern.search(message):
            return error_class
    return "unknown"
