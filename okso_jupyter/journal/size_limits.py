"""Size limits of records: cuts a record that is too large, longest parts first, and marks it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from okso_jupyter.amounts import cut

#: Maximum size of one record, in bytes.
MAX_RECORD_BYTES: Final = 16 * 1024**2
#: Texts up to this many characters identify what a record is about, and are not cut.
_SHORT: Final = 64


def fitted(
    body: Mapping[str, Any], as_text: Callable[[object], str], max_bytes: int = MAX_RECORD_BYTES
) -> tuple[str, bool]:
    """Return a record's body as JSON text within the size limit, and whether it was cut.

    Args:
        body: JSON data; other values are converted by `as_text`.
        as_text: Converts a value that JSON cannot represent to text.
        max_bytes: Maximum size of the text in UTF-8, in bytes.
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
    # File names may hold bytes that are not valid text; replacing them keeps the record.
    return text.encode("utf-8", "replace").decode("utf-8")


def _cut(value: Any, longest: int) -> Any:  # noqa: ANN401  any JSON value
    """Return a value whose texts and lists have at most `longest` characters or items."""
    if isinstance(value, str):
        return cut(value, max(longest, _SHORT))
    if isinstance(value, list):
        return [_cut(item, longest) for item in value[:longest]]
    if isinstance(value, dict):
        return {key: _cut(item, longest) for key, item in islice(value.items(), longest)}
    return value
