"""The text of a server's answer: without the model's thinking, and whether it is of a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

_FENCE: Final = re.compile(r"(?s)\A```\w*\n(.*)\n```\Z")
_THINKING: Final = "<think>"
_END_OF_THINKING: Final = "</think>"
#: Beginnings of an answer in JSON; a template may have written the beginning of the thinking.
_BEGINNINGS: Final = "[{`"


def without_thinking(text: str, *, is_json: bool) -> str:
    """Return what a model wrote after it thought; some servers send both as one text.

    Args:
        text: The text.
        is_json: Whether JSON was asked for.
    """
    begun = text.lstrip()
    thinks = begun.startswith(_THINKING) or (is_json and begun[:1] not in _BEGINNINGS)
    if not thinks or _END_OF_THINKING not in text:
        return text
    return text.partition(_END_OF_THINKING)[2].lstrip()


def without_fence(text: str) -> str:
    """Return a text without the code fence around it."""
    return _FENCE.sub(r"\1", text.strip())


def has_blanks(text: str) -> bool:
    """Return whether a text is JSON with blanks between its values."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return False
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return sum(map(str.isspace, text)) > sum(map(str.isspace, compact))


def ignores(text: str, schema: Mapping[str, Any]) -> bool:
    """Return whether a text has not even the outermost form that a schema gives it.

    A server that holds texts to schemas gets this right, whatever else it leaves out.
    """
    try:
        value = json.loads(without_fence(text))
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return True
    if schema.get("type") != "object" or isinstance(value, list):
        return False
    return not isinstance(value, Mapping) or not value.keys() >= set(schema.get("required", ()))
