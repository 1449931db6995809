"""Choice: which of several measures a query keeps, and what it is called.

Standard library only: the planner's preview and the process that runs queries choose alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from okso_jupyter.tables.query import Combination, Measure, Query


def chosen_place(values: Sequence[float | None], combine: Combination) -> int | None:
    """Return the place of the value that is kept, the first of equal ones; None of none."""
    known = [(value, place) for place, value in enumerate(values) if value is not None]
    if not known:
        return None
    if combine == "smallest":
        return min(known)[1]
    size = abs if combine == "strongest" else float
    return max(known, key=lambda pair: size(pair[0]))[1]


def chosen_names(measures: Sequence[Measure]) -> list[str]:
    """Return what tells several measures apart: their columns, or with one the second ones."""
    first = {measure.column for measure in measures}
    if not measures[0].other:
        return [measure.column for measure in measures]
    if len(first) == 1:
        return [measure.other for measure in measures]
    return [f"{measure.column} and {measure.other}" for measure in measures]


def chosen_label(query: Query) -> str:
    """Return what the number that is kept is called, such as "correlation with price"."""
    first = query.measures[0]
    is_of_one = len({measure.column for measure in query.measures}) == 1
    return f"{first.function} with {first.column}" if first.other and is_of_one else first.function
