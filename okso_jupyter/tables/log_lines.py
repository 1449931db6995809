"""Log lines as a table: time, level, service and message of each entry.

Standard library only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

HEADER: Final = ("time", "level", "service", "message")
_LEVEL: Final = (
    "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|ALERT|EMERGENCY|PANIC"
)
_CLOCK: Final = r"\d\d:\d\d(?::\d\d)?"
#: Fractions of seconds and the zone are left out.
_TIME: Final = (
    rf"(?P<time>\d{{4}}[-/]\d\d[-/]\d\d(?:[T ]{_CLOCK})?|{_CLOCK})"
    r"(?:[.,]\d+)?(?:Z|\ ?[+-]\d\d:?\d\d)?"
)
_NAME: Final = r"[\w][\w./-]*"
#: Between the parts: blanks, a dash or a bar, or a colon; the parts may stand in brackets.
_GAP: Final = r"(?:\s*[-|:]\s+|\s*\|\s*|:|\s+)"
_SERVICE: Final = (
    rf"(?:\[(?P<boxed>{_NAME})(?:\[\d+\])?\]:?|(?P<named>{_NAME})(?:\[\d+\])?(?::|\ -(?=\s)|\ \|))"
)
_BEFORE: Final = rf"(?:\[(?P<first_boxed>{_NAME})\]|(?P<first>{_NAME})(?:\[\d+\])?:?)"
_ENTRY: Final = re.compile(
    rf"""(?x)
    (?:\[?{_TIME}\]?{_GAP})?
    (?:{_BEFORE}{_GAP})?
    [\[(<]?(?P<level>(?-i:{_LEVEL})|(?i:(?<=[\[(<])(?:{_LEVEL})))(?![\w])[\])>]?
    (?:{_GAP}(?:{_SERVICE}\s*)?(?P<message>.*))?
    """
)
_WORD: Final = re.compile(rf"(?P<word>[a-z]{_NAME})\s+(?P<rest>\S.*)")
#: Share of the first lines that are entries, for a file to be a log.
_MOSTLY: Final = 0.5
_SAMPLED: Final = 200
#: A first word is a service if so many different words follow it, on average.
_VARIED: Final = 1.5
_MOST_SERVICES: Final = 0.3
_FEWEST: Final = 8


class NoLogError(Exception):
    """The lines are not a log."""


@dataclass(frozen=True, slots=True)
class _Entry:
    time: str
    level: str
    service: str
    message: str


def log_table(lines: Iterable[str]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of a log; a column that no entry has is left out.

    A line that begins no entry, such as one of a traceback, belongs to the message before it.

    Raises:
        NoLogError: Most lines begin with neither time and level nor a level.
    """
    entries = _with_services(list(_entries(lines)))
    rows = [[e.time, e.level, e.service, e.message] for e in entries]
    used = [place for place in range(len(HEADER)) if any(row[place] for row in rows)]
    return [HEADER[place] for place in used], [[row[place] for place in used] for row in rows]


def _entries(lines: Iterable[str]) -> Iterator[_Entry]:
    """Yield the entries of lines."""
    last: _Entry | None = None
    begun = seen = 0
    for line in lines:
        if not line.strip():
            continue
        found = _entry_of(line.strip())
        seen += 1
        begun += found is not None
        if seen == _SAMPLED and begun < _MOSTLY * seen:
            raise NoLogError
        if found is None:
            last = last and replace(last, message=f"{last.message} {line.strip()}".strip())
            continue
        if last is not None:
            yield last
        last = found
    if last is None or begun < _MOSTLY * min(seen, _SAMPLED):
        raise NoLogError
    yield last


def _entry_of(line: str) -> _Entry | None:
    match = _ENTRY.match(line)
    if match is None:
        return None
    part = {name: text or "" for name, text in match.groupdict().items()}
    service = part["first_boxed"] or part["first"] or part["boxed"] or part["named"]
    message = part["message"].strip()
    if part["boxed"] + part["named"] not in {"", service}:
        message = f"{part['boxed'] or part['named']} {message}".strip()
    return _Entry(
        part["time"].replace("T", " ").replace("/", "-"), part["level"].upper(), service, message
    )


def _with_services(entries: Sequence[_Entry]) -> Sequence[_Entry]:
    """Return the entries with the first words of their messages as services, if they are that.

    "ERROR payments timeout after 30 s" names a service where few words stand there, and different
    ones follow each: "ERROR disk full" does not.
    """
    if len(entries) < _FEWEST or any(entry.service for entry in entries):
        return entries
    followers: dict[str, set[str]] = defaultdict(set)
    matches = [_WORD.fullmatch(entry.message) for entry in entries]
    for match in matches:
        if match is None:
            return entries
        followers[match["word"]].add(match["rest"].split()[0])
    varied = sum(map(len, followers.values())) / len(followers)
    if varied < _VARIED or len(followers) > _MOST_SERVICES * len(entries):
        return entries
    return [
        replace(entry, service=match["word"], message=match["rest"])
        for entry, match in zip(entries, matches, strict=True)
        if match is not None
    ]
