"""TableModel: the visible part of a table, shared by HTML, Markdown and text.

The table is a DataFrame that is only read; pandas is not imported here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.amounts import counted, duration
from okso_jupyter.views.short_call import calls_of, is_plan, short_value

if TYPE_CHECKING:
    import pandas as pd

#: Default of the rows shown; pandas' own default of display.max_rows.
MOST_ROWS: Final = 60
_MOST_COLUMNS: Final = 100
_DECIMALS: Final = 3
_SHORT_LIST_CHARS: Final = 48
#: Units of figures that get a bar, since they can be compared by eye.
_BARRED: Final = frozenset({"points", "0 to 1", "s"})
#: Length of a bar that fills its cell.
_FULL: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The head of one column.

    Attributes:
        name: Its name; empty for an index without one.
        unit: Its unit, or what is counted; empty if there is none.
        is_figure: Whether the column holds numbers.
        is_rigid: Whether its cells must not be wrapped, such as times.
    """

    name: str
    unit: str = ""
    is_figure: bool = False
    is_rigid: bool = False

    @property
    def words(self) -> str:
        """Name and unit on one line."""
        return f"{self.name} ({self.shown_unit})" if self.shown_unit else self.name

    @property
    def shown_unit(self) -> str:
        """The unit; empty if the name ends with it."""
        is_named = self.name.endswith(f"_{self.unit}") or self.name == self.unit
        return "" if is_named else self.unit


@dataclass(frozen=True, slots=True, kw_only=True)
class TableModel:
    """The visible part of a table.

    Attributes:
        headings: One per visible column.
        rows: Values of the visible rows; None is a missing value.
        total_rows: Rows of the whole table.
        total_columns: Columns of the whole table.
        remark: A sentence about the table as a whole; empty if there is none.
        aside: Names of columns that the table has and that are not shown.
        is_record: Whether it is one of this package's tables, with units, and no data of a user.
    """

    headings: tuple[Heading, ...]
    rows: tuple[tuple[object, ...], ...]
    total_rows: int
    total_columns: int
    remark: str = ""
    aside: tuple[str, ...] = ()
    is_record: bool = False

    @classmethod
    def of(cls, table: pd.DataFrame, *, most_rows: int | None = MOST_ROWS) -> TableModel:
        """Return the visible part of a table.

        Args:
            table: A DataFrame; `attrs` may hold "units" by column, a "note", under "nothing" a
                sentence for a table without rows, and under "aside" names of columns that are not
                shown unless some of them, and so not the whole table, were selected.
            most_rows: Most rows to show, the first ones; None is all.
        """
        shown = table if most_rows is None else table.head(most_rows)
        units = table.attrs.get("units", {})
        aside = _aside(table)
        series = [
            (name, shown.iloc[:, place])
            for place, name in enumerate(shown.columns)
            if name not in aside
        ]
        columns = [*_index_columns(shown), *series[:_MOST_COLUMNS]]
        headings = tuple(
            Heading(
                name=_name(name),
                unit=str(units.get(name, "")) if isinstance(name, str) else "",
                is_figure=values.dtype.kind in "iuf",
                is_rigid=values.dtype.kind in "iufbmM",
            )
            for name, values in columns
        )
        return cls(
            headings=headings,
            rows=tuple(zip(*(_known(values) for _, values in columns), strict=True)),
            total_rows=len(table),
            total_columns=len(table.columns),
            remark=str(table.attrs.get("note" if len(table) else "nothing", "")),
            aside=aside,
            is_record="units" in table.attrs,
        )

    @property
    def notes(self) -> list[str]:
        """Notes below the table: its remark, and how much of it is shown."""
        notes = [self.remark] if self.remark else []
        if not self.headings and self.total_rows:
            notes.append(f"No columns; {self.total_rows:,} rows.")
        elif not self.total_rows and not self.remark:
            names = ", ".join(heading.name for heading in self.headings)
            notes = [f"No rows; the columns are {names}." if names else "No rows and no columns."]
        if len(self.rows) < self.total_rows and self.rows:
            notes.append(f"{len(self.rows):,} of {self.total_rows:,} rows shown")
        if self.total_columns > _MOST_COLUMNS:
            notes.append(f"{_MOST_COLUMNS} of {self.total_columns:,} columns shown")
        if self.aside and self.rows:
            notes.append(f"Columns not shown: {', '.join(self.aside)}")
        return notes

    def shares(self) -> list[list[float | None]]:
        """Return the length of the bar of every cell, -100 to 100; None if it has none.

        Bars of one unit have the same scale: equal lengths are equal numbers of points.
        """
        longest: dict[str, float] = {}
        for place, heading in enumerate(self.headings):
            if heading.unit in _BARRED and heading.is_figure:
                values = (abs(value) for row in self.rows if (value := _figure(row[place])))
                longest[heading.unit] = max((longest.get(heading.unit, 0.0), *values))
        return [
            [
                _share(value, longest.get(heading.unit, 0.0)) if heading.is_figure else None
                for value, heading in zip(row, self.headings, strict=True)
            ]
            for row in self.rows
        ]


