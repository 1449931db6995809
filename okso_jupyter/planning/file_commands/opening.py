"""Openings: "read a.txt and sort its lines" as a request that names the file where it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import FILES, SEAM
from okso_jupyter.planning.file_commands.named_parts import PATH

_OPENING: Final = re.compile(
    rf"(?i)(?:read|open|load|take|use|go through|look (?:at|into)|öffne|lies|nimm|lade) "
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
        yield _THEM.sub(" and ".join(marks), rest, count=1)
        return
    if file in rest:
        yield rest
        return
    yield _ITS.sub(f"the lines of {file}", rest, count=1)
    yield _IT.sub(file, rest, count=1)
    for end in (*(seam.start() for seam in SEAM.finditer(rest)), len(rest)):
        yield f"{rest[:end]} in {file}{rest[end:]}"
