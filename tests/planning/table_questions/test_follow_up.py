"""Which requests change the last query, and how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter.planning.table_questions.follow_up import FollowUp, follow_up
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Filter, Measure, Query

_TABLE = TableSample(
    "sales.csv",
    ["region", "product", "price", "Pclass", "sold on"],
    [
        ["North", "pen", "3", "1", "2014-05-01"],
        ["South", "cup", "4", "2", "2015-06-02"],
        ["West", "pen", "9", "3", "2015-07-03"],
        ["North", "box", "7", "2", "2016-08-04"],
    ],
)
_NORTH = Filter("region", "=", "North")
_LAST = Query("sales.csv", filters=(_NORTH,), measures=(Measure("mean", "price"),))


@pytest.mark.parametrize(
    ("request_text", "parts"),
    [
        ("and in the south?", {"filters": (Filter("region", "=", "South"),)}),
        ("What about the West?", {"filters": (Filter("region", "=", "West"),)}),
        ("und im South?", {"filters": (Filter("region", "=", "South"),)}),
        ("and for the second class?", {"filters": (_NORTH, Filter("Pclass", "=", 2))}),
        ("only 2015", {"filters": (_NORTH, Filter("sold on", "=", 2015, "year"))}),
        ("only pens", {"filters": (_NORTH, Filter("product", "=", "pen"))}),
        ("now by product", {"by": "product", "order": "product"}),
        ("now per year", {"by": "sold on", "part": "year", "order": "sold on"}),
        ("the median instead", {"measures": (Measure("median", "price"),)}),
        ("and the maximum?", {"measures": (Measure("maximum", "price"),)}),
        ("and the Pclass?", {"measures": (Measure("mean", "Pclass"),)}),
        ("and overall?", {"filters": ()}),
        (
            "and how many in the South?",
            {"filters": (Filter("region", "=", "South"),), "measures": (Measure("count"),)},
        ),
        (
            "and the median in the South?",
            {
                "filters": (Filter("region", "=", "South"),),
                "measures": (Measure("median", "price"),),
            },
        ),
    ],
)
def test_the_last_query_is_changed_where_the_request_says(
    request_text: str, parts: dict[str, Any]
) -> None:
    """Everything else of it is kept."""
    found = follow_up(request_text, _LAST, _TABLE)
    assert found is not None
    assert found.query == replace(_LAST, **parts)


@pytest.mark.parametrize(
    "request_text",
    [
        "What is the mean price in the south?",
        "and save it to a file",
        "and in the east?",
        "and the region?",
        "and then delete the pens",
        "only the rest",
        "now by colour",
        "the median price of all the flats in Berlin instead",
        "and in the north?",
        "and 2?",
        "only north or south",
        "only south and west",
        "and not in the south?",
        "and who in the south?",
        "Thanks",
    ],
)
def test_a_request_that_says_something_else_is_no_follow_up(request_text: str) -> None:
    """One word that no change explains is enough; so is a request that stands alone."""
    assert follow_up(request_text, _LAST, _TABLE) is None


def test_what_was_changed_and_kept_is_said() -> None:
    """In the note of the planning."""
    found = follow_up("and in the south?", _LAST, _TABLE)
    assert found is not None
    assert found.changed == "region is South instead of region is North"
    assert found.kept == "mean of price, in sales.csv"
    assert FollowUp.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("request_text", "limit", "descending"),
    [("the smallest instead", 1, False), ("now the top 2", 2, True)],
)
def test_another_end_of_a_ranking_is_taken(request_text: str, limit: int, descending: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Of the same groups, with the same measure."""
    grouped = Query(
        "sales.csv",
        by="region",
        measures=(Measure("sum", "price"),),
        columns=("region",),
        limit=1,
        descending=True,
    )
    found = follow_up(request_text, grouped, _TABLE)
    assert found is not None
    assert (found.query.limit, found.query.descending) == (limit, descending)


def test_a_table_that_has_changed_is_not_followed() -> None:
    """A column of the last query is gone."""
    gone = replace(_LAST, measures=(Measure("mean", "weight"),))
    assert follow_up("and in the south?", gone, _TABLE) is None
