"""Ranks: whether others share the last place of a result that has the first few alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from okso_jupyter.tables.query import Query

#: The most that are named of those with as much as the last one shown.
MOST_TIED: Final = 5


def is_ranked(query: Query) -> bool:
    """Return whether a query gives the first groups by a measure, or the first rows by a column."""
    if not query.limit or query.chart or query.combine or query.distinct or query.shift:
        return False
    if query.by:
        return bool(query.measures) and not query.order
    is_named = bool(query.columns) and query.columns[0] != query.order
    return bool(query.order) and not query.measures and is_named


def ranking(query: Query, most: int) -> Query:
    """Return the query of what is shown first of each place, and what these are ranked by."""
    if query.by:
        return replace(query, columns=(), measures=query.measures[:1], limit=most)
    return replace(query, columns=(query.columns[0], query.order), limit=most)
