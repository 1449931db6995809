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
def test_a_follow_up_changes_only_the_requested_part(
    request_text: str, parts: dict[str, Any]
) -> None:
    """The rest of the last query is kept."""
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
def test_an_unrelated_request_is_not_a_follow_up(request_text: str) -> None:
    """A word that no change explains, or a complete question, makes it a new request."""
    assert follow_up(request_text, _LAST, _TABLE) is None


def test_a_follow_up_reports_what_it_changed_and_kept() -> None:
    """The changed and the kept parts are described and survive a JSON round trip."""
    found = follow_up("and in the south?", _LAST, _TABLE)
    assert found is not None
    assert found.changed == "region is South instead of region is North"
    assert found.kept == "mean of price, in sales.csv"
    assert FollowUp.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("request_text", "limit", "descending"),
    [("the smallest instead", 1, False), ("now the top 2", 2, True)],
)
def test_a_follow_up_can_take_the_other_end_of_a_ranking(
    request_text: str,
    limit: int,
    descending: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """The limit and the direction change; groups and measure are kept."""
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


def test_no_follow_up_where_a_column_is_missing() -> None:
    """There is no follow-up where the table lacks a column of the last query."""
    gone = replace(_LAST, measures=(Measure("mean", "weight"),))
    assert follow_up("and in the south?", gone, _TABLE) is None
