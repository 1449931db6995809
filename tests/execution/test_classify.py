"""The class of a failure, with the traps of classifying by words."""

from __future__ import annotations

import json

import pytest

from okso_jupyter.errors import (
    ErrorClass,
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.execution.classify import classify, classify_text


def _json_error() -> Exception:
    try:
        json.loads("{")
    except json.JSONDecodeError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TimeoutError(), "transient"),
        (ConnectionRefusedError("permission denied"), "transient"),
        (ConnectionResetError(), "transient"),
        (BrokenPipeError(), "transient"),
        (PermissionError(13, "Permission denied"), "fatal"),
        (FileNotFoundError(2, "No such file"), "fatal"),
        (ModuleNotFoundError("No module named 'x'"), "fatal"),
        (ValueError("wrong shape"), "logic"),
        (TypeError("timeout must be a number"), "logic"),
        (SyntaxError("invalid syntax"), "logic"),
        (KeyError("not found"), "logic"),
        (ZeroDivisionError("division by zero"), "logic"),
        (_json_error(), "logic"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "invalid start byte"), "logic"),
        (EOFError("EOF when reading a line"), "unknown"),
        (RuntimeError("503 Service Unavailable"), "transient"),
        (RuntimeError("boom"), "unknown"),
        (KeyboardInterrupt(), "cancelled"),
        (ToolInputError("timeout"), "logic"),
        (ToolFailedError("not found"), "logic"),
        (ToolRefusedError("timeout"), "fatal"),
        (ToolNotFoundError("x"), "fatal"),
        (ToolTimeoutError("x"), "transient"),
        (ToolUnavailableError("forbidden"), "transient"),
        (ToolError("timeout"), "unknown"),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_types_come_first(error: BaseException, expected: ErrorClass) -> None:
    """An exception's type says more than the words in it; words count where the type is open."""
    assert classify(error) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("HTTP 429", "transient"),
        ("502 Bad Gateway", "transient"),
        ("Rate limit exceeded", "transient"),
        ("rate_limit_error", "transient"),
        ("Too Many Requests", "transient"),
        ("the model is overloaded", "transient"),
        ("request timed out", "transient"),
        ("step timed out", "transient"),
        ("Timeout", "transient"),
        ("context deadline exceeded", "transient"),
        ("dial tcp: connection refused", "transient"),
        ("connection reset by peer", "transient"),
        ("permission denied", "fatal"),
        ("Access Denied", "fatal"),
        ("403 Forbidden", "fatal"),
        ("page not found", "fatal"),
        ("No such file or directory", "fatal"),
        ("permission denied: connection refused", "fatal"),
        ("validation error in field x", "logic"),
        ("invalid argument", "logic"),
        ("syntax error near x", "logic"),
        ("parse error", "logic"),
        ("typeof x is undefined", "unknown"),
        ("geoforecast failed", "unknown"),
        ("error code 1502", "unknown"),
        ("room 5031", "unknown"),
        ("timeouts are set in the file", "unknown"),
        ("the wrong trousers", "unknown"),
        ("canceled", "unknown"),
        ("", "unknown"),
    ],
)
def test_words_count_as_whole_words(message: str, expected: ErrorClass) -> None:
    """Numbers and words inside others mean nothing; what forbids beats what may pass."""
    assert classify_text(message) == expected
