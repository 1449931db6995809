"""Text of a notebook value for a request, limited in characters."""

from __future__ import annotations

import datetime as dt
import json
import sys
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

from okso_jupyter.sandbox.value_codec import described

_ROWS: Final = 5
_COLUMNS: Final = 30
_ITEMS: Final = 20
_CELL_CHARS: Final = 40
#: Types that are inserted in a sentence as a word or a number.
_WRITTEN: Final = (
    str, bool, int, float, complex, type(None), Decimal, PurePath, UUID,
    dt.date, dt.time, dt.timedelta,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueText:
    """A value as text.

    Attributes:
        about: Kind and size, such as "DataFrame, 40 rows, 5 columns".
        text: The value, or its beginning.
        is_written: Whether it can be inserted in a sentence: a text, a number, a date.
        is_whole: Whether the text is complete.
    """

    about: str
    text: str
    is_written: bool = False
    is_whole: bool = True


def value_text(value: object, most_chars: int) -> ValueText:
    """Return a value as text.

    Args:
        value: A text, number, date, path, table, array, or a list or dict of such.
        most_chars: Most characters of the value; a longer text is cut, and says so.

    Raises:
        TypeError: The value has another type.
        ValueError: The value contains itself, or is nested too deeply.
    """
    kind, size, columns = described(value)
    about = ", ".join(filter(None, [kind, size]))
    if isinstance(value, _WRITTEN) or _is_scalar(value):
        return _cut(about, str(value), most_chars, is_written=True)
    pandas, numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return _cut(about, _table(value, columns), most_chars)
    if pandas is not None and isinstance(value, pandas.Series):
        text = f"{_first(_ROWS, len(value), 'values')}:\n{value.iloc[:_ROWS].to_string()}"
        return _cut(about, text, most_chars)
    if numpy is not None and isinstance(value, numpy.ndarray):
        shown = numpy.array2string(value.reshape(-1)[:_ITEMS], separator=", ")
        return _cut(about, f"{_first(_ITEMS, value.size, 'values')}: {shown}", most_chars)
    if isinstance(value, list | tuple | dict):
        return _cut(about, _as_json(value, most_chars), most_chars)
    msg = f"is a {type(value).__name__}"
    raise TypeError(msg)


def _table(frame: Any, columns: list[tuple[str, str]]) -> str:  # noqa: ANN401  pandas is not imported here
    """Return columns with their dtypes and the first rows of a table."""
    names = ", ".join(f"{name} ({dtype})" for name, dtype in columns[:_COLUMNS])
    head = frame.iloc[:_ROWS, :_COLUMNS].to_string(max_colwidth=_CELL_CHARS)
    return (
        f"{_first(_COLUMNS, len(columns), 'columns')}: {names}\n"
        f"{_first(_ROWS, len(frame), 'rows')}:\n{head}"
    )


def _first(most: int, count: int, unit: str) -> str:
    """Return how many items are shown, such as "first 5 of 40 rows"."""
    return unit if count <= most else f"first {most} of {count} {unit}"


def _as_json(value: object, most_chars: int) -> str:
    """Return the beginning of a list or dict as JSON, a little longer than `most_chars`."""
    text = ""
    for piece in json.JSONEncoder(ensure_ascii=False, default=_plain).iterencode(value):
        text += piece
        if len(text) > most_chars:
            break
    return text


def _plain(value: object) -> object:
    """Return the JSON value of a scalar."""
    if _is_scalar(value):
        return value.item()  # type: ignore[attr-defined]  # a scalar of numpy has it
    if isinstance(value, _WRITTEN):
        return str(value)
    msg = f"holds a {type(value).__name__}"
    raise TypeError(msg)


def _is_scalar(value: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def _cut(about: str, text: str, most_chars: int, *, is_written: bool = False) -> ValueText:
    """Return a text, cut at `most_chars` if it is longer."""
    if len(text) <= most_chars:
        return ValueText(about=about, text=text, is_written=is_written)
    cut = f"{text[:most_chars]}… (the first {most_chars} characters)"
    return ValueText(about=about, text=cut, is_written=is_written, is_whole=False)
