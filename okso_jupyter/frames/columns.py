"""Column: name, dtype, unit and value of a DataFrame column; `frame` builds the DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import pandas as pd

from okso_jupyter.frames.frame import Frame

RecordT = TypeVar("RecordT")

_UNITS: Final = "units"
_LEAST, _MOST = -(2**63), 2**63 - 1


@dataclass(frozen=True, slots=True)
class Column(Generic[RecordT]):
    """One column of a frame.

    Attributes:
        name: Its name.
        dtype: pandas dtype; "utc" is a time stamp in UTC.
        unit: Unit or what is counted; empty for text.
        value: Returns the value for one record.
    """

    name: str
    dtype: str
    unit: str
    value: Callable[[RecordT], Any]


def frame(
    records: Sequence[RecordT], columns: Sequence[Column[RecordT]], *, nothing: str = ""
) -> pd.DataFrame:
    """Return the records as a DataFrame with exactly these columns and dtypes.

    Args:
        records: One per row.
        columns: The columns.
        nothing: The sentence shown if there are no records.
    """
    data = {
        column.name: _series([column.value(record) for record in records], column.dtype)
        for column in columns
    }
    table = Frame(data, columns=[column.name for column in columns])
    table.attrs[_UNITS] = {column.name: column.unit for column in columns if column.unit}
    if nothing and not records:
        table.attrs["nothing"] = nothing
    return table


def put_aside(
    table: pd.DataFrame, usual: Mapping[str, object], *, always: Sequence[str] = ()
) -> None:
    """Leave out of the display the columns that hold nothing but their usual value.

    Args:
        table: The table.
        usual: The value that says nothing new, by column; a missing one says nothing either.
        always: Further columns to leave out.
    """
    aside = [name for name, value in usual.items() if table[name].isin([value, None]).all()]
    if len(table):
        table.attrs["aside"] = (*aside, *always)


def units(table: pd.DataFrame) -> dict[str, str]:
    """Return the unit of every column that has one."""
    return dict(table.attrs.get(_UNITS, {}))


def _series(values: list[Any], dtype: str) -> pd.Series[Any]:
    if dtype == "utc":
        return pd.Series(pd.to_datetime(values, utc=True), dtype="datetime64[ns, UTC]")
    if dtype.lower() == "int64":
        values = [_held(value) for value in values]
    return pd.Series(values, dtype=dtype)


def _held(value: object) -> object:
    """Return the nearest int64, so that one number out of range does not lose the whole table."""
    return min(max(value, _LEAST), _MOST) if isinstance(value, int) else value
