"""Text files: decoding and encoding their content, and diffs of changes."""

from __future__ import annotations

import codecs
import difflib
import hashlib
import posixpath
import re
from typing import Final

from okso_jupyter.errors import ToolInputError, ToolRefusedError

#: For larger files size and hash are shown: the time for a diff grows faster than the text.
_MAX_COMPARED_LINES: Final = 5_000
_MAX_COMPARED_BYTES: Final = 2 * 1024 * 1024
_MAX_DIFF_LINES: Final = 400
_DOCUMENTS: Final = frozenset(
    {".pdf", ".docx", ".doc", ".xlsx", ".xls", ".pptx", ".ppt", ".odt", ".ods", ".epub"}
)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode_text(data: bytes, path: str) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a BOM, else Windows-1252.

    Args:
        data: The file's content.
        path: Its path, for error messages.

    Raises:
        ToolRefusedError: The content is not text.
    """
    suffix = posixpath.splitext(path)[1].lower()
    if suffix in _DOCUMENTS:
        msg = f"{path}: {suffix} documents have no text that can be read here"
        raise ToolRefusedError(msg, hint="file_read reads .pdf, .docx, .xlsx and .pptx")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data:
        msg = f"{path} is not a text file"
        raise ToolRefusedError(msg, hint="terminal's stat shows what it is")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def encode_text(text: str, name: str) -> bytes:
    """Return a text as UTF-8.

    Args:
        text: The text.
        name: Name of the argument it came from, for error messages.

    Raises:
        ToolInputError: It contains a lone surrogate.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        msg = f"{name}: the text holds a character that no file can hold"
        raise ToolInputError(msg) from error


def diff(path: str, old: bytes | None, new: bytes | None) -> str:
    """Return a change as a unified diff; sizes and hashes if a side is binary or too long.

    Any difference is visible in it, including line ends and a missing last one.

    Args:
        path: The file.
        old: Its content before, or None if there is none yet.
        new: Its content afterwards, or None if it is removed.
    """
    if old == new:
        return f"{path}: no change"
    before, after = _lines(old or b""), _lines(new or b"")
    if before is None or after is None:
        return f"{path}: {_in_words(new)} in place of {_in_words(old)}"
    name, newer = ("/dev/null" if content is None else path for content in (old, new))
    lines = [
        line.removesuffix("\n") if line.endswith("\n") else f"{line}\n\\ No newline at end of file"
        for line in difflib.unified_diff(before, after, name, newer)
    ]
    more = len(lines) - _MAX_DIFF_LINES
    if more > 0:
        lines[_MAX_DIFF_LINES:] = [f"... and {more} more lines, to {_in_words(new)}"]
    return "\n".join(lines) or f"{path}: an empty file"


def _in_words(data: bytes | None) -> str:
    """Return size and hash of a content: equal texts mean equal contents."""
    if data is None:
        return "nothing"
    return f"{len(data):,} bytes (sha256 {hashlib.sha256(data).hexdigest()[:16]})"


def _lines(data: bytes) -> list[str] | None:
    """Return the lines of a text with their ends; None if comparing them would take too long."""
    if len(data) > _MAX_COMPARED_BYTES or data.count(b"\n") > _MAX_COMPARED_LINES:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        # texts that look the same on screen must not count as equal
        return None
    return None if "\0" in text else re.findall(r"[^\n]*\n|[^\n]+", text)
