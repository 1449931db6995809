"""Bounds on JSON that foreign code made, checked before it is parsed: a value costs far more then.

Imported by file from the worker too, so it knows nothing of okso_jupyter.
"""

from __future__ import annotations

import re
from typing import Final

#: Lists, dicts and what is in them; parsed, these are some 200 MB at most.
MAX_VALUES: Final = 2_000_000
#: More than the encoder allows, for what is around a value.
MAX_LEVELS: Final = 128
_PART: Final = re.compile(rb'"[^"]*"|[][{},]')
_OPENING, _CLOSING, _COMMA = b"[{", b"]}", ord(",")


def excess(data: bytes, max_bytes: int) -> str:
    """Say what is too much in a JSON text; "" while it is within bounds, or is no JSON.

    Args:
        data: The text, in ASCII.
        max_bytes: Most bytes that it may have.
    """
    if len(data) > max_bytes:
        return f"it takes {len(data):,} bytes as JSON, and {max_bytes:,} is the most"
    opened = data.count(b"[") + data.count(b"{")
    if opened <= MAX_LEVELS and opened + data.count(b",") <= MAX_VALUES:
        return ""
    return _counted(data.replace(rb"\\", b"").replace(rb"\"", b""))


def _counted(data: bytes) -> str:
    """Count values and levels outside of texts, which hold no escaped quotation marks any more."""
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
