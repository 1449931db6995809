"""Statistics of text files: rows and columns of tables, levels of logs."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.amounts import counted, cut

_TABLES: Final = {".csv": ",", ".tsv": "\t"}
_NAMES: Final = "TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL"
#: A level in capitals, or marked as one: "[info]", "level=info".
_LEVEL: Final = re.compile(rf"\b(?:{_NAMES})\b|(?i:\[({_NAMES})\]|\blevel=\"?({_NAMES})\b)")
#: Minimum share of lines that name a level, and minimum number of lines, of a log.
_LOG_SHARE: Final = 0.6
_LEAST_LOG_LINES: Final = 5
_MOST_COLUMNS: Final = 40
_MOST_LINE_CHARS: Final = 200


def described(name: str, text: str, part: str = "") -> str:
    """Return the statistics of a table or log; empty for any other text.

    Args:
        name: Its path.
        text: The text that was read.
        part: The part of the file that was read, in words; empty for all of it.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    separator = _TABLES.get(PurePosixPath(name).suffix.lower())
    shown = f"{name}{f' ({part})' if part else ''}"
    if separator is not None and lines:
        return _table(shown, lines, separator)
    found = (_LEVEL.search(line) for line in lines)
    levels = Counter((f[1] or f[2] or f[0]).upper() for f in found if f)
    is_log = len(lines) >= _LEAST_LOG_LINES and levels.total() >= _LOG_SHARE * len(lines)
    return _log(shown, lines, levels) if is_log else ""


def _table(name: str, lines: Sequence[str], separator: str) -> str:
    header, *rows = csv.reader(lines, delimiter=separator)
    columns = ", ".join(column.strip() for column in header[:_MOST_COLUMNS])
    more = ", …" if len(header) > _MOST_COLUMNS else ""
    said = [f"{name}: {counted(len(rows), 'row')}, {counted(len(header), 'column')}: "]
    said[0] += columns + more
    if rows:
        said.append(f"First row: {cut(lines[1], _MOST_LINE_CHARS)}")
        said.append(f"Last row: {cut(lines[-1], _MOST_LINE_CHARS)}")
    return "\n".join(said)


def _log(name: str, lines: Sequence[str], levels: Counter[str]) -> str:
    counts = ", ".join(f"{count} {level}" for level, count in levels.most_common())
    rest = len(lines) - levels.total()
    others = f", {rest} without a level" if rest else ""
    said = [
        f"{name}: {counted(len(lines), 'line')}: {counts}{others}",
        f"First line: {cut(lines[0], _MOST_LINE_CHARS)}",
        f"Last line: {cut(lines[-1], _MOST_LINE_CHARS)}",
    ]
    return "\n".join(said)
