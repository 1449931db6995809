"""Statistics beyond SQL, as functions that DuckDB calls; loaded when a query needs them."""

from __future__ import annotations

from typing import Any, Final

import duckdb

_LEAST_FOR_NORMALITY: Final = 3
_LEAST_FOR_RANKS: Final = 2
_LEAST_FOR_CORRELATION: Final = 3


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Let a connection's SQL call these functions."""
    numbers: Final = "DOUBLE[]"
    # also called with null: DuckDB passes it on in place of an empty list
    null_handling: Any = "special"  # the name of its type differs from version to version
    connection.create_function(
        "normality_p", _normality_p, [numbers], "DOUBLE", null_handling=null_handling
    )
    for name, function in (
        ("rank_correlation", _rank_correlation),
        ("correlation_p", _correlation_p),
    ):
        connection.create_function(
            name, function, [numbers, numbers], "DOUBLE", null_handling=null_handling
        )


def _normality_p(values: list[float] | None) -> float | None:
    """Return the p-value of the Shapiro-Wilk test; None for fewer than three values."""
    from scipy import stats  # noqa: PLC0415  its import takes a second

    if values is None or len(values) < _LEAST_FOR_NORMALITY or min(values) == max(values):
        return None
    return float(stats.shapiro(values).pvalue)


def _rank_correlation(x: list[float] | None, y: list[float] | None) -> float | None:
    """Return Spearman's rank correlation; None where it is not defined."""
    from scipy import stats  # noqa: PLC0415  see above

    if not x or not y or len(x) < _LEAST_FOR_RANKS or min(x) == max(x) or min(y) == max(y):
        return None
    return float(stats.spearmanr(x, y).statistic)


def _correlation_p(x: list[float] | None, y: list[float] | None) -> float | None:
    """Return the p-value of Pearson's correlation; None where it is not defined."""
    from scipy import stats  # noqa: PLC0415  see above

    if not x or not y or len(x) < _LEAST_FOR_CORRELATION or min(x) == max(x) or min(y) == max(y):
        return None
    return float(stats.pearsonr(x, y).pvalue)
