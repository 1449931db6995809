"""Delimited text: the encoding, delimiter and header of a CSV or TSV file, from its beginning.

Standard library only.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO, Final

from okso_jupyter.tables.cells import unique_names

HEAD_BYTES: Final = 1 << 20
_DELIMITERS: Final = (",", ";", "\t", "|")
_SAMPLED_ROWS: Final = 200
#: Encodings that DuckDB reads; "" is that of files that are no text.
READ_BY_DUCKDB: Final = frozenset({"", "utf-8", "utf-8-sig", "latin-1"})
#: Encodings in which each byte is a character.
ONE_BYTE: Final = frozenset({"latin-1", "cp1252"})
#: Control characters in Latin-1: signs such as the euro in Windows-1252.
_SIGNS: Final = bytes(range(0x80, 0xA0))
#: Share of control characters in the head from which it is not text.
_MAX_CONTROLS: Final = 0.01
#: A field is never longer than what is read of a file.
csv.field_size_limit(HEAD_BYTES)


class UnreadableError(Exception):
    """The file is no table; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How a file is written.

    Attributes:
        encoding: Python's name of its encoding.
        delimiter: What stands between two cells.
        header: The names of its columns.
        renamed: Whether a column is called other than the file says.
        quoted_lines: Whether a quoted cell of the head has more than one line.
    """

    encoding: str
    delimiter: str
    header: tuple[str, ...]
    renamed: bool
    quoted_lines: bool


def layout_of(file: BinaryIO, *, tabs: bool = False) -> TextLayout:
    """Return how a file is written.

    Args:
        file: The file, at its beginning.
        tabs: Whether its name says that tabs separate its cells.

    Raises:
        UnreadableError: It is empty, or no text.
    """
    head = file.read(HEAD_BYTES)
    if not head:
        msg = "it is empty"
        raise UnreadableError(msg)
    encoding = _encoding_of(head)
    text = _decoded(head, encoding)
    if not text.strip():
        msg = "it is empty"
        raise UnreadableError(msg)
    if sum(c < " " and c not in "\t\r\n\f" for c in text) > _MAX_CONTROLS * len(text):
        msg = "it is not text"
        raise UnreadableError(msg)
    delimiter = "\t" if tabs and "\t" in text else _delimiter_of(text)
    rows = _rows(text, delimiter)
    header = _header(rows)
    return TextLayout(
        encoding,
        delimiter,
        tuple(header),
        header != rows[0],
        any("\n" in c or "\r" in c for r in rows for c in r),
    )


def _encoding_of(head: bytes) -> str:
    """Return the encoding of a file: by its mark, else UTF-8 if it is that, else of one byte."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if head.startswith(mark):
            return encoding
    zeros = head.count(0)
    if zeros > len(head) // 4:
        return "utf-16-le" if head[1:2] == b"\0" else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return one_byte_encoding([head])
    return "utf-8"


def one_byte_encoding(parts: Iterable[bytes]) -> str:
    """Return the encoding of text in which each byte is a character.

    It is Windows-1252 where signs occur that Latin-1 does not have; else Latin-1, which is a part
    of it and which DuckDB reads.
    """
    has_signs = any(len(part.translate(None, _SIGNS)) < len(part) for part in parts)
    return "cp1252" if has_signs else "latin-1"


def _decoded(head: bytes, encoding: str) -> str:
    """Return the head as text; a character that it cuts in two is left out."""
    # five bytes are no character in Windows-1252
    errors = "replace" if encoding in ONE_BYTE else "strict"
    try:
        return codecs.getincrementaldecoder(encoding)(errors).decode(head)
    except UnicodeDecodeError as error:
        msg = "it is not text"
        raise UnreadableError(msg) from error


def _delimiter_of(text: str) -> str:
    """Return the delimiter that cuts most rows into the same number of cells, and more than one."""

    def evenness(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in _rows(text, delimiter)]
        width, count = Counter(widths).most_common(1)[0] if widths else (1, 0)
        header = widths[0] if widths else 1
        return (count / len(widths) if min(width, header) > 1 else 0.0, width)

    best = max(_DELIMITERS, key=evenness)
    return best if evenness(best)[0] else ","


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the first rows of a text; rows without any character are left out."""
    found: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if row:
                found.append(row)
            if len(found) > _SAMPLED_ROWS:
                break
    except csv.Error:
        pass  # the rows before it say enough of the layout
    return found


def _header(rows: list[list[str]]) -> list[str]:
    """Return the names of the columns, also of those that only longer rows have."""
    if not rows:
        msg = "it has no rows"
        raise UnreadableError(msg)
    used = (len(row) for row in rows[1:] if any(cell.strip() for cell in row[len(rows[0]) :]))
    width = max(used, default=0)
    return unique_names([*rows[0], *[""] * (width - len(rows[0]))])
