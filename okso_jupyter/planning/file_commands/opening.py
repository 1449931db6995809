"""Openings: "read a.txt and sort its lines" as a request that names the file where it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import FILES, SEAM
from okso_jupyter.planning.file_commands.named_parts import PATH

_OPENING: Final = re.compile(
    r"(?i)(?P<verb>read|open|load|take|use|go through|look (?:at|into)|öffne|lies|nimm|lade) "
    rf"{FILES}(?:,? (?:and|und)(?: then| dann)? |[,;.] (?:then |dann )?|, dann )(?P<rest>.+)"
)
_ITS: Final = re.compile(
    r"(?i)\b(?:its|(?:all )?the|all|seine|deren|die) (?:lines|zeilen|entries)\b"
)
_IT: Final = re.compile(r"(?i)\b(?:it|this|that|es)\b")
_THEM: Final = re.compile(r"(?i)\b(?:them|both(?: files)?|the two(?: files)?|sie|beide)\b")


def without_opening(text: str) -> Iterator[str]:
    """Yield a request, and what else it may be where its first clause only names a file.

    The file stands in the place of "it", behind "its lines", or at the end of a clause: "read a.txt
    and sort its lines" is "sort the lines of a.txt".

    Args:
        text: The request in marks.
    """
    yield text
    opening = _OPENING.fullmatch(text)
    marks = re.findall(PATH, opening["files"]) if opening else []
    if not opening or not marks:
        return
    rest, file = opening["rest"], marks[0]
    if len(marks) > 1:
        yield from _changed(_THEM, " and ".join(marks), rest)
        return
    if file in rest:
        yield rest
        return
    yield from _changed(_ITS, f"the lines of {file}", rest)
    yield from _changed(_IT, file, rest)
    for end in (*(seam.start() for seam in SEAM.finditer(rest)), len(rest)):
        yield f"{rest[:end]} in {file}{rest[end:]}"


def read_first(text: str) -> str:
    """Return the mark of the one file that a request asks to read before anything else; or ""."""
    opening = _OPENING.fullmatch(text)
    marks = re.findall(PATH, opening["files"]) if opening else []
    is_read = opening is not None and opening["verb"].lower() in {"read", "lies"}
    return marks[0] if is_read and len(marks) == 1 else ""


def _changed(pattern: re.Pattern[str], by: str, text: str) -> Iterator[str]:
    """Yield a text with the first match of a pattern replaced; nothing where there is none.

    Otherwise the opening would be left out of a request that goes on about something else.
    """
    changed, count = pattern.subn(by, text, count=1)
    if count:
        yield changed
