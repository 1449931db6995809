"""Of readings that differ in the direction alone, the one that a question states is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from okso_jupyter.planning.table_questions.stated_direction import stated_direction
from okso_jupyter.tables.query import Measure, Query

_COUNT = (Measure("count"),)


def _passes(question: str, query: Query) -> bool:
    return all(is_done(query) for is_done in stated_direction(question))


@pytest.mark.parametrize(
    ("question", "descending"),
    [
        ("In which month were most orders placed", True),
        ("Which product sells best", True),
        ("which product has the highest total", True),
        ("Welche Stadt hat die meisten Bestellungen", True),
        ("Which customer has the fewest orders", False),
        ("which city had the lowest total", False),
    ],
)
def test_the_opposite_of_what_is_stated_is_left_out(question: str, *, descending: bool) -> None:
    """Of groups, and of rows."""
    groups = Query("t", by="city", measures=_COUNT, limit=1, descending=descending)
    rows = Query("t", order="amount", limit=1, descending=descending)
    for query in (groups, rows):
        assert _passes(question, query)
        assert not _passes(question, replace(query, descending=not descending))


@pytest.mark.parametrize(
    "question",
    [
        "Which customers have at most two orders",
        "Which city has at least three orders",
        "the highest and the lowest amount",
        "How many orders are there per city",
    ],
)
def test_nothing_is_stated(question: str) -> None:
    """A bound is no end, and two ends are none."""
    assert not [*stated_direction(question)]


def test_ranks_and_dates_have_their_own_direction() -> None:
    """The highest rank is 1; one number over all rows has no direction."""
    assert _passes("who has the highest rank", Query("t", order="rank", limit=1))
    assert _passes("the highest salary", Query("t", measures=(Measure("maximum", "salary"),)))


def test_the_most_common_is_the_value_of_the_most_rows() -> None:
    """As a measure of its own, or as the largest group."""
    asked = "What is the most common city"
    assert _passes(asked, Query("t", measures=(Measure("most common", "city"),)))
    assert _passes(asked, Query("t", by="city", measures=_COUNT, limit=1, descending=True))
    assert not _passes(asked, Query("t", measures=(Measure("maximum", "amount"),)))
