"""Bounds on untrusted JSON, checked before parsing: the parsed value takes far more memory.

Also loaded by file from the worker, so it imports nothing of okso_jupyter.
"""

from __future__ import annotations

import re
from typing import Final

#: Maximum number of lists, dicts and items; parsed, these take about 200 MB.
MAX_VALUES: Final = 2_000_000
#: More than the encoder allows, because a value is wrapped in others.
MAX_LEVELS: Final = 128
_PART: Final = re.compile(rb'"[^"]*"|[][{},]')
_OPENING, _CLOSING, _COMMA = b"[{", b"]}", ord(",")


def excess(data: bytes, max_bytes: int) -> str:
    """Return which bound a JSON text exceeds; "" if none, or if it is not JSON.

    Args:
        data: The text, in ASCII.
        max_bytes: Maximum size in bytes.
    """
    if len(data) > max_bytes:
        return f"it takes {len(data):,} bytes as JSON; the maximum is {max_bytes:,}"
    opened = data.count(b"[") + data.count(b"{")
    if opened <= MAX_LEVELS and opened + data.count(b",") <= MAX_VALUES:
        return ""
    return _counted(data.replace(rb"\\", b"").replace(rb"\"", b""))


def _counted(data: bytes) -> str:
    """Count values and levels outside of strings, whose escaped quotes are removed already."""
    values = levels = 0
    for part in _PART.finditer(data):
        mark = data[part.start()]
        if mark in _OPENING:
            levels += 1
            values += 1
            if levels > MAX_LEVELS:
                return f"it is nested more than {MAX_LEVELS} deep"
        elif mark in _CLOSING:
            levels -= 1
        elif mark == _COMMA:
            values += 1
        if values > MAX_VALUES:
            return f"it holds more than {MAX_VALUES:,} values"
    return ""
