"""Pieces of Markdown that hold foreign text and cannot be left by it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

#: What would begin a tag or an address in angle brackets, and what would make brackets a link.
_MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?])|(?<=\])[(\[:]")


def escape(text: str) -> str:
    """Return text so that none of it becomes HTML, a link or an image; the rest stays legible."""
    return _MARKUP.sub(r"\\\g<0>", text)


def fence(text: str, language: str = "") -> str:
    """Return a text in a fence that it cannot leave."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{language}\n{text.rstrip()}\n{mark}"


def heading(text: str, level: int) -> str:
    """Return a heading on one line."""
    return f"{'#' * level} {escape(' '.join(text.split()))}"


def table(rows: Iterable[Sequence[str]], *, max_chars: int) -> str:
    """Return rows of one width as a table, the first one as its head."""
    return "\n".join(limited(_table_lines(rows), max_chars))


def limited(parts: Iterable[str], max_chars: int) -> Iterator[str]:
    """Yield parts until they are too long: a few bytes may ask for gigabytes of text."""
    for part in parts:
        yield part
        max_chars -= len(part)
        if max_chars < 0:
            return


def _table_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for index, row in enumerate(rows):
        yield _row(row)
        if index == 0:
            yield "|" + " --- |" * len(row)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(text: str) -> str:
    return escape(" ".join(text.split())).replace("|", "\\|")
