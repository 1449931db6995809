"""Measures: the functions of a query as ibis expressions over the rows of a group."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import ibis
import ibis.expr.types as ir

from okso_jupyter.tables.column_kinds import TableColumn
from okso_jupyter.tables.query import FENCE, Measure
from okso_jupyter.tables.typed_table import Names

_PERCENT: Final = 100.0
#: Functions whose results have the unit of the values.
_AMOUNTS: Final = frozenset(
    {
        "sum", "mean", "median", "minimum", "maximum", "range", "standard deviation",
        "population standard deviation", "quartile 1", "quartile 3",
    }
)  # fmt: skip
_SECONDS_A_DAY: Final = 86_400.0


@ibis.udf.agg.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def skewness(x: float) -> float:  # type: ignore[empty-body]  # DuckDB has it
    """Return the skewness of a sample, corrected for its size, as pandas does."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def normality_p(values: list[float]) -> float:  # type: ignore[empty-body]  # DuckDB has it
    """Return the p-value of the Shapiro-Wilk test."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def rank_correlation(x: list[float], y: list[float]) -> float:  # type: ignore[empty-body]  # DuckDB has it
    """Return Spearman's rank correlation."""


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # ibis has no types
def correlation_p(x: list[float], y: list[float]) -> float:  # type: ignore[empty-body]  # DuckDB has it
    """Return the p-value of the test for no correlation."""


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of one column within a group.

    Attributes:
        table: The rows.
        shown: The cells as they are shown.
        value: Their values.
        row: The number of each row.
        helper: What `prepared` added for the measure.
    """

    table: ir.Table
    shown: ir.Column
    value: ir.NumericColumn
    row: ir.IntegerColumn
    helper: ir.Column


_Compute = Callable[[_Cells], ir.Scalar]
_Merge = Callable[..., ir.Scalar]

_NUMERIC: Final[Mapping[str, _Compute]] = {
    "sum": lambda c: c.value.sum(),
    "mean": lambda c: c.value.mean(),
    "median": lambda c: c.value.median(),
    "standard deviation": lambda c: c.value.std(how="sample"),
    "population standard deviation": lambda c: c.value.std(how="pop"),
    "variance": lambda c: c.value.var(how="sample"),
    "skewness": lambda c: skewness(c.value),
    "quartile 1": lambda c: c.value.quantile(0.25),
    "quartile 3": lambda c: c.value.quantile(0.75),
    "outliers": lambda c: c.helper.sum(),
    "normality": lambda c: normality_p(c.value.collect()),
}
_ANY: Final[Mapping[str, _Compute]] = {
    "count": lambda c: c.shown.count(),
    "count distinct": lambda c: c.shown.nunique(),
    "missing": lambda c: c.shown.isnull().sum(),
    "missing percent": lambda c: c.shown.isnull().mean() * _PERCENT,
    "most common": lambda c: _ranked(c, ibis.desc(c.helper)),
    "least common": lambda c: _ranked(c, c.helper),
}


#: Functions of a group that are computed from those of its parts: what is computed of a part, and
#: the function of the parts' results.
_PARTS: Final[Mapping[str, tuple[tuple[_Compute, ...], _Merge]]] = {
    "count": ((_ANY["count"],), lambda count: count.sum()),
    "sum": ((_NUMERIC["sum"],), lambda total: total.sum()),
    "mean": (
        (_NUMERIC["sum"], lambda c: c.value.count()),
        lambda total, count: total.sum() / count.sum().nullif(0),
    ),
    "minimum": ((lambda c: c.value.min(),), lambda least: least.min()),
    "maximum": ((lambda c: c.value.max(),), lambda most: most.max()),
}


def unit_of(measure: Measure, column: TableColumn | None) -> str:
    """Return the unit of a measure: that of its column where it is an amount of it."""
    return column.unit if column and measure.function in _AMOUNTS else ""


def is_cell(measure: Measure, column: TableColumn | None) -> bool:
    """Return whether a measure is one of the column's cells, as the file writes it."""
    if measure.function in {"minimum", "maximum"}:
        return column is not None and column.kind == "date"
    return measure.function in {"most common", "least common"}


