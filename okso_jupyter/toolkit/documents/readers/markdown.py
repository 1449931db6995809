"""Pieces of Markdown that hold foreign text and cannot be left by it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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


def table(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of one width as a table, the first one as its head."""
    lines = []
    for index, row in enumerate(rows):
        lines.append(_row(row))
        if index == 0:
            lines.append("|" + " --- |" * len(row))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(text: str) -> str:
    return escape(" ".join(text.split())).replace("|", "\\|")
