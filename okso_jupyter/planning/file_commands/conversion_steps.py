"""Conversion steps: reads "convert a.csv to JSON" as the file that is written.

The new text is worked out while planning, as that of `content_steps`, so that the form shows it.
"""

from __future__ import annotations

import csv
import io
import json
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found

#: Rows of a table; the first one is the header.
Rows = Sequence[Sequence[str]]

#: A cell that is the same when it is written as a number of JSON; no "007" and no "1e5".
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")
_SUFFIXES: Final[Mapping[str, str]] = {
    "json": ".json",
    "csv": ".csv",
    "tsv": ".tsv",
    "markdown": ".md",
    "md": ".md",
}


def _converted(clause: CommandClause) -> Found:
    """Read "convert a.csv to JSON" and "convert a.csv to b.json"; the file itself stays."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or before.taken or not before.have(files):
        return None
    source, target = files[0], _target(clause, files[0])
    read = _ROWS_OF.get(posixpath.splitext(source)[1].lower())
    written = _TEXT_OF.get(posixpath.splitext(target)[1].lower())
    is_same = posixpath.splitext(source)[1] == posixpath.splitext(target)[1]
    if read is None or written is None or is_same or not before.can_hold(target):
        return None
    rows = read(before.folder.text(source) or "")
    if not rows:
        return None
    args = {"path": target, "content": written(rows), "mode": "create"}
    step = {"tool": "file_write", "args": args, "title": f"Write {source} as {target}"}
    return (step,), before.moved((), (target,))


def _target(clause: CommandClause, source: str) -> str:
    """Return the new file: the one that is named, or that of the same name in the new format."""
    if clause.said("to"):
        return clause.path("to")
    suffix = _SUFFIXES[clause.said("format").lower()]
    return posixpath.splitext(source)[0] + suffix


def _rows_of_lines(delimiter: str) -> Callable[[str], Rows]:
    """Return the reader of a delimited text, which gives no rows where any has another width."""

    def read(text: str) -> Rows:
        lines = csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter)
        rows = [row for row in lines if row]
        is_table = len(rows) > 1 and {len(row) for row in rows} == {len(rows[0])}
        is_named = is_table and all(rows[0]) and len(set(rows[0])) == len(rows[0]) > 1
        return rows if is_named else ()

    return read


def _rows_of_json(text: str) -> Rows:
    """Return the rows of a list of flat objects with the same keys; none of anything else."""
    try:
        records = json.loads(text)
    except ValueError:
        return ()
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        return ()
    names = list(records[0]) if records else []
    is_table = names and all(list(one) == names for one in records)
    values = [value for one in records for value in one.values()]
    if not is_table or any(isinstance(value, dict | list) for value in values):
        return ()
    return [names, *([_cell_of(value) for value in one.values()] for one in records)]


def _cell_of(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _as_json(rows: Rows) -> str:
    """Return a table as a list of objects; a column of numbers alone holds numbers."""
    header, *body = rows
    are_numbers = [
        all(_NUMBER.fullmatch(cell) for cell in column if cell) and any(column)
        for column in zip(*body, strict=True)
    ]
    records: list[dict[str, Any]] = [
        {
            name: _value(cell, is_number=is_number)
            for name, cell, is_number in zip(header, row, are_numbers, strict=True)
        }
        for row in body
    ]
    return json.dumps(records, indent=2, ensure_ascii=False) + "\n"


def _value(cell: str, *, is_number: bool) -> Any:  # noqa: ANN401  a value of JSON
    if not is_number:
        return cell
    return json.loads(cell) if cell else None


def _as_lines(delimiter: str) -> Callable[[Rows], str]:
    def written(rows: Rows) -> str:
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
        return text.getvalue()

    return written


def _as_markdown(rows: Rows) -> str:
    header, *body = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = [header, ["---"] * len(header), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_ROWS_OF: Final[Mapping[str, Callable[[str], Rows]]] = {
    ".csv": _rows_of_lines(","),
    ".tsv": _rows_of_lines("\t"),
    ".json": _rows_of_json,
}
_TEXT_OF: Final[Mapping[str, Callable[[Rows], str]]] = {
    ".json": _as_json,
    ".csv": _as_lines(","),
    ".tsv": _as_lines("\t"),
    ".md": _as_markdown,
}
#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {"convert": _converted}