def has_parts(measure: Measure, column: TableColumn | None) -> bool:
    """Return whether a measure of a group can be computed from those of its parts."""
    return measure.function in _PARTS and not (measure.other or is_cell(measure, column))


def parts_of(table: ir.Table, names: Names, measure: Measure) -> list[ir.Scalar]:
    """Return what is computed of a part of a group, as aggregates of a table's rows."""
    if not measure.column:
        return [table.count()]
    compute, _ = _PARTS[measure.function]
    cells = _cells_of(table, names, measure.column, names.row)
    return [each(cells) for each in compute]


def merged(measure: Measure, parts: Sequence[ir.Column]) -> ir.Scalar:
    """Return a measure of a group as an aggregate of what `parts_of` gave for its parts."""
    _, merge = _PARTS[measure.function]
    return merge(*parts)


def prepared(table: ir.Table, names: Names, measure: Measure, key: list[str]) -> ir.Column | None:
    """Return a column that a measure needs beside the values of its rows; None for most.

    It is how often the value occurs in the group, or whether it is an outlier of it.
    """
    if measure.function in {"most common", "least common"}:
        shown = names.text[measure.column]
        return table[shown].count().over(ibis.window(group_by=[*key, shown]))
    if measure.function == "outliers":
        value = table[names.value(measure.column)]
        group = ibis.window(group_by=key)
        low, high = (value.quantile(share).over(group) for share in (0.25, 0.75))
        margin = FENCE * (high - low)
        return (value < low - margin) | (value > high + margin)
    return None


def computed(
    table: ir.Table, whole: ir.Table, names: Names, measure: Measure, helper: str
) -> ir.Scalar:
    """Return a measure as an aggregate of a table's rows.

    Args:
        table: The rows, with the column that `prepared` made.
        whole: All rows of the table, which shares are shares of.
        names: The names of both.
        measure: The measure.
        helper: Name of the column that `prepared` made; "" if there is none.
    """
    if not measure.column:
        count = table.count()
        return count if measure.function == "count" else _share(count, whole.count())
    value = table[names.value(measure.column)]
    if measure.function == "share percent":
        return _share(value.sum(), whole[names.value(measure.column)].sum())
    if measure.other:
        return _together(measure, value, table[names.value(measure.other)])
    cells = _cells_of(table, names, measure.column, helper or names.row)
    if measure.function in {"minimum", "maximum", "range"}:
        return _extreme(measure, cells, is_date=names.columns[measure.column].kind == "date")
    return {**_NUMERIC, **_ANY}[measure.function](cells)


def _cells_of(table: ir.Table, names: Names, column: str, helper: str) -> _Cells:
    shown, value = table[names.text[column]], table[names.value(column)]
    return _Cells(table, shown, value, table[names.row], table[helper])


def _share(part: ir.NumericScalar, whole: ir.NumericScalar) -> ir.NumericScalar:
    return part * _PERCENT / whole.as_scalar().nullif(0)


def _together(measure: Measure, x: ir.NumericColumn, y: ir.NumericColumn) -> ir.Scalar:
    if measure.function == "correlation":
        # of equal values it is not a number, which would be sorted as the largest one
        return x.corr(y, how="pop").nullif(math.nan)
    both = x.notnull() & y.notnull()
    pair = x.collect(where=both), y.collect(where=both)
    ranked = measure.function == "rank correlation"
    return rank_correlation(*pair) if ranked else correlation_p(*pair)


def _extreme(measure: Measure, cells: _Cells, *, is_date: bool) -> ir.Scalar:
    low, high = cells.value.min(), cells.value.max()
    if measure.function == "range":
        if is_date:
            return (high.epoch_seconds() - low.epoch_seconds()) / _SECONDS_A_DAY
        return high - low
    if is_date and cells.shown.type().is_string():
        # the date as the file writes it
        least = measure.function == "minimum"
        return cells.shown.argmin(cells.value) if least else cells.shown.argmax(cells.value)
    return low if measure.function == "minimum" else high


def _ranked(cells: _Cells, how_often: ir.Value) -> ir.Scalar:
    """Return the value that comes first; of equally frequent ones the first in the table."""
    return cells.shown.first(where=cells.shown.notnull(), order_by=[how_often, cells.row])
