"""Which requests change the last query, and how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter.planning.table_questions.follow_up import changed_query, follow_up
from okso_jupyter.planning.table_questions.going_on import turns_down
from okso_jupyter.planning.table_questions.query_reading import FollowUp
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Bound, Filter, Measure, Query
from tests.each_row import each_row

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


@each_row(
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


@each_row(
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


def test_a_bound_of_groups_stays_on_its_measure() -> None:
    """It is kept with other rows and groups; a bound on a number of rows is none on a median."""
    bounds = (Bound(">", 1),)
    last = Query("sales.csv", by="region", measures=(Measure("count"),), bounds=bounds)
    change = follow_up("and in 2015?", last, _TABLE)
    assert change is not None
    assert change.query == replace(last, filters=(Filter("sold on", "=", 2015, "year"),))
    assert change.kept == "number of rows, for each region, with more than 1 row, in sales.csv"
    assert FollowUp.from_json(change.to_json()) == change
    grouped = follow_up("now by product", last, _TABLE)
    assert grouped is not None
    assert (grouped.query.by, grouped.query.bounds) == ("product", bounds)
    prices = replace(last, measures=(Measure("mean", "price"),))
    assert follow_up("the median instead", prices, _TABLE) is None


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


_MEAN = Query("sales.csv", by="region", measures=(Measure("mean", "price"),), order="region")


@pytest.mark.parametrize(
    ("feedback", "parts"),
    [
        ("use the median instead", {"measures": (Measure("median", "price"),)}),
        ("sum, not the mean", {"measures": (Measure("sum", "price"),)}),
        ("no, use the sum", {"measures": (Measure("sum", "price"),)}),
        ("pens", {"filters": (Filter("product", "=", "pen"),)}),
        ("highest first", {"order": "", "descending": True}),
        ("lowest first please", {"order": ""}),
    ],
)
def test_feedback_changes_the_shown_query(feedback: str, parts: dict[str, Any]) -> None:
    """It need not be worded as a follow-up, and may deny what is shown."""
    found = changed_query(feedback, _MEAN, _TABLE)
    assert found is not None
    assert found.query == replace(_MEAN, **parts)


@pytest.mark.parametrize(
    "feedback", ["please do it nicely", "mean", "not the pens", "no", "round it"]
)
def test_feedback_with_another_word_changes_no_query(feedback: str) -> None:
    """A word that nothing explains might be what matters."""
    assert changed_query(feedback, _MEAN, _TABLE) is None


@pytest.mark.parametrize(
    ("feedback", "is_so"),
    [
        ("no", True),
        ("That is wrong, I meant something else", True),
        ("not this one", True),
        ("nein, anders", True),
        ("please do it nicely", False),
        ("do not round the numbers", False),
    ],
)
def test_feedback_may_only_turn_a_plan_down(feedback: str, *, is_so: bool) -> None:
    """Then the next reading is wanted; what is merely not understood does not ask for one."""
    assert turns_down(feedback) is is_so
