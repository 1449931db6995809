"""Numbers in words: durations, counts, sizes, and how much of a text was cut.

Any package may import this.
"""

from __future__ import annotations

import re
from typing import Final

_MINUTE_S: Final = 60
_HOUR_S: Final = 3600
_KILO: Final = 1000
#: What `cut` and `beginning` append to a text (earlier versions wrote "truncated").
_MARK: Final = re.compile(
    r"… \((?:(?:cut|truncated), ([\d,]+) characters|[\d,]+ of ([\d,]+) characters shown)\)\Z"
)


def duration(seconds: float) -> str:
    """Return seconds in words: 30 ms, 1.5 s, 12.7 s, 2 min 43 s, 2 h 1 min."""
    if 0 < seconds < 1 and round(seconds * _KILO) < _KILO:
        return f"{round(seconds * _KILO)} ms"
    if round(seconds, 1) < _MINUTE_S:
        return f"{round(seconds, 1):g} s"
    if round(seconds) < _HOUR_S:
        return _two(*divmod(round(seconds), _MINUTE_S), "min", "s")
    return _two(*divmod(round(seconds / _MINUTE_S), _MINUTE_S), "h", "min")


def _two(first: int, second: int, unit: str, smaller: str) -> str:
    return f"{first:,} {unit} {second} {smaller}" if second else f"{first:,} {unit}"


def number(value: float) -> str:
    """Return a number with at most one decimal place: 5, 1,200, 2.5."""
    return f"{value:,.1f}".removesuffix(".0")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: 1 step, 2 steps, 1,200 characters."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size_in_words(size_bytes: int) -> str:
    """Return a size in bytes, in decimal units from 1,000 on: 12 bytes, 8.1 kB, 3.0 MB."""
    if size_bytes < _KILO:
        return counted(size_bytes, "byte")
    size = size_bytes / _KILO
    for unit in ("kB", "MB"):
        if round(size, 1) < _KILO:
            return f"{size:.1f} {unit}"
        size /= _KILO
    return f"{size:.1f} GB"


def tokens(count: int) -> str:
    """Return a token count, rounded from 1,000 on: 1 token, 100 tokens, 1.2K tokens."""
    if count < _KILO:
        return counted(count, "token")
    kilo = round(count / _KILO, 1)
    return f"{kilo}K tokens" if kilo < _KILO else f"{kilo / _KILO:.1f}M tokens"


def characters_of(text: str) -> int:
    """Return the length of a text; for a text that was cut, the original length that it states."""
    mark = _MARK.search(text)
    stated = int((mark[1] or mark[2]).replace(",", "")) if mark else 0
    return max(len(text), stated)  # a text may also end like that without having been cut


def beginning(text: str, most: int) -> str:
    """Return a text, or its first `most` characters and a note of its full length."""
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({most:,} of {characters_of(text):,} characters shown)"


def cut(text: str, most: int, *, whole: int | None = None) -> str:
    """Return a text of at most `most` characters; a text that is cut states its full length.

    If that note would take more than half of `most`, an ellipsis replaces it.

    Args:
        text: The text; if it was cut before, the length that it states is kept.
        most: Most characters of the result.
        whole: The full length, if it is not that of `text`.
    """
    if len(text) <= most:
        return text
    mark = f"… (cut, {characters_of(text) if whole is None else whole:,} characters)"
    if len(mark) > most // 2:
        mark = "…"
    return text[: max(0, most - len(mark))] + mark
