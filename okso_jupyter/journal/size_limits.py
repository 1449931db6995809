"""Records that fit: what is too large is cut, longest parts first, and says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from okso_jupyter.amounts import cut

#: Most bytes of one record.
MAX_RECORD_BYTES: Final = 16 * 1024**2
#: Texts of this many characters say what a record is about, and are not cut.
_SHORT: Final = 64


def fitted(
    body: Mapping[str, Any], as_text: Callable[[object], str], max_bytes: int = MAX_RECORD_BYTES
) -> tuple[str, bool]:
    """Return a record's body as JSON text that is not too large, and whether it was cut.

    Args:
        body: JSON data, and what `as_text` makes a text of.
        as_text: Called for whatever JSON does not know.
        max_bytes: Most bytes of the text in UTF-8.
    """
    text = _text(body, as_text)
    if len(text) * 4 <= max_bytes or len(text.encode()) <= max_bytes:
        return text, False
    longest = max_bytes
    while len(text.encode()) > max_bytes and longest > 1:
        longest //= 2
        text = _text({key: _cut(part, longest) for key, part in body.items()}, as_text)
    return text, True


def _text(body: Any, as_text: Callable[[object], str]) -> str:  # noqa: ANN401  any JSON value
    text = json.dumps(body, ensure_ascii=False, default=as_text)
    # File names may hold bytes that are no text; a mark in their place keeps the record.
    return text.encode("utf-8", "replace").decode("utf-8")


def _cut(value: Any, longest: int) -> Any:  # noqa: ANN401  any JSON value
    """Return a value whose texts and lists are no longer than this."""
    if isinstance(value, str):
        return cut(value, max(longest, _SHORT))
    if isinstance(value, list):
        return [_cut(item, longest) for item in value[:longest]]
    if isinstance(value, dict):
        return {key: _cut(item, longest) for key, item in islice(value.items(), longest)}
    return value
