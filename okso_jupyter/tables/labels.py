"""Labels: what the parts of a query are called, in results and in sentences."""

from __future__ import annotations

from okso_jupyter.tables.query import Chart, Measure, Query


def label(measure: Measure) -> str:
    """Return what a measure is called, such as "mean of price"."""
    if not measure.column:
        return "number of rows" if measure.function == "count" else "share of rows (percent)"
    if measure.other:
        return f"{measure.function} of {measure.column} and {measure.other}"
    if measure.function == "count":
        return f"number of {measure.column}"
    if measure.function == "count distinct":
        return f"number of different {measure.column}"
    return f"{measure.function} of {measure.column}"


def group_label(query: Query) -> str:
    """Return what the groups of a query are called, such as "month of date"."""
    return f"{query.part} of {query.by}" if query.part else query.by


def chart_label(chart: Chart) -> str:
    """Return what a chart is called, such as "bar chart"."""
    if chart in {"", "histogram"}:
        return chart
    return "scatter plot" if chart == "scatter" else f"{chart} chart"


def bin_labels(column: str) -> tuple[str, str]:
    """Return what the ends of a histogram's bins are called."""
    return f"{column} from", f"{column} to"
