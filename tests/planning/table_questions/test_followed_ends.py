"""Follow-ups for the other end of a ranking, and for another column that rows are ranked by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from okso_jupyter.planning.table_questions.follow_up import follow_up
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.query import Measure, Query
from tests.each_row import each_row

_BOATS = TableSample(
    "boats.csv",
    ["boat", "yard", "length m", "weight t", "price", "launch date", "crew"],
    [
        ["Heron", "Kiel", "9.5", "4.1", "41000", "1998-05-02", "3"],
        ["Swift", "Cork", "7.2", "2.0", "18500", "2011-07-30", "2"],
        ["Otter", "Kiel", "12.0", "7.7", "88000", "2004-03-11", "5"],
        ["Pike", "Cork", "8.1", "2.9", "23000", "1987-09-19", "4"],
        ["Wren", "Kiel", "6.4", "1.3", "9900", "2020-04-04", "1"],
    ],
)


def _ranked(column: str, *, descending: bool = True, limit: int = 1) -> Query:
    return Query("boats.csv", order=column, descending=descending, limit=limit, columns=("boat",))


_BY_YARD = Query(
    "boats.csv",
    by="yard",
    measures=(Measure("count"),),
    descending=True,
    limit=1,
    columns=("yard",),
)
_ALL_YARDS = Query("boats.csv", by="yard", measures=(Measure("count"),), order="yard")


@each_row(
    ("last", "request_text", "parts"),
    [
        (_ranked("weight t"), "and the lightest?", {"descending": False}),
        (_ranked("weight t"), "and which boat is the lightest?", {"descending": False}),
        (_ranked("weight t"), "und das leichteste?", {"descending": False}),
        (_ranked("price"), "and the cheapest?", {"descending": False}),
        (_ranked("price"), "and the least expensive one?", {"descending": False}),
        (_ranked("price", descending=False), "and the most expensive?", {"descending": True}),
        (_ranked("price"), "und welches ist das billigste?", {"descending": False}),
        (_ranked("length m"), "and the shortest?", {"descending": False}),
        (_ranked("launch date", descending=False), "and the newest?", {"descending": True}),
        (_ranked("crew"), "und die wenigsten?", {"descending": False}),
        (_ranked("crew"), "und welches am wenigsten?", {"descending": False}),
        (_ranked("crew", limit=3), "and the lowest?", {"descending": False}),
        (
            _ranked("crew"),
            "and the 2 smallest?",
            {"descending": False, "limit": 2},
        ),
        (_ranked("price"), "und die drei billigsten?", {"descending": False, "limit": 3}),
        (_BY_YARD, "and which has the fewest?", {"descending": False}),
        (_BY_YARD, "and the fewest boats?", {"descending": False}),
        (_BY_YARD, "und am wenigsten?", {"descending": False}),
        (_BY_YARD, "und welche Werft hat die wenigsten?", None),
        (
            _ALL_YARDS,
            "and which has the most?",
            {"order": "", "descending": True, "limit": 1, "columns": ("yard",)},
        ),
    ],
)
def test_a_follow_up_takes_the_other_end(
    last: Query, request_text: str, parts: dict[str, Any] | None
) -> None:
    """An adjective of the ranked column is enough; a word of no column makes it a new request."""
    found = follow_up(request_text, last, _BOATS)
    expected = None if parts is None else replace(last, **parts)
    assert (found.query if found else None) == expected


@each_row(
    ("last", "request_text", "parts"),
    [
        (_ranked("price"), "and the heaviest?", {"order": "weight t"}),
        (_ranked("weight t"), "and the oldest?", {"order": "launch date", "descending": False}),
        (_ranked("weight t"), "by price instead", {"order": "price"}),
        (_ranked("price"), "and by length?", {"order": "length m"}),
        (
            replace(_ranked("price"), columns=("boat", "price")),
            "und das schwerste?",
            {"order": "weight t", "columns": ("boat", "weight t")},
        ),
    ],
)
def test_a_follow_up_ranks_by_another_column(
    last: Query, request_text: str, parts: dict[str, Any]
) -> None:
    """An adjective of another column tells what is ranked as well."""
    found = follow_up(request_text, last, _BOATS)
    assert found is not None
    assert found.query == replace(last, **parts)


@each_row(
    ("function", "request_text", "wanted"),
    [
        ("most common", "and the fewest?", "least common"),
        ("most common", "und am seltensten?", "least common"),
        ("maximum", "and the least?", "minimum"),
        ("minimum", "und die meisten?", "maximum"),
    ],
)
def test_the_other_end_of_a_computed_one(function: Any, request_text: str, wanted: str) -> None:
    """The most common value and a maximum have an opposite as well."""
    column = "yard" if function == "most common" else "crew"
    last = Query("boats.csv", measures=(Measure(function, column),))
    found = follow_up(request_text, last, _BOATS)
    assert found is not None
    assert found.query.measures[0].function == wanted


@each_row(
    "request_text",
    [
        "and the heaviest crate?",
        "and who sails it?",
        "and the cheapest in Rome?",
        "and the heaviest?",
    ],
)
def test_no_end_where_a_word_is_left_or_nothing_is_ranked(request_text: str) -> None:
    """A number of rows has no other end."""
    last = Query("boats.csv", measures=(Measure("count"),))
    assert follow_up(request_text, last, _BOATS) is None
