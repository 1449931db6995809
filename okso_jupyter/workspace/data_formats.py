"""Data formats: whether a file can still be read as what its name says, after a change."""

from __future__ import annotations

import csv
import io
import json
import posixpath
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

#: What separates the fields of a CSV file; the first that makes a table counts.
_SEPARATORS: Final = ",;\t|"


def _table(text: str, separators: str) -> None:
    """Read a table of at least two columns.

    Raises:
        ValueError: With none of the separators all rows have as many fields as the header.
    """
    for separator in separators:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            widths = {len(row) for row in rows if row}
        except csv.Error:
            continue
        if len(widths) == 1 and widths != {1}:
            return
    msg = "its rows differ in length"
    raise ValueError(msg)


#: Ending of a name -> the format, and its parser, which raises ValueError.
_FORMATS: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    ".json": ("JSON", json.loads),
    ".ipynb": ("JSON", json.loads),
    ".toml": ("TOML", tomllib.loads),
    ".csv": ("CSV", partial(_table, separators=_SEPARATORS)),
    ".tsv": ("TSV", partial(_table, separators="\t")),
}


def has_format(path: str) -> bool:
    """Return whether a file is of a format that is checked, by its name."""
    return posixpath.splitext(path)[1].lower() in _FORMATS


def format_broken(path: str, old: bytes, new: bytes) -> str:
    """Return the format that a file has before a change and not after it; "" for any other.

    Args:
        path: The file; the ending of its name says which format is meant.
        old: Its content before.
        new: Its content after.
    """
    name, parse = _FORMATS.get(posixpath.splitext(path)[1].lower(), ("", str))
    return name if name and _can_parse(parse, old) and not _can_parse(parse, new) else ""


def _can_parse(parse: Callable[[str], object], content: bytes) -> bool:
    try:
        parse(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True
