"""Sheet: what of a table is shown, the same for HTML, Markdown and text.

A table comes in as a DataFrame and is only read; pandas is not imported here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd

#: Rows that are shown where nothing else is said; pandas' own default of display.max_rows.
MOST_ROWS: Final = 60
_MOST_COLUMNS: Final = 100
_DECIMALS: Final = 3
_SHORT_LIST_CHARS: Final = 48
#: Units of figures that can be compared by eye: they get a bar.
_BARRED: Final = frozenset({"points", "0 to 1", "s"})
#: A bar as long as its box.
_FULL: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The head of one column.

    Attributes:
        name: Its name; empty for an index without one.
        unit: Unit or what is counted; empty where there is none.
        is_figure: Whether the column holds numbers.
        is_rigid: Whether its cells are not to be broken into lines, such as times.
    """

    name: str
    unit: str = ""
    is_figure: bool = False
    is_rigid: bool = False

    @property
    def words(self) -> str:
        """Name and unit on one line; a unit that the name ends with is not said again."""
        told = not self.unit or self.name.endswith(f"_{self.unit}") or self.name == self.unit
        return self.name if told else f"{self.name} ({self.unit})"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableModel:
    """The part of a table that is shown.

    Attributes:
        headings: One per shown column.
        rows: Values of the shown rows; None is a missing value.
        total_rows: Rows of the whole table.
        total_columns: Columns of the whole table.
        remark: A sentence about the table as a whole; empty where there is none.
    """

    headings: tuple[Heading, ...]
    rows: tuple[tuple[object, ...], ...]
    total_rows: int
    total_columns: int
    remark: str = ""

    @classmethod
    def of(cls, table: pd.DataFrame, *, most_rows: int | None = MOST_ROWS) -> TableModel:
        """Return what of a table is shown.

        Args:
            table: A DataFrame; `attrs` may hold "units" by column, a "note", and under "nothing"
                a sentence for when it has no rows.
            most_rows: Rows to be shown at most, the first ones; None is all.
        """
        shown = table if most_rows is None else table.head(most_rows)
        units = table.attrs.get("units", {})
        series = [(name, shown.iloc[:, place]) for place, name in enumerate(shown.columns)]
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
        )

    @property
    def notes(self) -> list[str]:
        """What is to be said below the table: how much of it is shown, and its remark."""
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
        return notes

    def shares(self) -> list[list[float | None]]:
        """Return the length of the bar of every cell, -100 to 100; None where there is none.

        Bars of one unit are to one scale: the same length is the same number of points.
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
    """Return a cell's value as text: lists of words joined, other JSON values as JSON.

    Args:
        value: The value; None is a missing one.
        unit: Unit of its column; a time in a column of "UTC" need not say so itself.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "✓ yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{_DECIMALS}g}" if abs(value) < 1 else f"{round(value, _DECIMALS):.15g}"
    if isinstance(value, datetime):
        text = value.isoformat(" ", "milliseconds")
        return text.removesuffix("+00:00") if unit == "UTC" else text
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return (", " if sum(map(len, value)) < _SHORT_LIST_CHARS else "\n").join(value)
    return _json(value) if isinstance(value, list | tuple | Mapping) else str(value)


def _json(value: object) -> str:
    """Return a value as JSON, or as Python writes it where JSON has no word for it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return repr(value)


def _index_columns(table: pd.DataFrame) -> Iterator[tuple[object, pd.Series[Any]]]:
    """Yield the levels of an index; one that only counts the rows says nothing."""
    index = table.index
    if index.names == [None] and index.dtype.kind == "i" and list(index) == [*range(len(table))]:
        return
    for place, name in enumerate(index.names):
        yield "" if name is None else name, index.get_level_values(place).to_series()


def _name(name: object) -> str:
    """Return the name of a column in words."""
    return ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _known(values: pd.Series[Any]) -> list[object]:
    """Return the values of a column as Python objects, what is missing as None."""
    missing = values.isna()
    pairs = zip(values.astype(object), missing, strict=True)
    return [None if is_missing else value for value, is_missing in pairs]


def _figure(value: object) -> float:
    """Return a number that has a length, else 0."""
    number = float(value) if isinstance(value, int | float) else 0.0
    return number if abs(number) < float("inf") else 0.0


def _share(value: object, longest: float) -> float | None:
    """Return how long a bar is, in per cent of the longest one."""
    return round(_figure(value) / longest * _FULL, 1) if longest else None