def cell_text(value: object, unit: str = "") -> str:
    """Return a cell's value as text: lists of texts joined, other JSON values in short form.

    Args:
        value: The value; None is a missing one.
        unit: Unit of its column; in a column of "UTC", times omit their offset, in one of "s",
            fractions are durations in words.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "✓ yes" if value else "no"
    if isinstance(value, float):
        return duration(value) if unit == "s" and math.isfinite(value) else _rounded(value)
    if isinstance(value, datetime):
        text = value.isoformat(" ", "milliseconds")
        return text.removesuffix("+00:00") if unit == "UTC" else text
    return _json(value) if isinstance(value, list | tuple | Mapping) else str(value)


def _rounded(value: float) -> str:
    return f"{value:.{_DECIMALS}g}" if abs(value) < 1 else f"{round(value, _DECIMALS):.15g}"


def _json(value: list[Any] | tuple[Any, ...] | Mapping[Any, Any]) -> str:
    """Return a JSON value in short form: texts joined, a plan as calls, a table as its size."""
    if isinstance(value, Mapping):
        if value.keys() >= {"columns", "rows"}:
            return (
                f"{counted(len(value['rows']), 'row')} of {', '.join(map(str, value['columns']))}"
            )
        return ", ".join(f"{name}={short_value(part)}" for name, part in value.items())
    if all(isinstance(item, str) for item in value):
        return (", " if sum(map(len, value)) < _SHORT_LIST_CHARS else "\n").join(value)
    return calls_of(value) if is_plan(value) else short_value(value)


def _index_columns(table: pd.DataFrame) -> Iterator[tuple[object, pd.Series[Any]]]:
    """Yield the levels of an index, unless it only numbers the rows."""
    index = table.index
    if index.names == [None] and index.dtype.kind == "i" and list(index) == [*range(len(table))]:
        return
    for place, name in enumerate(index.names):
        yield "" if name is None else name, index.get_level_values(place).to_series()


def _aside(table: pd.DataFrame) -> tuple[str, ...]:
    """Return the names of the columns that are not shown."""
    aside = tuple(table.attrs.get("aside", ()))
    return aside if set(aside) <= set(table.columns) else ()


def _name(name: object) -> str:
    """Return the name of a column as text."""
    return ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _known(values: pd.Series[Any]) -> list[object]:
    """Return the values of a column as Python objects, missing ones as None.

    Times that are all midnight are dates.
    """
    missing = values.isna()
    is_naive = values.dtype.kind == "M" and getattr(values.dtype, "tz", None) is None
    if is_naive and values.dropna().dt.normalize().eq(values.dropna()).all():
        values = values.dt.date
    pairs = zip(values.astype(object), missing, strict=True)
    return [None if is_missing else value for value, is_missing in pairs]


def _figure(value: object) -> float:
    """Return a finite number, else 0."""
    number = float(value) if isinstance(value, int | float) else 0.0
    return number if abs(number) < float("inf") else 0.0


def _share(value: object, longest: float) -> float | None:
    """Return the length of a bar, in per cent of the longest one."""
    return round(_figure(value) / longest * _FULL, 1) if longest else None
